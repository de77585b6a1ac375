"""People who type beside a load: how long a keystroke takes at every setting of a knob, and what the load loses."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from engine.metrics.knob import with_knobs
from engine.metrics.sweep import runs_of
from engine.metrics.wall import WallRule
from engine.plots.axes import PLAIN, decades, grid_axes, legend_at_foot, say, title
from engine.plots.panels import Look, styles

WORKLOAD = "interactive"
TIMES = ["round_mean_ms", "round_p50_ms", "round_p90_ms", "round_p99_ms", "round_max_ms"]
SHARES = {"round_over_100ms_pct": "0.1 s", "round_over_1s_pct": "1 s", "round_over_10s_pct": "10 s"}
LOAD = "background_write_mib_s"
PANEL = ["machine", "threads", "knob"]
PANEL_INCHES = 2.4


def table(sweep: pd.DataFrame, _rule: WallRule) -> pd.DataFrame:
    """Medians over the runs of the workload `interactive`, for every kernel and `value` of its `knob`."""
    runs = runs_of(sweep)
    runs = with_knobs(runs[runs["workload"] == WORKLOAD])
    point = [*PANEL, "kernel", "value"]
    points = runs.groupby(point, sort=False)[[*TIMES, *SHARES, LOAD]].median().reset_index()
    return points.sort_values(point, ignore_index=True)


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """A row of panels a machine and knob: times, share of late answers, the load's rate; see `table`."""
    if table.empty:
        return say(figure, f"No runs of the workload {WORKLOAD} in the sweep.")
    rows = list(table.groupby(PANEL, sort=False))
    looks = styles(table["kernel"])
    places = iter(grid_axes(figure, len(rows), 3, PANEL_INCHES))
    for (machine, threads, knob), points in rows:
        times, shares, load = (next(places) for _ in range(3))
        draw_curves(points, looks, times, "round_p99_ms", "99th percentile of answers [ms]")
        decades(times, "y")
        draw_curves(points, looks, shares, "round_over_100ms_pct", "answers later than 0.1 s [%]")
        shares.set_ylim(0, 100)
        draw_curves(points, looks, load, LOAD, "load's rate [MiB/s]")
        load.set_ylim(0, 1.08 * points[LOAD].max())
        for axes in (times, shares, load):
            axes.set_xlabel(f"{knob} [{'ms' if knob.endswith('_ms') else 'passovers'}]")
        title(times, f"{machine}, {threads} users")
    legend_at_foot(figure)
    return figure


def draw_curves(
    points: pd.DataFrame, looks: Mapping[str, Look], axes: Axes, column: str, label: str
) -> None:
    """A curve a kernel over the settings of its knob."""
    axes.set_xscale("symlog", base=2, linthresh=1)
    axes.set_xticks(sorted(points["value"].unique())[::2])
    axes.xaxis.set_major_formatter(PLAIN)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_ylabel(label)
    for kernel, curve in points.groupby("kernel", sort=False):
        axes.plot(curve["value"], curve[column], label=kernel, **looks[kernel])

"""What elvtune trades: the reads' times against the writer's rate, a curve for every kernel."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.metrics.knee import knee
from engine.metrics.knob import with_knobs
from engine.metrics.sweep import runs_of
from engine.metrics.wall import WallRule
from engine.plots.axes import decades, grid_axes, legend_at_foot, say, title
from engine.plots.panels import Look, styles

TIMES = {
    "read_mean_ms": "mean read() call [ms]",
    "read_p99_ms": "99th percentile [ms]",
    "read_max_ms": "longest read() call [ms]",
}
CURVE = ["machine", "workload", "threads", "kernel"]
PANEL_INCHES = 2.6


def table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """Medians over the runs of every setting of a knob, beside writers.

    `knob` is `read_latency` or, where a scheduler has deadlines, `read_expire_ms`; `value` its setting.
    `knee` marks the setting that `engine.metrics.knee` finds between `read_p99_ms` and `background_write_mib_s`.
    """
    runs = runs_of(sweep)
    runs = with_knobs(runs[runs["background_write_mib_s"] > 0])
    point = ["machine", "workload", "threads", "kernel", "knob", "value"]
    columns = [*TIMES, "background_write_mib_s", "background_write_max_ms"]
    points = runs.groupby(point, sort=False)[columns].median().reset_index()
    points = points.sort_values([*CURVE, "value"], ignore_index=True)
    points["knee"] = False
    for _, curve in points.groupby(CURVE, sort=False):
        best = knee(curve["read_p99_ms"], curve["background_write_mib_s"])
        if best is not None:
            points.loc[best, "knee"] = True
    return points


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """A row of panels a machine and workload, one for each of `TIMES`; see `table`."""
    if table.empty:
        return say(figure, "No runs with writers in the sweep: there is no trade-off to show.")
    rows = list(table.groupby(CURVE[:3], sort=False))
    places = iter(grid_axes(figure, len(rows), len(TIMES), PANEL_INCHES))
    for (machine, workload, threads), points in rows:
        for number, time in enumerate(TIMES):
            axes = draw_panel(points, time, next(places))
            if number == 0:
                axes.set_ylabel("writers' rate [MiB/s]")
                title(axes, f"{machine}, {workload}, {threads} readers")
            else:
                axes.tick_params(labelleft=False)
    legend_at_foot(figure)
    return figure


def draw_panel(points: pd.DataFrame, time: str, axes: Axes) -> Axes:
    """A curve a kernel over its settings; the smallest is hollow, the knee has a ring."""
    decades(axes, "x")
    axes.set_xlabel(TIMES[time])
    looks = styles(points["kernel"])
    for kernel, curve in points.groupby("kernel", sort=False):
        look = looks[kernel]
        axes.plot(
            curve[time], curve["background_write_mib_s"], label=_in_words(kernel, curve), **look
        )
        first, best = curve.iloc[:1], curve[curve["knee"]]
        hollow: Look = {
            "color": look["color"],
            "marker": look["marker"],
            "markerfacecolor": "white",
        }
        axes.plot(first[time], first["background_write_mib_s"], linestyle="", zorder=3, **hollow)
        ring: Look = {"marker": "o", "markersize": 11, "markerfacecolor": "none", "linestyle": ""}
        axes.plot(best[time], best["background_write_mib_s"], markeredgecolor=look["color"], **ring)
    return axes


def _in_words(kernel: str, curve: pd.DataFrame) -> str:
    """`2.4.20: knee at read_latency 32`."""
    knob, best = curve["knob"].iloc[0], curve[curve["knee"]]
    return f"{kernel}: " + (
        f"no knee in {knob}" if best.empty else f"knee at {knob} {best['value'].iloc[0]:g}"
    )

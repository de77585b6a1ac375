"""Few readers that starve: the longest read() beside the whole run, a row for every kernel."""

import pandas as pd
from matplotlib.figure import Figure

from engine import presets
from engine.metrics.sweep import runs_of
from engine.metrics.wall import WallRule
from engine.plots.axes import PAGE_INCHES, decades, legend_at_foot, say, title
from engine.plots.panels import Look

READERS = 2
ROW_INCHES = 0.26
_DOT: Look = {"linestyle": "", "markersize": 6}


def table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """Runs of two sequential readers, kernels in order of time: their longest read() and duration [s]."""
    runs = runs_of(sweep)
    most = runs.groupby(["machine", "workload", "overrides"])["threads"].transform("max")
    about_them = (most == READERS) & (runs["workload"] == "tiobench_sequential_read")
    runs = runs[about_them]
    order = {name: i for i, name in enumerate(presets.kernel_names())}
    runs = runs.sort_values("kernel", key=lambda names: names.map(order), kind="stable")
    kept = runs[["machine", "workload", "overrides", "kernel", "threads", "run", "duration_s"]]
    return kept.assign(read_max_s=runs["read_max_ms"] / 1000).reset_index(drop=True)


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """One panel a machine and its overrides; see `table`."""
    if table.empty:
        return say(figure, "No sweep of two sequential readers alone: there is nothing to show.")
    panels = list(table.groupby(["machine", "workload", "overrides"], sort=False))
    most = max(panel["kernel"].nunique() for _, panel in panels)
    figure.set_size_inches(PAGE_INCHES, len(panels) * (0.9 + ROW_INCHES * most))
    places = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    for axes, ((machine, workload, _), panel) in zip(places, panels, strict=True):
        decades(axes, "x")
        kernels = list(dict.fromkeys(panel["kernel"]))
        at = panel["kernel"].map(kernels.index)
        axes.plot(panel["read_max_s"], at, "o", color="#D55E00", label="longest read()", **_DOT)
        axes.plot(panel["duration_s"], at, "D", color="#777777", label="whole run", **_DOT)
        axes.set_yticks(range(len(kernels)), kernels)
        axes.set_ylim(len(kernels) - 0.5, -0.5)
        axes.set_xlabel("time [s]")
        title(axes, f"{machine}, {workload}, {READERS} readers")
    legend_at_foot(figure)
    return figure

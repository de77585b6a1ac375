"""The law of the wall: what the readers ask of the pool against its slots, and the share of a batch."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.metrics.law import with_law
from engine.metrics.sweep import runs_of
from engine.metrics.wall import WallRule
from engine.plots.axes import count_ticks, decades, grid_axes, legend_at_foot, say, title
from engine.plots.panels import Look, styles

PANEL_INCHES = 2.3
_POINT = ("workload", "machine", "kernel", "overrides", "threads")
_VALUES = (
    *("read_slots", "batch_requests", "requests_per_reader", "demand_requests"),
    *("demand_over_slots", "batch_over_slots", "read_max_s"),
)


def table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """Medians over the runs, a row for every thread count of every line.

    `demand_requests` is threads times the requests per reader measured in the runs; `starves` says
    that the longest read() call is above `floor_s`, the floor of a wall. Kernels with equal slots, or
    an equal batch, are drawn side by side at `drawn_slots` and `drawn_batch_over_slots`.
    """
    runs = runs_of(sweep)
    rows = with_law(runs).assign(read_max_s=runs["read_max_ms"] / 1000)
    points = rows.groupby(list(_POINT), sort=False)[list(_VALUES)].median().reset_index()
    return points.assign(
        starves=points["read_max_s"] > rule.floor_s,
        floor_s=rule.floor_s,
        drawn_slots=points["read_slots"] * 2 ** (0.16 * _side(points, "read_slots")),
        drawn_batch_over_slots=points["batch_over_slots"]
        + 0.012 * _side(points, "batch_over_slots"),
    )


def _side(points: pd.DataFrame, value: str) -> pd.Series:
    """-1, 0, 1 for the three kernels of a workload that share a `value`, and so on; 0 if it is alone."""
    place = pd.Series(0.0, index=points.index)
    for _, sharing in points.groupby(["workload", value]):
        kernels = [
            kernel for kernel in styles(points["kernel"]) if kernel in set(sharing["kernel"])
        ]
        middle = (len(kernels) - 1) / 2
        place[sharing.index] = sharing["kernel"].map(kernels.index) - middle
    return place


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """A row of two panels a workload, all machines in it; see `table`."""
    if table.empty:
        return say(figure, "No runs in the sweep: there is no law to show.")
    workloads = list(table.groupby("workload", sort=False))
    grid = iter(grid_axes(figure, len(workloads), 2, PANEL_INCHES))
    for name, points in workloads:
        title(draw_demand(points, next(grid)), name)
        draw_batch(points[points["demand_over_slots"] >= 1], next(grid))
    floor_s = table["floor_s"].iloc[0]
    above = figure.axes[0]
    dot: Look = {"marker": "o", "edgecolors": "#777777", "s": 26, "linewidths": 1}
    above.scatter([], [], c="#777777", label=f"filled: longest read() over {floor_s:g} s", **dot)
    above.scatter([], [], c="none", label=f"hollow: up to {floor_s:g} s", **dot)
    legend_at_foot(figure)
    return figure


def draw_demand(points: pd.DataFrame, axes: Axes) -> Axes:
    """Demand against slots; points that starve are filled, and should lie above the line."""
    decades(axes, "y")
    axes.set_xscale("log", base=2)
    ends = [points["read_slots"].min() / 1.4, points["read_slots"].max() * 1.4]
    axes.plot(ends, ends, color="black", linewidth=0.9, label="demand = slots")
    _scatter(points, axes, "drawn_slots", "demand_requests")
    count_ticks(axes, "x", points["read_slots"])
    axes.set_xlabel("slots a read may use [requests]")
    axes.set_ylabel("threads x requests per reader\n[requests]")
    return axes


def draw_batch(points: pd.DataFrame, axes: Axes) -> Axes:
    """Longest wait of the points whose pool is exhausted, against the share of a batch."""
    axes.set_xlabel("batch / slots, where demand reaches the slots")
    axes.set_ylabel("longest read() call [s]")
    if points.empty:
        axes.text(0.5, 0.5, "demand never reaches the slots", transform=axes.transAxes, ha="center")
        return axes
    decades(axes, "y")
    _scatter(points, axes, "drawn_batch_over_slots", "read_max_s")
    axes.set_xlim(0, 1.1 * points["batch_over_slots"].max())
    return axes


def _scatter(points: pd.DataFrame, axes: Axes, x: str, y: str) -> None:
    """Filled markers where a read() starves, hollow ones elsewhere; one shape a kernel."""
    looks = styles(points["kernel"])
    for kernel in looks:
        color, marker = looks[kernel]["color"], looks[kernel]["marker"]
        dot: Look = {"marker": marker, "edgecolors": color, "s": 20, "linewidths": 1}
        of_kernel = points[points["kernel"] == kernel]
        for starves, some in of_kernel.groupby("starves"):
            axes.scatter(some[x], some[y], c=color if starves else "none", **dot)
        axes.scatter([], [], c=color, label=kernel, **dot)

"""Walls across history: a row for every kernel in order of time, a panel for every workload."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine import presets
from engine.metrics.sweep import LINE, keeps_kernel, runs_of
from engine.metrics.wall import WallRule
from engine.metrics.walls import walls_table
from engine.plots.axes import (
    PAGE_INCHES,
    PANELS_A_ROW,
    legend_at_foot,
    say,
    threads_axis,
    title,
)
from engine.plots.panels import Look
from engine.resolve import OF_WRITE_BACK

TIOBENCH = ("tiobench_sequential_read", "tiobench_random_read")
ROW_INCHES = 0.165
_FINE: Look = {"color": "#0072B2", "linewidth": 3.2, "solid_capstyle": "butt"}
_STARVES: Look = {"color": "#D55E00", "marker": "o", "linestyle": "", "markersize": 5}
_NONE: Look = {"color": "#0072B2", "marker": ">", "linestyle": "", "markersize": 5}
_SLOW: Look = _STARVES | {"markerfacecolor": "white"}
_PUBLISHED: Look = {"color": "black", "marker": "|", "linestyle": "", "markersize": 9}


def table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """`walls_table` of tiobench, kernels in order of time.

    Drawn are kernels as they are preset, with several thread counts; `first_threads` is the smallest. `slow_threads` is
    the smallest count below the wall that is over the floor without a jump. `stand_ins` says that the
    preset of the kernel has values nobody knows, among those that matter to reads; `published_threads` is
    a published wall that is one number.
    """
    as_preset = sweep["overrides"].map(keeps_kernel).astype(bool)
    runs = runs_of(sweep[as_preset & sweep["workload"].isin(TIOBENCH)])
    counts = runs.groupby(list(LINE))["threads"]
    runs = runs[counts.transform("nunique") > 1].assign(first_threads=counts.transform("min"))
    walls = walls_table(runs, rule).rename(columns={"tree": "kernel", "test": "workload"})
    order = {name: i for i, name in enumerate(presets.kernel_names())}
    walls = walls[walls["kernel"].isin(order)]
    walls = walls.sort_values("kernel", key=lambda names: names.map(order), kind="stable")
    return walls.assign(
        first_threads=runs["first_threads"].min(),
        slow_threads=[_slow_threads(runs, wall, rule) for _, wall in walls.iterrows()],
        stand_ins=walls["kernel"].map(_has_stand_ins),
        published_threads=pd.to_numeric(walls["published_wall"], errors="coerce"),
    ).reset_index(drop=True)


def _slow_threads(runs: pd.DataFrame, wall: pd.Series, rule: WallRule) -> float:
    """The smallest count of the line below its wall with a longest read() over the floor, or NaN."""
    line = runs[(runs[list(LINE)] == wall[list(LINE)]).all(axis=1)]
    worst_s = line.groupby("threads")["read_max_ms"].median() / 1000
    slow = [count for count, value in worst_s.items() if value > rule.floor_s]
    below = [
        count for count in slow if pd.isna(wall["threads_after"]) or count < wall["threads_after"]
    ]
    return float(min(below, default=float("nan")))


def _has_stand_ins(kernel: str) -> bool:
    """Whether values are unknown that decide something where nobody writes."""
    values = presets.kernels()[kernel].values.items()
    return any(v.confidence == "unknown" and name not in OF_WRITE_BACK for name, v in values)


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """Panels side by side, the kernels' names at the left; see `table`."""
    if table.empty:
        return say(figure, "No runs of tiobench in the sweep: there is no history to show.")
    panels = list(table.groupby(["machine", "overrides", "workload"], sort=False))
    kernels = list(dict.fromkeys(table["kernel"]))
    rows = -(-len(panels) // PANELS_A_ROW)
    figure.set_size_inches(PAGE_INCHES, rows * (1.1 + ROW_INCHES * len(kernels)))
    grid = figure.subplots(rows, min(PANELS_A_ROW, len(panels)), sharey="row", squeeze=False)
    for axes in grid.ravel()[len(panels) :]:
        axes.set_axis_off()
    row = {kernel: i for i, kernel in enumerate(kernels)}
    for axes, ((machine, _, workload), panel) in zip(grid.ravel(), panels, strict=False):
        draw_panel(panel, row, axes)
        title(axes, f"{machine}, {workload}")
    unsure = set(table.loc[table["stand_ins"], "kernel"])
    names = [f"{kernel} (?)" if kernel in unsure else kernel for kernel in kernels]
    for axes in grid[:, 0]:
        axes.set_yticks(range(len(kernels)), names)
        axes.set_ylim(len(kernels) - 0.4, -0.6)
    legend_at_foot(figure)
    return figure


def draw_panel(walls: pd.DataFrame, row: dict[str, int], axes: Axes) -> Axes:
    """A bar over the thread counts that are fine, and a dot at the first that starves."""
    threads_axis(axes, [walls["first_threads"].min() * 2**i for i in range(9)])
    axes.tick_params(axis="y", length=0)
    at = walls["kernel"].map(row)
    fine = walls["threads_before"].notna()
    axes.hlines(
        at[fine],
        walls["first_threads"][fine],
        walls["threads_before"][fine].astype(float),
        label="no wall",
        **{name: _FINE[name] for name in ("color", "linewidth")},
    )
    starves = walls["threads_after"].notna()
    axes.plot(walls["threads_after"][starves].astype(float), at[starves], label="wall", **_STARVES)
    axes.plot(walls["slow_threads"], at, label="longest read() over the floor, no jump", **_SLOW)
    last = walls["threads_before"][~starves].astype(float)
    axes.plot(last, at[~starves], label="no wall up to here", **_NONE)
    axes.plot(walls["published_threads"], at, label="published 2002", **_PUBLISHED)
    return axes

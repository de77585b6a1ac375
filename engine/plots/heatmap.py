"""The wall over queue size and threads: how far a larger request pool pushes it."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from engine.metrics.law import with_law
from engine.metrics.sweep import overrides_of, runs_of
from engine.metrics.wall import WallRule, latency_wall
from engine.plots.axes import PAGE_INCHES, PLAIN, say, title
from engine.plots.panels import Look, in_words

CELL_INCHES = 0.42
VALUES = ("read_max_s", "demand_over_slots")
_COLUMNS = ("panel", "queue_size", "threads", *VALUES, "wall", "wall_threads")


def table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """Medians over the runs for every queue size and thread count of each map (`panel`).

    A map is a kernel, machine and workload of which the sweep has more than one queue size.
    `read_max_s` is the longest read() call [s], `wall` the wall at that queue size (text),
    `demand_over_slots` the readers' requests over the slots: from 1 on the pool is exhausted.
    """
    others = sweep["overrides"].map(overrides_of).map(_without_queue_size)
    rows = with_law(sweep).assign(
        panel=sweep["machine"] + ", " + sweep["workload"] + ", " + sweep["kernel"] + others,
        read_max_s=sweep["read_max_ms"] / 1000,
    )
    sizes = rows.groupby(["sweep", "panel"])["queue_size"].transform("nunique")
    rows = runs_of(rows[sizes > 1])
    maps = [_map(name, runs, rule) for name, runs in rows.groupby("panel", sort=False)]
    return pd.concat(maps, ignore_index=True) if maps else pd.DataFrame(columns=[*_COLUMNS])


def _without_queue_size(overrides: dict[str, object]) -> str:
    """The other overrides in words, as they end a panel's name."""
    others = {name: value for name, value in overrides.items() if name != "queue_size"}
    return f", {in_words(others)}" if others else ""


def _map(name: str, runs: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    walls = {size: latency_wall(rows, *rule) for size, rows in runs.groupby("queue_size")}
    cells = runs.groupby(["queue_size", "threads"])[list(VALUES)].median().reset_index()
    cells = cells.assign(
        panel=name,
        wall=[str(walls[size]) for size in cells["queue_size"]],
        wall_threads=[walls[size].threads for size in cells["queue_size"]],
    )
    return cells[[*_COLUMNS]]


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """One map a kernel, machine and workload; see `table`."""
    if table.empty:
        return say(figure, "No sweep over queue_size and threads: there is no heat map to show.")
    maps = list(table.groupby("panel", sort=False))
    heights = [cells["queue_size"].nunique() * CELL_INCHES for _, cells in maps]
    figure.set_size_inches(PAGE_INCHES, sum(heights) + 0.9 * len(maps) + 0.3)
    grid = figure.subplots(len(maps), 1, squeeze=False, height_ratios=heights).ravel()
    norm = LogNorm(table["read_max_s"].min(), table["read_max_s"].max())
    for axes, (name, cells) in zip(grid, maps, strict=True):
        draw_map(cells, axes, norm)
        title(axes, name)
    bar = figure.colorbar(grid[0].collections[0], ax=list(grid), pad=0.02, aspect=30)
    bar.set_label("longest read() call, median of the runs [s]")
    bar.outline.set_visible(False)
    bar.minorticks_off()
    bar.formatter = PLAIN
    handles, labels = grid[-1].get_legend_handles_labels()
    entries = dict(zip(labels, handles, strict=True))
    figure.legend(entries.values(), entries.keys(), loc="outside lower left", ncols=2)
    return figure


def draw_map(cells: pd.DataFrame, axes: Axes, norm: LogNorm) -> Axes:
    """One map with the seconds in its cells, the wall, and where the pool is exhausted."""
    grid = cells.pivot(index="queue_size", columns="threads", values="read_max_s")
    axes.set_facecolor("#EEEEEE")
    axes.pcolormesh(np.ma.masked_invalid(grid), norm=norm, edgecolors="white", linewidth=0.5)
    axes.set_xticks(np.arange(grid.shape[1]) + 0.5, [str(count) for count in grid.columns])
    axes.set_yticks(np.arange(grid.shape[0]) + 0.5, [str(size) for size in grid.index])
    axes.set_xlabel("threads")
    axes.set_ylabel("queue_size [requests]")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for row, column in np.argwhere(grid.isna()):
        axes.text(column + 0.5, row + 0.5, "no run", ha="center", va="center", fontsize=7)
    cells = cells.assign(
        column=cells["threads"].map(grid.columns.get_loc),
        row=cells["queue_size"].map(grid.index.get_loc),
    )
    _write_seconds(cells, axes, norm)
    _mark_exhausted(cells, axes, norm)
    _draw_wall(cells, axes)
    return axes


def _ink(seconds: float, norm: LogNorm) -> str:
    """Black or white, whichever reads better on the cell's shade."""
    return "black" if norm(seconds) > 0.55 else "white"


def _write_seconds(cells: pd.DataFrame, axes: Axes, norm: LogNorm) -> None:
    for cell in cells.itertuples():
        where = (cell.column + 0.5, cell.row + 0.5)
        style: Look = {"ha": "center", "va": "center", "color": _ink(cell.read_max_s, norm)}
        axes.text(*where, _two_digits(cell.read_max_s), **style)


def _two_digits(seconds: float) -> str:
    """0.093, 1.2, 150: two digits that count, without a power of ten."""
    return f"{seconds:.2g}" if seconds < 99.5 else f"{seconds:.0f}"


def _mark_exhausted(cells: pd.DataFrame, axes: Axes, norm: LogNorm) -> None:
    """A dot in the corner of every cell whose readers ask for at least all slots."""
    full = cells[cells["demand_over_slots"] >= 1]
    inks = [_ink(seconds, norm) for seconds in full["read_max_s"]]
    axes.scatter(full["column"] + 0.88, full["row"] + 0.78, s=9, c=inks)
    name = "threads x requests per reader >= slots: the pool is exhausted"
    axes.plot([], [], marker="o", markersize=3, color="black", linestyle="none", label=name)


def _draw_wall(cells: pd.DataFrame, axes: Axes) -> None:
    """The step between the last good and the first starving thread count of every queue size."""
    walls = cells[cells["threads"] == cells["wall_threads"]].sort_values("row")
    edges_x = np.repeat(walls["column"], 2)
    edges_y = np.column_stack([walls["row"], walls["row"] + 1]).ravel()
    for color, width in (("white", 4.0), ("#D55E00", 2.2)):
        axes.plot(edges_x, edges_y, color=color, linewidth=width, solid_capstyle="butt")
    axes.plot([], [], color="#D55E00", linewidth=2.2, label="the wall")

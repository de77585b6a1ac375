"""Throughput against threads, one line a tree."""

from math import ceil

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.metrics.wall import WallRule
from engine.plots.axes import PANELS_A_ROW, grid_axes, legend_at_foot, say, threads_axis, title
from engine.plots.measured import draw_measured, measured_table

PANEL_INCHES = 1.7


def table(sweep: pd.DataFrame, _rule: WallRule) -> pd.DataFrame:
    """`measured_table` of the throughput [MiB/s]; tiobench's MB are MiB, so published rates stay."""
    return measured_table(sweep, {"read_mib_s": "read_mib_s"})


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """One panel a machine and workload; see `table`."""
    if table.empty:
        return say(figure, "No runs in the sweep: there is no throughput to show.")
    panels = list(table.groupby("panel", sort=False))
    columns = min(len(panels), PANELS_A_ROW)
    grid = grid_axes(figure, ceil(len(panels) / columns), columns, PANEL_INCHES)
    for axes, (name, panel) in zip(grid, panels, strict=False):
        draw_panel(panel, axes)
        title(axes, name)
    for spare in grid[len(panels) :]:
        spare.remove()
    legend_at_foot(figure)
    return figure


def draw_panel(panel: pd.DataFrame, axes: Axes) -> Axes:
    """Bytes read over the time until the last thread is done, against threads."""
    threads_axis(axes, panel["threads"])
    axes.set_ylabel("throughput [MiB/s]")
    draw_measured(panel, axes, "read_mib_s")
    axes.set_ylim(0, 1.08 * panel["read_mib_s"].max())
    return axes

"""Share of read() calls over 2 s and over 10 s against threads, one line a tree."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, SymmetricalLogLocator

from engine.metrics.wall import WallRule
from engine.plots.axes import PLAIN, grid_axes, legend_at_foot, say, threads_axis, title
from engine.plots.measured import draw_measured, measured_table

PANEL_INCHES = 1.5
SHARES = {"read_over_2s_pct": "over 2 s [%]", "read_over_10s_pct": "over 10 s [%]"}
# One slow call of a 2048 MiB run in 4 KiB calls is 0.00019 %; below this the axis is linear down to 0.
_LINEAR_BELOW_PCT = 1e-4


def table(sweep: pd.DataFrame, _rule: WallRule) -> pd.DataFrame:
    """`measured_table` of the two shares [% of the read() calls]."""
    return measured_table(sweep, {name: name for name in SHARES})


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """A row of two panels a machine and workload; see `table`."""
    if table.empty:
        return say(figure, "No runs in the sweep: there are no slow read() calls to show.")
    panels = list(table.groupby("panel", sort=False))
    grid = iter(grid_axes(figure, len(panels), len(SHARES), PANEL_INCHES))
    for name, panel in panels:
        for share, label in SHARES.items():
            axes = draw_panel(panel, next(grid), share)
            axes.set_ylabel(f"calls {label}")
            title(axes, name if share == next(iter(SHARES)) else "")
    legend_at_foot(figure)
    return figure


def draw_panel(panel: pd.DataFrame, axes: Axes, share: str) -> Axes:
    """One share against threads; the axis is logarithmic and ends in 0."""
    threads_axis(axes, panel["threads"])
    axes.set_yscale("symlog", linthresh=_LINEAR_BELOW_PCT)
    axes.yaxis.set_major_locator(SymmetricalLogLocator(base=10, linthresh=_LINEAR_BELOW_PCT))
    axes.yaxis.set_major_formatter(PLAIN)
    axes.yaxis.set_minor_locator(NullLocator())
    draw_measured(panel, axes, share)
    axes.set_ylim(bottom=-_LINEAR_BELOW_PCT / 3)
    return axes

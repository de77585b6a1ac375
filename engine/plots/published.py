"""A published table beside what was simulated for it."""

from math import ceil

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.plots.axes import PANELS_A_ROW, decades, grid_axes, legend_at_foot, title
from engine.validation.scorecard import NOT_SIMULATED, REPEAT

PANEL_INCHES = 2.0
_PANEL = ["section", "workload", "metric"]
_WIDTH = 28  # characters of a name on an axis
_MARKERS = {"": "o", "<": "v", ">": "^"}  # a bound points to where the figure lies


def draw_table(card: pd.DataFrame) -> Figure | None:
    """The simulated rows of one table of the scorecard, a panel a metric; None if there are none.

    Published figures are hollow (a triangle is a bound), simulated ones filled, with their range.
    """
    shown = card[~card["role"].isin([NOT_SIMULATED, REPEAT])]
    if shown.empty:
        return None
    panels = list(shown.groupby(_PANEL, sort=False))
    figure = Figure()
    columns = min(len(panels), PANELS_A_ROW)
    grid = grid_axes(figure, ceil(len(panels) / columns), columns, PANEL_INCHES)
    for axes, ((_, workload, metric), panel) in zip(grid, panels, strict=False):
        draw_panel(panel, axes)
        unit = panel.iloc[0]["unit"]
        axes.set_ylabel(f"{metric} [{unit}]" if unit else metric)
        title(axes, str(workload))
    for spare in grid[len(panels) :]:
        spare.remove()
    legend_at_foot(figure)
    return figure


def draw_panel(panel: pd.DataFrame, axes: Axes) -> Axes:
    """Published and simulated values over what differs most: clients, a parameter or the kernel."""
    over = next((c for c in ("clients", "parameter") if panel[c].nunique() > 1), "kernel")
    by = "kernel" if over != "kernel" else "parameter"
    names = list(dict.fromkeys(panel[over]))
    places = panel[over].map({name: place for place, name in enumerate(names)})
    shades = colormaps["cividis"]
    lines = list(panel.assign(place=places).groupby(by, sort=False))
    for i, (name, line) in enumerate(lines):
        color = shades(0.85 * i / max(len(lines) - 1, 1))
        _draw_line(line, axes, color, f", {name}" if len(lines) > 1 else "")
    _value_axis(axes, panel)
    crowded = len("".join(map(str, names))) > 40
    axes.set_xticks(
        range(len(names)),
        [str(name)[:_WIDTH] for name in names],
        rotation=25 if crowded else 0,
        ha="right" if crowded else "center",
    )
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_xlabel(over)
    return axes


def _draw_line(line: pd.DataFrame, axes: Axes, color: tuple[float, ...], name: str) -> None:
    for bound, rows in line.groupby("bound"):
        marker = _MARKERS[bound[:1]]
        label = f"published{' bound' if bound else ''}{name}"
        axes.plot(rows["place"] - 0.1, rows["published"], marker, color=color, fillstyle="none", label=label)  # fmt: skip
    spread = [line["simulated"] - line["low"], line["high"] - line["simulated"]]
    axes.errorbar(line["place"] + 0.1, line["simulated"], yerr=spread, fmt="o", color=color, elinewidth=1, label=f"simulated{name}")  # fmt: skip


def _value_axis(axes: Axes, panel: pd.DataFrame) -> None:
    """Logarithmic, because what matters is the ratio; linear near 0 where a figure is 0."""
    values = panel[["published", "simulated"]].to_numpy(dtype=float).ravel()
    positive = values[values > 0]
    if (values < 0).any() or not positive.size:
        return
    if positive.size < values.size:
        axes.set_yscale("symlog", linthresh=positive.min())
        axes.set_ylim(-0.3 * positive.min(), 3 * positive.max())
    else:
        axes.set_ylim(positive.min() / 2, positive.max() * 2)
        decades(axes, "y")

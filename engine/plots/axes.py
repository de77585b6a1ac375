"""What the axes of all figures have in common: panels, ticks that can be read, the legend."""

from collections.abc import Iterable, Sequence
from math import ceil, log2
from textwrap import wrap

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator
from matplotlib.transforms import ScaledTranslation

PLAIN = FuncFormatter(lambda value, _: f"{value:g}")  # 0.01, 1, 100: no powers of ten
PAGE_INCHES = 7.2  # width of a printed page
PANELS_A_ROW = 2
_LEGEND_LINE_INCHES = 0.145
_LEGEND_LEFT_INCHES = 0.4  # a legend begins left of its panel, under the axis label
_AROUND_INCHES = 0.8  # title, ticks and axis label of a panel
_FEW_DECADES = 100
_FOOT_COLUMNS = 3
_TITLE_CHARACTERS = 44
ABOVE_NAMES = 24
_NAME_SHARE = 0.1  # least distance of two names above a panel, of its width
_LEAST_OCTAVES_BETWEEN_TICKS = 0.45


def panels_with_rooms(
    figure: Figure, legend_lines: Sequence[int], height_inches: float
) -> list[tuple[Axes, Axes]]:
    """Axes in rows of two, each with the room for a legend of so many lines below it.

    A legend in a room of its own (`legend_in`) stays out of the layout, so that a long line in it
    can't squeeze the panels.
    """
    count = len(legend_lines)
    columns = min(count, PANELS_A_ROW)
    heights: list[float] = []
    for first in range(0, count, columns):
        lines = max(legend_lines[first : first + columns])
        heights += [height_inches, 0.05 + _LEGEND_LINE_INCHES * lines]
    rows = len(heights) // 2
    figure.set_size_inches(PAGE_INCHES, sum(heights) + rows * _AROUND_INCHES)
    grid = figure.add_gridspec(2 * rows, columns, height_ratios=heights)
    panels = []
    for i in range(count):
        row, column = divmod(i, columns)
        room = figure.add_subplot(grid[2 * row + 1, column])
        room.set_axis_off()
        panels.append((figure.add_subplot(grid[2 * row, column]), room))
    return panels


def legend_in(room: Axes, axes: Axes) -> None:
    """The legend of `axes` in the room below it, where it can't cover data."""
    handles, labels = axes.get_legend_handles_labels()
    left = ScaledTranslation(-_LEGEND_LEFT_INCHES, 0, axes.figure.dpi_scale_trans)
    legend = room.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(0, 1),
        bbox_transform=room.transAxes + left,
    )
    legend.set_in_layout(False)


def grid_axes(figure: Figure, rows: int, columns: int, height_inches: float) -> list[Axes]:
    """`rows` x `columns` axes, row by row, above room for one legend; see `legend_at_foot`."""
    figure.set_size_inches(PAGE_INCHES, rows * (height_inches + _AROUND_INCHES))
    return list(figure.subplots(rows, columns, squeeze=False).ravel())


def legend_at_foot(figure: Figure) -> None:
    """One legend for all axes of the figure at its lower edge, each label once."""
    entries: dict[str, Artist] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    figure.legend(entries.values(), entries.keys(), loc="outside lower left", ncols=_FOOT_COLUMNS)
    width, height = figure.get_size_inches()
    lines = ceil(len(entries) / _FOOT_COLUMNS)
    figure.set_size_inches(width, height + _LEGEND_LINE_INCHES * lines)


def say(figure: Figure, sentence: str) -> Figure:
    """A figure that says in one sentence why it shows nothing."""
    figure.set_size_inches(PAGE_INCHES, 1.2)
    figure.text(0.5, 0.5, sentence, ha="center", va="center", fontsize=9, wrap=True)
    return figure


def threads_axis(axes: Axes, threads: Iterable[int]) -> None:
    """Logarithmic axis of thread counts with the tested counts as ticks, thinned where close."""
    axes.set_xscale("log", base=2)
    axes.set_xlabel("threads")
    count_ticks(axes, "x", threads)


def count_ticks(axes: Axes, which: str, counts: Iterable[float]) -> None:
    """Ticks of a logarithmic axis at whole numbers that occur, from the largest down."""
    kept: list[float] = []
    for count in sorted(set(counts), reverse=True):
        if not kept or log2(kept[-1] / count) >= _LEAST_OCTAVES_BETWEEN_TICKS:
            kept.append(count)
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(FixedLocator(kept))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    axis.set_minor_locator(NullLocator())


def decades(axes: Axes, which: str) -> None:
    """Logarithmic axis with plain numbers at the decades, and between them where it spans few."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")

    def between(value: float, _: int) -> str:
        low, high = axis.get_view_interval()
        return f"{value:g}" if high / low < _FEW_DECADES else ""

    axis.set_major_locator(LogLocator(base=10, numticks=12))
    axis.set_major_formatter(PLAIN)
    axis.set_minor_locator(LogLocator(base=10, subs=(2, 5), numticks=12))
    axis.set_minor_formatter(FuncFormatter(between))


def title(axes: Axes, text: str, pad: float = 4) -> None:
    """The panel's name `pad` points above it; `ABOVE_NAMES` clears what `name_above` writes there."""
    parts = ", ".join(part.replace(" ", "\xa0") for part in text.split(", "))
    axes.set_title("\n".join(wrap(parts, _TITLE_CHARACTERS)), pad=pad)


def name_above(axes: Axes, name: str, threads: Iterable[int]) -> None:
    """`name` and the thread count over each of `threads`, counts that lie close under one name."""
    low, high = axes.get_xlim()
    least = _NAME_SHARE * log2(high / low)
    groups: list[list[int]] = []
    for count in sorted(set(threads)):
        if groups and log2(count / groups[-1][0]) < least:
            groups[-1].append(count)
        else:
            groups.append([count])
    for group in groups:
        axes.annotate(
            f"{name}\n{group[0]}" + (f" - {group[-1]}" if len(group) > 1 else ""),
            xy=((group[0] * group[-1]) ** 0.5, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 1),
            textcoords="offset points",
            ha="center",
            va="bottom",
            linespacing=1.0,
        )

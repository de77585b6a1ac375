"""The wall: longest read() call against threads, one line a tree."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.metrics.wall import WallRule, latency_wall
from engine.metrics.walls import published_walls
from engine.plots.axes import (
    ABOVE_NAMES,
    decades,
    legend_in,
    name_above,
    panels_with_rooms,
    say,
    threads_axis,
    title,
)
from engine.plots.measured import SIMULATED, draw_measured, measured_table
from engine.plots.panels import Look, styles

PANEL_INCHES = 3.0
_GUIDE: Look = {"color": "#777777", "linewidth": 0.8, "zorder": 0.5}
RANDOM = "tiobench_random_read"


def sequential_table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """What the wall figure draws: every workload but random reads."""
    return table(sweep[sweep["workload"] != RANDOM], rule)


def random_table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """What the wall figure of random reads draws."""
    return table(sweep[sweep["workload"] == RANDOM], rule)


def table(sweep: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    """`measured_table` of the longest read() call [s] with the wall of each line.

    `wall` and `published_wall` are texts: a thread count, `none up to N`, `at or below N`; published
    `>128` is none up to 128, empty is none published.
    """
    drawn = measured_table(sweep, {"read_max_ms": "read_max_s"})
    lines = [_with_wall(line, rule) for _, line in drawn.groupby(["panel", "line"], sort=False)]
    return pd.concat(lines, ignore_index=True) if lines else drawn


def _with_wall(line: pd.DataFrame, rule: WallRule) -> pd.DataFrame:
    runs = line[line["origin"] == SIMULATED]
    if runs.empty:
        return line
    wall = latency_wall(runs.assign(read_max_ms=runs["read_max_s"] * 1000), *rule)
    first = runs.iloc[0]
    known = published_walls(first)
    return line.assign(
        wall=str(wall),
        wall_threads=wall.threads,
        published_wall=", ".join(known),
        floor_s=rule.floor_s,
    )


def draw(table: pd.DataFrame, figure: Figure) -> Figure:
    """One panel a machine and workload; see `table`."""
    if table.empty:
        return say(figure, "No runs of this workload in the sweep: there is no wall to show.")
    panels = list(table.groupby("panel", sort=False))
    legend_lines = [panel["line"].nunique() + 1 for _, panel in panels]  # and the floor
    places = panels_with_rooms(figure, legend_lines, PANEL_INCHES)
    for (axes, room), (name, panel) in zip(places, panels, strict=True):
        draw_panel(panel, axes)
        title(axes, name, ABOVE_NAMES)
        legend_in(room, axes)
    return figure


def draw_panel(panel: pd.DataFrame, axes: Axes) -> Axes:
    """The lines of one panel, the floor of a wall, and every wall marked and named."""
    decades(axes, "y")
    threads_axis(axes, panel["threads"])
    axes.set_ylabel("longest read() call [s]")
    runs = panel[panel["origin"] == SIMULATED]
    labels = {
        name: _in_words(name, line.iloc[0]) for name, line in runs.groupby("line", sort=False)
    }
    draw_measured(panel, axes, "read_max_s", labels)
    floor_s = runs["floor_s"].iloc[0]
    axes.axhline(floor_s, **_GUIDE, linestyle=(0, (2, 2)), label=f"floor of a wall: {floor_s:g} s")
    _mark_walls(runs, axes)
    return axes


def _in_words(name: str, line: pd.Series) -> str:
    """`2.4.19: wall 32 (2002: 32)`."""
    wall = line["wall"] if line["wall"].startswith("none") else f"wall {line['wall']}"
    published = line["published_wall"]
    return f"{name}: {wall}" + (f" (2002: {published})" if published else "")


def _mark_walls(runs: pd.DataFrame, axes: Axes) -> None:
    """A ring round the first starving point of each line, and its thread count above the panel."""
    looks = styles(runs["line"])
    at_wall = runs[runs["threads"] == runs["wall_threads"]]
    for line, points in at_wall.groupby("line", sort=False):
        axes.plot(
            points["threads"].iloc[0],
            points["read_max_s"].median(),
            marker="o",
            markersize=11,
            markerfacecolor="none",
            markeredgecolor=looks[line]["color"],
            markeredgewidth=1.2,
        )
    for threads in at_wall["threads"].unique():
        axes.axvline(threads, **_GUIDE)
    name_above(axes, "wall", at_wall["threads"])

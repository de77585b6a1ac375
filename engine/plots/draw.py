"""Draw a figure by its name, in house style."""

import difflib
from importlib import import_module
from pathlib import Path

import matplotlib.style
import pandas as pd
from matplotlib.figure import Figure

from engine.errors import UserError
from engine.metrics.wall import RULE, WallRule
from engine.plots import FIGURES

HOUSE = Path(__file__).with_name("house.mplstyle")


def draw_figure(
    name: str, sweep: pd.DataFrame, rule: WallRule = RULE
) -> tuple[pd.DataFrame, Figure]:
    """The table of exactly what figure `name` shows of `sweep`, and the figure.

    Raises UserError for an unknown name.
    """
    if name not in FIGURES:
        near = difflib.get_close_matches(name, FIGURES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"give one of {', '.join(FIGURES)}"
        raise UserError(f"{name}: no such figure; {hint}")
    module_name, table_name = FIGURES[name]
    module = import_module(f"engine.plots.{module_name}")
    with matplotlib.style.context(HOUSE):
        table = getattr(module, table_name)(sweep, rule)
        return table, module.draw(table, Figure())

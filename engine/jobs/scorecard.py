"""Write scorecard.csv, summary.csv, a picture a table, validation.md and claims.csv out of the studies."""

import argparse
from pathlib import Path

import matplotlib.style
import pandas as pd

from engine.metrics.sweep import read_sweep
from engine.pipeline.tables import KEY, read_table, write_table
from engine.plots.draw import HOUSE
from engine.plots.published import draw_table
from engine.validation.claims import claims_table
from engine.validation.mapping import FOLDER, FURTHER, figures, tables
from engine.validation.page import further_page, page
from engine.validation.quantity import Runs
from engine.validation.scorecard import scorecard
from engine.validation.statistics import OVERALL, OVERALL_FURTHER, summary


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", choices=("published", "further"), help="which published tables")
    parser.add_argument("--rows", type=Path, nargs="+", help="tables of the finished points")
    parser.add_argument("--errors", type=Path, nargs="+", help="tables of the points that failed")
    parser.add_argument("--failed", type=Path, help="table of all points that failed")
    parser.add_argument("--out", type=Path, help="folder of what is written")
    arguments = parser.parse_args()
    out = arguments.out
    errors = [row for path in arguments.errors for row in read_table(path)]
    write_table(arguments.failed, (*KEY, "error"), errors)
    runs = Runs(pd.concat([read_sweep(path) for path in arguments.rows]), errors)
    further = arguments.tables == "further"  # no claim rests on those
    folder, overall = (FURTHER, OVERALL_FURTHER) if further else (FOLDER, OVERALL)
    card = scorecard(figures(folder), runs)
    numbers = summary(card, overall)
    names = tables(folder)
    drawn = [name for name in names if _draw(card[card["table"] == name], out / f"{name}.png")]
    written = {"scorecard": card, "summary": numbers}
    if further:
        text = further_page(card, numbers, drawn)
    else:
        written["claims"] = claims_table(card, runs)
        text = page(card, written["claims"], numbers, drawn)
    for name, table in written.items():
        table.to_csv(out / f"{name}.csv", index=False, float_format="%.6g")
    (out / "validation.md").write_text(text, encoding="utf-8")


def _draw(card: pd.DataFrame, path: Path) -> bool:
    """Whether there is something to draw of a table; a picture of an earlier run goes if not."""
    with matplotlib.style.context(HOUSE):
        figure = draw_table(card)
        if figure is None:
            path.unlink(missing_ok=True)
            return False
        figure.savefig(path, dpi=110, metadata={"Title": path.stem})
    return True


if __name__ == "__main__":
    main()

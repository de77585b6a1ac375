"""Draw one figure of a sweep: NAME.png, NAME.svg and NAME.csv, the table of exactly what they show."""

import argparse
import json
import sys
from pathlib import Path

import matplotlib.style

from engine.errors import UserError
from engine.metrics import WallRule
from engine.metrics.sweep import read_origin, read_sweep
from engine.plots import FIGURES
from engine.plots.draw import HOUSE, draw_figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help=f"one of {', '.join(FIGURES)}")
    parser.add_argument("--sweep", type=Path, required=True, help="table of the finished points")
    parser.add_argument("--provenance", type=Path, help="default: provenance.json beside the sweep")
    parser.add_argument("--out", type=Path, required=True, help="path of the files without suffix")
    arguments = parser.parse_args()
    try:
        origin = read_origin(arguments.sweep, arguments.provenance)
        rule = WallRule(**origin["config"]["wall"])
        table, figure = draw_figure(arguments.name, read_sweep(arguments.sweep), rule)
    except UserError as error:
        sys.exit(str(error))
    about = {"Title": arguments.name, "Description": json.dumps(origin, sort_keys=True)}
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(f"{arguments.out}.csv", index=False)
    with matplotlib.style.context(HOUSE):
        figure.savefig(f"{arguments.out}.png", metadata=about)
        figure.savefig(f"{arguments.out}.svg", metadata=about | {"Date": None})


if __name__ == "__main__":
    main()

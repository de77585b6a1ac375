"""Write walls.csv: the wall of every line of a sweep, beside the published one."""

import argparse
import sys
from pathlib import Path

from engine.errors import UserError
from engine.metrics import WallRule
from engine.metrics.sweep import read_origin, read_sweep
from engine.metrics.walls import walls_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweep", type=Path, required=True, help="table of the finished points")
    parser.add_argument("--provenance", type=Path, help="default: provenance.json beside the sweep")
    parser.add_argument("--out", type=Path, required=True, help="table of the walls")
    arguments = parser.parse_args()
    try:
        origin = read_origin(arguments.sweep, arguments.provenance)
        walls = walls_table(read_sweep(arguments.sweep), WallRule(**origin["config"]["wall"]))
    except UserError as error:
        sys.exit(str(error))
    walls.to_csv(arguments.out, index=False, float_format="%.6g")


if __name__ == "__main__":
    main()

"""Simulate the points of one study of published figures: finished ones from the store, the others now."""

import argparse
import json
from pathlib import Path

from engine.pipeline.slab import simulate_slab
from engine.pipeline.tables import KEY, write_table
from engine.results import COLUMN


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", help="name of the study")
    parser.add_argument("spec", type=json.loads, help="axes, files and engine hash of each sweep")
    parser.add_argument("--points", type=Path, help="folder of the stores of finished points")
    parser.add_argument("--rows", type=Path, help="table of the finished points")
    parser.add_argument("--errors", type=Path, help="table of the points that failed")
    arguments = parser.parse_args()
    rows, errors = [], []
    for sweep, spec in arguments.spec.items():
        done, failed = simulate_slab(f"{arguments.study}/{sweep}", spec, arguments.points)
        rows += done
        errors += failed
    write_table(arguments.rows, (*KEY, *COLUMN), rows)
    write_table(arguments.errors, (*KEY, "error"), errors)


if __name__ == "__main__":
    main()

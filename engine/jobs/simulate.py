"""Simulate the points of one job: finished ones from the store, the others now."""

import argparse
import json
import sys
from pathlib import Path

from engine.engine_hash import engine_hash
from engine.pipeline.slab import simulate_slab
from engine.pipeline.tables import KEY, write_table
from engine.results import COLUMN


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="name of the job: its sweep, then a folder a job axis")
    parser.add_argument("spec", type=json.loads, help="axes, files and engine hash as JSON")
    parser.add_argument("--points", type=Path, help="folder of the stores of finished points")
    parser.add_argument("--rows", type=Path, help="table of the finished points")
    parser.add_argument("--errors", type=Path, help="table of the points that failed")
    arguments = parser.parse_args()
    if arguments.spec["engine"] != engine_hash():
        sys.exit("the engine's sources changed while the pipeline ran; run snakemake again")
    rows, errors = simulate_slab(arguments.name, arguments.spec, arguments.points)
    write_table(arguments.rows, (*KEY, *COLUMN), rows)
    write_table(arguments.errors, (*KEY, "error"), errors)


if __name__ == "__main__":
    main()

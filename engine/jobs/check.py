"""Fail, and name the points, if a point failed."""

import argparse
import sys
from pathlib import Path

from engine.pipeline.tables import read_table

SHOWN = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", type=Path, help="table of the points that failed")
    parser.add_argument("--rows", type=Path, help="table of the finished points")
    parser.add_argument("--out", type=Path, help="file that says that all is there")
    arguments = parser.parse_args()
    failed = read_table(arguments.errors)
    for row in failed[:SHOWN]:
        print(f"failed: {row['sweep']} {row['point']}: {row['error']}")
    if failed:
        print("The others are finished; results and figures do without the ones that failed.")
        sys.exit(
            f"{len(failed)} points failed, see {arguments.errors};"
            " `snakemake --cores N --forcerun simulate` tries only these again"
        )
    arguments.out.write_text(
        f"all {len(read_table(arguments.rows))} points finished\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()

"""Join the tables of all jobs and write down where they come from."""

import argparse
import json
from pathlib import Path

from engine.pipeline.config import checked_config
from engine.pipeline.provenance import provenance
from engine.pipeline.tables import KEY, joined, write_table
from engine.results import COLUMN, COLUMNS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("origin", type=json.loads, help="configuration and engine hash as JSON")
    parser.add_argument("--rows", type=Path, nargs="+", help="tables of the finished points")
    parser.add_argument("--errors", type=Path, nargs="+", help="tables of the points that failed")
    parser.add_argument("--out", type=Path, help="folder of the results")
    arguments = parser.parse_args()
    out, config = arguments.out, checked_config(arguments.origin["config"])
    write_table(out / "sweep.csv", ("sweep", *COLUMN), joined(arguments.rows, config))
    write_table(out / "errors.csv", (*KEY, "error"), joined(arguments.errors, config))
    units = [{"column": c.name, "unit": c.unit, "meaning": c.text} for c in COLUMNS]
    write_table(out / "columns.csv", ("column", "unit", "meaning"), units)
    record = json.dumps(provenance(arguments.origin), indent=2)
    (out / "provenance.json").write_text(record + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

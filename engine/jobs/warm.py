"""Compile the engine once, before the jobs that would otherwise all compile it at the same time."""

import argparse
import time
from pathlib import Path

from engine.engine_hash import engine_hash, numba_cache, prune
from engine.simulate import simulate

# Any run compiles all of the engine: kernels and workloads are data to it.
SMALL = {"kernel": "2.4.18", "machine": "k6-2", "workload": "tiobench", "threads": 2, "size_mib": 2}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=Path, help="folder of the stores of finished points")
    parser.add_argument("--out", type=Path, help="file that says it is done")
    arguments = parser.parse_args()
    start = time.monotonic()
    simulate(SMALL)
    prune(numba_cache())
    prune(arguments.points / engine_hash())
    arguments.out.write_text(f"compiled from {engine_hash()}\n", encoding="utf-8")
    print(f"compiled the engine in {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()

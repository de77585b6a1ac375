"""What Snakemake and the jobs around the simulation cost.

`python -m benchmarks.pipeline FILE` measures any configuration; `benchmarks.engine` measures small.yaml.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SMALL = Path(__file__).with_name("small.yaml")
SIMULATED = re.compile(r"(\d+) points simulated in ([\d.]+) s")


@dataclass(frozen=True)
class Pipeline:
    """Wall times of one run on one core, in s."""

    jobs: int
    points: int
    simulation_s: float  # as the jobs say, all together
    table_s: float  # from the command to sweep.csv
    all_s: float  # to sweep.csv, walls.csv and all figures
    nothing_s: float  # with nothing left to do

    @property
    def table_share(self) -> float:
        """Share of the time to sweep.csv that is no simulation."""
        return 1 - self.simulation_s / self.table_s

    @property
    def all_share(self) -> float:
        """The same of the time to everything."""
        return 1 - self.simulation_s / self.all_s


def measure(config: Path = SMALL) -> Pipeline:
    """Run `config` in an empty folder, with an engine that is compiled already."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(config, folder / "config.yaml")
        _snakemake(folder, "results/columns.csv", "--config", "runs=1")
        shutil.rmtree(folder / "results")
        table_s = _snakemake(folder, "results/sweep.csv")
        all_s = table_s + _snakemake(folder)
        nothing_s = _snakemake(folder)
        logs = [path.read_text() for path in (folder / "results/logs/simulate").rglob("*.log")]
    found = [SIMULATED.search(log) for log in logs]
    spent = [(int(match[1]), float(match[2])) for match in found if match]
    points, seconds = (sum(values) for values in zip(*spent, strict=True))
    return Pipeline(len(logs), int(points), seconds, table_s, all_s, nothing_s)


def _snakemake(folder: Path, *arguments: str) -> float:
    """Wall time of the workflow in `folder`, in s; ends the program with its output if it fails."""
    snakemake = Path(sys.executable).with_name("snakemake")
    command = [snakemake, "--snakefile", ROOT / "Snakefile", "--cores", "1", *arguments]
    start = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
    return time.monotonic() - start


def lines(result: Pipeline) -> list[str]:
    """The result in words, as a list in Markdown."""
    return [
        f"- {result.jobs} jobs, {result.points} points, {result.simulation_s:.1f} s of simulation",
        f"- to sweep.csv {result.table_s:.1f} s, {100 * result.table_share:.0f} % of it no simulation",
        f"- to all figures {result.all_s:.1f} s, {100 * result.all_share:.0f} % of it no simulation",
        f"- nothing left to do {result.nothing_s:.1f} s",
    ]


if __name__ == "__main__":
    print("\n".join(lines(measure(Path(sys.argv[1])))))

"""A folder with a tiny configuration in which a test runs the real workflow."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SNAKEMAKE = Path(sys.executable).with_name("snakemake")

TINY = {
    "runs": 1,
    "sweeps": {
        "tiny": {
            "kernel": ["2.4.18", "2.5.7"],
            "machine": ["k6-2"],
            "workload": ["tiobench_sequential_read"],
            "size_mib": [16],
            "threads": [2, 8],
            "queue_size": [64, 128],
        }
    },
}


@dataclass(frozen=True)
class Workflow:
    """The workflow of `source` with the configuration and the results of `folder`."""

    folder: Path
    source: Path = ROOT

    def configure(self, **top_level: object) -> None:
        text = yaml.safe_dump(TINY | top_level)
        (self.folder / "config.yaml").write_text(text, encoding="utf-8")

    def command(self, *arguments: str, cores: int = 2) -> list[str]:
        """The command; without a target all is built, figures too, which takes longest."""
        snakefile = str(self.source / "Snakefile")
        return [str(SNAKEMAKE), "--snakefile", snakefile, "--cores", str(cores), *arguments]

    def run(self, *arguments: str, cores: int = 2) -> subprocess.CompletedProcess[str]:
        """Run Snakemake; its stderr is joined to its stdout."""
        return subprocess.run(
            self.command(*arguments, cores=cores),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def finish(self, *arguments: str, cores: int = 2) -> str:
        """Run Snakemake to a good end; returns what it printed."""
        done = self.run(*arguments, cores=cores)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def table(self, name: str = "sweep.csv") -> list[dict[str, str]]:
        with (self.folder / "results" / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def stored_points(self) -> list[str]:
        """Keys of all points in the store, as often as they were simulated."""
        lines = [
            line
            for path in (self.folder / "results" / "points").rglob("*.jsonl")
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        return [json.loads(line)["key"] for line in lines if line.endswith("}")]


@pytest.fixture
def workflow(tmp_path: Path) -> Workflow:
    """A workflow that has not run yet."""
    new = Workflow(tmp_path)
    new.configure()
    return new


@pytest.fixture(scope="session")
def _finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    once = Workflow(folder)
    once.configure()
    once.finish()
    return folder


@pytest.fixture
def finished(_finished: Path, tmp_path: Path) -> Workflow:
    """A workflow that has run to its end, in a folder of the test's own."""
    shutil.copytree(_finished, tmp_path, dirs_exist_ok=True)
    return Workflow(tmp_path)


@pytest.fixture
def killed_after(workflow: Workflow) -> Iterator:
    """A function that kills a run, and all its jobs, once so many points are stored."""
    process = None

    def run_and_kill(points: int) -> int:
        nonlocal process
        process = subprocess.Popen(
            workflow.command(),
            cwd=workflow.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while process.poll() is None and len(workflow.stored_points()) < points:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return len(workflow.stored_points())

    yield run_and_kill
    if process is not None and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)

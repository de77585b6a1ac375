"""The rules themselves: form, lint, and the figures that carry where they come from."""

import subprocess
import sys

import pytest

from engine.plots import USUAL

from .conftest import ROOT

# One worker: Snakemake uses all cores by itself, and the finished run is shared.
pytestmark = pytest.mark.pipeline


def test_the_snakefile_is_a_table_of_contents():
    assert len((ROOT / "Snakefile").read_text(encoding="utf-8").splitlines()) <= 40


def test_snakemake_lint_finds_only_what_is_accepted():
    command = [sys.executable, ROOT / ".ci" / "snakemake_lint.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("figure", USUAL)
def test_a_figure_has_its_table_and_carries_configuration_versions_and_seed(finished, figure):
    figures = finished.folder / "results" / "figures"
    header, *_ = (figures / f"{figure}.csv").read_text(encoding="utf-8").splitlines()
    assert "," in header
    for suffix in ("png", "svg"):
        content = (figures / f"{figure}.{suffix}").read_bytes()
        for word in (b"sweeps", b"engine", b"numba", b"seed", b"tiobench_sequential_read"):
            assert word in content, word

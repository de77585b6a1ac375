"""Every study that comes with the product is a configuration without mistakes."""

from pathlib import Path

import pytest

from engine.pipeline.config import load_config

ROOT = Path(__file__).resolve().parents[1]
STUDIES = sorted([*(ROOT / "studies").rglob("*.yaml"), *(ROOT / "benchmarks").glob("*.yaml")])


@pytest.mark.parametrize("study", STUDIES, ids=lambda path: path.name)
def test_the_study_can_be_read(study: Path) -> None:
    assert load_config(study).sweeps

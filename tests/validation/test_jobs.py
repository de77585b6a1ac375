"""A tiny study from its file to the scorecard."""

import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

from engine.errors import UserError
from engine.jobs import scorecard as scorecard_job
from engine.jobs import validate as study_job
from engine.validation import mapping
from engine.validation.studies import spec_of_study, study_names

TINY = {
    "runs": 2,
    "sweeps": {
        "reads": {
            "kernel": ["2.4.18"],
            "machine": ["k6-2"],
            "workload": ["tiobench_sequential_read"],
            "size_mib": [4],
            "threads": [2],
        }
    },
}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY), encoding="utf-8")
    return path


def test_a_study_is_one_text_and_quick_means_one_run(study):
    full, quick = (yaml.safe_load(spec_of_study(study, quick)) for quick in (False, True))
    assert study_names(study.parent) == ["tiny"]
    assert full["reads"]["axes"]["run"] == [0, 1]
    assert quick["reads"]["axes"]["run"] == [0]


def test_a_study_with_a_slip_says_where(study):
    study.write_text(yaml.safe_dump({"sweeps": {}}), encoding="utf-8")
    with pytest.raises(UserError, match=r"tiny\.yaml: sweeps"):
        spec_of_study(study, quick=False)


def test_from_the_study_to_the_scorecard(study, monkeypatch):
    folder = study.parent
    rows, errors = folder / "rows.csv", folder / "errors.csv"
    called(monkeypatch, study_job, "tiny", spec_of_study(study, quick=False), "--points", folder / "points", "--rows", rows, "--errors", errors)  # fmt: skip
    printed = {"line": "1", "table": "", "kernel": "2.4.18", "machine": "k6-2", "workload": "w"}
    printed |= {"clients": "2", "runs": "2", "unit": "ms", "metric": "max_latency", "value": "10"}
    printed |= {"param_name": "", "param_value": ""}
    axes = {name: tuple(values) for name, values in TINY["sweeps"]["reads"].items()}
    quantity = mapping.Quantity("read_max_ms", axes, "sum", 2)
    monkeypatch.setattr(
        scorecard_job, "figures", lambda folder: [mapping.Figure("wall", printed, quantity)]
    )
    monkeypatch.setattr(scorecard_job, "claims_table", lambda card, runs: CLAIMS)
    failed = folder / "failed.csv"
    called(monkeypatch, scorecard_job, "published", "--rows", rows, "--errors", errors, "--failed", failed, "--out", folder)  # fmt: skip
    simulated = pd.read_csv(rows)
    card = pd.read_csv(folder / "scorecard.csv")
    assert card.loc[0, "simulated"] == pytest.approx(simulated["read_max_ms"].sum(), rel=1e-5)
    assert (folder / "wall.png").exists()
    assert "wall.png" in (folder / "validation.md").read_text(encoding="utf-8")


CLAIMS = pd.DataFrame(
    [{"claim": "C1", "where": "", "statement": "", "verdict": "reproduced", "counts": "yes"}]
).assign(kind="Q", numbers="", remark="")


def called(monkeypatch: pytest.MonkeyPatch, job: object, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["job", *map(str, arguments)])
    job.main()

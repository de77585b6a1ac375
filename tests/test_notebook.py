"""The notebook runs from its first to its last cell, on a small sweep of the real engine."""

import shutil
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient

from engine.results import COLUMN
from engine.simulate import simulate

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "notebooks" / "01_latency_wall.ipynb"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A folder with the notebook and the results of four points, 16 MiB each."""
    common = {"machine": "k6-2", "workload": "tiobench_sequential_read", "size_mib": 16}
    rows = [
        {"sweep": "small", **simulate(common | {"kernel": kernel, "threads": threads})}
        for kernel in ("2.4.18", "2.5.7")
        for threads in (2, 8)
    ]
    (tmp_path / "results").mkdir()
    pd.DataFrame(rows, columns=["sweep", *COLUMN]).to_csv(
        tmp_path / "results" / "sweep.csv", index=False
    )
    shutil.copytree(NOTEBOOK.parent, tmp_path / "notebooks")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def test_notebook_runs(clone):
    notebook = nbformat.read(clone / "notebooks" / NOTEBOOK.name, as_version=4)
    resources = {"metadata": {"path": clone / "notebooks"}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert "4 runs of 2 kernels" in outputs["load"][0]["text"]
    assert "image/png" in outputs["draw-wall"][0]["data"]
    assert "slot_sleep_max_ms" in outputs["run"][0]["data"]["text/plain"]


def test_notebook_is_kept_without_outputs():
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None

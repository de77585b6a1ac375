"""The files the pipeline gets."""

import json
import sys
import xml.etree.ElementTree as ET

import pandas as pd
import pytest
from matplotlib.image import imread
from PIL import Image

from engine.jobs import figure, walls
from plots.synthetic import synthetic_sweep

ORIGIN = {"config": {"seed": 7, "wall": {"jump": 10, "floor_s": 10}}, "packages": {"numpy": "2.0"}}
DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"


@pytest.fixture
def results(tmp_path):
    synthetic_sweep(("2.4.18", "2.5.7"), (8, 32, 64), (1,)).to_csv(
        tmp_path / "sweep.csv", index=False
    )
    (tmp_path / "provenance.json").write_text(json.dumps(ORIGIN))
    return tmp_path


def call(job, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["job", *map(str, arguments)])
    job.main()


def test_figure_files(results, monkeypatch):
    sweep, out = results / "sweep.csv", results / "figures" / "wall"
    call(figure, monkeypatch, "wall", "--sweep", sweep, "--out", out)
    table = pd.read_csv(f"{out}.csv")
    assert {"threads", "read_max_s", "wall", "origin"} <= set(table)
    assert imread(f"{out}.png").std() > 0
    with Image.open(f"{out}.png") as image:
        assert json.loads(image.text["Description"]) == ORIGIN
    described = ET.parse(f"{out}.svg").find(f".//{DUBLIN_CORE}description")
    assert json.loads(described.text) == ORIGIN


def test_equal_input_gives_equal_bytes(results, monkeypatch):
    made = []
    for name in ("one", "two"):
        out = results / name
        call(figure, monkeypatch, "law", "--sweep", results / "sweep.csv", "--out", out)
        made.append([out.with_suffix(kind).read_bytes() for kind in (".png", ".svg", ".csv")])
    assert made[0] == made[1]


def test_unknown_figure_is_one_sentence(results, monkeypatch):
    with pytest.raises(SystemExit, match="no such figure"):
        call(figure, monkeypatch, "wal", "--sweep", results / "sweep.csv", "--out", results / "x")


def test_missing_sweep_is_one_sentence(results, monkeypatch):
    arguments = ("--sweep", results / "nothing.csv", "--out", results / "walls.csv")
    with pytest.raises(SystemExit, match=r"nothing\.csv: no such file"):
        call(walls, monkeypatch, *arguments)


def test_walls_file(results, monkeypatch):
    out = results / "walls.csv"
    call(walls, monkeypatch, "--sweep", results / "sweep.csv", "--out", out)
    table = pd.read_csv(out).query("test == 'tiobench_sequential_read' and machine == 'k6-2'")
    first = table.set_index("tree").loc["2.4.18"]
    assert (first["wall"], first["agreement"]) == ("32", "yes")


def test_the_wall_follows_the_configuration(results, monkeypatch):
    strict = {"config": {"wall": {"jump": 10, "floor_s": 1000}}}
    (results / "provenance.json").write_text(json.dumps(strict))
    out = results / "walls.csv"
    call(walls, monkeypatch, "--sweep", results / "sweep.csv", "--out", out)
    assert pd.read_csv(out)["wall"].str.startswith("none").all()

"""The engine's own code does what the kernels did, and `conformance` notices where it does not."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.cli import main
from engine.conformance import run_file, vector_files

SELECTION = Path(__file__).with_name("data") / "vectors"
FILES = sorted(path.relative_to(SELECTION).as_posix() for path in SELECTION.rglob("*.json.gz"))


def read(path: Path) -> dict[str, Any]:
    return json.loads(gzip.decompress(path.read_bytes()))


def write(path: Path, document: Any) -> Path:
    path.write_bytes(gzip.compress(json.dumps(document).encode()))
    return path


def run(*paths: Path) -> Result:
    return CliRunner().invoke(main, ["conformance", *map(str, paths)])


@pytest.mark.parametrize("file", FILES)
def test_the_selection_passes(file: str) -> None:
    report = run_file(SELECTION / file)
    assert report.supported
    assert report.first_miss == ""
    assert report.passed == report.total == len(read(SELECTION / file)["scripts"]) > 0


def test_the_selection_is_whole_and_small() -> None:
    assert len(FILES) == 8
    assert sum((SELECTION / file).stat().st_size for file in FILES) < 2**20


def test_every_file_of_the_reference_material_passes(shared: Path) -> None:
    paths = vector_files([shared / "kernels" / "vectors"])
    assert len(paths) >= 33
    for path in paths:
        report = run_file(path)
        assert report.supported, path.name
        assert report.passed == report.total > 0, report.first_miss


def test_the_selection_is_that_of_the_reference_material(shared: Path) -> None:
    for file in FILES:
        original = shared / "kernels" / "vectors" / file
        assert (SELECTION / file).read_bytes() == original.read_bytes()


def test_a_folder_without_vectors_is_told(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 2
    assert f"{tmp_path}: no vector file in it; give a folder with *.json.gz" in result.stderr


def test_the_command_prints_a_line_a_file() -> None:
    folders = SELECTION / "wait", SELECTION / "readahead"
    result = run(*folders)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert [(line[0], line[-1]) for line in lines] == [
        (path.name, f"{(count := len(read(path)['scripts']))}/{count}")
        for path in vector_files(folders)
    ]


def wrong_neighbour(script: dict) -> int:
    """The first new request behind another is said to stand elsewhere."""
    results = [result if isinstance(result, list) else [None] for result in script["res"]]
    step = next(i for i, result in enumerate(results) if result[0] == "N" and result[2])
    script["res"][step][2] += 1
    return step


def wrong_passovers(script: dict) -> int:
    """One request of the last dump that shows any has one passover more."""
    step = max(
        i for i, result in enumerate(script["res"]) if isinstance(result, dict) and result["q"]
    )
    script["res"][step]["q"][-1][5] += 1
    return step


def wrong_sleeper(script: dict) -> int:
    """A sleeper is said to be runnable."""
    step = next(i for i, result in enumerate(script["res"]) if result and any(result[2]))
    script["res"][step][3].append(99)
    return step


def wrong_window(script: dict) -> int:
    """The window after the last read ends a page later."""
    script["res"][-1][1][3] += 1
    return len(script["res"]) - 1


@pytest.mark.parametrize(
    ("file", "spoil"),
    [
        ("g24e_2.4.19", wrong_neighbour),
        ("g24f_rl2_2.4.19pre5", wrong_passovers),
        ("g25a_2.5.7", wrong_passovers),
        ("wait/w2418_2.4.18", wrong_sleeper),
        ("readahead/ra_2.4.18", wrong_window),
    ],
)
def test_a_planted_wrong_result_is_named(
    tmp_path: Path, file: str, spoil: Callable[[dict], int]
) -> None:
    document = read(SELECTION / f"{file}.json.gz")
    document["scripts"] = document["scripts"][-3:]
    script = document["scripts"][1]
    step = spoil(script)
    planted = write(tmp_path / "planted.json.gz", document)
    result = run(planted, SELECTION / "wait" / "w2419_2.4.19.json.gz")
    assert result.exit_code == 1
    assert "2/3" in result.stdout
    assert f"{script['name']} step {step} " in result.stdout
    assert "6/6" in result.stdout  # the files behind it are replayed all the same


def test_another_generation_is_listed_and_does_no_harm(tmp_path: Path) -> None:
    document = read(SELECTION / "g24e_2.4.19.json.gz") | {"gen": "g26_2.6.0"}
    other = write(tmp_path / "g26.json.gz", document)
    result = run(other, SELECTION / "wait" / "w2419_2.4.19.json.gz")
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert first.split() == ["g26.json.gz", "g26_2.6.0", "not", "supported"]
    assert second.endswith("6/6")


def damaged(**changes: Any) -> bytes:
    """A vector file that is none: its document, or its one script, changed."""
    document = read(SELECTION / "g25a_2.5.7.json.gz")
    script = document["scripts"][0]
    document["scripts"] = [script | {k: v for k, v in changes.items() if k in script}]
    document |= {key: value for key, value in changes.items() if key not in script}
    return gzip.compress(json.dumps(document).encode())


GARBAGE = {
    "empty": b"",
    "text": b"no vectors here\n",
    "compressed text": gzip.compress(b"no vectors here\n"),
    "cut off": (SELECTION / "g25a_2.5.7.json.gz").read_bytes()[:5000],
    "a list": gzip.compress(b"[1, 2]"),
    "unknown schema": damaged(schema=9),
    "schema no name": damaged(schema=[1]),
    "no generation": damaged(gen=None),
    "generation a number": damaged(gen=5),
    "no scripts": damaged(scripts=[]),
    "scripts a number": damaged(scripts=5),
    "script without operations": damaged(scripts=[{"name": "x", "params": {}}]),
    "no parameters": damaged(params={}),
    "operation cut off": damaged(ops=[["S", 1]], res=[["X"]]),
    "unknown operation": damaged(ops=[["Z"]], res=[["X"]]),
    "fewer results than operations": damaged(ops=[["U"], ["U"]], res=[0]),
    "more slots than the engine has": damaged(params={"head_active": 1, "max_sectors": 128, "nr_requests": 10**6}),
}  # fmt: skip


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_gives_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "garbage.json.gz"
    path.write_bytes(content)
    result = run(path)
    assert result.exit_code != 0
    assert result.stdout == ""
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith(f"Error: {path}: ")
    assert "right would be" in sentence


def test_a_missing_file_gives_one_sentence(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere")
    assert result.exit_code != 0
    assert result.stdout == ""
    (sentence,) = result.stderr.splitlines()
    assert "no such file or folder" in sentence

"""docs/conformance.md says what a fresh run gives, and its maker hides nothing."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.conformance import page, read_file, vector_files
from engine.docs import FOLDER

SELECTION = Path(__file__).with_name("data") / "vectors"
KEPT = (FOLDER / "conformance.md").read_text(encoding="utf-8")


def rows(text: str) -> list[str]:
    """What a page says of single files and of groups of generations."""
    return [line for line in text.splitlines() if line.startswith(("| `", "- `"))]


def write(folder: Path, name: str, document: dict[str, Any]) -> None:
    (folder / f"{name}.json.gz").write_bytes(gzip.compress(json.dumps(document).encode()))


def test_a_fresh_run_of_the_selection_gives_the_rows_of_the_page() -> None:
    fresh = rows(page.page(SELECTION))
    assert len([row for row in fresh if row.count("|") == 7]) == len(vector_files([SELECTION]))
    assert [row for row in fresh if row not in rows(KEPT)] == []


def test_every_file_of_the_reference_material_has_its_row_and_passes(shared: Path) -> None:
    folder = shared / "kernels" / "vectors"
    expected = []
    for path in vector_files([folder]):
        document = read_file(path)
        count, schema = len(document["scripts"]), document["schema"]
        name = path.relative_to(folder).as_posix().removesuffix(".json.gz")
        kernels = document.get("kernels", "-")
        expected.append(
            f"| `{name}` | `{document['gen']}` | {kernels} | {schema} | {count} | {count} |"
        )
    assert [row for row in rows(KEPT) if row.count("|") == 7] == expected


def test_the_page_is_whole() -> None:
    tables = [block.splitlines() for block in KEPT.split("\n\n") if block.startswith("| ")]
    assert [len({line.count("|") for line in table}) for table in tables] == [1, 1]
    assert "not known" not in KEPT
    assert "None fails." in KEPT


def test_a_script_that_fails_is_shown(tmp_path: Path) -> None:
    document = read_file(SELECTION / "wait" / "w2419_2.4.19.json.gz")
    script = document["scripts"][2]
    script["res"][-1] = [[[99, 0]], [0, 0], [[], []], []]
    write(tmp_path, "planted", document)
    text = page.page(tmp_path)
    assert "Files: 1. Scripts: 6. **1 fail.**" in text
    first, *others = rows(text)
    assert first.endswith("| 6 | **5** |")
    assert others[0].startswith(f"- `planted`: {script['name']} step {len(script['res']) - 1} ")
    # a script that its own generation fails is passed by none with the same code
    assert others[1] == "| `planted` | 6 | - | - | `w2513`: 5 of 6 | - | `w2513`: 5 of 6 |"


def test_another_generation_that_passes_all_is_named(tmp_path: Path) -> None:
    document = read_file(SELECTION / "wait" / "w2421_2.4.21.json.gz") | {"gen": "w2418_wrong"}
    write(tmp_path, "wrong", document)
    text = page.page(tmp_path)
    assert any(row.startswith("| `wrong` | 6 | - | `w2421`, `w257` | ") for row in rows(text))
    assert "- `w2418`, `w2421`, `w257` (apart in the engine): Why is not known." in text


def test_what_was_only_counted_is_no_decision(tmp_path: Path) -> None:
    """One age of one dump changed: the decisions are still those of the generation with the same code."""
    document = read_file(SELECTION / "readahead" / "ra_2.4.18.json.gz")
    document["scripts"][0]["res"][-1][1][3] += 1
    write(tmp_path, "counted", document)
    assert "| `counted` | 8 | - | - | `2.4.22`: 7 of 8 | `2.4.22` | " in page.page(tmp_path)


def test_a_generation_the_engine_lacks_is_listed(tmp_path: Path) -> None:
    document = read_file(SELECTION / "wait" / "w2419_2.4.19.json.gz") | {"gen": "w26_2.6.0"}
    write(tmp_path, "new", document)
    text = page.page(tmp_path)
    assert "Scripts: 6. **6 are of generations the engine lacks.** None fails." in text
    (row,) = rows(text)
    assert row.endswith("| wait-1 | 6 | not supported |")


def test_a_missing_folder_gives_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["page", "nowhere"])
    with pytest.raises(SystemExit):
        page.main()
    assert "nowhere: no such file or folder" in capsys.readouterr().err

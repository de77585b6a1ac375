"""Workloads that include others: one text for what several have in common."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import presets
from engine.errors import UserError
from engine.pipeline.sweep import Job
from engine.resolve import resolve
from engine.workload import Plan

POINT = {"kernel": "2.4.19-pre5", "machine": "k6-2"}
READER = {"threads": "threads", "file": {"mib": 1}, "program": ["read"]}
LOAD = {"threads": 1, "background": True, "file": {"mib": 2}, "program": [{"repeat": {"do": ["read"]}}]}  # fmt: skip
VALUES = {"threads": 2, "block_kib": 4}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    write(tmp_path / "reader.yaml", classes={"reader": READER}, values=VALUES)
    write(tmp_path / "parts" / "load.yaml", classes={"load": LOAD}, files={"all": {"mib": 3}})
    return tmp_path


def write(path: Path, **keys: Any) -> None:
    path.write_text(yaml.safe_dump({"title": "A test", "source": path.stem, **keys}))


def plan(path: Path) -> Plan:
    return resolve(POINT | {"workload": str(path)}).plan


def test_what_is_included_is_as_if_it_stood_in_the_file(folder: Path) -> None:
    apart, whole = folder / "apart.yaml", folder / "whole.yaml"
    write(apart, include=["reader.yaml", "parts/load.yaml"])
    write(whole, classes={"reader": READER, "load": LOAD}, files={"all": {"mib": 3}}, values=VALUES)
    assert plan(apart) == plan(whole)
    assert presets.workload(str(apart)).traits["sources"] == {
        "reader.yaml": "reader",
        "parts/load.yaml": "load",
    }


def test_a_path_begins_where_the_file_lies_that_has_it(folder: Path) -> None:
    write(folder / "parts" / "both.yaml", include=["load.yaml", "../reader.yaml"])
    write(folder / "my.yaml", include=["parts/both.yaml"])
    assert [one.name for one in plan(folder / "my.yaml").classes] == ["reader", "load"]
    files = presets.workload_files(str(folder / "my.yaml"))
    assert [path.name for path in files] == ["my.yaml", "both.yaml", "load.yaml", "reader.yaml"]


def test_presets_are_included_by_name_and_have_no_file_of_the_users(folder: Path) -> None:
    write(
        folder / "my.yaml", include=["contest_no_load", "parts/load.yaml"], values={"block_kib": 4}
    )
    assert [one.name for one in plan(folder / "my.yaml").classes] == ["compile", "load"]
    assert presets.workload_files("contest_no_load") == ()


def test_values_of_the_file_go_before_those_it_includes(folder: Path) -> None:
    write(folder / "more.yaml", classes={"more": READER}, values={"threads": 9})
    write(folder / "my.yaml", include=["reader.yaml", "more.yaml"], values={"threads": 3})
    values = presets.workload(str(folder / "my.yaml")).values
    assert {name: value.value for name, value in values.items()} == VALUES | {"threads": 3}


MISTAKES = {
    "a name alone": ({"include": "reader.yaml"}, "my.yaml: include: 'reader.yaml' is not right; give a list, such as ["),
    "a number": ({"include": [3]}, "my.yaml: include: [3] is not right; give a list"),
    "no such file": ({"include": ["raeder.yaml"]}, "my.yaml: include: raeder.yaml: there is neither such a workload nor a file "),
    "itself": ({"include": ["my.yaml"]}, "my.yaml: include: my.yaml: in the end it would include itself; take it out"),
    "itself, further on": ({"include": ["round.yaml"]}, "my.yaml: include: round.yaml: include: my.yaml: in the end it would include itself"),
    "a class twice": ({"include": ["reader.yaml"], "classes": {"reader": READER}}, "my.yaml: classes: something included has 'reader' already; rename one"),
    "a set twice": ({"include": ["parts/load.yaml"], "files": {"all": {"mib": 1}}}, "my.yaml: files: something included has 'all' already"),
    "a class of two": ({"include": ["reader.yaml", "same.yaml"]}, "include: same.yaml: classes: something included has 'reader' already"),
    "a value of two": ({"include": ["reader.yaml", "value.yaml"]}, "include: value.yaml: values: something included has 'threads' already"),
    "a bad part": ({"include": ["bad.yaml"]}, "my.yaml: include: bad.yaml: no such word 'clases'; did you mean 'classes'?"),
    "no YAML": ({"include": ["torn.yaml"]}, "torn.yaml: line 2: this is not YAML"),
    "no mapping": ({"include": ["reader.yaml"], "classes": ["a"]}, "my.yaml: classes: ['a'] is not right; give names with a mapping each"),
}  # fmt: skip


@pytest.mark.parametrize(("keys", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_costs_one_sentence(folder: Path, keys: dict[str, Any], words: str) -> None:
    write(folder / "my.yaml", **keys)
    write(folder / "round.yaml", include=["my.yaml"])
    write(folder / "same.yaml", classes={"reader": READER})
    write(folder / "value.yaml", classes={"other": READER}, values={"threads": 1})
    write(folder / "bad.yaml", clases={"other": READER})
    (folder / "torn.yaml").write_text("title: [\n")
    with pytest.raises(UserError) as error:
        plan(folder / "my.yaml")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_change_of_what_is_included_is_simulated_again(folder: Path) -> None:
    path = str(folder / "my.yaml")
    write(folder / "my.yaml", include=["reader.yaml", "parts/load.yaml"])
    job = Job("tiny/all", {name: (value,) for name, value in (POINT | {"workload": path}).items()})
    before = job.spec
    assert job.spec == before
    write(folder / "parts" / "load.yaml", classes={"load": LOAD | {"threads": 2}})
    assert job.spec != before
    assert plan(folder / "my.yaml").classes[1].threads == 2

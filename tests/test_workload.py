"""The vocabulary of workloads: what becomes of a document, and what a wrong word is told."""

from typing import Any

import pytest

from engine.errors import UserError
from engine.workload import ALL, KIB, MIB, FileSet, Operation, Plan, plan_of

VALUES = {"threads": 4, "size_mib": 10, "block_kib": 8, "operations": 11, "name": "text"}


def plan(program: list, **changed: Any) -> Plan:
    """The plan of one class with this program."""
    values = VALUES | changed.pop("values", {})
    files = changed.pop("shared", {})
    one = {"threads": "threads", "file": {"mib": "share of size_mib"}, "program": program}
    return plan_of("w", {"files": files, "classes": {"one": one | changed}}, values)


def operations(program: list, **changed: Any) -> tuple[Operation, ...]:
    return plan(program, **changed).classes[0].program


@pytest.mark.parametrize(
    ("step", "operation"),
    [
        ("read", Operation("read", "sequential", 8 * KIB, ALL)),
        ({"read": {"pattern": "random", "calls": "share of operations"}}, Operation("read", "random", 8 * KIB, 2)),
        ({"write": {"calls": 3, "call_kib": 4}}, Operation("write", "sequential", 4 * KIB, 3)),
        ({"write": {"pattern": "append", "calls": 1, "call_bytes": 4090}}, Operation("write", "append", 4090, 1)),
        ("fsync", Operation("fsync")),
        ("unlink", Operation("unlink")),
        ({"compute": {"ms": 0.5}}, Operation("compute", duration_ns=500_000)),
        ({"pause": {"ms": 3, "random": True}}, Operation("pause", "random", duration_ns=3_000_000)),
        ({"phase": "write"}, Operation("barrier", phase="write")),
        ({"open": {"files": "many", "order": "random"}}, Operation("open", "random", files="many")),
        ({"turn": {}}, Operation("turn", files="file")),
    ],
)  # fmt: skip
def test_a_step_is_an_operation(step: Any, operation: Operation) -> None:
    assert operations([step], shared={"many": {"count": 3, "kib": 4}}) == (operation,)


def test_a_loop_goes_back_to_its_first_step() -> None:
    inner = {"repeat": {"rounds": 2, "do": ["read", "fsync"]}}
    found = operations(["fsync", {"repeat": {"seconds": 3, "do": ["write", inner]}}])
    kinds = [step.kind for step in found]
    assert kinds == ["fsync", "write", "read", "fsync", "repeat", "repeat"]
    assert [(step.target, step.level) for step in found[-2:]] == [(2, 1), (1, 0)]
    assert [(step.calls, step.duration_ns) for step in found[-2:]] == [(2, 0), (ALL, 3 * 10**9)]


def test_files_are_shared_out_among_the_threads() -> None:
    found = plan(
        ["read"],
        files={"live": {"count": 3, "kib": 12, "created": True, "scattered_mib": 5}},
        shared={"headers": {"count": 7, "mib": 1}},
    )
    assert found.classes[0].files == {
        "file": FileSet(1, 2 * MIB),
        "live": FileSet(3, 12 * KIB, exists=False, scattered_bytes=5 * MIB),
    }
    assert found.shared == {"headers": FileSet(7, MIB, shared=True)}


def test_a_run_ends_with_the_phase_that_is_measured() -> None:
    program = [{"phase": "one"}, "write", {"phase": "two"}, "fsync", {"phase": "three"}, "read"]
    ends = {"one": 2, "two": 4, "three": 6}
    for phase, end in ends.items():
        found = plan(program, values={"measured": phase})
        assert (found.measured, len(found.classes[0].program)) == (phase, end)
    assert plan(program).measured == ""
    assert not plan(["read"]).writes
    assert plan(program, values={"measured": "one"}).writes


def test_classes_without_threads_are_left_out_and_those_in_the_background_come_last() -> None:
    names = {"beside": True, "nobody": False, "waited for": False}
    classes = {
        name: {"threads": int(name != "nobody"), "background": background, "program": ["fsync"]}
        for name, background in names.items()
    }
    found = plan_of("w", {"classes": classes}, VALUES)
    assert [one.name for one in found.classes] == ["waited for", "beside"]
    assert found.foreground == 1


@pytest.mark.parametrize(
    ("program", "changed", "sentence"),
    [
        (["raed"], {}, "workload w: one: raed: no such word; the vocabulary is read, write, fsync"),
        ([{"read": {"pattern": "append"}}], {}, "workload w: one: read: 'append' is not one of sequential, random"),
        ([{"read": {"size": 3}}], {}, "workload w: one: read: no such word 'size'; give pattern, calls"),
        ([{"read": {"calls": "name"}}], {}, "workload w: one: read: 'name' is no number; give one, or the name of a parameter"),
        ([{"repeat": {"do": ["fsink"]}}], {}, "workload w: one: repeat: fsink: no such word"),
        ([{"open": {"files": "many"}}], {}, "workload w: one: there are no files 'many'; there are file"),
        (["read"], {"therads": 3}, "workload w: one: no such word 'therads'; give threads, file"),
        (["read"], {"file": {"gib": 1, "mib": 2}}, "workload w: one: file: no such word 'gib'; give mib, kib"),
        (["read"], {"values": {"measured": "read"}}, "measured: the workload has no phase 'read'; it has none"),
    ],
)  # fmt: skip
def test_a_wrong_word_is_told_what_would_be_right(
    program: list, changed: dict, sentence: str
) -> None:
    with pytest.raises(UserError) as error:
        plan(program, **changed)
    assert str(error.value).startswith(sentence)

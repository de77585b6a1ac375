"""The workload vocabulary: what each word comes to, and what each mistake is told."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import presets
from engine.core.limits import FILE_SETS_LIMIT, NESTING_LIMIT
from engine.errors import UserError
from engine.pipeline.config import checked_config
from engine.pipeline.points import key_of
from engine.pipeline.slab import simulate_slab
from engine.pipeline.sweep import Job
from engine.resolve import Settings, resolve
from engine.simulate import simulate_state
from engine.workload import ALL, KIB, MIB, FileSet, Operation, Plan
from engine.workload.reader import BUILDERS
from engine.workload.vocabulary import CLASS, FILES, OPERATIONS, VALUE, WORKLOAD
from tests.small_workloads import small_workload

POINT = {"kernel": "2.4.19-pre5", "machine": "k6-2"}
VALUES = {"threads": 2, "size_mib": 8, "block_kib": 4, "operations": 10}


def document(**changed: Any) -> dict[str, Any]:
    """A workload of one class, but for what is changed in the file or in its class."""
    one = {"threads": "threads", "file": {"mib": 1}, "program": ["read"]}
    top = {"title": "A test", "classes": {"one": one}, "values": VALUES}
    for key, value in changed.items():
        if key in ("classes", "values", "title", "source", "top_files"):
            top[key.removeprefix("top_")] = value
        else:
            one[key] = value
    if "files" in changed:
        del one["file"]
    return top


def settings(path: Path, content: dict[str, Any], **point: Any) -> Settings:
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return resolve(POINT | {"workload": str(path)} | point)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my.yaml"


def plan(path: Path, **changed: Any) -> Plan:
    return settings(path, document(**changed)).plan


def steps(path: Path, *program: Any, **changed: Any) -> tuple[Operation, ...]:
    return plan(path, program=list(program), **changed).classes[0].program


def test_every_step_of_the_vocabulary_can_be_built() -> None:
    assert set(BUILDERS) | {"repeat"} == set(OPERATIONS)


def test_every_key_and_word_has_a_sentence() -> None:
    for word in (WORKLOAD, VALUE, CLASS, FILES, *OPERATIONS.values()):
        for text in (word.text, *(key.text for key in word.keys)):
            assert text[0].isupper() or text.startswith("`") or text[0] in "rwf", text
            assert text.endswith(".")


@pytest.mark.parametrize(
    ("step", "operation"),
    [
        ("read", Operation("read", "sequential", 4 * KIB, ALL)),
        ({"read": {}}, Operation("read", "sequential", 4 * KIB, ALL)),
        ({"read": {"calls": "all"}}, Operation("read", "sequential", 4 * KIB, ALL)),
        ({"read": {"pattern": "random", "calls": 7}}, Operation("read", "random", 4 * KIB, 7)),
        ({"read": {"call_kib": 8}}, Operation("read", "sequential", 8 * KIB, ALL)),
        ({"read": {"call_bytes": 100}}, Operation("read", "sequential", 100, ALL)),
        ({"read": {"calls": "operations"}}, Operation("read", "sequential", 4 * KIB, 10)),
        ({"read": {"calls": "share of operations"}}, Operation("read", "sequential", 4 * KIB, 5)),
        ({"write": {"pattern": "append", "calls": 1}}, Operation("write", "append", 4 * KIB, 1)),
        ({"write": {"pattern": "skip", "calls": 1}}, Operation("write", "skip", 4 * KIB, 1)),
        ("fsync", Operation("fsync")),
        ("unlink", Operation("unlink")),
        ("open", Operation("open", files="file")),
        ({"open": {"order": "random"}}, Operation("open", "random", files="file")),
        ({"turn": {"files": "file", "order": "next"}}, Operation("turn", files="file")),
        ({"compute": {"ms": 0.5}}, Operation("compute", duration_ns=500_000)),
        ({"pause": {"ms": 2, "random": True}}, Operation("pause", "random", duration_ns=2_000_000)),
        ({"pause": {"ms": 2, "ahead": 3}}, Operation("pause", calls=3, duration_ns=2_000_000)),
        ({"phase": "first"}, Operation("barrier", phase="first")),
    ],
    ids=str,
)  # fmt: skip
def test_a_step_comes_to_an_operation(path: Path, step: Any, operation: Operation) -> None:
    assert steps(path, step) == (operation,)


def test_a_loop_goes_back_to_its_first_step(path: Path) -> None:
    inner = {"repeat": {"rounds": 2, "do": ["read", "fsync"]}}
    program = steps(path, "read", {"repeat": {"seconds": 3, "do": [inner, "read"]}}, "fsync")
    assert [step.kind for step in program] == ["read", "read", "fsync", "repeat", "read", "repeat", "fsync"]  # fmt: skip
    assert (program[3].target, program[3].level, program[3].calls) == (1, 1, 2)
    assert (program[5].target, program[5].level, program[5].duration_ns) == (1, 0, 3 * 10**9)


def test_files_of_threads_and_of_all(path: Path) -> None:
    found = plan(
        path,
        files={
            "small": {"kib": 12, "count": "threads", "scattered_mib": 2},
            "new": {"mib": "share of size_mib", "created": True},
        },
        top_files={"common": {"mib": 1, "count": 3, "inodes": False}},
    )
    assert found.classes[0].files == {
        "small": FileSet(2, 12 * KIB, scattered_bytes=2 * MIB),
        "new": FileSet(1, 4 * MIB, exists=False),
    }
    assert found.shared == {"common": FileSet(3, MIB, shared=True, inodes=False)}
    assert found.file_bytes == (2 + 8 + 3) * MIB + 2 * (1 + 1) * 4 * KIB  # inodes and names


def test_the_foreground_comes_first_and_a_class_without_threads_goes(path: Path) -> None:
    def of(threads: int, background: bool) -> dict[str, Any]:
        return {"threads": threads, "background": background, "file": {"mib": 1}, "program": ["read"]}  # fmt: skip

    found = plan(path, classes={"a": of(2, True), "b": of(3, False), "c": of(0, False)})
    assert [one.name for one in found.classes] == ["b", "a"]
    assert found.foreground == 3


def test_a_program_ends_with_the_phase_that_is_measured(path: Path) -> None:
    phases = ({"phase": "one"}, "read", {"phase": "two"}, "fsync")
    values = VALUES | {"measured": "one"}
    assert len(steps(path, *phases, values=values)) == 2
    assert len(steps(path, *phases, values=VALUES | {"measured": "two"})) == 4


def test_a_value_is_given_plainly_or_with_its_source(path: Path) -> None:
    found = settings(path, document(values=VALUES | {"threads": {"value": 3, "source": "chosen"}}))
    assert (found["threads"], found["size_mib"], found["workload"]) == (3, 8, str(path))
    assert settings(path, document(), threads=4).plan.foreground == 4
    assert settings(path, document(), threads=4).overrides == {}


def test_a_number_may_be_the_value_of_any_parameter(path: Path) -> None:
    assert plan(path, file={"mib": "ram_mib"}).classes[0].files["file"].file_bytes == 384 * MIB


def loops(depth: int) -> Any:
    return {"repeat": {"rounds": 2, "do": [loops(depth - 1) if depth > 1 else "read"]}}


def test_loops_and_sets_up_to_their_limits(path: Path) -> None:
    assert len(steps(path, loops(NESTING_LIMIT))) == NESTING_LIMIT + 1
    sets = {f"set{number}": {"mib": 1} for number in range(FILE_SETS_LIMIT)}
    assert len(plan(path, files=sets).classes[0].files) == FILE_SETS_LIMIT


def two(first: Any, second: Any, **of_second: Any) -> dict[str, Any]:
    """Two classes of a thread each."""
    same = {"threads": 1, "file": {"mib": 1}}
    return {"a": same | {"program": first}, "b": same | {"program": second} | of_second}


MISTAKES = {
    "no title": ({"title": None}, "title: None is not right; give a text"),
    "no class": ({"classes": {}}, "classes: {} is not right; give names with a mapping each"),
    "classes as a list": ({"classes": ["a"]}, "classes: ['a'] is not right; give names with"),
    "a class that is none": ({"classes": {"one": 3}}, "one: 3 is not right; give a mapping with threads, "),
    "a number as name": ({"classes": {7: {}}}, "classes: 7 is no name; put it in quotes, as '7'"),
    "misspelt key": ({"backgrund": True}, "one: no such word 'backgrund'; did you mean 'background'?"),
    "nice of no level": ({"nice": 20}, "one: nice: 20 is not right; give a whole number from -20 to 19"),
    "strange key": ({"xyz": True}, "one: no such word 'xyz'; it takes threads, background, nice, file, files, program"),
    "no flag": ({"background": "maybe"}, "one: background: 'maybe' is not right; give true or false"),
    "no program": ({"program": []}, "one: program: [] is not right; give a list of steps, a dash before each"),
    "program as text": ({"program": "read"}, "one: program: 'read' is not right; give a list of steps"),
    "no such step": ({"program": ["raed"]}, "one: step 1: 'raed': no such step; did you mean 'read'?"),
    "strange step": ({"program": ["xyz"]}, "step 1: 'xyz': no such step; steps are read, write, fsync, "),
    "a number as step": ({"program": [3]}, "step 1: 3: no such step"),
    "an empty step": ({"program": [{}]}, "step 1: {}: no such step"),
    "two words": ({"program": [{"read": None, "write": None}]}, "step 1: two words in one step; put a dash before 'write'"),
    "unknown key": ({"program": [{"read": {"call": 1}}]}, "one: step 1, read: no such word 'call'; did you mean 'calls'?"),
    "nothing behind a colon": ({"program": [{"read": None}]}, "one: step 1, read: nothing stands behind the colon; leave it out"),
    "fsync of something": ({"program": [{"fsync": 3}]}, "step 1, fsync: 3 is not right; it takes nothing"),
    "fsync with a key": ({"program": [{"fsync": {"ms": 3}}]}, "fsync: no such word 'ms'; it takes nothing"),
    "no pattern": ({"program": [{"read": {"pattern": "skip"}}]}, "read: pattern: 'skip' is not right; give one of sequential, random"),
    "no order": ({"program": [{"open": {"order": "last"}}]}, "open: order: 'last' is not right; give one of next, random"),
    "no calls": ({"program": [{"read": {"calls": 0}}]}, "read: calls: 0 is out of range; give a whole number of at least 1"),
    "negative calls": ({"program": [{"read": {"calls": -1}}]}, "read: calls: -1 is out of range"),
    "half a call": ({"program": [{"read": {"calls": 1.5}}]}, "calls: 1.5 is no whole number; give a whole number of at least 1, the name of a parameter, or `share of` or `2/3 of` one, or all"),
    "true calls": ({"program": [{"read": {"calls": True}}]}, "calls: True is no whole number"),
    "calls null": ({"program": [{"read": {"calls": None}}]}, "calls: None is no whole number"),
    "too many calls": ({"program": [{"read": {"calls": 10**10}}]}, "calls: 10000000000 is out of range; give a whole number of at least 1, the name of a parameter, or `share of` or `2/3 of` one, or all, at most 1,000,000,000"),
    "no such number": ({"program": [{"read": {"calls": "operatons"}}]}, "calls: 'operatons' is no number; did you mean 'operations'?"),
    "nothing like it": ({"program": [{"read": {"calls": "xyz"}}]}, "calls: 'xyz' is no number; give a whole number"),
    "a parameter it has not": ({"program": [{"read": {"calls": "writers"}}]}, "calls: the workload has no writers; give it a value under `values`"),
    "a parameter of words": ({"program": [{"read": {"calls": "disk"}}]}, "calls: 'disk' is no number"),
    "all bytes": ({"program": [{"read": {"call_bytes": "all"}}]}, "call_bytes: 'all' is no number"),
    "bytes and KiB": ({"program": [{"read": {"call_bytes": 1, "call_kib": 1}}]}, "read: call_kib and call_bytes exclude each other; keep one"),
    "no block": ({"values": {"threads": 1}}, "read: call_kib: the workload has no block_kib; give it a value under `values`"),
    "no time": ({"program": ["pause"]}, "step 1, pause: ms is missing; give a number of milliseconds"),
    "time 0": ({"program": [{"pause": {"ms": 0}}]}, "pause: ms: 0 is not right; give a number of milliseconds"),
    "time in words": ({"program": [{"compute": {"ms": "long"}}]}, "compute: ms: 'long' is not right"),
    "infinite time": ({"program": [{"compute": {"ms": float("inf")}}]}, "compute: ms: inf is not right"),
    "a beat by chance": ({"program": [{"pause": {"ms": 2, "random": True, "ahead": 1}}]}, "pause: random and ahead exclude each other; keep one"),
    "no phase": ({"program": ["phase", "read"]}, "step 1, phase: what follows is missing; give a text"),
    "phase 1": ({"program": [{"phase": 1}]}, "step 1, phase: 1 is not right; give a text"),
    "nothing to do": ({"program": [{"repeat": {"rounds": 2}}]}, "step 1, repeat: do is missing; give a list of steps"),
    "no rounds": ({"program": [{"repeat": {"rounds": 0, "do": ["read"]}}]}, "repeat: rounds: 0 is out of range"),
    "rounds and seconds": ({"program": [{"repeat": {"rounds": 1, "seconds": 1, "do": ["read"]}}]}, "repeat: rounds and seconds exclude each other; keep one"),
    "for ever": ({"program": [{"repeat": {"do": ["read"]}}]}, "step 1, repeat: the run would wait for it for ever; give rounds or seconds, or make its class `background: true`"),
    "for ever, inside": ({"program": [{"repeat": {"rounds": 2, "do": ["read", {"repeat": {"rounds": "all", "do": ["read"]}}]}}]}, "step 1, repeat: step 2, repeat: the run would wait"),
    "too deep": ({"program": [loops(NESTING_LIMIT + 1)]}, f"loops stand in each other {NESTING_LIMIT} deep at most"),
    "no size": ({"file": {"count": 3}}, "one: file: mib is missing; give it, or kib"),
    "two sizes": ({"file": {"mib": 1, "kib": 1}}, "one: file: mib and kib exclude each other; keep one"),
    "size 0": ({"file": {"mib": 0}}, "one: file: mib: 0 is out of range"),
    "count 0": ({"file": {"mib": 1, "count": 0}}, "one: file: count: 0 is out of range"),
    "negative count": ({"files": {"some": {"mib": 1, "count": -2}}}, "one: some: count: -2 is out of range"),
    "a file that is none": ({"file": 3}, "one: file: 3 is not right; give a mapping as for a set of files"),
    "scattered alone": ({"file": {"mib": 1, "scattered_mib": 5}}, "one: file: one file cannot lie scattered; give a count, or no scattered_mib"),
    "scattered by a count": ({"files": {"a": {"kib": 4, "count": "share of operations", "scattered_mib": 5}}, "values": VALUES | {"operations": 2}}, "one: a: one file cannot lie scattered; share of operations is 1; give more, or no scattered_mib"),
    "an inode alone": ({"file": {"mib": 1, "inodes": True}}, "one: file: the inode of one file is known from the begin; give a count, or no inodes"),
    "more than all": ({"threads": "5/3 of threads"}, "one: threads: '5/3 of threads' is more than all of threads; give at most that"),
    "too many sets": ({"files": {f"s{n}": {"kib": 4} for n in range(7)}, "top_files": {"a": {"kib": 4}, "b": {"kib": 4}}}, "one: 7 sets of files, and 2 shared ones, are too many; give at most 8 together"),
    "unknown files": ({"program": [{"open": {"files": "fiel"}}]}, "one: there are no files 'fiel'; there are file"),
    "no files": ({"classes": {"one": {"threads": 1, "program": ["read"]}}}, "one: read without an open file; give the class a file or files"),
    "none open": ({"classes": {"one": {"threads": 1, "program": ["fsync"]}}, "top_files": {"a": {"kib": 4}}}, "one: fsync without an open file; put an `open` before it"),
    "a large write": ({"program": [{"write": {"call_kib": 1025, "calls": 1}}]}, "one: a write of 1049600 bytes is larger than a file of 'file'; give a call at most 1048576 bytes"),
    "a large write, second round": ({"files": {"big": {"mib": 2}, "small": {"mib": 1}}, "program": [{"repeat": {"rounds": 2, "do": [{"write": {"call_kib": 2048}}, {"open": {"files": "small"}}]}}]}, "larger than a file of 'small'"),
    "other phases": ({"classes": two([{"phase": "x"}, "read"], ["read"])}, "classes would wait for each other for ever, their phases differing (a has x; b has none); give all the same, or make one `background: true`"),
    "phases in another order": ({"classes": two([{"phase": "x"}, {"phase": "y"}], [{"phase": "y"}, {"phase": "x"}])}, "(a has x, y; b has y, x)"),
    "a phase twice": ({"program": [{"phase": "x"}, {"phase": "x"}]}, "one: the phase 'x' stands here twice; rename one"),
    "a phase in a loop": ({"program": [{"repeat": {"rounds": 2, "do": [{"phase": "x"}]}}]}, "step 1, repeat: step 1, phase: a phase begins once; take it out of the loop"),
    "a phase behind": ({"classes": two(["read"], [{"phase": "x"}], background=True)}, "b: step 1, phase: phases are of those a run waits for; take it out of the background"),
    "no threads": ({"threads": 0}, "threads: nobody is left to wait for; give at least 1"),
    "no writers": ({"threads": "writers", "values": VALUES | {"writers": 0}}, "writers: nobody is left to wait for; give at least 1"),
    "negative threads": ({"threads": -1}, "one: threads: -1 is out of range; give a whole number of at least 0"),
    "too many threads": ({"threads": 1023}, "threads: 1023 of all classes are too many; give at most 1022 together"),
    "too large": ({"file": {"mib": 10**6}}, "its files reach over 2000000 MiB; give at most 262144"),
    "no values": ({"values": {}}, "values: threads is missing; give it, such as `threads: 4`"),
    "no value of threads": ({"values": {"block_kib": 4}}, "values: threads is missing; give it, such as `threads: 4`"),
    "no parameter": ({"values": VALUES | {"reeders": 1}}, "values: reeders: no parameter of a workload; these are threads, size_mib, "),
    "one of a kernel": ({"values": VALUES | {"read_latency": 1}}, "values: read_latency: no parameter of a workload"),
    "a bad value": ({"values": VALUES | {"threads": "many"}}, "values: threads: 'many' is not a whole number of threads from 1 to 1022"),
    "a value of nothing": ({"values": VALUES | {"threads": {"source": "x"}}}, "values: threads: value is missing; give a value"),
    "no confidence": ({"values": VALUES | {"threads": {"value": 1, "confidence": "low"}}}, "threads: confidence: 'low' is not right; give one of verified, mail, inferred, unknown"),
    "no such phase": ({"values": VALUES | {"measured": "x"}}, "measured: the workload has no phase 'x'; it has none"),
}  # fmt: skip


@pytest.mark.parametrize(("changed", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_costs_one_sentence(path: Path, changed: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as error:
        plan(path, **changed)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


RUNS = {
    "an empty phase": (["read", {"phase": "x"}, "fsync"], "measured: the phase 'x' takes no time; let somebody read or write in it"),
    "an empty loop": ([{"phase": "x"}, {"repeat": {"seconds": 1, "do": ["open"]}}], "a loop of its program takes no time; let it read, write, compute or pause"),
}  # fmt: skip


@pytest.mark.parametrize(("program", "words"), RUNS.values(), ids=RUNS.keys())
def test_what_only_a_run_finds(path: Path, program: list[Any], words: str) -> None:
    content = document(program=program, values=VALUES | {"measured": "x"})
    with pytest.raises(UserError) as error:
        simulate_state(settings(path, content))
    assert words in str(error.value)


@pytest.mark.parametrize("missing", ["title", "classes"])
def test_what_a_file_needs(path: Path, missing: str) -> None:
    content = {key: value for key, value in document().items() if key != missing}
    with pytest.raises(UserError, match=f"^workload {path}: {missing} is missing; give "):
        settings(path, content)


@pytest.mark.parametrize("missing", ["threads", "program"])
def test_what_a_class_needs(path: Path, missing: str) -> None:
    content = document()
    del content["classes"]["one"][missing]
    with pytest.raises(UserError, match=f"yaml: one: {missing} is missing; give "):
        settings(path, content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "title is missing"),
        (b"- read\n", "['read'] is not right; give a mapping with title, source, "),
        (b"title: [\n", "line 2: this is not YAML: "),
        (b"title: \0", "this is not YAML: "),
        (b"\xff\xfe", "cannot be read: "),
    ],
)
def test_what_is_no_workload_file(path: Path, content: bytes, words: str) -> None:
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        resolve(POINT | {"workload": str(path)})
    assert str(path) in str(error.value)
    assert words in str(error.value)


def test_a_name_that_is_neither_preset_nor_file() -> None:
    with pytest.raises(
        UserError, match=r"there is no workload 'tiobenc'; did you mean 'tiobench'\?"
    ):
        resolve(POINT | {"workload": "tiobenc"})


def test_a_file_that_changes_is_read_and_simulated_again(tmp_path: Path) -> None:
    path = small_workload("find_beside_a_writer", tmp_path)
    axes = {name: (value,) for name, value in (POINT | {"workload": path}).items()}

    def read_calls() -> tuple[str, int]:
        spec = yaml.safe_load(Job("tiny/all", axes).spec)
        rows, errors = simulate_slab("tiny/all", spec, tmp_path / "store")
        assert errors == []
        point = {name: values[0] for name, values in axes.items()}
        return key_of(point, spec["files"]), rows[0]["read_calls"]

    first = read_calls()
    assert read_calls() == first
    content = yaml.safe_load(Path(path).read_text())
    content["classes"]["find"]["program"][0]["repeat"]["rounds"] = 2
    Path(path).write_text(yaml.safe_dump(content))
    second = read_calls()
    assert (first[1], second[1]) == (3, 2)
    assert first[0] != second[0]


def test_the_values_of_a_file_are_the_parameters_it_takes(path: Path) -> None:
    with pytest.raises(UserError, match=r"writers: .* has no such value; it has threads, size_mib"):
        settings(path, document(), writers=1)


def test_a_sweep_may_name_a_file_and_says_which_one_is_wrong(path: Path) -> None:
    axes = {name: [value] for name, value in POINT.items()} | {"threads": [1, 2]}
    sweeps = {"tiny": axes | {"workload": ["tiobench", str(path)]}}
    path.write_text(yaml.safe_dump(document()))
    assert checked_config({"sweeps": sweeps}).sweeps["tiny"]["workload"] == ("tiobench", str(path))
    path.write_text(yaml.safe_dump(document(program=["raed"])))
    with pytest.raises(UserError, match=f"^sweeps/tiny: workload {path}: one: step 1: 'raed'"):
        checked_config({"sweeps": sweeps})


def test_a_key_given_twice_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text("title: once\ntitle: twice\n")
    with pytest.raises(UserError, match=r"my.yaml: line 2: the key 'title' stands here twice; keep one$"):  # fmt: skip
        presets.workload(str(path))

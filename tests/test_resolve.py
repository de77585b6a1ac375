"""From a point to the values a run uses: the kernels' own rules, and what a wrong point is told."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import yaml

from engine import presets
from engine.errors import UserError
from engine.parameters import AUTO, PARAMETERS, checked
from engine.resolve import Settings, resolve
from engine.workload import ALL, KIB, MIB, FileSet, Operation

KERNELS = presets.kernel_names()
RANDOM = "tiobench_random_read"
BESIDE_A_WRITER = "readers_beside_a_writer"
POINT = {"kernel": "2.4.19", "machine": "k6-2", "workload": "tiobench_sequential_read"}


def settings(**values: Any) -> Settings:
    return resolve(POINT | values)


@pytest.mark.parametrize(
    ("kernel", "ram_mib", "queue_size", "batch"),
    [
        ("2.4.18", 384, 128, 32),
        ("2.4.18", 33, 128, 32),
        ("2.4.18", 32, 64, 16),
        ("2.4.19", 4096, 128, 32),
        ("2.4.19", 16, 64, 16),
        ("2.4.18-ac-rmap12", 384, 768, 192),
        ("2.4.18-ac-rmap12", 4096, 1024, 256),
        ("2.4.18-ac-rmap12", 100, 192, 48),  # 200 is no multiple of 16
        ("2.4.18-ac-rmap12", 16, 32, 8),
        ("2.4.19-pre5-read_latency2", 384, 768, 32),
        ("2.4.19-pre5-read_latency2", 4096, 1024, 32),
        ("2.5.7", 384, 256, 32),
        ("2.5.7", 32, 64, 16),
    ],
)
def test_the_pool_is_as_large_as_the_kernel_made_it(
    kernel: str, ram_mib: int, queue_size: int, batch: int
) -> None:
    found = settings(kernel=kernel, ram_mib=ram_mib, system_mib=12)
    assert (found["queue_size"], found["batch_requests"]) == (queue_size, batch)
    assert found.read_slots == queue_size // 2


def test_a_patched_queue_size_changes_the_batch_by_the_kernels_rule() -> None:
    assert settings(kernel="2.4.18", queue_size=1024)["batch_requests"] == 256
    assert settings(kernel="2.4.19", queue_size=1024)["batch_requests"] == 32
    assert settings(kernel="2.4.19", queue_size=2)["batch_requests"] == 1
    assert settings(kernel="2.4.18", queue_size=1024, batch_requests=32)["batch_requests"] == 32


@pytest.mark.parametrize(
    ("kernel", "ide", "scsi"), [("2.4.18", 255, 255), ("2.4.19", 128, 255), ("2.5.7", 255, 255)]
)
def test_the_largest_request_depends_on_the_driver(kernel: str, ide: int, scsi: int) -> None:
    assert settings(kernel=kernel, driver="ide")["max_sectors"] == ide
    assert settings(kernel=kernel, driver="scsi")["max_sectors"] == scsi


@pytest.mark.parametrize(
    ("kernel", "ide", "scsi"),
    [("2.0.39", 18, 18), ("2.4.18", 31, 31), ("2.4.19-rc1-aa2", 31, 127), ("2.5.26", 32, 32)],
)
def test_read_ahead_depends_on_the_driver(kernel: str, ide: int, scsi: int) -> None:
    assert settings(kernel=kernel, driver="ide")["readahead_pages"] == ide
    assert settings(kernel=kernel, driver="scsi")["readahead_pages"] == scsi


# Every kernel and every workload on every machine.
COMBINATIONS = {
    *product(KERNELS, presets.machine_names(), ("tiobench", RANDOM)),
    *product(("2.4.19",), presets.machine_names(), presets.workload_names()),
}


@pytest.mark.parametrize(("kernel", "machine", "workload"), sorted(COMBINATIONS))
def test_every_preset_resolves_completely(kernel: str, machine: str, workload: str) -> None:
    found = settings(kernel=kernel, machine=machine, workload=workload)
    elsewhere = {
        name
        for name, parameter in PARAMETERS.items()
        if parameter.section == "workload" and name not in presets.workloads()[workload].values
    }
    assert set(PARAMETERS) - elsewhere <= set(found.values)
    ruled = ("queue_size", "batch_requests", "max_sectors", "readahead_pages")
    assert AUTO not in {found[name] for name in ruled}
    assert found.overrides == {}
    unknown = {
        name for name, value in preset_values(found).items() if value.confidence == "unknown"
    }
    named = set(found.remark.removeprefix("stand-in for unknown: ").split(", ")) - {""}
    idle = (
        {"slot_release", "queue_depth", "drive_order"}
        if found["driver"] == "ide"
        else {"max_sectors_ide"}
    )
    if not found.plan.writes:  # write-back has nothing to do
        idle |= {name for name in PARAMETERS if name.startswith("dirty_")}
    assert named == unknown - idle


def preset_values(found: Settings) -> dict[str, presets.Value]:
    """All values of the three presets, by name."""
    return {
        **presets.kernels()[found["kernel"]].values,
        **presets.machines()[found["machine"]].values,
        **presets.workloads()[found["workload"]].values,
    }


def test_no_key_stands_twice_in_a_list_of_merged_mappings() -> None:
    """Parsers differ in which of the two wins."""
    found = 0
    for node in _mappings(yaml.compose((presets.FOLDER / "kernels.yaml").read_text())):
        for key, value in node.value:
            if key.value == "<<" and isinstance(value, yaml.SequenceNode):
                names = [name for merged in value.value for name in _names(merged)]
                assert len(names) == len(set(names)), key.start_mark
                found += 1
    assert found > 2


def _mappings(node: yaml.Node) -> Iterator[yaml.MappingNode]:
    """All mappings of a document, as they are written."""
    if isinstance(node, yaml.MappingNode):
        yield node
        for _, value in node.value:
            yield from _mappings(value)


def _names(node: yaml.MappingNode) -> set[str]:
    """Keys of a mapping, with those that it merges itself."""
    names = {key.value for key, _ in node.value} - {"<<"}
    for key, value in node.value:
        if key.value == "<<":
            merged = value.value if isinstance(value, yaml.SequenceNode) else [value]
            names = names.union(*(_names(one) for one in merged))
    return names


@pytest.mark.parametrize("kernel", KERNELS)
def test_rules_that_decide_nothing_are_no_stand_ins(kernel: str) -> None:
    chosen = {"queue_size": 64, "batch_requests": 8, "max_sectors": 128}
    remark = settings(kernel=kernel, **chosen).remark
    for rule in ("queue_size_rule", "batch_rule", "max_sectors_ide"):
        assert rule not in remark


@pytest.mark.parametrize(
    ("kernel", "ram_mib", "read_slots", "batch"),
    [
        ("2.0.39", 384, 64, 1),
        ("2.2.17", 16, 128, 1),
        ("2.4.0-test1", 384, 256, 1),
        ("2.4.0", 384, 256, 1),
        ("2.4.22", 384, 1024, 32),
        ("2.5.20", 4096, 256, 32),
        ("2.5.20", 64, 128, 32),
        ("2.5.26", 4096, 128, 32),
        ("2.5.39", 384, 128, 8),
        ("2.5.39", 32, 64, 8),
    ],
)
def test_the_slots_of_a_pool_that_directions_share_or_steal_from(
    kernel: str, ram_mib: int, read_slots: int, batch: int
) -> None:
    found = settings(kernel=kernel, ram_mib=ram_mib, system_mib=12)
    assert (found.read_slots, found["batch_requests"]) == (read_slots, batch)


def test_overrides_are_what_differs_from_the_presets() -> None:
    same = settings(read_latency=8192, threads=7, run=3, seed=5)
    assert same.overrides == {}
    other = settings(read_latency="64", disk="simple", queue_size=128)
    assert other.overrides == {"read_latency": 64, "disk": "simple", "queue_size": 128}
    assert other.remark == ""  # the disk is no stand-in any more
    assert other["read_latency"] == 64


def test_files_and_calls_are_shared_out_as_tiobench_does() -> None:
    (one,) = settings(threads=3, size_mib=10, block_kib=8).plan.classes
    assert (one.threads, one.files) == (3, {"file": FileSet(1, 3 * MIB)})
    assert one.program == (Operation("read", "sequential", 8 * KIB, ALL),)
    found = settings(workload="tiobench_random_read", threads=3, size_mib=10, operations=1000)
    assert found.plan.classes[0].program == (Operation("read", "random", 4 * KIB, 333),)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"operations": 31}, "operations: tiobench_sequential_read has no such value; it has threads, size_mib, block_kib"),
        ({"workload": "tiobench", "measured": "rewrite"}, "measured: the workload has no phase 'rewrite'; it has write, random_write, read, random_read"),
        ({"workload": BESIDE_A_WRITER, "threads": 1022, "size_mib": 1022}, "threads: 1023 of all classes are too many; give at most 1022 together"),
        ({"thread": 8}, "thread: no such parameter; did you mean 'threads'?"),
        ({"zzz": 8}, "zzz: no such parameter"),
        ({7: 8}, "7: no such parameter"),
        ({"kernel": "2.4.19_pre5"}, "kernel: there is no kernel '2.4.19_pre5'; did you mean '2.4.19-pre5'?"),
        ({"kernel": "x"}, f"kernel: there is no kernel 'x'; known are {', '.join(KERNELS)}"),
        ({"machine": "k6-3"}, "machine: there is no machine 'k6-3'; did you mean 'k6-2'?"),
        ({"workload": "x"}, "workload: there is no workload 'x'; known are "),
        ({"threads": 0}, "threads: 0 is out of range; give a whole number of threads from 1 to 1022"),
        ({"threads": 1023}, "threads: 1023 is out of range; give a whole number"),
        ({"threads": 2.5}, "threads: 2.5 is not a whole number of threads from 1 to 1022"),
        ({"threads": True}, "threads: True is not a whole number"),
        ({"threads": None}, "threads: None is not a whole number"),
        ({"threads": "many"}, "threads: 'many' is not a whole number"),
        ({"threads": AUTO}, "threads: 'auto' is not a whole number"),
        ({"call_us": float("nan")}, "call_us: nan is not a number of us from 0 to 1000000"),
        ({"ram_mib": 8}, "ram_mib: 8 is out of range; give a whole number of MiB from 16 to 1048576"),
        ({"call_us": "inf"}, "call_us: 'inf' is not a number"),
        ({"queue_size": 1}, "queue_size: 1 is out of range; give a whole number of requests from 2 to 8192 or auto"),
        ({"elevator": "cfq"}, "elevator: 'cfq' is not one of noop, "),
        ({"disk": 7}, "disk: 7 is not a name"),
        ({"threads": 9, "size_mib": 8}, "threads: 9 threads need a file of at least 1 MiB each, but size_mib is 8; give at most 8 threads"),
        ({"block_kib": 6}, "block_kib: 6 is no multiple of the 4 KiB page"),
        ({"allocation_chunk_kib": 6}, "allocation_chunk_kib: 6 is no multiple of the 4 KiB page; 0 makes files contiguous"),
        ({"ram_mib": 24}, "ram_mib: 24 MiB leave nothing for the page cache beside the 24 of system_mib; give at least 25"),
        ({"queue_size": 64, "batch_requests": 33}, "batch_requests: 33 slots can never be free, because queue_size 64 gives each direction 32"),
        ({"kernel": "2.4.22", "queue_size": 64, "batch_requests": 65}, "batch_requests: 65 slots can never be free, because queue_size 64 gives both directions together 64"),
        ({"workload": RANDOM, "operations": 31, "threads": 32}, "operations: 31 calls do not go round 32 threads; give at least 32"),
    ],
)  # fmt: skip
def test_a_wrong_point_is_told_what_would_be_right(values: dict, sentence: str) -> None:
    with pytest.raises(UserError) as error:
        resolve(POINT | values)
    assert str(error.value).startswith(sentence)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("missing", ["kernel", "machine", "workload"])
def test_a_point_needs_its_three_presets(missing: str) -> None:
    point = {name: value for name, value in POINT.items() if name != missing}
    with pytest.raises(UserError, match=f"^{missing}: missing; give the name of a {missing}$"):
        resolve(point)


@pytest.mark.parametrize("name", [n for n, p in PARAMETERS.items() if p.kind is not str])
def test_bounds_are_allowed_and_what_lies_beyond_is_not(name: str) -> None:
    parameter = PARAMETERS[name]
    for bound in (parameter.minimum, parameter.maximum):
        assert checked(parameter, bound, name) == bound
        assert checked(parameter, str(bound), name) == bound
    for beyond in (parameter.minimum - 1, parameter.maximum + 1):
        with pytest.raises(UserError, match=f"^{name}: .* is out of range"):
            checked(parameter, beyond, name)

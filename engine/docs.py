"""Write the pages of docs/ that repeat what the sources declare: `python -m engine.docs`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from engine import presets
from engine.devices import device_names, load_device
from engine.parameters import PARAMETERS, Parameter
from engine.presets import Preset, Value
from engine.results import COLUMNS
from engine.workload.vocabulary import (
    CLASS,
    FILES,
    NUMBERS,
    OPERATIONS,
    VALUE,
    WORKLOAD,
    Key,
    Word,
    wanted,
)

FOLDER = Path(__file__).parents[1] / "docs"
SECTIONS = ("run", "workload", "kernel", "machine")  # the preset that holds the value
SECTORS_PER_MIB = 2048


def parameters_page() -> str:
    """docs/parameters.md: every parameter, then every preset with the source of its values."""
    parts = [
        "# Parameters and presets",
        "Written by `make docs` from `engine/parameters.py` and `engine/presets/`; edit those.",
        "Each parameter is an axis a sweep of `config.yaml` may have, a flag of `python -m engine "
        "simulate` and a key of its `--point` file; but `run` and `seed` are set for all sweeps at the "
        "top of `config.yaml`. A value that is not given is that of the preset: of the kernel, the "
        "machine or the workload, as the parameter's heading says.",
        *_parameter_sections(),
        *_preset_sections("Kernels", presets.kernels()),
        "SPEC is the specification of the block queues of Linux 2.0.39 to 2.5.39 this project works "
        "from, and no part of this repository (docs/architecture.md). What ends in `_rule`, and `max_sectors` "
        "and `readahead_pages` of each driver, is what `auto` follows and no axis.",
        *_preset_sections("Machines", presets.machines()),
        *_preset_sections("Workloads", presets.workloads()),
        "## Disks",
        "Names for `disk`; the path of a file of one's own will do, too "
        "(`engine/devices/device.schema.yaml`).",
        _table(("disk", "MiB", "source"), map(_disk_row, device_names())),
    ]
    return "\n\n".join(parts) + "\n"


def columns_page() -> str:
    """docs/columns.md: every column of sweep.csv."""
    rows = ((f"`{c.name}`", c.unit, c.kind.__name__, c.text) for c in COLUMNS)
    parts = [
        "# Columns of the results",
        "Written by `make docs` from `engine/results.py`; edit that. `results/sweep.csv` has one row a "
        "run: the name of its sweep, then these.",
        _table(("column", "unit", "type", "meaning"), rows),
    ]
    return "\n\n".join(parts) + "\n"


def workloads_page() -> str:
    """docs/workloads.md: what is written by hand, with the vocabulary and the presets put in."""
    page = (FOLDER / "workloads.md").read_text(encoding="utf-8")
    for name, parts in (("vocabulary", _vocabulary()), ("presets", _workloads())):
        begin, end = f"<!-- {name}: written by make docs -->", f"<!-- end of {name} -->"
        before, _, rest = page.partition(begin)
        page = before + "\n\n".join([begin, *parts, end]) + rest.partition(end)[2]
    return page


def _vocabulary() -> Iterable[str]:
    """Every word: its meaning, then what it takes."""
    yield "### Outside programs"
    yield from (part for word in (WORKLOAD, VALUE, CLASS, FILES) for part in _word(word))
    yield "### Steps of a program"
    yield from (part for word in OPERATIONS.values() for part in _word(word))


def _word(word: Word) -> Iterable[str]:
    yield f"**{word.name}**: {word.text}"
    if word.keys:
        yield _table(("takes", "which is", "otherwise", "meaning"), map(_key_row, word.keys))


def _key_row(key: Key) -> tuple[str, ...]:
    default = "must be given" if key.required else ""
    if key.default not in (None, "", {}):
        default = f"`{str(key.default).lower()}`"
    name = f"`{key.name}`" if key.name else "(itself)"
    kind = wanted(key)
    if key.kind in NUMBERS:
        kind = f"a number from {key.least}" + (" or `all`" if key.kind == "calls" else "")
    return name, kind, default, key.text


def _workloads() -> Iterable[str]:
    rows = ((f"`{p.name}`", p.title, _source(p)) for p in presets.workloads().values())
    yield _table(("workload", "what it does", "source, and what is a guess"), rows)


def _source(workload: Preset) -> str:
    included = "".join(f"; with `{name}`" for name in workload.traits["include"])
    return workload.traits["source"] + included


def _parameter_sections() -> Iterable[str]:
    for section in SECTIONS:
        rows = (_parameter_row(p) for p in PARAMETERS.values() if p.section == section)
        yield f"## Parameters: {section}"
        yield _table(("name", "unit", "values", "meaning"), rows)


def _parameter_row(parameter: Parameter) -> tuple[str, ...]:
    return f"`{parameter.name}`", parameter.unit, _values(parameter), parameter.text


def _values(parameter: Parameter) -> str:
    """What the parameter may be, in words."""
    if parameter.choices:
        return ", ".join(f"`{choice}`" for choice in parameter.choices)
    if parameter.kind is str:
        return "a name"
    numbers = f"{parameter.minimum:,.10g} to {parameter.maximum:,.10g}"
    auto = f", or `auto`: {parameter.auto_rule}" if parameter.auto_rule else ""
    return numbers + auto


def _preset_sections(heading: str, found: Mapping[str, Preset]) -> Iterable[str]:
    """What the presets are, then every value once, with those that have it."""
    yield f"## {heading}"
    yield "\n".join(f"- `{preset.name}`: {preset.title}" for preset in found.values())
    holders: dict[tuple[str, Value], list[str]] = {}
    for preset in found.values():
        for name, value in preset.values.items():
            holders.setdefault((name, value), []).append(f"`{preset.name}`")
    order = list(dict.fromkeys(name for preset in found.values() for name in preset.values))
    rows = (
        (f"`{name}`", value.value, _holders(names, found), value.confidence, value.source)
        for (name, value), names in sorted(
            holders.items(), key=lambda item: order.index(item[0][0])
        )
    )
    yield _table(("value of", "is", "for", "confidence", "source"), rows)


def _holders(names: Sequence[str], found: Mapping[str, Preset]) -> str:
    if len(names) == len(found):
        return "all"
    return "the others" if 2 * len(names) > len(found) else ", ".join(names)


def _disk_row(name: str) -> tuple[str, str, str]:
    device = load_device(name)
    return f"`{name}`", f"{device.capacity_sectors // SECTORS_PER_MIB:,}", device.source


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines)


PAGES: dict[str, Callable[[], str]] = {
    "parameters.md": parameters_page,
    "columns.md": columns_page,
    "workloads.md": workloads_page,
}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""From a published row to the quantity that stands beside it, by the `mapping.yaml` of its folder."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from engine.errors import UserError
from engine.validation.quantity import ACROSS, MEANINGS, OVER_RUNS, Quantity

FOLDER = Path(str(resources.files("engine.published")))
FURTHER = FOLDER / "further"  # tables that nothing was fitted to, with a mapping of their own
ROW = "$"  # `$clients` in a point: the row's own value of that column
ABOUT = {"point", "reason", "calibrated", "repeats", "remark"}  # of a whole entry or one metric
WORDS_OF_ENTRY = {"where", "metrics", *ABOUT}
WORDS_OF_METRIC = {"value", "over_runs", "across", "against", "meaning", *ABOUT}


@dataclass(frozen=True)
class Figure:
    """One published figure: its row as printed, and what is simulated beside it.

    `quantity` is None where nothing is, and `reason` says why. `calibrated` says what of the machine
    was chosen by this figure, `repeats` that it is another figure once more; where both are empty, the
    simulated value is a prediction.
    """

    table: str
    row: Mapping[str, str]
    quantity: Quantity | None
    reason: str = ""
    calibrated: str = ""
    repeats: str = ""
    remark: str = ""


def tables(folder: Path = FOLDER) -> tuple[str, ...]:
    """Names of all published tables in a folder."""
    names = sorted(path.name for path in folder.iterdir())
    return tuple(name.removesuffix(".csv") for name in names if name.endswith(".csv"))


def figures(folder: Path = FOLDER) -> list[Figure]:
    """Every published figure of a folder, table by table, in the order of the rows."""
    document = read("mapping.yaml", folder)
    return [
        _figure(name, row, document)
        for name in tables(folder)
        for row in published_rows(name, folder)
    ]


def published_rows(table: str, folder: Path = FOLDER) -> Iterator[dict[str, str]]:
    """The rows of a table as printed, all values as text."""
    text = folder.joinpath(f"{table}.csv").read_text(encoding="utf-8")
    yield from csv.DictReader(text.splitlines())


@cache
def read(name: str, folder: Path = FOLDER) -> Any:
    """A YAML file beside the tables."""
    return yaml.safe_load(folder.joinpath(name).read_text(encoding="utf-8"))


def selects(where: Mapping[str, Any], row: Mapping[str, str]) -> bool:
    """Whether a row has the given values; a list gives several to choose from, `note` a beginning."""
    for column, wanted in where.items():
        texts = [str(value) for value in (wanted if isinstance(wanted, list) else [wanted])]
        matches = row[column].startswith(tuple(texts)) if column == "note" else row[column] in texts
        if not matches:
            return False
    return True


def quantity_of(
    where: str, point: Mapping[str, Any], words: Mapping[str, Any], numruns: int
) -> Quantity:
    """The quantity that a `point` and the words of a metric describe; raises UserError."""
    given = {name: words[name] for name in ("over_runs", "across", "meaning") if name in words}
    for name, known in {"over_runs": OVER_RUNS, "across": ACROSS, "meaning": MEANINGS}.items():
        if given.get(name, known[0]) not in known:
            raise UserError(f"{where}: {name}: {given[name]!r} is not one of {', '.join(known)}")
    axes = {name: tuple(v) if isinstance(v, list) else (v,) for name, v in point.items()}
    value, against = str(words["value"]), words.get("against", {})
    return Quantity(value=value, axes=axes, numruns=numruns, against=against, **given)


def _figure(table: str, row: Mapping[str, str], document: Mapping[str, Any]) -> Figure:
    where = f"mapping.yaml: {table}, line {row['line']}: {row['metric']}"
    for entry in document["tables"].get(table, []):
        metric = entry.get("metrics", {}).get(row["metric"], {})
        if not selects(entry.get("where", {}), row) or not (metric or "reason" in entry):
            continue
        _check_words(where, entry, metric)
        about = {**entry, **metric}
        if "reason" in about:
            return Figure(table, row, None, reason=about["reason"])
        kernel, stand_in = _kernel(row["kernel"], document["kernels"])
        machine = document["machines"].get(row["machine"], row["machine"])
        own = entry["point"] | metric.get("point", {})
        point = {"kernel": kernel, "machine": machine, **_filled(own, row)}
        words = {**metric, "against": _filled(metric.get("against", {}), row)}
        quantity = quantity_of(where, point, words, _numruns(row))
        remark = "; ".join(filter(None, (stand_in, about.get("remark", ""))))
        marks = {name: about.get(name, "") for name in ("calibrated", "repeats")}
        return Figure(table, row, quantity, remark=remark, **marks)
    raise UserError(
        f"{where}: no entry; give the point and the value, or the reason why there is none"
    )


def _check_words(where: str, entry: Mapping[str, Any], metric: Mapping[str, Any]) -> None:
    unknown = (entry.keys() - WORDS_OF_ENTRY) | (metric.keys() - WORDS_OF_METRIC)
    if unknown:
        raise UserError(f"{where}: no such word {sorted(unknown)[0]!r}")


def _kernel(printed: str, known: Mapping[str, Any]) -> tuple[Any, str]:
    """Preset, or presets, for a kernel as printed, and the remark if another one stands in."""
    entry = known.get(printed, printed)
    if isinstance(entry, Mapping):
        return entry["preset"], f"{entry['preset']} stands in: {entry['stand_in']}"
    return entry, ""


def _filled(point: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, Any]:
    """`point` with the row's own values where it names a column."""
    return {
        name: row[value.removeprefix(ROW)] if str(value).startswith(ROW) else value
        for name, value in point.items()
    }


def _numruns(row: Mapping[str, str]) -> int:
    """How many runs a printed figure was made of; 1 where nobody says."""
    number = re.match(r"\d+", row["runs"])
    return int(number[0]) if number else 1

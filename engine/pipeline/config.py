"""config.yaml, read and checked: the only reader of the configuration.

Every mistake becomes one sentence that says where it is and what would be right.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from engine.errors import UserError
from engine.parameters import AUTO, PARAMETERS, Parameter, checked
from engine.pipeline.sweep import points_of
from engine.plots import FIGURES, USUAL
from engine.resolve import resolve
from engine.yaml_file import NUMBER, read_yaml

# Set at the top level for all sweeps, so no axes of a sweep.
TOP_LEVEL = {"run": "runs", "seed": "seed"}


@dataclass(frozen=True)
class Wall:
    """What counts as the wall: a jump by this factor, above this floor [s]."""

    jump: float
    floor_s: float


@dataclass(frozen=True)
class Config:
    """A checked configuration; `sweeps` maps a name to axes, and an axis to its values."""

    seed: int
    runs: int
    sweeps: Mapping[str, Mapping[str, tuple[Any, ...]]]
    job_axes: tuple[str, ...]
    wall: Wall
    figures: tuple[str, ...]


def load_config(*files: str | Path, overrides: Mapping[str, Any] | None = None) -> Config:
    """The configuration in `files`, each top-level key replacing that of the files before it.

    `overrides` replace keys last; they may hold text for numbers, as a command line gives it. Raises
    UserError with the file, or `--config`, that the mistake came from.
    """
    sources = [(str(file), _keys_of(Path(file))) for file in files]
    sources.append(("--config", dict(overrides or {})))
    data = {key: value for _, keys in sources for key, value in keys.items()}
    origin = {str(key): name for name, keys in sources for key in keys}
    try:
        return checked_config(data)
    except UserError as error:
        key = re.split("[/:]", str(error))[0]
        raise UserError(f"{origin.get(key, sources[0][0])}: {error}") from None


def _keys_of(file: Path) -> dict[str, Any]:
    """The keys of a configuration file."""
    data = read_yaml(file)
    if not isinstance(data, dict):
        raise UserError(f"{file}: there are no keys in it; it needs at least `sweeps:`")
    return data


def checked_config(data: Mapping[str, Any]) -> Config:
    """`data` as a Config with its defaults filled in; raises UserError that begins with the place."""
    filled = _filled(data, schema())
    errors = jsonschema.Draft202012Validator(schema()).iter_errors(filled)
    # A misspelt key is often a missing one as well; the spelling is what to say.
    for error in sorted(errors, key=lambda e: (e.validator != "additionalProperties", len(e.path))):
        raise UserError(_sentence(error))
    sweeps = {
        name: {axis: _values(f"sweeps/{name}/{axis}", axis, axes[axis]) for axis in axes}
        for name, axes in filled["sweeps"].items()
    }
    for name, axes in sweeps.items():
        _check_points(f"sweeps/{name}", axes)
    wall = Wall(**filled["wall"])
    axes_of_jobs, figures = tuple(filled["job_axes"]), tuple(filled["figures"])
    return Config(filled["seed"], filled["runs"], sweeps, axes_of_jobs, wall, figures)


@cache
def schema() -> dict[str, Any]:
    """The schema, with the axes of `engine.parameters` put in."""
    text = Path(__file__).with_name("config.schema.yaml").read_text(encoding="utf-8")
    result = yaml.safe_load(text)
    axes = {name: p for name, p in PARAMETERS.items() if name not in TOP_LEVEL}
    result["properties"]["sweeps"]["additionalProperties"]["properties"] = {
        name: {"type": "array", "minItems": 1, "description": p.text} for name, p in axes.items()
    }
    result["properties"]["job_axes"]["items"]["enum"] = list(axes)
    result["properties"]["figures"] |= {"default": list(USUAL)}
    result["properties"]["figures"]["items"]["enum"] = list(FIGURES)
    return result


def _filled(value: Any, part: Mapping[str, Any]) -> Any:
    """`value` with the defaults of its part of the schema; text of numbers becomes numbers."""
    if part.get("type") in ("integer", "number") and isinstance(value, str):
        return yaml.safe_load(value) if NUMBER.fullmatch(value) else value
    if not isinstance(value, Mapping) or "properties" not in part:
        return value
    defaults = {key: p["default"] for key, p in part["properties"].items() if "default" in p}
    merged = defaults | dict(value)
    return {key: _filled(merged[key], part["properties"].get(key, {})) for key in merged}


def _sentence(error: jsonschema.ValidationError) -> str:
    """One line to act on: where, what, and what would be right."""
    place = [str(step) for step in error.absolute_path if not isinstance(step, int)]
    where, bad, rule = "/".join(place), error.instance, error.validator_value
    if error.validator == "additionalProperties":
        key = next(str(key) for key in bad if key not in error.schema["properties"])
        return f"{'/'.join([*place, key])}: unknown key; {_hint(key, error.schema['properties'])}"
    if error.validator == "required":
        key = next(key for key in rule if key not in bad)
        return f"{'/'.join([*place, key])}: missing; give {_meant(key, {'type': 'array'})}"
    if bad is None or error.validator in ("minItems", "minProperties"):
        return f"{where}: there is nothing here; give {_meant(place[-1], error.schema)}"
    if error.validator == "type" and rule == "array":
        return f"{where}: {bad!r} is not a list; write [{bad}]"
    if error.validator == "enum":
        kind = "figure" if where == "figures" else "axis"
        return f"{where}: {bad!r} is no {kind}; {_hint(str(bad), rule)}"
    if error.validator == "pattern":
        return f"{where}: {bad!r} is no name for a sweep; use letters, digits, - and _"
    if error.validator == "uniqueItems":
        return f"{where}: {_repeated(bad)!r} is listed twice; keep one"
    return f"{where}: {bad!r} is not right; give {_range(error.schema)}"


def _meant(key: str, part: Mapping[str, Any]) -> str:
    """What belongs at a key where nothing is."""
    if key == "sweeps":
        return "a sweep its name and lists for kernel, machine, workload and threads"
    return "a list of values" if part["type"] == "array" else _range(part)


def _range(part: Mapping[str, Any]) -> str:
    kinds = {"integer": "a whole number", "number": "a number", "object": "keys with values"}
    bounds = (
        ("exclusiveMinimum", "above"),
        ("minimum", "of at least"),
        ("maximum", "and at most"),
    )
    return " ".join(
        [kinds.get(part.get("type", ""), "text")]
        + [f"{words} {part[name]}" for name, words in bounds if name in part]
    )


def _hint(name: str, known: Iterable[str]) -> str:
    """What a name that is not known was meant to be."""
    if name in TOP_LEVEL:
        return f"the key {TOP_LEVEL[name]!r} at the top level sets it for all sweeps"
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else "known are " + ", ".join(known)


def _values(where: str, axis: str, values: list[Any]) -> tuple[Any, ...]:
    """The values of an axis, each of the axis's own type and none twice."""
    typed = tuple(_value(where, PARAMETERS[axis], value) for value in values)
    if len(set(typed)) < len(typed):
        raise UserError(f"{where}: {_repeated(typed)!r} is listed twice; keep one")
    return typed


def _value(where: str, parameter: Parameter, value: Any) -> Any:
    if value is None:
        raise UserError(f"{where}: a value is empty (null); give one or remove it")
    is_text = isinstance(value, str) and value != AUTO
    if parameter.kind is not str and is_text and not NUMBER.fullmatch(value):
        raise UserError(f"{where}: {value!r} is not a plain number{_plain(value)}")
    return checked(parameter, value, where)


def _plain(text: str) -> str:
    """`; write 8` for a text that Python at least takes for a number."""
    try:
        return f"; write {float(text):.12g}" if abs(float(text)) < 1e12 else ""
    except ValueError:
        return ""


def _repeated(values: Iterable[Any]) -> Any:
    seen = list(values)
    return next(value for value in seen if seen.count(value) > 1)


def _check_points(where: str, axes: Mapping[str, tuple[Any, ...]]) -> None:
    """Raise UserError if a point of the sweep is known to be impossible before it runs."""
    try:
        for point in points_of(axes):
            resolve(point)
        if "disk" in axes:
            # Brings numba, which other sweeps do without.
            from engine.devices import load_device  # noqa: PLC0415

            for disk in axes["disk"]:
                load_device(disk)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None

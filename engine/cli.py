"""The command line beside the pipeline: simulate one point, explain it, describe a workload, list presets, conformance."""

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import yaml

from engine import presets
from engine.errors import UserError
from engine.parameters import PARAMETERS, Parameter, checked

if TYPE_CHECKING:
    from engine.resolve import Settings

DEFAULTS = {"kernel": "2.4.19-pre5", "machine": "k6-2", "workload": "tiobench_sequential_read"}


class UserMistake(click.ClickException):
    """Bad input: its sentence on stderr, exit code 2 as for click's own usage errors."""

    exit_code = 2


class Sentences(click.Group):
    """A group of commands whose user errors are one sentence and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a UserError becomes its sentence, without a traceback."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            raise UserMistake(str(error)) from error


@click.group(cls=Sentences, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """The Latency Wall laboratory: a simulated Linux block layer on a simulated disk."""


def point_options(command: Callable, without: str = "") -> Callable:
    """Give a command a flag for every parameter but one, and --point for a YAML file of them."""
    for parameter in reversed([p for p in PARAMETERS.values() if p.name != without]):
        flag = "--" + parameter.name.replace("_", "-")
        text = f"{parameter.text} [{parameter.unit}]" if parameter.unit else parameter.text
        command = click.option(flag, parameter.name, help=text, default=None)(command)
    return click.option(
        "--point",
        "point_file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="YAML file of parameters; flags override it.",
    )(command)


@main.command()
@point_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
@click.option("--histogram", is_flag=True, help="Also the histogram of read() times.")
def simulate(point_file: Path | None, as_json: bool, histogram: bool, **flags: str | None) -> None:
    """Run one point and print what was measured."""
    from engine.core.histogram import bucket_bounds_ns
    from engine.row import row_of
    from engine.simulate import simulate_state

    settings = _settings(_point(point_file, flags))
    state = simulate_state(settings)
    row: dict[str, Any] = row_of(settings, state)
    if histogram:
        bounds, counts = bucket_bounds_ns(), state.measures.reads.histogram
        row["read_histogram"] = [
            {"from_ms": bounds[i] / 1e6, "to_ms": bounds[i + 1] / 1e6, "calls": int(counts[i])}
            for i in counts.nonzero()[0]
        ]
    click.echo(json.dumps(row, indent=1) if as_json else _table(row))


@main.command()
@point_options
def explain(point_file: Path | None, **flags: str | None) -> None:
    """Run one point and tell why its longest read took so long."""
    from engine.explain import explanation

    click.echo(explanation(_settings(_point(point_file, flags))))


@main.command()
@click.argument("workload")
@partial(point_options, without="workload")
def describe(workload: str, point_file: Path | None, **flags: str | None) -> None:
    """Tell in words what WORKLOAD does, and how much it reads and writes; nothing is simulated.

    WORKLOAD is a name that `list workloads` shows, or the path of a file (docs/workloads.md).
    """
    from engine.describe import description

    point = _point(point_file, flags) | {"workload": workload}
    click.echo(description(_settings(point)))


@main.command()
@point_options
@click.option("--counts", default="1,8,32,128", help="Thread counts, with commas between.")
@click.option("--numruns", type=click.IntRange(1, 1000), default=1, help="Runs of each.")
@click.option(
    "--summed", is_flag=True, help="Add latencies over the runs, as the tables of 2002 do."
)
def tiobench(
    point_file: Path | None, counts: str, numruns: int, summed: bool, **flags: str | None
) -> None:
    """Run all four phases of tiobench and print its own report."""
    from engine.tiobench import report

    threads = [checked(PARAMETERS["threads"], count, "counts") for count in counts.split(",")]
    point = _point(point_file, flags | {"workload": "tiobench"})
    _settings(point | {"threads": threads[0]})
    for line in report(point, threads, numruns, summed):
        click.echo(line)


@main.command()
@click.argument("paths", nargs=-1, required=True)
def conformance(paths: tuple[str, ...]) -> None:
    """Replay recorded scripts (vector files, or folders of them) on the engine's own code.

    Prints scripts passed / total for each file; exits with 1 if any script fails.
    """
    from engine.conformance import run_file, vector_files

    failed = False
    for path in vector_files(paths):
        report = run_file(path)
        verdict = f"{report.passed}/{report.total}" if report.supported else "not supported"
        click.echo(f"{path.name:40} {report.generation:24} {verdict}")
        if report.first_miss:
            failed = True
            click.echo(f"  {report.first_miss}")
    sys.exit(1 if failed else 0)


@main.command(name="list")
@click.argument(
    "what",
    type=click.Choice(["kernels", "machines", "devices", "workloads", "elevators", "parameters"]),
)
def list_(what: str) -> None:
    """Show what there is to choose from, and where the values come from."""
    for line in LISTS[what]():
        click.echo(line)


def _point(point_file: Path | None, flags: Mapping[str, str | None]) -> dict[str, Any]:
    """Defaults, then the file, then the flags."""
    point: dict[str, Any] = dict(DEFAULTS)
    if point_file is not None:
        try:
            content = yaml.safe_load(point_file.read_text())
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise UserError(f"{point_file}: not YAML; {str(error).splitlines()[0]}") from error
        if not isinstance(content, dict):
            raise UserError(f"{point_file}: no mapping; give lines such as 'threads: 32'")
        point |= content
    return point | {name: value for name, value in flags.items() if value is not None}


def _settings(point: Mapping[str, Any]) -> "Settings":
    """The point resolved; unlike a point of a sweep it may change nothing that has no effect in it."""
    from engine.resolve import resolve

    settings = resolve(point)
    for name, why in settings.idle.items():
        if name in settings.overrides:
            raise UserError(f"{name}: {point[name]} has no effect, because {why}; leave it out")
    return settings


def _table(row: Mapping[str, Any]) -> str:
    """Name, value and unit, a line each."""
    from engine.results import COLUMN

    lines = []
    for name, value in row.items():
        if name == "read_histogram":
            lines.append("read_histogram (from ms, to ms, calls)")
            lines += [f"  {b['from_ms']:14.6f} {b['to_ms']:14.6f} {b['calls']:10d}" for b in value]
            continue
        if name == "classes":
            lines.append("classes")
            for label, told in json.loads(value).items():
                things = (f"{k} {'-' if v is None else f'{v:.6g}'}" for k, v in told.items())
                lines.append(f"  {label:26} {', '.join(things)}")
            continue
        shown = f"{value:.4f}" if isinstance(value, float) else value
        lines.append(f"{name:28} {shown} {COLUMN[name].unit}".rstrip())
    return "\n".join(lines)


def _preset_lines(found: Mapping[str, presets.Preset]) -> list[str]:
    lines = []
    for preset in found.values():
        lines.append(f"{preset.name}: {preset.title}")
        for name, value in preset.values.items():
            lines.append(f"  {name:22} {value.value!s:16} {value.confidence:9} {value.source}")
    return lines


def _device_lines() -> list[str]:
    from engine.devices import device_names, load_device

    lines = []
    for name in device_names():
        device = load_device(name)
        lines.append(f"{name}: {device.capacity_sectors // 2048} MiB; {device.source}")
    return lines


def _elevator_lines() -> list[str]:
    from engine.core import elevators

    return [f"{name}: {text}" for name, text in elevators.descriptions().items()]


def _parameter_lines() -> list[str]:
    return [_parameter_line(parameter) for parameter in PARAMETERS.values()]


def _parameter_line(parameter: Parameter) -> str:
    unit = f" [{parameter.unit}]" if parameter.unit else ""
    return f"{parameter.name}{unit}: {parameter.text} ({parameter.section})"


LISTS: dict[str, Callable[[], list[str]]] = {
    "kernels": lambda: _preset_lines(presets.kernels()),
    "machines": lambda: _preset_lines(presets.machines()),
    "devices": _device_lines,
    "workloads": lambda: _preset_lines(presets.workloads()),
    "elevators": _elevator_lines,
    "parameters": _parameter_lines,
}

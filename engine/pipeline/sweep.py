"""From a checked configuration to the points of its sweeps and to the jobs that simulate them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from engine.engine_hash import engine_hash
from engine.parameters import PARAMETERS
from engine.presets import workload_files

if TYPE_CHECKING:  # jobs import this module, and do without the configuration's libraries
    from engine.pipeline.config import Config

Axes = Mapping[str, Sequence[object]]

# The order in which a sweep is walked, whatever the order of its axes in config.yaml: runs fastest.
WALK = (*(name for name in PARAMETERS if name != "run"), "run")


@dataclass(frozen=True)
class Job:
    """One slab of one sweep: the points that share the values of the job axes.

    `name` is its path below `results/jobs`, such as `disk/kernel~2.4.18/queue_size~128`.
    """

    name: str
    axes: Axes

    @property
    def spec(self) -> str:
        """All that decides the job's rows, as one text: equal texts, equal rows.

        A file named by a value (a disk file) counts with its content, and with what it includes.
        """
        return canonical(
            {"axes": self.axes, "engine": engine_hash(), "files": _files_of(self.axes)}
        )


def canonical(value: object) -> str:
    """JSON with sorted keys and no blanks; keys and values of other types than JSON's are errors."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def points_of(axes: Axes) -> Iterator[dict[str, object]]:
    """Every point of the product of the axes, in the order of `WALK`."""
    names = sorted(axes, key=WALK.index)
    for values in product(*(axes[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def jobs_of(config: "Config") -> list[Job]:
    """The jobs of all sweeps, in the order of the configuration."""
    return [job for name in config.sweeps for job in jobs_of_sweep(config, name)]


def jobs_of_sweep(config: "Config", sweep: str) -> list[Job]:
    """The jobs of one sweep: one for every combination of the values of its job axes."""
    axes = axes_of(config, sweep)
    split = {name: axes[name] for name in config.job_axes if name in axes}
    jobs = []
    for fixed in points_of(split):
        folders = [f"{name}~{quote(str(value), safe='')}" for name, value in fixed.items()]
        slab = {**axes, **{name: (value,) for name, value in fixed.items()}}
        jobs.append(Job("/".join([sweep, *(folders or ["all"])]), slab))
    return jobs


def axes_of(config: "Config", sweep: str) -> Axes:
    """All axes of a sweep: its own, the runs and the seed."""
    runs = tuple(range(config.runs))
    return {**config.sweeps[sweep], "run": runs, "seed": (config.seed,)}


def _files_of(axes: Axes) -> dict[str, str]:
    """Digest of every file that a value names, such as a disk file, and of what it includes."""
    files = {
        str(value): workload_files(str(value)) if axis == "workload" else (Path(str(value)),)
        for axis in axes
        if PARAMETERS[axis].kind is str
        for value in axes[axis]
    }
    return {
        name: sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()[:16]
        for name, paths in files.items()
        if paths and paths[0].is_file()
    }

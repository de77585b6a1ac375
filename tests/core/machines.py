"""Small machines for tests: built from a point, with another program if need be, and run to their end."""

from dataclasses import replace
from typing import Any

import numpy as np

from engine.build import Machine, build
from engine.core.checks import Breach
from engine.core.loop import run
from engine.devices import load_device
from engine.resolve import Settings, resolve
from engine.workload import plan_of

POINT = {"kernel": "2.4.18", "machine": "k6-2", "workload": "tiobench_random_read", "threads": 1}


def settings_of(
    program: list | None = None,
    created: bool = False,
    files: dict | None = None,
    shared: dict | None = None,
    **values: Any,
) -> Settings:
    """Settings of a point; `program` is what each thread does with a file of its own, or with `files`.

    `shared` are files of all threads.
    """
    settings = resolve(POINT | values)
    if program is None:
        return settings
    own = {"file": {"mib": "share of size_mib", "created": created}}
    one = {"threads": "threads", "files": files or own, "program": program}
    document = {"files": shared or {}, "classes": {"one": one}}
    return replace(settings, plan=plan_of("of a test", document, settings.values))


def built(settings: Settings) -> Machine:
    """Its machine at time 0."""
    return build(settings, load_device(settings["disk"]).record, np.random.default_rng(0))


def finished(settings: Settings) -> Machine:
    """Its machine at the end of its run, which has kept all rules."""
    machine = built(settings)
    with np.errstate(over="ignore"):  # the random stream wraps around, as it should
        breach = run(*machine, load_device(settings["disk"]).tables)
    assert Breach(breach) == Breach.NOTHING
    return machine

"""One point of a sweep: build the machine, run it, measure it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.build import SECTORS_PER_MIB, build
from engine.core.checks import Breach
from engine.core.loop import run
from engine.core.records import PAGE_SECTORS
from engine.devices import load_device
from engine.errors import UserError
from engine.parameters import AUTO
from engine.resolve import Settings, resolve
from engine.row import row_of


class EngineError(Exception):
    """A run broke a rule of conservation: a defect of the engine, never of the input."""


def simulate(point: Mapping[str, Any]) -> dict[str, Any]:
    """Run one point and return its row, keyed as `engine.results.COLUMNS`.

    Raises UserError for an impossible point and EngineError if the run breaks conservation.
    """
    settings = resolve(point)
    return row_of(settings, simulate_state(settings))


def simulate_state(settings: Settings) -> np.record:
    """Run the machine that `settings` describes; returns its final STATE."""
    bus_mb_s, write_cache_kib = (
        None if settings[name] == AUTO else settings[name]
        for name in ("bus_mb_s", "write_cache_kib")
    )
    device = load_device(settings["disk"], bus_mb_s=bus_mb_s, write_cache_kib=write_cache_kib)
    rng = np.random.default_rng(
        np.random.SeedSequence(settings["seed"], spawn_key=(settings["run"],))
    )
    machine = build(settings, device.record, rng)
    end_sector = machine.state.machine.data_start_sector + machine.pages.size * PAGE_SECTORS
    capacity_sectors = device.capacity_sectors * settings["disks"]
    if end_sector > capacity_sectors:
        whose = "size_mib" if "size_mib" in settings.values else f"workload {settings['workload']}"
        raise UserError(
            f"{whose}: the files end {end_sector // SECTORS_PER_MIB} MiB into the disk, but "
            f"{settings['disk']} holds {capacity_sectors // SECTORS_PER_MIB} MiB"
        )
    with np.errstate(over="ignore"):  # the random stream wraps around, as it should
        breach = run(*machine, device.tables)
    if breach == Breach.SPINS:
        raise UserError(
            f"workload {settings['workload']}: a loop of its program takes no time; let it read, write, "
            "compute or pause, and calls or pages cost processor time (call_us, page_us)"
        )
    if breach == Breach.NOTHING and machine.state.machine.now_ns == machine.state.measures.since_ns:
        raise UserError(
            f"measured: the phase {settings.plan.measured!r} takes no time; let somebody read or write in it"
        )
    if breach != Breach.NOTHING:
        raise EngineError(f"conservation broken: {Breach(breach).name} in {dict(settings.values)}")
    return machine.state

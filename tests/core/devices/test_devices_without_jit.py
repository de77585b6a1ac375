"""Compiled or interpreted, the devices complete at the same ns."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from engine.core.devices import DeviceKind, serve
from engine.devices import device_names, load_device

REQUESTS = 120


def completions():
    """Completions of mixed requests, some of them sequential, on every device."""
    lines = []
    for name in device_names():
        variants = [{"mechanics_only": False}, {"mechanics_only": True}]
        if load_device(name).record.kind == DeviceKind.MECHANICAL:
            variants.append({"write_cache_kib": 256})
        for variant in variants:
            device = load_device(name, **variant)
            random = np.random.default_rng(7)
            sector, now_ns = 0, 0
            for _ in range(REQUESTS):
                nr_sectors = int(random.integers(1, 257))
                if random.random() < 0.4 or sector + nr_sectors > device.capacity_sectors:
                    sector = int(random.integers(0, device.capacity_sectors - 256))
                is_write = bool(random.random() < 0.3)
                now_ns = int(
                    serve(
                        device.record, device.tables, now_ns, now_ns, sector, nr_sectors, is_write
                    )
                )
                lines.append(f"{name} {variant} {now_ns}")
                sector += nr_sectors
                now_ns += int(random.integers(0, 3_000_000))
            lines.append(f"{name} {variant} {device.record.counters}")
    return lines


def test_without_jit_the_same():
    root = Path(__file__).resolve().parents[3]
    plain = subprocess.run(
        [sys.executable, __file__],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.splitlines() == completions()


if __name__ == "__main__":
    print("\n".join(completions()))

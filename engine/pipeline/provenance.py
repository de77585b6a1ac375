"""Where results come from: configuration, sources, versions."""

import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("llvmlite", "matplotlib", "numba", "numpy", "pandas", "snakemake")


def provenance(origin: Mapping[str, Any]) -> dict[str, Any]:
    """`origin` (the configuration as checked, and the hash of the engine) with code and versions.

    No times, machine or numbers of cores: equal results have equal provenance.
    """
    return {
        **origin,
        "seed": origin["config"]["seed"],
        "code": _code(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def _code() -> str | None:
    """The commit as `git describe` names it, with `-dirty` after changes; None outside a clone."""
    command = ("git", "describe", "--always", "--dirty", "--tags")
    folder = Path(__file__).parent
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()

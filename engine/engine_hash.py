"""The hash of every source that decides results, and the numba cache that belongs to it.

numba's own cache looks at the file of the cached function alone: after an edit of a function it
calls, it would silently go on with the old machine code. So each state of the sources gets a cache
directory of its own. `engine/__init__.py` calls `use_numba_cache()` before any function is jitted,
which covers the pipeline, the command line, notebooks and tests alike.
"""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ENGINE = Path(__file__).parent
SUFFIXES = {".py", ".yaml", ".csv", ".txt"}

# What only plans, stores or draws results. All else counts, so that a new file counts by itself.
WITHOUT_INFLUENCE = (
    "__main__.py",
    "cli.py",
    "conformance/",
    "describe.py",
    "docs.py",
    "engine_hash.py",
    "explain.py",
    "jobs/",
    "metrics/",
    "plots/",
    "pipeline/",
    "published/",
    "validation/",
)
OF_DRAWINGS = (
    "jobs/figure.py",
    "jobs/walls.py",
    "metrics/",
    "plots/",
    "published/",
    "results.py",
    "validation/",
)
OF_A_HASH = re.compile(r"(engine-)?[0-9a-f]{16}")
CACHES_KEPT = 3


@cache
def engine_hash() -> str:
    """16 hexadecimal digits that change when a source that decides results changes."""
    return hash_of(path for path in _sources() if not path.startswith(WITHOUT_INFLUENCE))


def drawing_hash() -> str:
    """The same for the sources that decide what walls.csv and the figures look like."""
    return hash_of(path for path in _sources() if path.startswith(OF_DRAWINGS))


def hash_of(names: Iterable[str]) -> str:
    """Hash of the named files below `engine/`: of their names and their bytes."""
    digest = hashlib.sha256()
    for name in sorted(names):
        content = (ENGINE / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def numba_cache() -> Path:
    """Directory of the machine code compiled from these sources.

    It lies in NUMBA_CACHE_DIR where the user has set one, else in `.numba_cache` beside `engine/`.
    """
    parent = Path(os.environ.get("NUMBA_CACHE_DIR") or ENGINE.parent / ".numba_cache")
    if OF_A_HASH.fullmatch(parent.name):  # set by a parent process, maybe before an edit
        parent = parent.parent
    return parent.resolve() / f"engine-{engine_hash()}"


def use_numba_cache() -> None:
    """Make numba keep the machine code of functions jitted from now on in `numba_cache()`."""
    os.environ["NUMBA_CACHE_DIR"] = str(numba_cache())
    if "numba" in sys.modules:  # it has read its environment already
        sys.modules["numba"].config.CACHE_DIR = str(numba_cache())


def prune(current: Path) -> None:
    """Delete the siblings of `current` that belong to other hashes, but for the newest few."""
    others = [
        path
        for path in current.parent.glob("*")
        if path.is_dir() and path != current and OF_A_HASH.fullmatch(path.name)
    ]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[CACHES_KEPT - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


def _sources() -> list[str]:
    """Names of all sources below `engine/`, relative to it."""
    files = (path for path in ENGINE.rglob("*") if path.suffix in SUFFIXES)
    return [path.relative_to(ENGINE).as_posix() for path in files]

"""The twin does what the kernels did, on every recorded script."""

import gzip
import json
from pathlib import Path

import pytest

from .generations import POOLS, QUEUES, READ_AHEADS
from .scripts import run_script

FILES = [
    *(f"{name}_*" for name in QUEUES if name != "noop"),
    *(f"wait/{name}_*" for name in POOLS),
    *(f"readahead/{name}*" for name in READ_AHEADS),
]


@pytest.fixture(scope="module")
def vectors(shared: Path) -> Path:
    return shared / "kernels" / "vectors"


@pytest.mark.parametrize("pattern", FILES)
def test_twin_repeats_every_script(vectors: Path, pattern: str) -> None:
    (path,) = vectors.glob(f"{pattern}.json.gz")
    recorded = json.loads(gzip.decompress(path.read_bytes()))
    assert recorded["scripts"]
    for script in recorded["scripts"]:
        results = run_script(recorded["gen"], recorded.get("schema", 1), script)
        operations = script.get("ops") or script["reads"]
        for index, (got, expected) in enumerate(zip(results, script["res"], strict=True)):
            assert got == expected, f"{script['name']} operation {index}: {operations[index]}"


def test_every_vector_file_is_run(vectors: Path) -> None:
    run = [path for pattern in FILES for path in vectors.glob(f"{pattern}.json.gz")]
    assert sorted(run) == sorted(vectors.rglob("*.json.gz"))

"""The hash of the sources: it changes with what decides results, and with nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.engine_hash import ENGINE, WITHOUT_INFLUENCE, engine_hash, numba_cache, prune

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def copied(tmp_path):
    """A copy of the engine in which a test may edit."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=ignored)
    return tmp_path


def hash_in(folder: Path, **environment: str) -> tuple[str, str]:
    """Engine hash and numba cache as a new process in `folder` sees them."""
    code = (
        "import engine.engine_hash as h, os; print(h.engine_hash(), os.environ['NUMBA_CACHE_DIR'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": "", "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    digest, cache = done.stdout.split()
    return digest, cache


def edited(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["core/loop.py", "core/elevators/__init__.py", "presets/kernels.yaml", "simulate.py"]
)
def test_an_edit_that_may_change_results_changes_the_hash(copied, name):
    edited(copied / "engine" / name)
    assert hash_in(copied)[0] != engine_hash()


def test_a_new_source_changes_the_hash(copied):
    (copied / "engine" / "core" / "new.py").write_text("", encoding="utf-8")
    assert hash_in(copied)[0] != engine_hash()


@pytest.mark.parametrize("name", ["plots/__init__.py", "jobs/aggregate.py", "pipeline/config.py"])
def test_an_edit_that_cannot_change_results_does_not(copied, name):
    edited(copied / "engine" / name)
    assert hash_in(copied)[0] == engine_hash()


def test_whatever_a_simulation_imports_has_influence():
    code = (
        "import engine.simulate, sys; print(*(m for m in sys.modules if m.startswith('engine.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = [name.removeprefix("engine.").replace(".", "/") for name in done.stdout.split()]
    assert "core/loop" in paths
    without = [path for path in paths if f"{path}.py".startswith(WITHOUT_INFLUENCE)]
    assert without == ["engine_hash"]  # it decides where machine code lies, not what it computes


def test_the_numba_cache_is_that_of_the_hash_and_in_the_users_folder_if_given(copied, tmp_path):
    digest, cache = hash_in(copied)
    assert Path(cache) == copied / ".numba_cache" / f"engine-{digest}"
    _, own = hash_in(copied, NUMBA_CACHE_DIR=str(tmp_path / "own"))
    assert Path(own) == tmp_path / "own" / f"engine-{digest}"


def test_a_child_process_keeps_to_its_own_sources(copied):
    edited(copied / "engine" / "simulate.py")
    _, cache = hash_in(copied, NUMBA_CACHE_DIR=str(numba_cache()))
    assert Path(cache).parent == numba_cache().parent
    assert Path(cache) != numba_cache()


def test_pruning_keeps_the_current_one_the_newest_and_what_is_not_ours(tmp_path):
    names = [f"engine-{number:016x}" for number in range(5)]
    for age, name in enumerate([*names, "numba_of_another_project"]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    prune(tmp_path / names[4])
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == [names[0], names[1], names[4], "numba_of_another_project"]


def test_what_is_left_out_of_the_hash_compiles_nothing():
    names = [path.relative_to(ROOT / "engine").as_posix() for path in ENGINE.rglob("*.py")]
    left_out = [name for name in names if name.startswith(WITHOUT_INFLUENCE)]
    assert not [name for name in left_out if "core.jit" in (ENGINE / name).read_text()]

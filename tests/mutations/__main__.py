"""Plant one bug after the other in a copy of the engine, and see that the tests notice each of them.

`python -m tests.mutations [WORD]`, from the top of the repository: all bugs, or those in files whose name
contains WORD. The tests run in plain Python, because machine code would have to be made anew for each bug.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from . import ROOT, Bug, read_bugs

TEST_FILES = [
    f"tests/core/test_{name}.py"
    for name in (
        "block_map",
        "every_generation",
        "inodes",
        "journal",
        "order",
        "page_cache",
        "queue_against_twin",
        "readahead",
        "reader",
        "request_pool",
        "scheduler",
        "swap",
    )
]
TIME_LIMIT_S = 300  # for one bug; the slowest takes a tenth of it
# The first failure will do, as it is: no shrinking, no comparison of long lists; and no bytecode is kept.
OPTIONS = ["-x", "-q", "-rf", "--assert=plain", "--hypothesis-profile=mutations"]
OPTIONS += ["-p", "no:cacheprovider"]
ENVIRONMENT = {"NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run_tests(copy: Path, selection: str, time_limit_s: float | None = None) -> str:
    """Run the selected tests in a copy: the first that fails; empty if all pass."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *TEST_FILES, "-k", selection],
        cwd=copy,
        env=os.environ | ENVIRONMENT | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=time_limit_s,
        check=False,
    )
    if done.returncode == 0:
        return ""
    failed = re.search(r"^FAILED (.+?)( - |$)", done.stdout, re.MULTILINE)
    if done.returncode != 1 or failed is None:
        raise SystemExit(f"the tests did not run:\n{done.stdout}{done.stderr}")
    return failed.group(1)


def copy_sources(copy: Path) -> None:
    """What the tests need, and nothing that was made of it."""
    for folder in ("engine", "tests"):
        shutil.copytree(
            ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "data")
        )
    shutil.copy(ROOT / "pyproject.toml", copy)


def notice(copy: Path, bug: Bug) -> str:
    """The test that notices a bug planted in the copy, which is mended again; empty if none does."""
    source = copy / bug.file
    sound = source.read_text()
    source.write_text(bug.planted(sound))
    try:
        return run_tests(copy, bug.tests, TIME_LIMIT_S)
    except subprocess.TimeoutExpired:
        raise SystemExit(
            f"{bug.file}: {bug.what!r} keeps the tests busy for {TIME_LIMIT_S} s; "
            "right would be a bug that makes them fail"
        ) from None
    finally:
        source.write_text(sound)


def main(word: str = "") -> int:
    """Print a line a bug; 1 if one survives."""
    bugs = [bug for bug in read_bugs() if word in bug.file]
    if not bugs:
        raise SystemExit(f"no bug is planted in a file with {word!r} in its name")
    survivors = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        copy_sources(copy)
        failed = run_tests(copy, " or ".join(dict.fromkeys(f"({bug.tests})" for bug in bugs)))
        if failed:
            raise SystemExit(f"{failed} fails without any bug")
        for bug in bugs:
            test = notice(copy, bug)
            survivors += not test
            print(
                f"{bug.file}: {bug.what}  {f'noticed by {test}' if test else 'SURVIVED'}",
                flush=True,
            )
    print(f"{len(bugs)} bugs, {survivors} survived")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

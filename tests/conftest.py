"""Fixtures shared by all tests."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("engine", deadline=None)  # an example may have to compile first
settings.register_profile(  # of tests/mutations: the same examples every time, and no shrinking
    "mutations",
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    report_multiple_bugs=False,
)
settings.load_profile("engine")

# Tests that share what takes a minute to make: all of them on one worker of pytest-xdist. Its own mark
# for that, `xdist_group`, has no effect with pytest 9.2.
TOGETHER = ("tests/core/test_loop.py", "tests/pipeline/")


class Scheduling(LoadScopeScheduling):
    """Hands out single tests, but for those of TOGETHER."""

    def _split_scope(self, nodeid: str) -> str:
        return next((start for start in TOGETHER if nodeid.startswith(start)), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    return Scheduling(config, log)


ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference material beside the repository; tests that need it skip where it is absent."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip("the reference material ../shared is not beside this clone")
    return path

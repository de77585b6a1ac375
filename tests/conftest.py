"""Fixtures shared by all tests."""

from pathlib import Path

import pytest
from hypothesis import Phase, settings

settings.register_profile("engine", deadline=None)  # an example may have to compile first
settings.register_profile(  # of tests/mutations: the same examples every time, and no shrinking
    "mutations",
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    report_multiple_bugs=False,
)
settings.load_profile("engine")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference material beside the repository; tests that need it skip where it is absent."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip("the reference material ../shared is not beside this clone")
    return path

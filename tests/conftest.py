"""Fixtures shared by all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("engine", deadline=None)  # an example may have to compile first
settings.load_profile("engine")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference material beside the repository; tests that need it skip where it is absent."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip("the reference material ../shared is not beside this clone")
    return path

import pytest

from plots.synthetic import synthetic_sweep


@pytest.fixture(scope="session")
def sweep():
    return synthetic_sweep()

"""What the rules of the pipeline run: `python -m engine.jobs.<name>`, a thin command around a library."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parents[2]


def set_environment() -> None:
    """Make jobs run this Python and this engine, whatever PATH and folder the user has.

    Snakemake itself limits the threads of a job for other libraries, but not for numba.
    """
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
    os.environ["PYTHONPATH"] = f"{HERE}:{os.environ.get('PYTHONPATH', '')}".rstrip(":")
    os.environ["NUMBA_NUM_THREADS"] = "1"

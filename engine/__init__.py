"""The latency wall laboratory: a simulated Linux block layer, and sweeps over it."""

from engine.engine_hash import use_numba_cache

use_numba_cache()  # before any import that compiles: machine code of older sources is never used

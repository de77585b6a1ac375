"""The simulated machine: numba and numpy only, nanoseconds and 512-byte sectors only."""

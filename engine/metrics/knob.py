"""What elvtune turns: which value of a kernel a run sets, and to what."""

import pandas as pd

from engine import presets
from engine.metrics.sweep import overrides_of

KNOBS = ("read_latency", "read_expire_ms")


def with_knobs(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs with `knob`, `read_latency` or `read_expire_ms` where their kernel has deadlines, and its `value`."""
    parts = [_with_knob(some) for _, some in runs.groupby("kernel", sort=False)]
    return pd.concat(parts) if parts else runs.assign(knob="", value=0.0)


def _with_knob(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs of one kernel; a value equal to the preset's is no override."""
    given = [overrides_of(text) for text in runs["overrides"]]
    knob = next((name for name in KNOBS if any(name in values for values in given)), KNOBS[0])
    preset = presets.kernels()[runs["kernel"].iloc[0]].values[knob].value
    values = [float(str(some.get(knob, preset))) for some in given]
    return runs.assign(knob=knob, value=values)

"""Which runs share a panel of a figure, which a line, and how a line looks."""

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib import colormaps

from engine.metrics.sweep import overrides_of

Look = dict[str, Any]  # how something is drawn, as keywords of an Axes method

# Okabe-Ito colours. Kernels with equal pools have lines that lie on each other: wide solid ones below,
# dashed, dotted and thin ones above stay apart there, also in grey.
KERNEL_STYLES: dict[str, Look] = {
    "2.4.18": {"color": "#D55E00", "marker": "o", "linestyle": "-", "linewidth": 2.6},
    "2.4.19": {"color": "#E69F00", "marker": "s", "linestyle": (0, (4, 2)), "linewidth": 1.8},
    "2.4.19-pre5": {"color": "#000000", "marker": "D", "linestyle": (0, (1, 2)), "linewidth": 1.4},
    "2.4.18-ac-rmap12": {"color": "#009E73", "marker": "v", "linestyle": "-", "linewidth": 2.6},
    "2.4.19-pre5-read_latency2": {"color": "#CC79A7", "marker": "X", "linestyle": (0, (4, 3)), "linewidth": 1.6},
    "2.5.7": {"color": "#0072B2", "marker": "^", "linestyle": (0, (6, 1.5, 1, 1.5)), "linewidth": 1.2},
}  # fmt: skip
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")
_LINESTYLES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1, 1, 1)))


def with_panels(sweep: pd.DataFrame) -> pd.DataFrame:
    """`sweep` with `panel` and `line`, the texts under which its runs are drawn, in drawing order.

    A panel holds the kernels of one machine and workload under the same overrides. Where a sweep gives
    an override several values, each kernel has a panel of its own and each value a line.
    """
    groups = sweep.groupby(["sweep", "workload", "machine"], sort=False)
    parts = [_labelled(group) for _, group in groups]
    if not parts:
        return sweep.assign(panel="", line="")
    drawn = pd.concat(parts, ignore_index=True)
    return drawn.drop_duplicates(["panel", "line", "threads", "run", "seed"], ignore_index=True)


def _labelled(group: pd.DataFrame) -> pd.DataFrame:
    """Rows of one sweep, machine and workload with panel and line, kernels and values in order."""
    overrides = [overrides_of(text) for text in group["overrides"]]
    names = dict.fromkeys(name for values in overrides for name in values)
    fixed = {
        name: overrides[0][name]
        for name in names
        if all(values.get(name) == overrides[0].get(name) for values in overrides)
    }
    # A value equal to the preset's is no override; the row itself has it, if it is a column.
    varied = [
        {name: values.get(name, row.get(name, "preset")) for name in names if name not in fixed}
        for values, row in zip(overrides, group.to_dict("records"), strict=True)
    ]
    panel = group["machine"] + ", " + group["workload"]
    line = group["kernel"]
    if varied[0]:
        panel = panel + ", " + group["kernel"]
        line = [in_words(values) for values in varied]
    panel = [f"{name}, {in_words(fixed)}" if fixed else name for name in panel]
    rank = [
        (_kernel_rank(kernel), [_rank(value) for value in values.values()])
        for kernel, values in zip(group["kernel"], varied, strict=True)
    ]
    order = sorted(range(len(group)), key=rank.__getitem__)
    return group.assign(panel=panel, line=line).iloc[order]


def in_words(values: Mapping[str, object]) -> str:
    """`queue_size 64, read_latency 16`."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _kernel_rank(kernel: str) -> tuple[int, str]:
    """Presets in the order of their styles, then others by name."""
    known = list(KERNEL_STYLES)
    return (known.index(kernel) if kernel in known else len(known), kernel)


def _rank(value: object) -> tuple[bool, object]:
    """Numbers by size, then words such as `auto`."""
    return (isinstance(value, str), value)


def styles(lines: Iterable[str]) -> dict[str, Look]:
    """How each line of one panel is drawn, as keywords of `Axes.plot`.

    The preset kernels look the same in every figure; other lines take colours from dark to light in
    the order given.
    """
    lines = list(dict.fromkeys(lines))
    others = [line for line in lines if line not in KERNEL_STYLES]
    shades = colormaps["cividis"]
    looks = zip(cycle(_MARKERS), cycle(_LINESTYLES), strict=False)
    return {line: KERNEL_STYLES[line] for line in lines if line in KERNEL_STYLES} | {
        line: {
            "color": shades(0.9 * i / max(len(others) - 1, 1)),
            "marker": marker,
            "linestyle": linestyle,
        }
        for i, (line, (marker, linestyle)) in enumerate(zip(others, looks, strict=False))
    }

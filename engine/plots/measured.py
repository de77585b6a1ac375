"""Measured values against threads: runs as points, their medians as lines, published points beside."""

from collections.abc import Iterator, Mapping
from itertools import cycle

import pandas as pd
from matplotlib.axes import Axes

from engine import published
from engine.metrics.sweep import keeps_kernel
from engine.plots.panels import KERNEL_STYLES, styles, with_panels

_SHARED = ("panel", "line", "kernel", "machine", "workload", "overrides")  # by the runs of a line
_IDENTITY = (*_SHARED, "origin", "threads", "run")
SIMULATED, PUBLISHED, MISSING = "simulated", "published", "missing"
_OTHER_TREES = ("*", "p", "h", "8")  # markers of published trees that no preset stands for


def measured_table(sweep: pd.DataFrame, columns: Mapping[str, str]) -> pd.DataFrame:
    """One row a run, and one a published point of the same machine and workload (`origin`).

    `columns` maps columns of the results to the columns drawn; from `_ms` to `_s` a value is divided
    by 1000. A thread count that failed for a line and not for the others of its sweep is a row without
    a value, a gap in the line. Published waiting times and shares are means over the runs, because the
    mails print their sums; `bound` is `upper` or `lower` where a mail gives a bound only.
    """
    rows = with_panels(sweep).assign(origin=SIMULATED, bound="")
    panels = [panel for _, panel in rows.groupby("panel", sort=False)]
    parts = [rows, *map(_missing, panels), *(_published(panel, columns) for panel in panels)]
    drawn = pd.concat(parts, ignore_index=True)
    drawn["run"] = drawn["run"].astype("Int64")
    in_seconds = {old for old, new in columns.items() if old.endswith("_ms") and new.endswith("_s")}
    values = {new: drawn[old] / (1000 if old in in_seconds else 1) for old, new in columns.items()}
    return drawn[[*_IDENTITY, "bound"]].assign(**values)


def _missing(panel: pd.DataFrame) -> pd.DataFrame:
    """A row for every thread count of a sweep at which one of its lines has no run."""
    present = set(zip(panel["line"], panel["threads"], strict=True))
    rows = []
    for _, sweep in panel.groupby("sweep", sort=False):
        counts = sweep["threads"].unique()
        for line, runs in sweep.groupby("line", sort=False):
            first = runs.iloc[0][list(_SHARED)].to_dict()
            lost = [count for count in counts if (line, count) not in present]
            rows += [first | {"threads": count, "origin": MISSING, "bound": ""} for count in lost]
    return pd.DataFrame(rows)


def _published(panel: pd.DataFrame, columns: Mapping[str, str]) -> pd.DataFrame:
    """Published points for one panel, a column each; none where values of a kernel were overridden."""
    first = panel.iloc[0]
    if not panel["overrides"].map(keeps_kernel).all():
        return pd.DataFrame()
    points = [published.points(first["machine"], first["workload"], name) for name in columns]
    key = ["tree", "kernel", "threads", "bound", "runs"]
    wide = pd.concat(points).pivot(index=key, columns="metric", values="value").reset_index()
    line = wide["tree"] + " in 2002, mean of " + wide["runs"].astype(str) + " runs"
    same = {name: first[name] for name in ("panel", "machine", "workload")}
    return wide.assign(line=line, overrides="", origin=PUBLISHED, **same)


def draw_measured(
    panel: pd.DataFrame, axes: Axes, value: str, labels: Mapping[str, str] | None = None
) -> None:
    """The lines of one panel of `measured_table`; `labels` are a line's words in the legend.

    A line without words there is labelled with its name.
    """
    labels = labels or {}
    panel = panel[panel[value].notna() | (panel["origin"] == MISSING)]
    simulated = panel[panel["origin"] != PUBLISHED]
    looks = styles(simulated["line"])
    for line, runs in simulated.groupby("line", sort=False):
        look = looks[line]
        middle = runs.groupby("threads")[value].median().sort_index()
        axes.plot(middle.index, middle, label=labels.get(line, line), **look)
        dots = look | {"linestyle": "none", "markersize": 2.5}
        axes.plot(runs["threads"], runs[value], alpha=0.6, **dots)
    others = cycle(_OTHER_TREES)
    for line, points in panel[panel["origin"] == PUBLISHED].groupby("line", sort=False):
        _draw_published(points, axes, value, line, others)


def _draw_published(
    points: pd.DataFrame, axes: Axes, value: str, line: str, markers: Iterator[str]
) -> None:
    """Hollow markers without a line; an arrow where the mail gives a bound only."""
    look = KERNEL_STYLES.get(points["kernel"].iloc[0]) or {
        "color": "black",
        "marker": next(markers),
    }
    axes.plot(
        points["threads"].astype(int),
        points[value],
        label=line,
        color=look["color"],
        marker=look["marker"],
        linestyle="none",
        markersize=8,
        markerfacecolor="none",
        markeredgewidth=1.1,
        zorder=3,
    )
    for bound, bounded in points[points["bound"] != ""].groupby("bound"):
        axes.errorbar(
            bounded["threads"].astype(int),
            bounded[value],
            yerr=bounded[value] * (0.5 if bound == "upper" else 1.0),
            uplims=bound == "upper",
            lolims=bound == "lower",
            color=look["color"],
            linestyle="none",
            elinewidth=1.1,
            capsize=2.5,
        )

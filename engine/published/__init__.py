"""Figures measured in 2002, tidy and per run; README.md beside this file names the sources."""

from functools import cache
from importlib import resources

import pandas as pd

TIOBENCH = ("tiobench_pre5_xeon", "tiobench_pre1aa1_rl", "tiobench_preempt_256")
TABLES = (*TIOBENCH, "wall")

# Kernel preset -> the trees of the mails it stands for, as they are printed there.
_MAINLINE = "marcelo (2.4 mainline)"
TREES = {
    "2.4.18": (_MAINLINE,),
    "2.4.19": (_MAINLINE,),
    "2.4.19-pre5": (_MAINLINE, "2.4.19-pre5"),
    "2.4.18-ac-rmap12": ("ac", "rmap", "2.4.19-pre9-ac3", "all ac tested"),
    "2.4.19-pre5-read_latency2": ("2.4 + read_latency2", "2.4.19-pre5 + read_latency2"),
    "2.5.7": ("linus (2.5)",),
}

_MACHINES = {"k6-2_475": "k6-2", "quad_xeon_4GB": "quad_xeon"}
# The mails give these bounds without a machine; of their thread counts, 16 was only run on the K6-2.
_INFERRED_MACHINES = {"ac thresholds": "k6-2", "mainline thresholds": "k6-2"}
# The machines the walls were found on, and the files of their runs [MiB] (README.md).
WALL_SIZES_MIB = {"k6-2": 2048, "quad_xeon": 8192}
_ROUNDED_REPEATS = ("xeon prose",)
_TESTS = {
    "seq read": ("read", "tiobench_sequential_read"),
    "sequential reads": ("read", "tiobench_sequential_read"),
    "rand read": ("read", "tiobench_random_read"),
    "random reads": ("read", "tiobench_random_read"),
    "seq write": ("write", "tiobench_sequential_write"),
    "sequential writes": ("write", "tiobench_sequential_write"),
    "random writes": ("write", "tiobench_random_write"),
}
_METRICS = {
    "rate": "mib_s",
    "avg_latency": "mean_ms",
    "max_latency": "max_ms",
    "lat_gt_2s": "over_2s_pct",
    "lat_gt_10s": "over_10s_pct",
}
_SUMMED = ("mean_ms", "max_ms", "over_2s_pct", "over_10s_pct")
_BOUNDS = {"<": "upper", "high": "upper", ">": "lower", "low": "lower"}


def load(*tables: str) -> pd.DataFrame:
    """The named tables (default: all) with one row a figure and the results' own names.

    Columns: `table`, `section` (of the table), `tree` (as printed), `kernel`, `machine`, `workload`
    (presets; empty where there is no one preset), `threads`, `metric` (a name of
    `engine.results.COLUMNS` where it has one), `value`, `bound` (`upper`: the mail says at most
    `value`; `lower`: at least; empty: the value itself), `runs`, `printed`, `source`. Waiting times
    are in ms and, with the shares, divided by `runs`.
    """
    return pd.concat([_tidy(name) for name in tables or TABLES], ignore_index=True)


def points(machine: str, workload: str, metric: str) -> pd.DataFrame:
    """Published figures of one machine preset that belong beside simulated runs, by threads.

    Figures in words that only round a printed table are left out.
    """
    rows = load().query("machine == @machine and workload == @workload and metric == @metric")
    rows = rows[rows["threads"].notna() & ~rows["section"].isin(_ROUNDED_REPEATS)]
    return rows.sort_values(["tree", "threads"], ignore_index=True)


def walls(kernel: str, workload: str) -> tuple[str, ...]:
    """Published walls of a kernel preset in threads, as printed: `32`, or `>128` for none up to 128."""
    known = load("wall").query("metric == 'wall_threads' and workload == @workload")
    return tuple(dict.fromkeys(known[known["tree"].isin(TREES.get(kernel, ()))]["printed"]))


@cache
def _tidy(name: str) -> pd.DataFrame:
    with resources.files(__package__).joinpath(f"{name}.csv").open(encoding="utf-8") as file:
        raw = pd.read_csv(file, dtype=str, keep_default_na=False)
    test = raw["workload"].str.removeprefix("tiobench ")
    direction = test.map(lambda words: _TESTS.get(words, ("", ""))[0])
    ranged = raw["metric"].str.extract(r"^(max_latency)_(low|high)$")
    suffix = ranged[0].fillna(raw["metric"]).map(_METRICS)
    runs = pd.to_numeric(raw["runs"].str.extract(r"^(\d+)")[0]).fillna(1).astype(int)
    value = pd.to_numeric(raw["value"].str.lstrip("<>="))
    value = value.where(~((suffix == "max_ms") & (raw["unit"] == "s")), value * 1000)
    bound = raw["value"].str[:1].map(_BOUNDS).fillna(ranged[1].map(_BOUNDS))
    inferred = raw["table"].map(_INFERRED_MACHINES)
    return pd.DataFrame(
        {
            "table": name,
            "section": raw["table"],
            "tree": raw["kernel"],
            "kernel": raw["kernel"].map(_preset_of).fillna(""),
            "machine": raw["machine"].map(_MACHINES).fillna(inferred).fillna(""),
            "workload": test.map(lambda words: _TESTS.get(words, ("", ""))[1]),
            "threads": pd.to_numeric(raw["clients"], errors="coerce").astype("Int64"),
            "metric": (direction + "_" + suffix).fillna(raw["metric"]),
            "value": value.where(~suffix.isin(_SUMMED), value / runs),
            "bound": bound.fillna(""),
            "runs": runs,
            "printed": raw["value"],
            "source": "thread 3, line " + raw["line"],
        }
    )


def _preset_of(tree: str) -> str:
    """The one preset that stands for a printed tree; empty if there is none or more than one."""
    presets = [kernel for kernel, trees in TREES.items() if tree in trees]
    return presets[0] if len(presets) == 1 else ""

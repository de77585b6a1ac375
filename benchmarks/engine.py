"""Measure what the engine costs and print it beside its targets, as Markdown.

`python -m benchmarks.engine` measures everything in some minutes; `python -m benchmarks.engine queue`
only that section.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence

from benchmarks import pipeline, processes, queue_alone, targets, whole_runs
from benchmarks.targets import Verdict


def runs_section(rounds: int) -> list[Verdict]:
    """Whole runs, both disks side by side."""
    costs = whole_runs.measure(rounds)
    rows = []
    for case in whole_runs.cases():
        if case.disk == whole_runs.SIMPLE:
            pair = [costs[case.on(disk)] for disk in whole_runs.DISKS]
            figures = [value for cost in pair for value in rates(cost)]
            ratio = pair[1].request_ns / pair[0].request_ns
            rows.append([case.pattern, case.threads, case.queue_size, *figures, f"{ratio:.2f}"])
    heads = ["ns a page", "ns a request", "pages/s", "requests/s"]
    print("## Whole runs\n")
    print(f"Left the disk `{whole_runs.SIMPLE}`, right `{whole_runs.MECHANICAL}`.\n")
    print_table(["reads", "threads", "queue", *heads, *heads, "right / left"], rows)
    return list(targets.of_runs(costs))


def rates(cost: whole_runs.Cost) -> list[str]:
    """Cost and its inverse: ns a page, ns a request, million pages and requests per second."""
    costs = [f"{cost.page_ns:.1f}", f"{cost.request_ns:.0f}"]
    return costs + [f"{1e3 / ns:.2f} M" for ns in (cost.page_ns, cost.request_ns)]


def queue_section(rounds: int) -> list[Verdict]:
    """The queue alone, beside its twin in plain Python."""
    costs = queue_alone.measure(rounds)
    rows = []
    for case, cost in costs.items():
        twin = ["-", "-"]
        if cost.twin_ns is not None:
            twin = [f"{cost.twin_ns:,.0f}", f"{cost.twin_ns / cost.engine_ns:,.0f}"]
        rows.append([case.stream, case.queue_size, f"{cost.engine_ns:.0f}", *twin])
    print("## The queue alone\n")
    print_table(["stream", "queue", "engine, ns a buffer", "twin, ns a buffer", "ratio"], rows)
    return list(targets.of_queue(costs))


def start_section(rounds: int) -> list[Verdict]:
    """Processes that start."""
    start_s = processes.start_s()
    print("## Start of a process\n")
    print_table(["process", "processor time, s"], [[n, f"{s:.2f}"] for n, s in start_s.items()])
    return list(targets.of_starts(start_s))


def cores_section(rounds: int) -> list[Verdict]:
    """Two processes against one."""
    ratios = processes.two_cores(rounds)
    print("## Two cores over one\n")
    print_table(["by", "ratio"], [[name, f"{ratio:.2f}"] for name, ratio in ratios.items()])
    return list(targets.of_cores(ratios))


def pipeline_section(rounds: int) -> list[Verdict]:
    """Snakemake around a small study."""
    result = pipeline.measure()
    print("## The pipeline\n")
    print("\n".join(pipeline.lines(result)) + "\n")
    return list(targets.of_pipeline(result))


SECTIONS: dict[str, Callable[[int], list[Verdict]]] = {
    "runs": runs_section,
    "queue": queue_section,
    "start": start_section,
    "cores": cores_section,
    "pipeline": pipeline_section,
}


def print_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table in Markdown."""
    for cells in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(map(str, cells)) + " |")
    print(flush=True)


def main() -> None:
    """Measure the sections asked for, then print the targets they speak to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", help=f"some of {', '.join(SECTIONS)}; default all")
    parser.add_argument("--rounds", type=int, default=7, help="rounds behind a median")
    arguments = parser.parse_args()
    unknown = set(arguments.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no section {min(unknown)!r}; there are {', '.join(SECTIONS)}")
    verdicts = []
    for name in arguments.sections or SECTIONS:
        verdicts += SECTIONS[name](arguments.rounds)
    words = {True: "met", False: "not met", None: "-"}
    print("## Targets\n")
    print_table(
        ["what", "target", "measured", "verdict"], [[*v[:3], words[v.met]] for v in verdicts]
    )


if __name__ == "__main__":
    main()

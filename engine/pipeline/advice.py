"""What is said before a run: whether the jobs of a sweep are of a sensible size, and what is left over."""

from collections.abc import Iterator
from pathlib import Path

from engine.pipeline.config import Config
from engine.pipeline.sweep import Job, jobs_of_sweep, points_of
from engine.resolve import resolve
from engine.workload import ALL, Plan, ThreadClass

JOB_OVERHEAD_S = 1.0
WORK_WANTED_S = 7.0
MANY_JOBS = 200
FEW_JOBS = 16  # as few as this cost seconds only, whatever is in them

# Processor time of a call by pattern [s], roughly; measured on the default configuration and on tiobench.
CALL_S = {"sequential": 0.4e-6, "random": 12e-6}


def advice(config: Config) -> Iterator[str]:
    """One line for every sweep with jobs too many or too small, with the axis to move inside."""
    for name, axes in config.sweeps.items():
        jobs = jobs_of_sweep(config, name)
        if len(jobs) <= FEW_JOBS:
            continue
        work_s = _work_s(jobs[len(jobs) // 2])
        if len(jobs) > MANY_JOBS:
            problem = f"{len(jobs)} jobs, more than {MANY_JOBS}"
        elif work_s < WORK_WANTED_S:
            overhead = f"each costs {JOB_OVERHEAD_S:g} s by itself"
            problem = f"{len(jobs)} jobs with about {work_s:.1f} s of work, and {overhead}"
        else:
            continue
        axis = max((a for a in config.job_axes if a in axes), key=lambda a: len(axes[a]))
        fewer = len(jobs) // len(axes[axis])
        yield f"sweeps/{name}: {problem}; take {axis} out of job_axes to make it {fewer}"


def left_over(config: Config, folder: Path) -> Iterator[str]:
    """One line if `folder` has figures that this configuration does not draw."""
    names = sorted({path.stem for path in folder.glob("*.png")} - set(config.figures))
    if names:
        yield f"{folder}: {', '.join(names)} are of another configuration; remove them, or draw them anew"


def _work_s(job: Job) -> float:
    """Processor time of a job [s], estimated."""
    return sum(_run_s(resolve(point).plan) for point in points_of(job.axes))


def _run_s(plan: Plan) -> float:
    """Of the calls that a run waits for, loops counted as one round."""
    foreground = (one for one in plan.classes if not one.background)
    return sum(one.threads * _program_s(plan, one) for one in foreground)


def _program_s(plan: Plan, one: ThreadClass) -> float:
    sets = {**plan.shared, **one.files}
    file_bytes = next((files.file_bytes for files in one.files.values()), 0)
    work_s = 0.0
    for step in one.program:
        if step.files:
            file_bytes = sets[step.files].file_bytes
        elif step.kind in ("read", "write"):
            calls = -(-file_bytes // step.call_bytes) if step.calls == ALL else step.calls
            work_s += calls * CALL_S.get(step.pattern, CALL_S["random"])
    return work_s

"""Workloads as data: the vocabulary they are written in, and the plan that a file in it makes."""

from engine.workload.plan import (
    ALL,
    KIB,
    MIB,
    OWN,
    PAGE_BYTES,
    FileSet,
    Operation,
    Plan,
    ThreadClass,
)
from engine.workload.reader import plan_of

__all__ = [
    "ALL",
    "KIB",
    "MIB",
    "OWN",
    "PAGE_BYTES",
    "FileSet",
    "Operation",
    "Plan",
    "ThreadClass",
    "plan_of",
]

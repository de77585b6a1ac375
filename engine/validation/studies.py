"""The studies that simulate the published tables: `studies/published/*.yaml`."""

import json
from pathlib import Path

from engine.pipeline.config import load_config
from engine.pipeline.sweep import canonical, jobs_of

QUICK = {"runs": 1}  # a figure is then made of fewer runs than in print; its remark says so


def study_names(folder: Path) -> list[str]:
    """Names of the studies in a folder."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def spec_of_study(study: Path, quick: bool) -> str:
    """All that decides the rows of a study, as one text: the name and the spec of each sweep."""
    config = load_config(study, overrides={"job_axes": [], **(QUICK if quick else {})})
    return canonical({job.name.partition("/")[0]: json.loads(job.spec) for job in jobs_of(config)})

# The configuration and the jobs that follow from it; the only Python among the rules.
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from snakemake.logging import logger

from engine.pipeline.advice import advice, left_over
from engine.pipeline.config import load_config
from engine.engine_hash import drawing_hash, engine_hash, numba_cache
from engine.errors import UserError
from engine.jobs import set_environment
from engine.plots import FIGURES
from engine.pipeline.sweep import jobs_of
from engine.validation.studies import spec_of_study, study_names

set_environment()

# `--config quick=true` is for `snakemake validate` alone: fewer runs.
OVERRIDES = dict(workflow.config_settings.config)
QUICK = str(OVERRIDES.pop("quick", False)).lower() == "true"
PUBLISHED = Path(workflow.basedir) / "studies" / "published"
FURTHER = Path(workflow.basedir) / "studies" / "further"

# Not `configfile:`, which would add the sweeps of `--configfile other.yaml` to those of config.yaml.
# Here each key at the top level of a later file, or of `--config`, replaces the one before.
try:
    CONFIG = load_config(
        "config.yaml",
        *workflow.overwrite_configfiles,
        overrides=OVERRIDES,
    )
except UserError as error:
    sys.exit(str(error))

ORIGIN = json.dumps({"config": asdict(CONFIG), "engine": engine_hash()})
JOBS = {job.name: job for job in jobs_of(CONFIG)}
WARM = f"{os.path.relpath(numba_cache())}/warm.txt"

if workflow.is_main_process:
    for line in (*advice(CONFIG), *left_over(CONFIG, Path("results/figures"))):
        logger.warning(line)


wildcard_constraints:
    figure="|".join(FIGURES),
    study="[A-Za-z0-9_]+",


def spec_of(wildcards):
    """The canonical text of all that decides a job's rows."""
    return JOBS[wildcards.job].spec


def spec_of_published(wildcards):
    """The canonical text of all that decides a published study's rows."""
    folder = PUBLISHED if wildcards.study in STUDIES else FURTHER
    return spec_of_study(folder / f"{wildcards.study}.yaml", QUICK)

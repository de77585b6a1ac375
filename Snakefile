"""The latency wall: config.yaml -> jobs of simulated points -> sweep.csv -> walls.csv and figures.

`snakemake --cores 8` builds all of it. After a kill -9, first `snakemake --unlock`.
"""

from snakemake.utils import min_version

min_version("9.0")


include: "rules/common.smk"
include: "rules/simulate.smk"
include: "rules/aggregate.smk"
include: "rules/figures.smk"
include: "rules/validate.smk"


rule all:
    default_target: True
    input:
        "results/sweep.csv",
        "results/walls.csv",
        expand(
            "results/figures/{figure}.{format}",
            figure=CONFIG.figures,
            format=("png", "svg"),
        ),
        "results/complete.txt",

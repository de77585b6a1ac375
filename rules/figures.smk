rule walls:
    input:
        sweep="results/sweep.csv",
        provenance="results/provenance.json",
    output:
        "results/walls.csv",
    log:
        "results/logs/walls.log",
    params:
        sources=drawing_hash(),
    message:
        "walls"
    shell:
        "python -m engine.jobs.walls --sweep {input.sweep} --out {output} > {log} 2>&1"


rule figure:
    input:
        sweep="results/sweep.csv",
        provenance="results/provenance.json",
    output:
        "results/figures/{figure}.png",
        "results/figures/{figure}.csv",
        report(
            "results/figures/{figure}.svg",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
    log:
        "results/logs/figures/{figure}.log",
    params:
        sources=drawing_hash(),
    message:
        "figure {wildcards.figure}"
    shell:
        "python -m engine.jobs.figure {wildcards.figure} --sweep {input.sweep}"
        " --out results/figures/{wildcards.figure} > {log} 2>&1"

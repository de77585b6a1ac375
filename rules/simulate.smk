rule warm:
    output:
        WARM,
    log:
        "results/logs/warm.log",
    message:
        "compile the engine"
    shell:
        "python -m engine.jobs.warm --points results/points --out {output} > {log} 2>&1"


rule simulate:
    input:
        ancient(WARM),
    output:
        rows="results/jobs/{job}.csv",
        errors="results/errors/{job}.csv",
    log:
        "results/logs/simulate/{job}.log",
    params:
        spec=spec_of,
    message:
        "simulate {wildcards.job}"
    shell:
        "python -m engine.jobs.simulate {wildcards.job} {params.spec:q} --points results/points"
        " --rows {output.rows} --errors {output.errors} 2>&1 | tee {log}"

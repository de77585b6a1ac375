rule aggregate:
    input:
        rows=expand("results/jobs/{job}.csv", job=JOBS),
        errors=expand("results/errors/{job}.csv", job=JOBS),
    output:
        rows="results/sweep.csv",
        errors="results/errors.csv",
        columns="results/columns.csv",
        provenance="results/provenance.json",
    log:
        "results/logs/aggregate.log",
    params:
        origin=ORIGIN,
    message:
        "join the tables of all jobs"
    shell:
        "python -m engine.jobs.aggregate {params.origin:q} --rows {input.rows}"
        " --errors {input.errors} --out results > {log} 2>&1"


rule check:
    input:
        rows="results/sweep.csv",
        errors="results/errors.csv",
    output:
        "results/complete.txt",
    log:
        "results/logs/check.log",
    message:
        "check that no point failed"
    shell:
        "python -m engine.jobs.check --rows {input.rows} --errors {input.errors}"
        " --out {output} > {log} 2>&1"

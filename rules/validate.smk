STUDIES = study_names(PUBLISHED)
FURTHER_STUDIES = study_names(FURTHER)


rule validate:
    input:
        "results/validation/validation.md",
        "results/validation/runs/complete.txt",


rule validate_further:
    input:
        "results/validation/further/validation.md",
        "results/validation/runs/complete_further.txt",


rule study:
    input:
        ancient(WARM),
    output:
        rows="results/validation/runs/{study}.csv",
        errors="results/validation/runs/{study}.errors.csv",
    log:
        "results/logs/validate/{study}.log",
    params:
        spec=spec_of_published,
    message:
        "simulate what {wildcards.study} printed"
    shell:
        "python -m engine.jobs.validate {wildcards.study} {params.spec:q} --points results/points"
        " --rows {output.rows} --errors {output.errors} 2>&1 | tee {log}"


rule scorecard:
    input:
        rows=expand("results/validation/runs/{study}.csv", study=STUDIES),
        errors=expand("results/validation/runs/{study}.errors.csv", study=STUDIES),
    output:
        "results/validation/claims.csv",
        "results/validation/summary.csv",
        "results/validation/validation.md",
        card="results/validation/scorecard.csv",
        failed="results/validation/runs/failed.csv",
    log:
        "results/logs/scorecard.log",
    params:
        sources=drawing_hash(),
        tables="published",
    message:
        "published figures beside simulated ones"
    shell:
        "python -m engine.jobs.scorecard {params.tables} --rows {input.rows} --errors {input.errors}"
        " --failed {output.failed} --out $(dirname {output.card}) > {log} 2>&1"


use rule scorecard as scorecard_further with:
    input:
        rows=expand("results/validation/runs/{study}.csv", study=FURTHER_STUDIES),
        errors=expand(
            "results/validation/runs/{study}.errors.csv", study=FURTHER_STUDIES
        ),
    output:
        "results/validation/further/summary.csv",
        "results/validation/further/validation.md",
        card="results/validation/further/scorecard.csv",
        failed="results/validation/runs/failed_further.csv",
    log:
        "results/logs/scorecard_further.log",
    params:
        sources=drawing_hash(),
        tables="further",


rule check_studies:
    input:
        rows="results/validation/scorecard.csv",
        errors="results/validation/runs/failed.csv",
    output:
        "results/validation/runs/complete.txt",
    log:
        "results/logs/check_studies.log",
    message:
        "check that no point of the studies failed"
    shell:
        "python -m engine.jobs.check --rows {input.rows} --errors {input.errors}"
        " --out {output} > {log} 2>&1"


use rule check_studies as check_further_studies with:
    input:
        rows="results/validation/further/scorecard.csv",
        errors="results/validation/runs/failed_further.csv",
    output:
        "results/validation/runs/complete_further.txt",
    log:
        "results/logs/check_further_studies.log",

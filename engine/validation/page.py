"""validation.md: what the scorecard says, to be read."""

from collections.abc import Sequence

import pandas as pd

from engine.validation.claims import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from engine.validation.statistics import OVERALL, OVERALL_FURTHER

_HEAD = """# Published figures beside simulated ones

Made by `snakemake validate`; [docs/validation.md](../../docs/validation.md) says how to read it and what was
found where it disagrees. `scorecard.csv` has a row for every published figure, `claims.csv` one for every
claim of the mails. A figure counts as predicted only if nothing of its machine was chosen by it.
"""
_HEAD_FURTHER = """# Further published figures beside simulated ones

Made by `snakemake validate_further`: tables that nothing in the model, the kernels or the machines was fitted to. They
count in no total of [the other page](../validation.md); [docs/validation.md](../../../docs/validation.md) says what was
found. `scorecard.csv` has a row for every figure.
"""
_CAPTION = (
    "Hollow: published (a triangle is a bound). Filled: simulated, with the range over repetitions."
)


def page(
    card: pd.DataFrame, claims: pd.DataFrame, summary: pd.DataFrame, drawn: Sequence[str]
) -> str:
    """The page: the numbers first, then the claims, then a picture a table that has one in `drawn`."""
    parts = [
        _HEAD,
        _claims_in_short(claims) + _figures_in_short(summary, OVERALL),
        "## Tables\n",
        _markdown(_readable(summary)),
        "## Claims\n",
        *(_claims(claims, verdict) for verdict in (NOT_REPRODUCED, REPRODUCED, NOT_TESTABLE)),
        *_pictures_and_reasons(card, drawn),
    ]
    return "\n".join(parts)


def further_page(card: pd.DataFrame, summary: pd.DataFrame, drawn: Sequence[str]) -> str:
    """The page of the further tables, which no claim rests on."""
    parts = [
        _HEAD_FURTHER,
        _figures_in_short(summary, OVERALL_FURTHER),
        "## Tables\n",
        _markdown(_readable(summary)),
        *_pictures_and_reasons(card, drawn),
    ]
    return "\n".join(parts)


def _pictures_and_reasons(card: pd.DataFrame, drawn: Sequence[str]) -> list[str]:
    return [
        f"## Pictures\n\n{_CAPTION}\n",
        *(f"### {name}\n\n![{name}: published beside simulated]({name}.png)\n" for name in drawn),
        "## Not simulated\n",
        _markdown(_reasons(card)),
    ]


def _claims_in_short(claims: pd.DataFrame) -> str:
    counting = claims[claims["counts"] == "yes"]
    reproduced = int(counting["verdict"].eq(REPRODUCED).sum())
    return (
        f"* **Claims**: {reproduced} of {len(counting)} testable ones reproduced;"
        f" {len(claims) - len(counting)} more are not testable here or rest on calibration.\n"
    )


def _figures_in_short(summary: pd.DataFrame, name: str) -> str:
    overall = summary.set_index("table").astype(object).loc[name]  # counts stay whole
    return (
        f"* **Figures**: {overall['predicted']} of {overall['figures']} predicted, half of them within a"
        f" factor of {2 ** overall['median_log2']:.2f}; {overall['within_2x']} within a factor of two.\n"
        f"* **Orders**: of {overall['orders']} pairs of kernels more than 10 % apart in print,"
        f" {overall['orders_kept']} are simulated in the same order.\n"
    )


def _readable(summary: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "table": summary["table"],
            "figures": summary["figures"],
            "predicted": summary["predicted"],
            "calibration": summary["calibration"],
            "not simulated": summary["not_simulated"],
            "median factor off": [
                "" if pd.isna(off) else f"{2**off:.2f}" for off in summary["median_log2"]
            ],
            "within a factor of two": summary["within_2x"],
            "orders kept": [
                f"{kept} of {all_}" if all_ else ""
                for kept, all_ in zip(summary["orders_kept"], summary["orders"], strict=True)
            ],
        }
    )


def _claims(claims: pd.DataFrame, verdict: str) -> str:
    rows = claims[claims["verdict"] == verdict]
    last = "remark" if verdict == NOT_TESTABLE else "numbers"
    marked = rows["claim"] + rows["counts"].map(
        lambda counts: "" if counts == "yes" or verdict == NOT_TESTABLE else " (does not count)"
    )
    table = rows.assign(claim=marked)[["claim", "where", "statement", last]]
    return f"### {verdict.capitalize()}: {len(rows)}\n\n{_markdown(table)}"


def _reasons(card: pd.DataFrame) -> pd.DataFrame:
    rows = card[card["role"] == "not simulated"]
    reasons = rows["remark"].str.removeprefix("not simulated: ")
    counted = rows.assign(reason=reasons).groupby(["table", "reason"], sort=False).size()
    return counted.reset_index(name="figures")


def _markdown(table: pd.DataFrame) -> str:
    """A table in Markdown; a bar in a cell is escaped."""
    lines = [" | ".join(table.columns), " | ".join("---" for _ in table.columns)]
    lines += [
        " | ".join(str(cell).replace("|", "\\|") for cell in row)
        for row in table.itertuples(index=False)
    ]
    return "".join(f"| {line} |\n" for line in lines)

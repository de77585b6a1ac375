import ast
import re

import pandas as pd
import pytest

from engine.errors import UserError
from engine.validation import claims
from engine.validation.mapping import figures, read
from engine.validation.quantity import NotSimulatedError, Runs, all_points_of
from engine.validation.scorecard import scorecard

from .synthetic import XEON, row, table
from .test_mapping import ROOT, key_of, points_of_study

CLAIMS = read("claims.yaml")
TESTED = {name: claim for name, claim in CLAIMS.items() if "holds" in claim}
CARD = scorecard(figures(), Runs(table()))
# The least that `>128` allows is above 128.
IN_PRINT = CARD.assign(
    published=CARD["published"] * CARD["bound"].eq(">").map({True: 1.01, False: 1})
)


def in_print(claim: dict) -> dict:
    try:
        return claims.numbers_of(claim, IN_PRINT, "published")
    except NotSimulatedError:
        pytest.skip("no mail prints figures of this claim")


def test_every_claim_of_the_reference_is_there(shared):
    text = (shared / "reference" / "CLAIMS.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (C\d+) \|", text, re.MULTILINE) == [*CLAIMS]


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_has_its_words_and_either_tests_or_a_reason(name):
    claim = CLAIMS[name]
    assert claim.keys() <= {"kind", "where", "statement", "figures", "holds", "reason", "remark"}
    assert claim["kind"] in ("Q", "V", "N", "-")
    assert ("holds" in claim) != ("reason" in claim)
    assert ("figures" in claim) == ("holds" in claim)


@pytest.mark.parametrize("name", TESTED)
def test_the_published_figures_pass(name):
    """A test that the mail's own table fails is a slip in the test."""
    results = claims.holds(TESTED[name]["holds"], in_print(TESTED[name]))
    assert all(held for _, held in results), results


@pytest.mark.parametrize("name", TESTED)
def test_a_claim_can_fail(name):
    """In some world of other figures: all equal, all apart, one of them huge or tiny."""
    counts = {k: count_of(figure) for k, figure in TESTED[name]["figures"].items()}
    even = {k: like(count, [1.0] * 40) for k, count in counts.items()}
    apart = {k: like(count, [10.0**i for i in range(40)]) for k, count in counts.items()}
    tilted = [{**even, k: like(counts[k], [f] * 40)} for k in counts for f in (1e-4, 1e4)]
    results = [claims.holds(TESTED[name]["holds"], world) for world in (even, apart, *tilted)]
    assert any(not held for result in results for _, held in result)


def count_of(figure: dict) -> int:
    """How many numbers a figure of a claim is."""
    if "table" in figure:
        return len(claims._rows(figure, CARD))
    lists = [value for value in figure["point"].values() if isinstance(value, list)]
    return len(lists[0]) if lists and "across" not in figure else 1


def like(count: int, values: list[float]) -> float | list[float]:
    return values[0] if count == 1 else values[:count]


@pytest.mark.parametrize("name", TESTED)
def test_the_names_in_a_test_are_its_figures(name):
    claim = TESTED[name]
    names = {
        node.id
        for test in claim["holds"]
        for node in ast.walk(ast.parse(test, mode="eval"))
        if isinstance(node, ast.Name)
    }
    assert names - set(claims.FUNCTIONS) <= set(claim["figures"])


def test_points_of_claims_that_can_be_simulated_are_in_a_study():
    studied = {
        key_of(point)
        for study in (ROOT / "studies" / "published").glob("*.yaml")
        for point in points_of_study(study)
    }
    for name, claim in TESTED.items():
        for label, figure in claim["figures"].items():
            if "point" not in figure:
                continue
            for point in all_points_of(claims.quantity_of(name, figure["point"], figure, 1)):
                try:
                    key = key_of(point)
                except UserError:
                    continue
                assert key in studied, f"{name}: {label}: no study has {point}"


def verdict(claim: dict, *rows: dict) -> dict:
    usual = {"kind": "Q", "where": "", "statement": "x"}
    runs = Runs(table(*rows))
    return claims._judged("C0", usual | claim, CARD, runs)


LONGEST = {"figures": {"wait": {"point": XEON, "value": "read_max_ms"}}, "holds": ["wait >= 100"]}


@pytest.mark.parametrize(("value", "expected"), [(150.0, "reproduced"), (50.0, "not reproduced")])
def test_verdicts_carry_their_numbers(value, expected):
    judged = verdict(LONGEST, row(XEON, read_max_ms=value))
    assert (judged["verdict"], judged["counts"]) == (expected, "yes")
    assert f"wait = {value:g} >= 100" in judged["numbers"]


def test_without_runs_a_claim_is_not_testable_here():
    judged = verdict(LONGEST)
    assert judged["verdict"] == "not testable here"
    assert judged["counts"] == "no"
    assert "no study has this point" in judged["remark"]


def test_a_claim_that_rests_on_calibration_does_not_count():
    card = IN_PRINT.assign(role="calibration", simulated=IN_PRINT["published"])
    judged = claims._judged("C59", CLAIMS["C59"], card, Runs(table()))
    assert judged["verdict"] == "reproduced"
    assert judged["counts"] == "no"


@pytest.mark.parametrize(
    ("test", "value"),
    [
        ("a > b > 1", True),
        ("a < b", False),
        ("many[1] / many[0]", 2.0),
        ("rising(many)", True),
        ("falling(many)", False),
        ("(a > b) + (b > a) + (a >= 3) >= 2", True),
        ("-a + max(many)", 1.0),
        ("a / 0 > 1000", True),
        ("same_order(many, many)", 1.0),
        ("same_order(many, turned)", 0.0),
    ],
)
def test_what_a_test_may_say(test, value):
    numbers = {"a": 3.0, "b": 2.0, "many": [2.0, 4.0], "turned": [4.0, 2.0]}
    assert claims.evaluate(ast.parse(test, mode="eval").body, numbers) == value


@pytest.mark.parametrize("test", ["unknown > 1", "a.b", "__import__('os')", "a == 3", "'text'"])
def test_what_it_may_not(test):
    with pytest.raises(UserError):
        claims.evaluate(ast.parse(test, mode="eval").body, {"a": 3.0})


def test_a_selection_that_meets_no_row_is_a_slip():
    claim = {"figures": {"x": {"table": "wall", "kernel": "2.6.0"}}}
    with pytest.raises(UserError, match="no row"):
        claims.numbers_of(claim, CARD, "published")


def test_the_table_has_a_row_a_claim():
    judged = claims.claims_table(CARD, Runs(table()))
    assert judged["claim"].tolist() == [*CLAIMS]
    assert isinstance(judged, pd.DataFrame)

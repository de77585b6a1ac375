import pandas as pd
import pytest

from engine.plots.published import draw_table
from engine.validation.claims import COLUMNS as CLAIM_COLUMNS
from engine.validation.page import further_page, page
from engine.validation.scorecard import COLUMNS
from engine.validation.statistics import OVERALL_FURTHER, summary


def card_of(*rows: dict) -> pd.DataFrame:
    usual = {"table": "t", "section": "s", "machine": "m", "workload": "w", "clients": ""}
    usual |= {"kernel": "a", "parameter": "", "metric": "rate", "unit": "MB/s", "bound": ""}
    usual |= {"role": "predicted", "remark": "", "published": 10.0, "simulated": 20.0}
    usual |= {"low": 15.0, "high": 25.0, "ratio": 2.0}
    return pd.DataFrame([usual | row for row in rows], columns=[*COLUMNS])


def test_a_panel_a_metric_over_what_differs():
    figure = draw_table(
        card_of(
            {"clients": "1"},
            {"clients": "32"},
            {"metric": "wait", "kernel": "a"},
            {"metric": "wait", "kernel": "b", "simulated": 0.0, "low": 0.0, "bound": "<"},
            {"metric": "gone", "role": "not simulated"},
        )
    )
    labels = [axes.get_xlabel() for axes in figure.axes]
    assert labels == ["clients", "kernel"]
    assert [axes.get_ylabel() for axes in figure.axes] == ["rate [MB/s]", "wait [MB/s]"]
    figure.canvas.draw()


def test_one_line_a_kernel_where_both_differ():
    rows = [{"clients": n, "kernel": k} for n in ("1", "2") for k in ("a", "b")]
    figure = draw_table(card_of(*rows))
    labels = figure.axes[0].get_legend_handles_labels()[1]
    assert labels == ["published, a", "published, b", "simulated, a", "simulated, b"]


@pytest.mark.parametrize("values", [(-5.0, 5.0), (0.0, 0.0), (1e-3, 1e6)])
def test_any_values_can_be_drawn(values):
    rows = [{"simulated": v, "published": v, "low": v, "high": v} for v in values]
    draw_table(card_of(*rows)).canvas.draw()


def test_nothing_simulated_is_no_picture():
    assert draw_table(card_of({"role": "not simulated"})) is None


def test_the_page_says_what_is_in_its_tables():
    card = card_of(
        {}, {"role": "calibration"}, {"role": "not simulated", "remark": "not simulated: x"}
    )
    judged = [
        {"claim": "C1", "verdict": "reproduced", "counts": "yes", "numbers": "a | b"},
        {"claim": "C2", "verdict": "not reproduced", "counts": "yes", "numbers": "2 > 3"},
        {"claim": "C3", "verdict": "reproduced", "counts": "no", "numbers": "1"},
        {"claim": "C4", "verdict": "not testable here", "counts": "no", "remark": "why"},
    ]
    claims = pd.DataFrame(judged, columns=[*CLAIM_COLUMNS], dtype=object).fillna("")
    text = page(card, claims, summary(card), ["t"])
    assert "1 of 2 testable ones reproduced; 2 more" in text
    assert "1 of 3 predicted, half of them within a factor of 2.00" in text
    assert "C3 (does not count)" in text
    assert "a \\| b" in text
    assert "| t | x | 1 |" in text
    assert "(t.png)" in text


def test_the_further_tables_have_a_page_and_a_total_of_their_own():
    card = card_of({}, {"role": "not simulated", "remark": "not simulated: x"})
    numbers = summary(card, OVERALL_FURTHER)
    text = further_page(card, numbers, ["t"])
    assert numbers["table"].tolist() == ["t", "further tables"]
    assert "1 of 2 predicted" in text
    assert "(t.png)" in text
    assert "Claims" not in text

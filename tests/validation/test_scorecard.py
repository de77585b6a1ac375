from math import inf

import pandas as pd
import pytest

from engine.validation.mapping import Figure
from engine.validation.quantity import Quantity, Runs
from engine.validation.scorecard import COLUMNS, printed_number, scorecard
from engine.validation.statistics import deviation, orders, summary

from .synthetic import XEON, row, table

PRINTED = {
    **{"table": "a table", "kernel": "2.4.19-pre5", "machine": "quad_xeon_4GB", "clients": "32"},
    **{"workload": "seq read", "param_name": "", "param_value": "", "metric": "max_latency"},
    **{"unit": "ms", "value": "300", "runs": "3", "line": "7"},
}
AXES = {name: (value,) for name, value in XEON.items()}
SUM = Quantity("read_max_ms", AXES, "sum", 3)


def card_of(*longest_ms: float, printed: str = "300", **marks: str) -> dict:
    rows = table(*(row(XEON, run, read_max_ms=ms) for run, ms in enumerate(longest_ms)))
    figure = Figure("t", {**PRINTED, "value": printed}, SUM, **marks)
    return scorecard([figure], Runs(rows)).iloc[0].to_dict()


def test_median_and_range_over_repetitions_of_the_whole_figure():
    card = card_of(*[50.0] * 3, *[100.0] * 3, *[400.0] * 3)
    assert (card["simulated"], card["low"], card["high"]) == (300.0, 150.0, 1200.0)
    assert card["ratio"] == 1.0
    assert card["role"] == "predicted"


@pytest.mark.parametrize(
    ("printed", "number"),
    [
        ("38.46", (38.46, "")),
        (">128", (128, ">")),
        (">=200", (200, ">=")),
        ("<=1.7", (1.7, "<=")),
        ("2.5-3", (2.75, "")),
        ("4.2G", (4.2, "")),
    ],
)
def test_printed_numbers(printed, number):
    assert printed_number(printed) == number


@pytest.mark.parametrize(
    ("value", "printed", "ratio"), [(0.0, "0.00000", 1.0), (1.0, "0.00000", inf), (0.0, "5", 0.0)]
)
def test_zeros(value, printed, ratio):
    assert card_of(*[value] * 3, printed=printed)["ratio"] == ratio


def test_roles():
    assert card_of(1.0, calibrated="the bus")["role"] == "calibration"
    assert card_of(1.0, repeats="rounded")["role"] == "repeat"
    assert "the bus" in card_of(1.0, calibrated="the bus")["remark"]


def test_what_is_not_simulated_has_a_row_that_says_why():
    missing = scorecard([Figure("t", PRINTED, SUM)], Runs(table())).iloc[0]
    refused = scorecard([Figure("t", PRINTED, None, reason="no such thing")], Runs(table())).iloc[0]
    assert missing["remark"] == "not simulated: no study has this point"
    assert refused["remark"] == "not simulated: no such thing"
    assert pd.isna(missing["simulated"])
    assert missing["published"] == 300.0


def made_card(*rows: dict) -> pd.DataFrame:
    usual = {"table": "t", "section": "s", "machine": "m", "workload": "w", "clients": "8"}
    usual |= {"parameter": "", "metric": "rate", "bound": "", "role": "predicted"}
    card = pd.DataFrame([usual | row for row in rows], columns=[*COLUMNS])
    return card.assign(ratio=card["simulated"] / card["published"])


def test_the_deviation_is_a_factor_and_a_bound_that_is_met_is_no_deviation():
    card = made_card(
        {"published": 100.0, "simulated": 400.0},
        {"published": 100.0, "simulated": 25.0},
        {"published": 100.0, "simulated": 400.0, "bound": ">"},
        {"published": 100.0, "simulated": 400.0, "bound": "<"},
        {"published": 100.0, "simulated": 0.0},
    )
    assert deviation(card).tolist() == [2.0, 2.0, 0.0, 2.0, inf]


def test_only_predictions_count():
    card = made_card(
        {"published": 100.0, "simulated": 200.0},
        {"published": 100.0, "simulated": 100.0, "role": "calibration"},
        {"published": 100.0, "simulated": 100.0, "role": "repeat"},
        {"published": 100.0, "role": "not simulated"},
    )
    everything = summary(card).iloc[-1]
    assert everything["median_log2"] == 1.0
    counts = everything[["figures", "predicted", "calibration", "not_simulated", "within_2x"]]
    assert counts.tolist() == [4, 1, 1, 1, 1]


def test_orders_of_kernels_that_lie_apart_in_print():
    card = made_card(
        {"kernel": "a", "published": 100.0, "simulated": 1.0},
        {"kernel": "b", "published": 109.0, "simulated": 0.5},  # too close to a in print
        {"kernel": "c", "published": 119.8, "simulated": 0.7},  # clear of a, not of b
        {"kernel": "d", "published": 500.0, "simulated": 9.0, "metric": "other"},
    )
    assert orders(card) == [(0, 2, False)]

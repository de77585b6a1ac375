"""The claims of the mails, judged by simulated figures; `engine/published/claims.yaml` lists them."""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, pairwise
from math import inf
from typing import Any

import pandas as pd

from engine.errors import UserError
from engine.validation.mapping import quantity_of, read, selects
from engine.validation.quantity import NotSimulatedError, Runs, simulated
from engine.validation.scorecard import CALIBRATION, NOT_SIMULATED

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
NOT_TESTABLE = "not testable here"
COLUMNS = ("claim", "kind", "where", "statement", "verdict", "counts", "numbers", "remark")

Number = float | list[float]


def claims_table(card: pd.DataFrame, runs: Runs) -> pd.DataFrame:
    """One row a claim: its verdict and the simulated numbers behind it.

    `counts` is `no` for a claim that rests on nothing but figures used for calibration, and for one that
    cannot be tested here.
    """
    rows = [_judged(name, claim, card, runs) for name, claim in read("claims.yaml").items()]
    return pd.DataFrame(rows, columns=[*COLUMNS])


def numbers_of(
    claim: Mapping[str, Any], card: pd.DataFrame, column: str, runs: Runs | None = None
) -> dict[str, Number]:
    """The figures a claim names, out of a column of the scorecard or, without a row, out of the runs.

    Raises NotSimulatedError with the reason if one is not there.
    """
    return {
        name: _chosen(name, figure, card, column) if "table" in figure else _own(name, figure, runs)
        for name, figure in claim.get("figures", {}).items()
    }


def holds(tests: Iterable[str], numbers: Mapping[str, Number]) -> list[tuple[str, bool]]:
    """Each test of a claim with its numbers put in, and whether it holds."""
    results = []
    for test in tests:
        tree = ast.parse(test, mode="eval").body
        value = evaluate(tree, numbers)
        results.append((_in_numbers(tree, numbers), bool(value)))
    return results


def _judged(name: str, claim: Mapping[str, Any], card: pd.DataFrame, runs: Runs) -> dict[str, Any]:
    row = {"claim": name, **{key: claim[key] for key in ("kind", "where", "statement")}}
    nothing = {"verdict": NOT_TESTABLE, "counts": "no", "numbers": ""}
    if "reason" in claim:
        return row | nothing | {"remark": claim["reason"]}
    try:
        numbers = numbers_of(claim, card, "simulated", runs)
    except NotSimulatedError as error:
        return row | nothing | {"remark": str(error)}
    results = holds(claim["holds"], numbers)
    calibrated = all(_is_calibration(figure, card) for figure in claim["figures"].values())
    remark = "rests on figures used for calibration" if calibrated else ""
    return row | {
        "verdict": REPRODUCED if all(held for _, held in results) else NOT_REPRODUCED,
        "counts": "no" if calibrated else "yes",
        "numbers": "; ".join(f"{text}: {'yes' if held else 'no'}" for text, held in results),
        "remark": "; ".join(filter(None, (remark, claim.get("remark", "")))),
    }


def _rows(figure: Mapping[str, Any], card: pd.DataFrame) -> pd.DataFrame:
    where = {name: value for name, value in figure.items() if name != "times"}
    texts = card[[*where]].astype(str)
    return card[[selects(where, row) for row in texts.to_dict("records")]]


def _is_calibration(figure: Mapping[str, Any], card: pd.DataFrame) -> bool:
    return "table" in figure and _rows(figure, card)["role"].eq(CALIBRATION).all()


def _chosen(name: str, figure: Mapping[str, Any], card: pd.DataFrame, column: str) -> Number:
    """The value of the one row that a figure selects, or of all, in the order of the table."""
    rows = _rows(figure, card)
    if rows.empty:
        raise UserError(f"claims.yaml: {name}: no row of the tables is {dict(figure)}")
    missing = rows[(rows["role"] == NOT_SIMULATED) | rows[column].isna()]
    if column == "simulated" and len(missing):
        raise NotSimulatedError(missing.iloc[0]["remark"])
    values = [float(value) for value in rows[column]]
    return values[0] if len(values) == 1 else values


def _own(name: str, figure: Mapping[str, Any], runs: Runs | None) -> Number:
    """A number that no mail prints, from runs of its own: a list if one axis has several values."""
    if runs is None:
        raise NotSimulatedError("no mail prints it")
    quantity = quantity_of(f"claims.yaml: {name}", figure["point"], figure, figure.get("runs", 1))
    lists = [axis for axis, values in quantity.axes.items() if len(values) > 1]
    if quantity.across != "one" or not lists:
        return _median(simulated(quantity, runs).values)
    points = [{**figure["point"], lists[0]: value} for value in quantity.axes[lists[0]]]
    return [
        _median(simulated(quantity_of(name, point, figure, quantity.numruns), runs).values)
        for point in points
    ]


def _median(values: Iterable[float]) -> float:
    return float(pd.Series(list(values)).median())


def same_order(these: list[float], those: list[float]) -> float:
    """Share of the pairs that are in the same order in both lists."""
    pairs = list(combinations(zip(these, those, strict=True), 2))
    return sum((a - b) * (c - d) > 0 for (a, c), (b, d) in pairs) / len(pairs)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "sum": sum,
    "falling": lambda values: all(a > b for a, b in pairwise(values)),
    "rising": lambda values: all(a < b for a, b in pairwise(values)),
    "same_order": same_order,
    "above": lambda these, those: all(a > b for a, b in zip(these, those, strict=True)),
}
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a / b if b else inf,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def evaluate(tree: ast.expr, numbers: Mapping[str, Number]) -> Any:
    """The value of a test: figures by name, arithmetic, comparisons that may be chained, `FUNCTIONS`.

    Raises UserError for anything else.
    """
    match tree:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name) if name in numbers:
            return numbers[name]
        case ast.Subscript(value=values, slice=place):
            return evaluate(values, numbers)[evaluate(place, numbers)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -evaluate(operand, numbers)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](evaluate(left, numbers), evaluate(right, numbers))
        case ast.Compare(left=left, ops=ops, comparators=others) if _known(ops):
            sides = pairwise(evaluate(side, numbers) for side in (left, *others))
            return all(OPERATORS[type(op)](a, b) for op, (a, b) in zip(ops, sides, strict=True))
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in FUNCTIONS:
            return FUNCTIONS[name](*(evaluate(argument, numbers) for argument in arguments))
    raise UserError(f"claims.yaml: {ast.unparse(tree)!r} is no number or test of a claim")


def _known(ops: Iterable[ast.cmpop]) -> bool:
    return all(type(op) in OPERATORS for op in ops)


def _in_numbers(tree: ast.expr, numbers: Mapping[str, Number]) -> str:
    """A test with the value of each side of its comparison: `slow / fast = 84.8 >= 10`."""
    if isinstance(tree, ast.Compare):
        signs = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
        text = _side(tree.left, numbers)
        for op, side in zip(tree.ops, tree.comparators, strict=True):
            text += f" {signs[type(op)]} {_side(side, numbers)}"
        return text
    used = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    lists = ", ".join(f"{name} = {_plain(numbers[name])}" for name in used if name in numbers)
    return f"{ast.unparse(tree)} with {lists}"


def _side(tree: ast.expr, numbers: Mapping[str, Number]) -> str:
    if isinstance(tree, ast.Constant):
        return ast.unparse(tree)
    return f"{ast.unparse(tree)} = {_plain(evaluate(tree, numbers))}"


def _plain(value: Number) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(f"{one:.4g}" for one in value) + "]"
    return f"{value:.4g}"

"""tiobench's own report: its lines, and what becomes of latencies over several runs."""

import pytest
from click.testing import CliRunner

from engine.cli import main
from engine.simulate import simulate

SMALL = ["--size-mib", "16", "--operations", "64", "--counts", "2,8"]
POINT = {
    "kernel": "2.4.19-pre5",
    "machine": "k6-2",
    "workload": "tiobench",
    "size_mib": 16,
    "operations": 64,
}


def lines_of(*arguments: str) -> list[str]:
    result = CliRunner().invoke(main, ["tiobench", *SMALL, *arguments])
    assert result.exit_code == 0, result.output
    return [line for line in result.stdout.splitlines() if line.startswith("2.4.19-pre5")]


def test_four_tables_with_a_line_for_every_count() -> None:
    lines = lines_of()
    assert [line.split()[1:4] for line in lines] == 4 * [["16", "4096", "2"], ["16", "4096", "8"]]


def test_latencies_are_added_on_request_and_rates_never() -> None:
    runs = [simulate(POINT | {"measured": "read", "threads": 2, "run": run}) for run in range(3)]
    plain, summed = (lines_of("--numruns", "3", *more)[0].split() for more in ([], ["--summed"]))
    rate = sum(run["read_mib"] for run in runs) / sum(run["duration_s"] for run in runs)
    assert float(plain[4]) == float(summed[4]) == pytest.approx(rate, abs=0.005)
    assert float(summed[6]) == pytest.approx(sum(run["read_mean_ms"] for run in runs), abs=5e-4)
    assert float(plain[6]) == pytest.approx(float(summed[6]) / 3, abs=1e-3)
    assert float(summed[7]) == pytest.approx(sum(run["read_max_ms"] for run in runs), abs=5e-3)
    assert float(plain[7]) == pytest.approx(max(run["read_max_ms"] for run in runs), abs=5e-3)


def test_a_wrong_count_is_one_sentence() -> None:
    result = CliRunner().invoke(main, ["tiobench", "--counts", "8,many"])
    assert result.exit_code == 2
    assert "counts: 'many' is not a whole number of threads from 1 to 1022" in result.stderr

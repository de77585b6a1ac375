import json

import pytest
from plots.synthetic import synthetic_sweep

from engine.errors import UserError
from engine.metrics.sweep import keeps_kernel, overrides_of, read_origin, read_sweep


@pytest.fixture
def path(tmp_path):
    synthetic_sweep(("2.4.18",), (8, 16)).to_csv(tmp_path / "sweep.csv", index=False)
    return tmp_path / "sweep.csv"


def test_a_name_that_looks_like_a_number_stays_a_name(path):
    text = path.read_text().replace(",2.4.18,", ",2.6,")
    path.write_text(text)
    assert read_sweep(path)["kernel"].iloc[0] == "2.6"


def test_empty_text_is_text(path):
    assert read_sweep(path)["remark"].eq("").all()


def test_header_alone_is_an_empty_sweep(path):
    path.write_text(path.read_text().splitlines()[0] + "\n")
    assert read_sweep(path).empty


@pytest.mark.parametrize(
    ("text", "complaint"),
    [(None, "no such file"), ("", "empty"), ("sweep,kernel\n", "no column 'machine'")],
)
def test_a_bad_file_is_one_sentence(path, text, complaint):
    path.unlink()
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=complaint):
        read_sweep(path)


def test_origin_lies_beside_the_sweep(path):
    with pytest.raises(UserError, match="no such file"):
        read_origin(path)
    path.with_name("provenance.json").write_text(json.dumps({"seed": 1}))
    assert read_origin(path) == {"seed": 1}
    path.with_name("provenance.json").write_text("{")
    with pytest.raises(UserError, match="no JSON"):
        read_origin(path)


def test_overrides():
    assert overrides_of("") == overrides_of("{}") == {}
    assert overrides_of('{"queue_size": 64}') == {"queue_size": 64}
    assert keeps_kernel('{"size_mib": 8192, "disk": "simple"}')
    assert not keeps_kernel('{"queue_size": 64}')

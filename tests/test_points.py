"""The store of finished points."""

from engine.pipeline.points import finished_rows, key_of, point_log

POINT = {"kernel": "2.4.18", "threads": 2, "run": 0}
KEYS = [key_of(POINT | {"run": run}, {}) for run in range(3)]


def stored(path, *runs):
    with point_log(path) as add:
        for run in runs:
            add(KEYS[run], {"run": run, "read_max_ms": 0.1 + run})


def test_what_was_added_is_found_and_nothing_else(tmp_path):
    stored(tmp_path / "a.jsonl", 0, 1)
    assert finished_rows(tmp_path, KEYS[1:]) == {KEYS[1]: {"run": 1, "read_max_ms": 1.1}}


def test_nothing_is_found_where_nothing_is(tmp_path):
    assert finished_rows(tmp_path / "none", KEYS) == {}


def test_points_of_other_jobs_are_found(tmp_path):
    stored(tmp_path / "one" / "a.jsonl", 0)
    stored(tmp_path / "two" / "b.jsonl", 1)
    assert set(finished_rows(tmp_path, KEYS)) == set(KEYS[:2])


def test_a_torn_last_line_is_ignored_and_the_next_writer_loses_nothing(tmp_path):
    path = tmp_path / "a.jsonl"
    stored(path, 0, 1)
    whole = path.read_bytes()
    for cut in range(len(whole) - 2, len(whole) // 2, -7):
        path.write_bytes(whole[:cut])
        assert set(finished_rows(tmp_path, KEYS)) == {KEYS[0]}
        stored(path, 2)
        assert set(finished_rows(tmp_path, KEYS)) == {KEYS[0], KEYS[2]}


def test_a_line_is_there_at_once(tmp_path):
    with point_log(tmp_path / "a.jsonl") as add:
        add(KEYS[0], {"run": 0})
        assert set(finished_rows(tmp_path, KEYS)) == {KEYS[0]}


def test_a_key_is_the_point_whatever_its_order_and_the_content_of_its_files():
    backwards = dict(reversed(POINT.items()))
    assert key_of(backwards, {}) == key_of(POINT, {"other.yaml": "1"})
    with_disk = POINT | {"disk": "my.yaml"}
    assert key_of(with_disk, {"my.yaml": "1"}) != key_of(with_disk, {"my.yaml": "2"})

import pandas as pd

from engine.metrics.classes import with_classes


def test_each_thing_of_each_class_is_a_column():
    rows = pd.DataFrame(
        {
            "threads": [3, 4],
            "classes": [
                '{"reader": {"threads": 3, "finish_last_s": 1.5}}',
                '{"reader": {"threads": 4, "finish_last_s": null}, "ls": {"rounds": 7}}',
            ],
        },
        index=[5, 9],
    )
    wide = with_classes(rows)
    assert list(wide["threads_of_reader"]) == [3, 4]
    assert wide["finish_last_s_of_reader"].to_dict()[5] == 1.5
    assert wide["finish_last_s_of_reader"].isna().to_list() == [False, True]
    assert wide["rounds_of_ls"].isna().to_list() == [True, False]
    assert list(wide["threads"]) == [3, 4]


def test_rows_without_classes_stay_as_they_are():
    rows = pd.DataFrame({"threads": [1], "classes": [""]})
    assert with_classes(rows).equals(rows)

"""What the results say of single classes of threads, as columns."""

import json

import pandas as pd


def with_classes(rows: pd.DataFrame) -> pd.DataFrame:
    """`rows` of the results and, for each thing that `classes` tells of a class, a column of its own.

    Its name is that of the thing and the class, such as `finish_last_s_of_writer`. NaN where a class did
    not come to an end, or was not there.
    """
    told = [_flat(json.loads(classes or "{}")) for classes in rows["classes"]]
    return rows.join(pd.DataFrame(told, index=rows.index, dtype=float))


def _flat(classes: dict[str, dict[str, float | None]]) -> dict[str, float | None]:
    return {
        f"{thing}_of_{name}": value
        for name, things in classes.items()
        for thing, value in things.items()
    }

"""The bugs that the mutation check plants: the tables `*.yaml` read, and each bug put into its place.

A table has an entry for a file of engine/core. `tests` is pytest's -k expression for those that should notice
its bugs; a bug may have its own. `is` says what is wrong; `of` is in the file exactly once, `to` stands there
instead.
"""

from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[2]


class Bug(NamedTuple):
    """One line of the engine changed, and pytest's -k expression for the tests that should notice."""

    file: str  # from the top of the repository
    what: str
    sound: str
    wrong: str
    tests: str

    def planted(self, source: str) -> str:
        """`source` with the bug; the sound text must stand there exactly once."""
        count = source.count(self.sound)
        if count != 1:
            raise SystemExit(
                f"{self.file}: {self.sound!r} stands there {count} times; "
                f"right would be once, so that the bug {self.what!r} can be planted"
            )
        return source.replace(self.sound, self.wrong)


def read_bugs() -> list[Bug]:
    """All bugs, file by file."""
    return [
        Bug(
            f"engine/core/{file}", bug["is"], bug["of"], bug["to"], bug.get("tests", entry["tests"])
        )
        for table in sorted(Path(__file__).parent.glob("*.yaml"))
        for file, entry in yaml.safe_load(table.read_text()).items()
        for bug in entry["bugs"]
    ]

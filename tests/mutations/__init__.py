"""The bugs that the mutation check plants: `bugs.yaml` read, and each put into its place."""

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
    table = yaml.safe_load(Path(__file__).with_name("bugs.yaml").read_text())
    return [
        Bug(f"engine/core/{file}", bug["is"], bug["of"], bug["to"], entry["tests"])
        for file, entry in table.items()
        for bug in entry["bugs"]
    ]

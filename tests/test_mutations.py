"""Every bug of the mutation check can still be planted, and the check notices what it should."""

from pathlib import Path

import pytest
from mutations import ROOT, Bug, read_bugs
from mutations.__main__ import copy_sources, notice

BUGS = read_bugs()


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.file}: {bug.what}")
def test_every_bug_can_be_planted(bug: Bug) -> None:
    sound = (ROOT / bug.file).read_text()
    planted = bug.planted(sound)
    assert planted != sound
    compile(planted, bug.file, "exec")


@pytest.mark.parametrize("source", ["", "free -= 1\nfree -= 1\n"])
def test_text_that_stands_nowhere_or_twice_is_refused(source: str) -> None:
    bug = Bug("pool.py", "A slot taken stays free.", "free -= 1", "pass", "")
    with pytest.raises(SystemExit, match=r"pool\.py: 'free -= 1' stands there [02] times; right"):
        bug.planted(source)


def test_a_bug_is_noticed_and_a_pair_of_brackets_is_not(tmp_path: Path) -> None:
    copy_sources(tmp_path)
    bug = next(bug for bug in BUGS if bug.file.endswith("pending.py"))
    assert notice(tmp_path, bug).endswith("test_pools[w249]")
    assert notice(tmp_path, bug._replace(wrong=f"({bug.sound})")) == ""

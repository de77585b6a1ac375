"""The generated pages of docs/ say what the sources say."""

import pytest

from engine.docs import FOLDER, PAGES
from engine.parameters import PARAMETERS
from engine.presets import kernel_names, machine_names, workload_names
from engine.results import COLUMNS


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_sources_make_of_it(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8")
    assert kept == PAGES[name](), f"docs/{name} is out of date; run `make docs`"


def test_every_name_is_on_its_page() -> None:
    parameters, columns = (PAGES[name]() for name in ("parameters.md", "columns.md"))
    names = (*PARAMETERS, *kernel_names(), *machine_names(), *workload_names())
    assert [name for name in names if f"`{name}`" not in parameters] == []
    assert [column.name for column in COLUMNS if f"| `{column.name}` |" not in columns] == []


def test_every_row_has_as_many_cells_as_its_table() -> None:
    """A bar in a source's text would break a table."""
    for page in PAGES.values():
        tables = [block.splitlines() for block in page().split("\n\n") if block.startswith("| ")]
        assert tables
        for table in tables:
            assert len({line.count("|") for line in table}) == 1

"""Pages of comparisons: the stored ones are those of their records, and titles stay short."""

import json
from pathlib import Path

import pytest

from fatcube.studies.comparing.pages import write_page
from fatcube.studies.comparison import Compared

REPORTS = Path(__file__).parents[4] / "synth_reports"


def written(name, file, first=None):
    """The page of a stored comparison, or of its first networks."""
    stored = json.loads((REPORTS / f"{name}.json").read_text())
    parameters = stored["parameters"]
    rows = [Compared.from_json(one) for one in stored["measured"]["networks"][:first]]
    files = tuple(parameters.get("files", ()))[:first]
    write_page(rows, file, parameters.get("processors"), parameters.get("ports", "1"), files=files)
    return file.read_text()


@pytest.mark.parametrize("name", ["compare-16", "compare-24", "compare-64"])
def test_stored_pages(tmp_path, name):
    assert written(name, tmp_path / "page.md") == (REPORTS / f"{name}.md").read_text()


def test_a_title_names_few_networks(tmp_path):
    few, many = (written("compare-16", tmp_path / "page.md", first).partition("\n")[0] for first in (2, None))
    assert few == "# Comparison of 4 × 4 mesh; 4 × 4 torus"
    assert many == "# Comparison of 7 networks of 16 processors"


def test_a_page_begins_with_its_figure(tmp_path):
    """The sentences on limits, one for each network, stand below the table."""
    text = written("compare-16", tmp_path / "page.html")
    assert (
        0 < text.index('id="figures"') < text.index('id="table-0"') < text.index("What limits each network under load")
    )
    assert text.count("Limited by blocking") == 7

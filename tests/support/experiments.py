"""Pages of experiments as text."""

from pathlib import Path
import tempfile

from fatcube.reports.page import write_results

__all__ = ["REPORTS", "markdown"]


REPORTS = Path(__file__).parents[2] / "synth_reports"


def markdown(experiment, records, folder=REPORTS):
    """The page of records in Markdown; ``folder`` is the one that other files of theirs stand in."""
    with tempfile.TemporaryDirectory() as made:
        write_results(experiment.results(records, folder), Path(made) / "page.md")
        return (Path(made) / "page.md").read_text(encoding="utf-8")

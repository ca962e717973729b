"""Pages of experiments as text."""

from pathlib import Path
import tempfile

from fatcube.reports.page import write_results

__all__ = ["REPORTS", "markdown", "text_of"]


REPORTS = Path(__file__).parents[2] / "synth_reports"


def markdown(experiment, records, folder=REPORTS):
    """The page of records in Markdown; ``folder`` is the one that other files of theirs stand in."""
    return text_of(experiment.results(records, folder))


def text_of(results):
    """A page in Markdown."""
    with tempfile.TemporaryDirectory() as made:
        write_results(results, Path(made) / "page.md")
        return (Path(made) / "page.md").read_text(encoding="utf-8")

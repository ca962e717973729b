"""A build that was interrupted is made anew: the search index that it left lacks pages, which Sphinx would not write again."""

from pathlib import Path
import shutil

from sphinx.application import Sphinx

_BEGUN = "begun"  # a file beside the doctrees, there from the beginning of a build to its end


def setup(app: Sphinx) -> dict[str, bool]:
    """Forget what an interrupted build has read, and mark this one as begun."""
    begun = Path(app.doctreedir) / _BEGUN
    if begun.exists():
        shutil.rmtree(app.doctreedir)
    begun.parent.mkdir(parents=True, exist_ok=True)
    begun.touch()
    app.connect("build-finished", _end)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _end(app: Sphinx, failure: Exception | None) -> None:
    if failure is None:
        (Path(app.doctreedir) / _BEGUN).unlink()

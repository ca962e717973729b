"""A page with the terms that pages of results explain where they stand: ``reference/terms/``."""

from pathlib import Path

from sphinx.application import Sphinx
from written import escaped, only_these

from fatcube.reports.glossary import TERMS

_PAGE = """\
Terms
=====

Pages of results explain these terms where they stand, from the same list.

.. glossary::

{terms}
"""


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx write the page before it looks for pages."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    terms = sorted(TERMS, key=lambda term: term.name.lower())
    text = "\n\n".join(f"   {escaped(term.name)}\n      {escaped(term.meaning)}" for term in terms)
    only_these(Path(app.srcdir) / "reference" / "terms", {"index.rst": _PAGE.format(terms=text)})

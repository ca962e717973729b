"""Formulas that no line breaks: spaces around operators in sentences, and short ones in code."""

from docutils import nodes
from sphinx.application import Sphinx

from fatcube.reports.text import unbroken

_SHORT = 36  # letters that fit in a line of a telephone


def setup(app: Sphinx) -> dict[str, bool]:
    """Look through each page when it has been read."""
    app.connect("doctree-read", _keep_together)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _keep_together(app: Sphinx, doctree: nodes.document) -> None:
    for text in list(doctree.findall(nodes.Text)):
        parent = text.parent
        if isinstance(parent, nodes.literal):
            if len(text) <= _SHORT and unbroken(str(text)) != text:
                parent["classes"].append("formula")
        elif not isinstance(parent, nodes.FixedTextElement | nodes.raw | nodes.comment):
            parent.replace(text, nodes.Text(unbroken(str(text))))

"""Formulas of sentences and tables: their signs, powers and indices; no line breaks within them, or within an option."""

import re

from docutils import nodes
from sphinx.application import Sphinx

from fatcube.reports.text import INDEX, POWER, unbroken

_SHORT = 36  # letters that fit in a line of a telephone
_SET = re.compile(f"(?P<power>{POWER.pattern})|(?P<index>{INDEX.pattern})")


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
            elif all(len(word) <= _SHORT for word in text.split()):
                parent["classes"].append("words")
        elif not isinstance(parent, nodes.FixedTextElement | nodes.raw | nodes.comment):
            parent.replace(text, _set(unbroken(str(text))))


def _set(text: str) -> list[nodes.Node]:
    """A text with the powers and indices of letters as nodes of their own."""
    found: list[nodes.Node] = []
    end = 0
    for match in _SET.finditer(text):
        base, small = ("", match[2] or match[3]) if match["power"] else (match[5], match[6] or match[7])
        kind = nodes.superscript if match["power"] else nodes.subscript
        small = small.replace("-", "\N{MINUS SIGN}")
        found += [nodes.Text(text[end : match.start()] + base), kind("", small)]
        end = match.end()
    return [*found, nodes.Text(text[end:])]

"""Sections of docstrings under the names by which numpydoc knows them."""

import re
from typing import Any

from docutils import nodes
from docutils.parsers.rst.roles import register_generic_role
from sphinx.application import Sphinx

#: Amaranth's members of a component are shown as attributes, and the keywords of a class statement as parameters.
_NAMES = {"Members": "Attributes", "Class Keywords": "Other Parameters"}


def setup(app: Sphinx) -> dict[str, bool]:
    """Rename the sections before numpydoc reads them."""
    register_generic_role("py", nodes.literal)  # Amaranth's own, for what a member is
    app.connect("autodoc-process-docstring", _rename, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _rename(app: Sphinx, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    lines[:] = renamed(lines)


def renamed(lines: list[str]) -> list[str]:
    """The lines of a docstring with sections that numpydoc knows, and two of one name joined."""
    sections: dict[str, list[str]] = {"": []}
    title = ""
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and line.strip() and re.fullmatch(r"-{3,}", lines[number + 1].strip()):
            title = _NAMES.get(line.strip(), line.strip())
            sections.setdefault(title, [])
        elif not (number and re.fullmatch(r"-{3,}", line.strip()) and lines[number - 1].strip()):
            sections[title].append(line)
    made = sections.pop("")
    for title, inside in sections.items():
        made += [title, "-" * len(title), *inside, ""]
    return made

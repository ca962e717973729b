"""A page for every command, from the options that its ``--help`` is made from: ``reference/commands/``."""

from pathlib import Path
import re
from typing import Any

from sphinx.application import Sphinx
from written import escaped, only_these

from fatcube.cli import commands

_INDEX = """\
Commands
========

Each page has what ``fatcube COMMAND --help`` prints, and is made from the same declarations.

.. list-table::
   :header-rows: 1
   :widths: 30 70

   * - command
     - what it does
{rows}

.. toctree::
   :hidden:

{pages}
"""


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx write the pages before it looks for pages."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    found = commands()
    pages = {f"{_stem(name)}.rst": page(name, command) for name, command in found.items()}
    rows = "\n".join(
        f"   * - :doc:`fatcube {name} <{_stem(name)}>`\n     - {_rst(_first_sentence(command))}"
        for name, command in found.items()
    )
    pages["index.rst"] = _INDEX.format(rows=rows, pages="\n".join(f"   {_stem(name)}" for name in found))
    only_these(Path(app.srcdir) / "reference" / "commands", pages)


def page(name: str, command: Any) -> str:
    """The page of a command, in reStructuredText.

    Parameters
    ----------
    name : str
        Its name, as in ``board build``.
    command
        The command as Click has it.
    """
    title = f"fatcube {name}"
    context = command.context_class(command, info_name=title)
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f"{title}\n{'=' * len(title)}", *_paragraphs(command.help), f".. code-block:: text\n\n   {title} {usage}"]
    parts.append(f".. program:: {title}")
    panels = {one.rich_help_panel: None for one in command.params}  # in the order of the help; arguments have none
    for panel in panels:
        heading = panel or "Arguments"
        records = [one.get_help_record(context) for one in command.params if one.rich_help_panel == panel]
        if records := [record for record in records if record]:
            parts += [f"{heading}\n{'-' * len(heading)}", *(_option(*record) for record in records)]
    if command.epilog:
        parts += [*_paragraphs(command.epilog)]
    return "\n\n".join(parts) + "\n"


def _option(flags: str, text: str) -> str:
    return f".. option:: {flags}\n\n   {_rst(text)}"


def _stem(name: str) -> str:
    return name.replace(" ", "-")


def _first_sentence(command: Any) -> str:
    return re.split(r"(?<=\.)\s|\n\n", command.help)[0]


def _paragraphs(text: str) -> list[str]:
    return [_rst(" ".join(paragraph.split())) for paragraph in text.split("\n\n")]


def _rst(text: str) -> str:
    """Text of a help, whose code is in single backticks and which has no other markup."""
    code = re.split(r"(`[^`]+`)", " ".join(text.split()))
    item = text.startswith("- ")
    made = "".join(f"`{part}`" if part.startswith("`") and len(part) > 2 else escaped(part) for part in code)
    made = re.sub(r"docs/([\w/-]+)\.md", r":doc:`docs/\1.md </\1>`", made)
    return made if not item else f"- {made[2:]}"

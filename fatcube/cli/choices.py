"""Options that take one of several words, which are declared once: for their check, their help and the shell."""

from collections.abc import Callable, Collection, Iterable
import shlex
from typing import Any

import typer

from fatcube.cli.app import Panel
from fatcube.groundwork.validation import check_choice

__all__ = ["choice", "completing"]


def completing(words: Iterable[str]) -> Callable[[], list[str]]:
    """Completions for an option that takes one of ``words``: those that no shell expands, as it does ``*``."""
    offered = [word for word in words if shlex.quote(word) == word]
    return lambda: offered


def choice(flag: str, words: Collection[str], *, help: str, name: str | None = None, panel: Panel) -> Any:
    """An option, given once or several times, each time as one of ``words``, which its help lists and the shell offers.

    Parameters
    ----------
    name : :class:`str` or ``None``
        The name of the option in messages, if not its flag.
    panel : :class:`Panel`
        The panel of the help in which it stands.
    """
    called = name or flag.lstrip("-").replace("-", " ")

    def check(value: Any) -> Any:
        for word in value if isinstance(value, (list, tuple)) else (value,):
            if word is not None:
                check_choice(called, word, words)
        return value

    return typer.Option(
        flag,
        help=help,
        metavar="|".join(words),
        autocompletion=completing(words),
        callback=check,
        rich_help_panel=panel,
    )

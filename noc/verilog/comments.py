"""Comments for Verilog from the docstrings of components: the purpose of a unit, its parameters, and its ports."""

from collections.abc import Iterable, Iterator, Mapping
import enum
import functools
import inspect
import re
import textwrap

__all__ = ["comment", "members_of", "parameters_of", "purpose_of", "wrapped"]

_WIDTH = 120


def comment(text: str, indent: str = "") -> list[str]:
    """The lines of a Verilog comment."""
    return textwrap.wrap(text, _WIDTH, initial_indent=f"{indent}// ", subsequent_indent=f"{indent}// ")


def _plain(text: str) -> str:
    """The text of a docstring on one line, without the marks for links and code."""
    text = re.sub(r":\w+(?::\w+)*:`~?(?:([^`<]+?)\s*<[^`>]+>|(?:[\w.]*\.)?([^`]+))`", r"\1\2", text)
    return " ".join(text.replace("``", "").split())


def purpose_of(unit: type) -> str:
    """The first paragraph of a class's docstring; nothing if it has none of its own."""
    return _plain((inspect.cleandoc(unit.__doc__ or "")).partition("\n\n")[0])


def members_of(unit: type) -> Mapping[str, str]:
    """The meaning of each member of the signature of a class, as its docstring or that of a base says.

    The name of one of several that are numbered ends in ``{}``.
    """
    found: dict[str, str] = {}
    for one in unit.__mro__:
        for name, meaning in _members(one).items():
            if not meaning.startswith("As in "):  # The meaning is documented in a base.
                found.setdefault(name, meaning)
    return found


@functools.cache
def _members(unit: type) -> Mapping[str, str]:
    _, _, section = inspect.cleandoc(unit.__doc__ or "").partition("Members\n-------\n")
    section = re.split(r"\n\n?\w[\w ]*\n---+\n", section)[0]
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=\w)", section):
        names, _, meaning = entry.partition("\n")
        if meaning.strip():
            for name in names.partition(" : ")[0].split(","):
                found[re.sub(r"\{\w+\}", "{}", name.strip())] = _plain(meaning)
    return found


def parameters_of(component: object) -> str:
    """The parameters that a component was made with, those that are numbers, names or yes and no."""
    names = inspect.signature(type(component)).parameters
    values = {name: getattr(component, name) for name in names if hasattr(component, name)}
    return ", ".join(f"{name} = {shown}" for name, value in values.items() for shown in _shown(value))


def _shown(value: object) -> Iterable[str]:
    match value:
        case enum.Enum():
            return [value.name.lower()]
        case bool():
            return ["yes" if value else "no"]
        case int():
            return [str(value)]
        case str() if value.isprintable() and len(value) < 40:
            return [value]
    return []


def wrapped(line: str) -> Iterator[str]:
    """A line of Verilog, as several if it is long; words stay whole."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    while len(line) > _WIDTH:
        place = line.rfind(" ", len(indent) + 1, _WIDTH)
        if place < 0:
            break
        yield line[:place].rstrip()
        line = indent + line[place + 1 :]
    yield line

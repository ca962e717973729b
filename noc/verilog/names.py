"""Names for Verilog: those of signals, of classes and of expressions in Python, and none that a language reserves."""

import ast
from collections.abc import Iterable, Iterator
import functools
import re
from typing import NamedTuple, TypeAlias

from pygments.lexers import SystemVerilogLexer, VhdlLexer
from pygments.token import Keyword, Name, Operator

__all__ = ["Names", "Place", "SourceLocation", "snake_case", "where_named", "width_of"]


SourceLocation: TypeAlias = tuple[str, int] | None
"""A file and a line, as Amaranth keeps them of signals, values and statements."""


class Place(NamedTuple):
    """An expression that has a name in Python: the statement that names it, by file and first line, and the name."""

    file: str
    line: int
    name: str


def snake_case(name: str) -> str:
    """The name of a class in the style of Verilog: ``RoundRobinArbiter`` is ``round_robin_arbiter``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.strip("_")).lower()


def width_of(bits: int) -> str:
    """The range of a declaration of ``bits`` bits, followed by a space."""
    return f"[{bits - 1}:0] " if bits > 1 else ""


@functools.cache
def _is_reserved(name: str) -> bool:
    """Whether Verilog, SystemVerilog or VHDL reserves ``name``."""
    # The next word matters: some words are reserved only in front of a name.
    kind, _ = next(SystemVerilogLexer().get_tokens(f"{name} x;"))
    if kind is not Name:
        return True
    kind, _ = next(VhdlLexer().get_tokens(f"{name} "))
    return kind in Keyword or kind in Operator


class Names:
    """The names of one module, or of the modules of one file, each of them once; ``taken`` are there already."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def add(self, wanted: str, kind: str = "net") -> str:
        """A name like ``wanted`` that is an identifier, not reserved (or else followed by ``kind``) and not yet there."""
        name = "unnamed" if wanted.startswith("$") else re.sub(r"\W", "_", wanted).lstrip("_0123456789") or "unnamed"
        plain = name = f"{name}_{kind}" if _is_reserved(name) else name
        number = 1
        while name in self._taken:
            number += 1
            name = f"{plain}_{number}"
        self._taken.add(name)
        return name


def where_named(location: SourceLocation) -> Place | None:
    """The statement that names an expression at ``location``: an assignment to one variable, or a function's result."""
    if location is None:
        return None
    file, line = location
    return _places(file).get(line)


@functools.cache
def _places(file: str) -> dict[int, Place]:
    try:
        with open(file, encoding="utf-8") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError):  # Code that was made at run time has no file.
        return {}
    found: dict[int, Place] = {}
    for statement, name in _named_statements(tree, None):
        place = Place(file, statement.lineno, name)
        found |= dict.fromkeys(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1), place)
    return found


def _named_statements(node: ast.AST, function: str | None) -> Iterator[tuple[ast.stmt, str]]:
    """The statements below ``node`` that name a value, each with the name."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield child, name.strip("_")
            case ast.Return(value=ast.expr()) if function not in (None, "elaborate"):
                yield child, function.strip("_")
            case ast.FunctionDef(name=name):
                yield from _named_statements(child, name)
            case _:
                yield from _named_statements(child, function)

"""Pieces of Verilog expressions: bits of what has a name, constants, and operators, with parentheses where they are needed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

__all__ = [
    "Constant",
    "Named",
    "Other",
    "Piece",
    "Slice",
    "Text",
    "binary",
    "bits_of",
    "choose",
    "constant",
    "inverted",
    "joined",
    "literal",
    "merged",
    "negated",
    "reduced",
]


_ATOM, _UNARY, _REDUCTION, _BINARY, _CHOICE = range(5)
_ASSOCIATIVE = ("&", "|", "^", "+")


class Text(NamedTuple):
    """A part of an expression: the text, how tightly it binds, the operator of the outermost level, and a constant's value."""

    text: str
    rank: int = _ATOM
    operator: str = ""
    value: int | None = None


class Named(NamedTuple):
    """A value that has a name in the module: the name and its bits."""

    name: str
    bits: int


class Slice(NamedTuple):
    """Bits of something that has a name."""

    of: Named
    start: int
    stop: int

    @property
    def bits(self) -> int:
        return self.stop - self.start

    def text(self) -> Text:
        if (self.start, self.stop) == (0, self.of.bits):
            return Text(self.of.name)
        if self.stop == self.start + 1:
            return Text(f"{self.of.name}[{self.start}]")
        return Text(f"{self.of.name}[{self.stop - 1}:{self.start}]")


class Constant(NamedTuple):
    """A constant of some bits."""

    value: int
    bits: int

    def text(self) -> Text:
        return constant(self.value, self.bits)


class Other(NamedTuple):
    """Any expression, with its bits."""

    written: Text
    bits: int

    def text(self) -> Text:
        return self.written


def bits_of(named: Named, start: int, stop: int) -> str:
    """The text of bits of something that has a name."""
    return Slice(named, start, stop).text().text


def constant(value: int, bits: int) -> Text:
    """A constant of ``bits`` bits, as a part of an expression."""
    value &= (1 << bits) - 1
    return Text(literal(value, bits), value=value)


Piece: TypeAlias = Slice | Constant | Other
"""Some bits of an expression."""


def literal(value: int, bits: int) -> str:
    """A constant of ``bits`` bits."""
    return f"{bits}'h{value & ((1 << bits) - 1):x}"


def merged(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with adjacent slices of one signal, and adjacent constants, merged."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if isinstance(piece, Other) and piece.written.value is not None:
            piece = Constant(piece.written.value, piece.bits)
        match last, piece:
            case Slice(), Slice() if last.of == piece.of and last.stop == piece.start:
                found[-1] = Slice(last.of, last.start, piece.stop)
            case Constant(), Constant():
                found[-1] = Constant(last.value | piece.value << last.bits, last.bits + piece.bits)
            case _:
                found.append(piece)
    return found


def joined(pieces: Sequence[Piece]) -> Text:
    """Pieces, the lowest first, as one expression."""
    texts = [piece.text() for piece in merged(pieces)]
    if len(texts) == 1:
        return texts[0]
    if len(texts) > 1 and all(one == texts[0] for one in texts):
        return Text(f"{{{len(texts)}{{{texts[0].text}}}}}")
    return Text(f"{{{', '.join(_repeated([one.text for one in reversed(texts)]))}}}")


def _repeated(texts: list[str]) -> Iterator[str]:
    """The texts of a concatenation; a text that repeats in a row is written once."""
    place = 0
    while place < len(texts):
        end = place
        while end < len(texts) and texts[end] == texts[place]:
            end += 1
        yield texts[place] if end == place + 1 else f"{{{end - place}{{{texts[place]}}}}}"
        place = end


def _closed(inner: Text, most: int) -> str:
    """The text, in parentheses if it binds less tightly than ``most``."""
    return inner.text if inner.rank <= most else f"({inner.text})"


def _unary(operator: str, operand: Text) -> Text:
    return Text(f"{operator}{_closed(operand, _ATOM)}", _UNARY, operator)


def negated(operand: Text) -> Text:
    """The two's complement of an operand."""
    return _unary("-", operand)


def inverted(operand: Text, bits: int) -> Text:
    """The inverse of an operand of ``bits`` bits."""
    return _unary("~", operand) if operand.value is None else constant(~operand.value, bits)


def reduced(operator: str, operand: Text, bits: int) -> Text:
    """The reduction of an operand of ``bits`` bits to one bit."""
    if bits == 1:
        return operand
    if operand.value is not None:
        ones = operand.value.bit_count()
        return constant({"|": ones > 0, "&": ones == bits, "^": ones % 2}[operator], 1)
    return Text(f"{operator}{_closed(operand, _ATOM)}", _REDUCTION, operator)


def binary(operator: str, left: Text, right: Text, bits: int) -> Text:
    """An operator between two operands of ``bits`` bits; identities with constants are folded."""
    ones = (1 << bits) - 1
    for one, other in ((left, right), (right, left)):
        match operator, one.value:
            case "&", 0:
                return one
            case "|", value if value == ones:
                return one
            case ("|" | "^" | "+", 0):
                return other
            case "&", value if value == ones:
                return other
    if operator in ("-", "<<", ">>") and right.value == 0:
        return left
    sides = [
        side.text
        if side.rank <= _UNARY or (side.rank == _BINARY and side.operator == operator and operator in _ASSOCIATIVE)
        else f"({side.text})"
        for side in (left, right)
    ]
    return Text(f" {operator} ".join(sides), _BINARY, operator)


def choose(condition: Text, one: Text, other: Text) -> Text:
    """A multiplexer: ``one`` if the condition holds, and else the other."""
    if condition.value is not None:
        return one if condition.value else other
    if one == other:
        return one
    return Text(f"{_closed(condition, _REDUCTION)} ? {_closed(one, _BINARY)} : {other.text}", _CHOICE)

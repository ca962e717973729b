"""Verilog expressions from the values of Amaranth, each exactly as wide as it is used.

Every operand has as many bits as its operator, so Verilog derives no other width from the context, and no tool warns. If
only some bits of a result are used, the operator is written in these bits.
"""

from collections.abc import Callable, Iterable, Iterator

from amaranth.hdl import Cat, Const, Signal, Value
from amaranth.hdl import _ast as ast

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.verilog.names import Place, where_named
from fatcube.noc.verilog.texts import (
    Constant,
    Named,
    Other,
    Piece,
    Slice,
    Text,
    binary,
    choose,
    constant,
    inverted,
    joined,
    merged,
    negated,
    reduced,
)

__all__ = ["Expressions", "bits_between", "operators_in", "signals_in"]


_REDUCTIONS = {"r|": "|", "r&": "&", "r^": "^", "b": "|"}
_BITWISE = ("&", "|", "^")
_RING = ("+", "-", "*")


def _matches(patterns: Iterable[str], test: Value) -> Value:
    """The condition, one bit, that ``test`` matches one of ``patterns``, which have a ``-`` for each bit that does not count."""
    found: list[Value] = []
    for pattern in patterns:
        places = [place for place, bit in enumerate(reversed(pattern)) if bit != "-"]
        if not places:
            return Const(1, 1)
        cared = test if len(places) == len(test) else Cat(test[place] for place in places)
        wanted = sum((pattern[-1 - place] == "1") << number for number, place in enumerate(places))
        if len(places) > 1:
            found.append(cared == Const(wanted, len(places)))
        else:
            found.append(cared if wanted else ~cared)
    result = found[0] if found else Const(0, 1)
    for one in found[1:]:
        result = result | one
    return result


class Expressions:
    """Writes the expressions of one module.

    Parameters
    ----------
    named : callable
        The name and bits of a signal in this module, or the value that stands for it.
    define : callable
        Gives a value a wire of its own, with a name like the one that is passed, and returns the name. It is used where
        Verilog can select no bits of an expression, and for expressions with a name in Python that are used again.
    """

    def __init__(self, named: Callable[[Signal], Named | Value], define: Callable[[str, Value], str]) -> None:
        self._named = named
        self._define = define
        self._keys: dict[int, int] = {}
        self._alive: list[Value] = []  # Keys by identity hold as long as the values live.
        self._numbers: dict[object, int] = {}
        self._counts: dict[int, int] = {}
        self._places: dict[int, Place] = {}
        self._defined: dict[int, Named] = {}

    # Values that have a name in Python.

    def count(self, value: Value, outer: Place | None = None) -> None:
        """Count the uses of those parts of ``value`` that have a name in Python; all values come before the first is written."""
        place = outer
        if isinstance(value, (ast.Operator, ast.SwitchValue, ast.Part)):
            place = where_named(value.src_loc)
            if place is not None and place != outer:
                key = self._key(value)
                self._counts[key] = self._counts.get(key, 0) + 1
                self._places[key] = place
                if self._counts[key] > 1:  # It gets a wire, in whose definition its parts stand once.
                    return
        for part in _parts(value):
            self.count(part, place)

    def _key(self, value: Value) -> int:
        """A number that values have in common which were written at the same place and are equal in their structure."""
        if id(value) not in self._keys:
            place = getattr(value, "src_loc", None) if isinstance(value, (ast.Operator, ast.SwitchValue)) else None
            structure = (type(value), place, _own(value), tuple(self._key(part) for part in _parts(value)))
            self._keys[id(value)] = self._numbers.setdefault(structure, len(self._numbers))
            self._alive.append(value)
        return self._keys[id(value)]

    def _name_of(self, value: Value) -> Named | Value | None:
        """The name of a value, if it is a signal or has a wire of its own."""
        if isinstance(value, Signal):
            return self._named(value)
        if not isinstance(value, (ast.Operator, ast.SwitchValue, ast.Part)) or not len(value):
            return None
        key = self._key(value)
        if key not in self._defined and self._counts.get(key, 0) > 1:
            self._own_wire(value, self._wire_name(key))
        return self._defined.get(key)

    def _wire_name(self, key: int) -> str:
        """The name in Python of a value; if several values have it, as in a loop, with a number from 0 on."""
        name = self._places[key].name
        together = [one for one, place in self._places.items() if place.name == name and self._counts[one] != 1]
        return name if len(together) == 1 else f"{name}_{together.index(key)}"

    def _own_wire(self, value: Value, name: str = "") -> Named:
        key = self._key(value)
        if key not in self._defined:
            place = where_named(getattr(value, "src_loc", None))
            # The definition is written next, and there the value has no name yet.
            self._counts[key] = 0
            self._defined[key] = Named(self._define(name or (place.name if place else "part"), value), len(value))
        return self._defined[key]

    # Texts.

    def text(self, value: Value, start: int = 0, stop: int | None = None) -> str:
        """The expression for bits of a value, which is extended by zeros, or its sign, where it is not as wide."""
        return self._bits(value, start, len(value) if stop is None else stop).text

    def condition(self, value: Value) -> str:
        """The expression of one bit that says that ``value`` is not zero."""
        return self._any(value).text

    def _bits(self, value: Value, start: int, stop: int) -> Text:
        return joined(list(self._pieces(value, start, stop)))

    def _pieces(self, value: Value, start: int, stop: int) -> Iterator[Piece]:
        """The bits of a value from the lowest on, piece by piece."""
        bits, signed = len(value), value.shape().signed
        if start >= stop:
            return
        if isinstance(value, Const):
            yield Constant(value.value >> start & ((1 << (stop - start)) - 1), stop - start)
            return
        named = self._name_of(value)
        by_bits = _is_by_bits(value)
        wider = stop > bits and by_bits and not signed  # with zeros, which are not written as operands
        if named is None and _is_exact(value) and (start == 0 or by_bits) and not wider:
            yield Other(self._operation(value, start, stop), stop - start)
            return
        inside = min(stop, bits)
        if start < inside:
            yield from self._inner(value, named, start, inside)
        if stop > max(bits, start):
            more = stop - max(bits, start)
            if not signed or not bits:
                yield Constant(0, more)
            else:
                yield Other(joined([*self._pieces(value, bits - 1, bits)] * more), more)

    def _inner(self, value: Value, named: Named | Value | None, start: int, stop: int) -> Iterator[Piece]:
        """The pieces of bits that the value has."""
        if isinstance(named, Named):
            yield Slice(named, start, stop)
            return
        if named is not None:
            yield from self._pieces(named, start, stop)
            return
        match value:
            case ast.Slice():
                yield from self._pieces(value.value, value.start + start, value.start + stop)
            case ast.Concat():
                place = 0
                for part in value.parts:
                    yield from self._pieces(part, max(start - place, 0), min(stop - place, len(part)))
                    place += len(part)
            case ast.Operator(operator="u" | "s", operands=[operand]):
                yield from self._pieces(operand, start, stop)
            case _ if (start, stop) == (0, len(value)) or _is_by_bits(value):
                yield Other(self._operation(value, start, stop), stop - start)
            case _:
                yield Slice(self._own_wire(value), start, stop)

    def _operation(self, value: Value, start: int, stop: int) -> Text:
        match value:
            case ast.Operator(operator="~", operands=[operand]):
                return inverted(self._bits(operand, start, stop), stop - start)
            case ast.Operator(operator="-", operands=[operand]):
                return negated(self._bits(operand, start, stop))
            case ast.Operator(operator="b" | "r|" | "r&" | "r^", operands=[operand]):
                return self._reduction(_REDUCTIONS[value.operator], operand)
            case ast.Operator(operator="&" | "|" | "^" | "+" | "-" | "*", operands=[left, right]):
                return binary(
                    value.operator, self._bits(left, start, stop), self._bits(right, start, stop), stop - start
                )
            case ast.Operator(operator="==" | "!=" | "<" | "<=" | ">" | ">=", operands=[left, right]):
                return self._comparison(value.operator, left, right)
            case ast.Operator(operator="<<", operands=[left, right]):
                return binary("<<", self._bits(left, 0, stop), self._bits(right, 0, len(right)), stop)
            case ast.Operator(operator=">>", operands=[left, right]) if not left.shape().signed:
                return binary(">>", self._bits(left, 0, stop), self._bits(right, 0, len(right)), stop)
            case ast.SwitchValue():
                return self._choice(value, start, stop)
            case ast.Part():
                return self._choice(_as_choice(value), start, stop)
        what = f"the operator {value.operator}" if isinstance(value, ast.Operator) else type(value).__name__
        raise ParameterError(
            f"Verilog must be of values that a circuit can have, and no {what} of signed values or of its kind"
        )

    def _any(self, value: Value) -> Text:
        return self._reduction("|", value)

    def _reduction(self, operator: str, operand: Value) -> Text:
        """A reduction of all bits of a value: of each of its pieces, and of what these give."""
        neutral = int(operator == "&")
        if self._name_of(operand) is not None or not isinstance(operand, (ast.Concat, ast.Slice)):
            return (
                reduced(operator, self._bits(operand, 0, len(operand)), len(operand))
                if len(operand)
                else constant(neutral, 1)
            )
        result = constant(neutral, 1)
        for piece in merged(list(self._pieces(operand, 0, len(operand)))):
            result = binary(operator, result, reduced(operator, piece.text(), piece.bits), 1)
        return result

    def _comparison(self, operator: str, left: Value, right: Value) -> Text:
        shape = ast.Shape._unify((left.shape(), right.shape()))
        if shape.width == 0:
            return constant(int("=" in operator and operator != "!="), 1)
        sides = [self._bits(side, 0, shape.width) for side in (left, right)]
        if shape.signed and operator not in ("==", "!="):
            # The order of signed numbers is that of unsigned ones with the other sign bit.
            sign = constant(1 << (shape.width - 1), shape.width)
            sides = [binary("^", side, sign, shape.width) for side in sides]
        return binary(operator, *sides, shape.width)

    def _choice(self, value: ast.SwitchValue, start: int, stop: int) -> Text:
        result = constant(0, stop - start)
        test = value.test
        for patterns, chosen in reversed(value.cases):
            one = self._bits(chosen, start, stop)
            if patterns is None:
                result = one
            elif all(set(pattern) == {"0"} for pattern in patterns):
                result = (
                    choose(self._any(test), result, one)
                    if len(value.cases) == 2
                    else self._chosen(patterns, test, one, result)
                )
            else:
                result = self._chosen(patterns, test, one, result)
        return result

    def _chosen(self, patterns: Iterable[str], test: Value, one: Text, other: Text) -> Text:
        return choose(self._bits(_matches(patterns, test), 0, 1), one, other)


def _as_choice(part: ast.Part) -> ast.SwitchValue:
    """The bits at a variable place, place by place."""
    value, offset = part.value, part.offset
    width = len(value)
    cases = []
    for number in range(min(1 << len(offset), -(-width // part.stride))):
        begin = number * part.stride
        cases.append((number, value[begin : min(begin + part.width, width)]))
    if 1 << len(offset) <= len(cases):
        cases[-1] = (None, cases[-1][1])
    return ast.SwitchValue(offset, cases, src_loc=part.src_loc)


def _own(value: Value) -> object:
    """The attributes of a value, without its parts."""
    match value:
        case Const():
            return value.value, len(value), value.shape().signed
        case Signal():
            return id(value)
        case ast.Operator():
            return value.operator
        case ast.Slice():
            return value.start, value.stop
        case ast.Part():
            return value.width, value.stride
        case ast.SwitchValue():
            return tuple(patterns for patterns, _ in value.cases)
    return None


def _parts(value: Value) -> tuple[Value, ...]:
    """The values that a value is made of."""
    match value:
        case ast.Operator():
            return tuple(value.operands)
        case ast.Slice():
            return (value.value,)
        case ast.Part():
            return value.value, value.offset
        case ast.Concat():
            return tuple(value.parts)
        case ast.SwitchValue():
            return value.test, *(one for _, one in value.cases)
    return ()


def signals_in(value: Value) -> Iterator[Signal]:
    """The signals in a value; a signal that occurs twice is given twice."""
    if isinstance(value, Signal):
        yield value
    for part in _parts(value):
        yield from signals_in(part)


def bits_between(value: Value, start: int, stop: int) -> Value:
    """Bits of a value, with zeros or its sign above it."""
    bits = len(value)
    if (start, stop) == (0, bits):
        return _simplest(value)
    inside = value[min(start, bits) : min(stop, bits)]
    if stop <= bits:
        return inside
    more = stop - max(start, bits)
    return Cat(inside, value[-1].replicate(more) if value.shape().signed and bits else Const(0, more))


def _simplest(value: Value) -> Value:
    match value:
        case ast.Slice(start=0) if len(value) == len(value.value):
            return _simplest(value.value)
        case ast.Operator(operator="u", operands=[operand]):
            return _simplest(operand)
        case ast.Concat(parts=[part]):
            return _simplest(part)
    return value


def operators_in(value: Value) -> int:
    """The operators in a value."""
    own = isinstance(value, (ast.SwitchValue, ast.Part)) or (
        isinstance(value, ast.Operator) and value.operator not in "us"
    )
    return own + sum(operators_in(part) for part in _parts(value))


def _is_exact(value: Value) -> bool:
    """Whether any number of low bits of the result can be written at once, also more than it has."""
    match value:
        case ast.Operator(operator=operator, operands=[_, _]):
            return operator in _BITWISE or operator in _RING or operator == "<<"
        case ast.Operator(operator="-"):
            return True
        case ast.SwitchValue():
            return True
    return False


def _is_by_bits(value: Value) -> bool:
    """Whether each bit of the result is made of the bits at its place."""
    match value:
        case ast.Operator(operator=operator, operands=[_, _]):
            return operator in _BITWISE
        case ast.Operator(operator="~"):
            return True
        case ast.SwitchValue() | ast.Part():
            return True
    return False

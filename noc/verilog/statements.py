"""Assignments and decisions of Amaranth as simple statements: each sets bits of one signal, or chooses between lists of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from amaranth.hdl import Signal, Value
from amaranth.hdl import _ast as ast
from amaranth.hdl._ast import SignalDict

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.verilog.expressions import Expressions
from fatcube.noc.verilog.texts import literal

__all__ = [
    "Case",
    "Choose",
    "Set",
    "Statement",
    "effective",
    "kept",
    "runs",
    "signals_set",
    "simple",
    "values_of",
    "written",
]


class Set(NamedTuple):
    """Bits ``start`` to ``stop`` of ``signal`` become those of ``value`` from bit ``at`` on."""

    signal: Signal
    start: int
    stop: int
    value: Value
    at: int

    @property
    def mask(self) -> int:
        """The bits that are set, as an integer."""
        return (1 << self.stop) - (1 << self.start)

    @property
    def whole(self) -> bool:
        """Whether all bits of the signal are set."""
        return (self.start, self.stop) == (0, len(self.signal))


class Case(NamedTuple):
    """The statements where a test matches one of ``patterns``; anything does if that is ``None``."""

    patterns: tuple[str, ...] | None
    statements: "tuple[Statement, ...]"


class Choose(NamedTuple):
    """The first of ``cases`` whose patterns ``test`` matches."""

    test: Value
    cases: tuple[Case, ...]


Statement: TypeAlias = Set | Choose


def simple(statements: Iterable[ast.Statement]) -> list[Statement]:
    """Amaranth's statements as simple ones.

    Raises
    ------
    ParameterError
        At a statement that is for simulation or proofs only.
    """
    return [one for statement in statements for one in _simple(statement)]


def _simple(statement: ast.Statement) -> Iterator[Statement]:
    match statement:
        case ast.Assign():
            yield from _sets(statement.lhs, 0, len(statement.lhs), statement.rhs, 0)
        case ast.Switch():
            # A case without a pattern is never chosen.
            cases = tuple(
                Case(patterns, tuple(simple(inner))) for patterns, inner, _ in statement.cases if patterns != ()
            )
            yield Choose(statement.test, cases)
        case _:
            raise ParameterError(
                f"design must have no {type(statement).__name__.lower()}, which is not written as Verilog, "
                f"unlike that at {':'.join(map(str, statement.src_loc or ('an unknown place',)))}"
            )


def _sets(target: Value, start: int, stop: int, value: Value, at: int) -> Iterator[Statement]:
    """Statements that set bits ``start`` to ``stop`` of ``target`` to those of ``value`` from bit ``at`` on."""
    stop = min(stop, len(target))
    if start >= stop:
        return
    match target:
        case Signal():
            yield Set(target, start, stop, value, at)
        case ast.Slice():
            yield from _sets(target.value, target.start + start, target.start + stop, value, at)
        case ast.Operator(operator="u" | "s", operands=[operand]):
            yield from _sets(operand, start, stop, value, at)
        case ast.Concat():
            place = 0
            for part in target.parts:
                begin = max(start - place, 0)
                yield from _sets(part, begin, min(stop - place, len(part)), value, at + max(place - start, 0))
                place += len(part)
        case ast.Part():
            width = len(target.value)
            cases = []
            for number in range(min(1 << len(target.offset), -(-width // target.stride))):
                begin = number * target.stride
                inner = tuple(_sets(target.value, begin + start, begin + stop, value, at))
                cases.append(Case((f"{number:0{len(target.offset)}b}",), inner))
            yield Choose(target.offset, tuple(cases))
        case ast.SwitchValue():
            yield Choose(
                target.test,
                tuple(
                    Case(patterns, tuple(_sets(one, start, stop, value, at)))
                    for patterns, one in target.cases
                    if patterns != ()
                ),
            )
        case _:
            raise ParameterError(f"target of an assignment must be made of signals, not of {target!r}")


def signals_set(statements: Iterable[Statement]) -> Iterator[Set]:
    """All assignments in ``statements``."""
    for statement in statements:
        if isinstance(statement, Set):
            yield statement
        else:
            for case in statement.cases:
                yield from signals_set(case.statements)


def values_of(statements: Iterable[Statement]) -> Iterator[Value]:
    """All values that are read in ``statements``."""
    for statement in statements:
        if isinstance(statement, Set):
            yield statement.value
        else:
            yield statement.test
            for case in statement.cases:
                yield from values_of(case.statements)


def kept(statements: Iterable[Statement], wanted: Callable[[Signal], bool]) -> list[Statement]:
    """The parts of ``statements`` that set a wanted signal."""
    found: list[Statement] = []
    for statement in statements:
        if isinstance(statement, Set):
            if wanted(statement.signal):
                found.append(statement)
            continue
        cases = tuple(Case(case.patterns, tuple(kept(case.statements, wanted))) for case in statement.cases)
        if any(case.statements for case in cases):
            found.append(Choose(statement.test, cases))
    return found


def runs(mask: int) -> Iterator[tuple[int, int]]:
    """The first bit and the one after the last of each run of ones."""
    place = 0
    while mask >> place:
        start = place
        while mask >> place & 1:
            place += 1
        if place > start:
            yield start, place
        else:
            place += 1


def effective(statements: Iterable[Statement], later: SignalDict | None = None) -> list[Statement]:
    """``statements`` without assignments to bits that a later one sets in any case.

    ``later`` are the bits of signals that are set behind them. Yosys reads an assignment behind a ``case`` that sets the same
    bits as if it stood before it, so this is not only shorter.
    """
    covered = SignalDict(() if later is None else later.items())
    found: list[Statement] = []
    for statement in reversed(list(statements)):
        if isinstance(statement, Set):
            left = statement.mask & ~covered.get(statement.signal, 0)
            covered[statement.signal] = covered.get(statement.signal, 0) | statement.mask
            parts = [
                Set(statement.signal, *run, statement.value, statement.at + run[0] - statement.start)
                for run in runs(left)
            ]
            found += reversed(parts)
        else:
            cases = tuple(Case(case.patterns, tuple(effective(case.statements, covered))) for case in statement.cases)
            if any(case.statements for case in cases):
                found.append(Choose(statement.test, cases))
    return found[::-1]


def written(
    statements: Sequence[Statement],
    expressions: Expressions,
    target: Callable[[Signal, int, int], str],
) -> list[str]:
    """The lines of ``statements`` in a process with a clock.

    Parameters
    ----------
    target : callable
        The text of bits of a signal that are set.
    """

    def inner(below: Sequence[Statement]) -> list[str]:
        return written(below, expressions, target)

    lines: list[str] = []
    for statement in statements:
        match statement:
            case Set(signal, start, stop, value, at):
                lines.append(f"{target(signal, start, stop)} <= {expressions.text(value, at, at + stop - start)};")
            case Choose(test, cases) if _is_if(statement):
                lines += _if(test, cases, expressions, inner)
            case Choose(test, cases):
                lines += _case(test, cases, expressions, inner)
    return lines


_Writer: TypeAlias = Callable[[Sequence[Statement]], list[str]]


def _is_if(choose: Choose) -> bool:
    """Whether each case is one bit of the test, and each bit of it the next case, as in ``If`` and ``Elif``."""
    bits = len(choose.test)
    tests = [case for case in choose.cases if case.patterns is not None]
    return len(tests) == bits and all(
        case.patterns == (("1" + "-" * number).rjust(bits, "-"),) for number, case in enumerate(tests)
    )


def _if(test: Value, cases: Sequence[Case], expressions: Expressions, inner: _Writer) -> list[str]:
    chain = [
        (None if case.patterns is None else expressions.text(test, number, number + 1), case.statements)
        for number, case in enumerate(cases)
    ]
    while chain and not chain[-1][1]:
        chain.pop()
    if len(chain) == 2 and chain[1][0] is None and not chain[0][1]:
        chain = [(_negated(str(chain[0][0])), chain[1][1])]
    lines: list[str] = []
    for number, (condition, statements) in enumerate(chain):
        opening = "else" if number else ""
        if condition is not None:
            opening = f"{opening} if ({condition})".strip()
        body = inner(statements)
        if number and lines[-1] == "end":
            lines.pop()
            opening = f"end {opening}"
        lines += _block(opening, body, statements)
    return lines


def _negated(condition: str) -> str:
    return f"~{condition}" if condition.replace("_", "").isalnum() else f"~({condition})"


def _block(opening: str, body: Sequence[str], statements: Sequence[Statement]) -> list[str]:
    """``body`` behind ``opening``, in a block unless it is one assignment."""
    if len(statements) == 1 and isinstance(statements[0], Set) and len(body) == 1:
        return [opening, f"  {body[0]}"]
    return [f"{opening} begin", *(f"  {line}" for line in body), "end"]


def _case(test: Value, cases: Sequence[Case], expressions: Expressions, inner: _Writer) -> list[str]:
    if len(test) == 0:
        return inner(cases[0].statements) if cases else []
    labels = _labels(test)
    free = any("-" in pattern for case in cases for pattern in case.patterns or ())
    lines = [f"{'casez' if free else 'case'} ({expressions.text(test)})"]
    for case in cases:
        if case.patterns is None:
            opening, remark = "default:", ""
        else:
            values = [pattern.replace("-", "?") for pattern in case.patterns]
            shown = [f"{len(test)}'b{value}" if "?" in value else literal(int(value, 2), len(test)) for value in values]
            known = [labels[int(value, 2)] for value in values if "?" not in value and int(value, 2) in labels]
            opening, remark = f"{', '.join(shown)}:", f"  // {', '.join(known)}" if known else ""
        if not case.statements:
            lines.append(f"  {opening} ;{remark}" if case.patterns is not None else "  default: ;")
        else:
            first, *rest = _block(opening, inner(case.statements), case.statements)
            lines += [f"  {first}{remark}", *(f"  {line}" for line in rest)]
        if case.patterns is None:
            break
    else:
        if not _is_full(cases, len(test)):
            lines.append("  default: ;")
    return [*lines, "endcase"]


def _labels(test: Value) -> dict[int, str]:
    """The names of the states of an FSM, or of the members of an enumeration, by value."""
    if not isinstance(test, Signal) or test.decoder is None:
        return {}
    decoder: Callable[[int], object] = test.decoder
    labels: dict[int, str] = {}
    for value in range(min(1 << len(test), 64)):
        try:
            label = decoder(value)
        except (KeyError, ValueError):
            continue
        labels[value] = str(getattr(label, "name", label)).partition("/")[0]
    return labels


def _is_full(cases: Sequence[Case], bits: int) -> bool:
    patterns = {pattern for case in cases for pattern in case.patterns or ()}
    return len(patterns) == 1 << bits and not any("-" in pattern for pattern in patterns)

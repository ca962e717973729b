"""The logic of a module: assignments without a clock, and processes with one."""

from collections.abc import Iterable, Mapping, Sequence

from amaranth.hdl import Cat, ClockDomain, Const, Signal, Value
from amaranth.hdl import _ast as ast
from amaranth.hdl._ast import SignalDict

from fatcube.noc.verilog.expressions import Expressions, bits_between, operators_in
from fatcube.noc.verilog.statements import Choose, Set, Statement, kept, runs, signals_set, written
from fatcube.noc.verilog.texts import Named, bits_of, literal

__all__ = ["clocked", "masks_of", "settled"]


_SHORT = 3  # operators of a value that is written again where it is needed


def masks_of(statements: Iterable[Statement]) -> SignalDict:
    """The bits of each signal that ``statements`` set, as an integer."""
    masks = SignalDict()
    for one in signals_set(statements):
        masks[one.signal] = masks.get(one.signal, 0) | one.mask
    return masks


def settled(statements: Sequence[Statement]) -> list[Set]:
    """Statements without a clock as assignments that hold at any time, each of bits that no other one sets.

    A decision becomes a choice between values. In SystemVerilog, ``always @*`` does not run before something that it reads
    changes, and registers have their initial values before anything runs: a process that reads registers alone would
    leave its signals unknown for as long as these do not change.
    """
    result: list[Set] = []
    for signal, mask in masks_of(statements).items():
        own = kept(statements, lambda other, one=signal: other is one)
        alone = [one for one in own if isinstance(one, Set)]
        if len(alone) == len(own):
            result += alone
        else:
            value = _value(own, Const(signal.init, len(signal)), signal, result)
            result += [Set(signal, start, stop, value, start) for start, stop in runs(mask)]
    return result


def _value(statements: Iterable[Statement], before: Value, signal: Signal, others: list[Set]) -> Value:
    """The value of ``signal`` after statements that set it alone, if it has the value ``before`` in front of them.

    A long value in front of a decision, in whose cases it stands again, becomes a signal that is set in ``others``.
    """
    for statement in statements:
        match statement:
            case Set(_, start, stop, value, at):
                part = bits_between(value, at, at + stop - start)
                before = part if stop - start == len(before) else Cat(before[:start], part, before[stop:])
            case Choose(test, cases):
                if operators_in(before) > _SHORT:
                    kept_before = Signal(len(before), name=f"{signal.name}_before")
                    kept_before.src_loc = signal.src_loc
                    others.append(Set(kept_before, 0, len(before), before, 0))
                    before = kept_before
                values = [(case.patterns, _value(case.statements, before, signal, others)) for case in cases]
                before = ast.SwitchValue(test, [*values, (None, before)])
    return before


def clocked(
    statements: Sequence[Statement], domain: ClockDomain, expressions: Expressions, apart: Mapping[Signal, str]
) -> list[list[str]]:
    """The processes of a clock domain: that of the registers without a reset, and that of those which have one.

    ``apart`` are the names of the registers among the bits of a signal that has others as well.
    """

    def target(signal: Signal, start: int, stop: int) -> str:
        name = apart.get(signal)
        return expressions.text(signal, start, stop) if name is None else bits_of(Named(name, len(signal)), start, stop)

    def body(signals: Iterable[Signal]) -> list[str]:
        chosen = SignalDict((signal, None) for signal in signals)
        return written(kept(statements, lambda signal: signal in chosen), expressions, target)

    masks = masks_of(statements)
    edge = f"{domain.clk_edge}edge {expressions.text(domain.clk)}"
    cleared = [signal for signal in masks if domain.rst is not None and not signal.reset_less]
    others = [signal for signal in masks if domain.rst is None or signal.reset_less]
    processes: list[list[str]] = []
    if others:
        processes.append([f"always @({edge}) begin", *(f"  {line}" for line in body(others)), "end"])
    if domain.rst is not None and cleared:
        reset = expressions.text(domain.rst)
        starts = [
            f"{target(signal, start, stop)} <= {literal(signal.init >> start, stop - start)};"
            for signal in cleared
            for start, stop in runs(masks[signal])
        ]
        processes.append(
            [
                f"always @({edge}, posedge {reset})" if domain.async_reset else f"always @({edge})",
                f"  if ({reset}) begin",
                *(f"    {line}" for line in starts),
                "  end else begin",
                *(f"    {line}" for line in body(cleared)),
                "  end",
            ]
        )
    return processes

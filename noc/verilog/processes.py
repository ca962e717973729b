"""The logic of a module: assignments and processes without a clock, and processes with one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from amaranth.hdl import ClockDomain, Signal, Value
from amaranth.hdl._ast import SignalDict

from fatcube.noc.verilog.expressions import Expressions, signals_in
from fatcube.noc.verilog.statements import Set, Statement, kept, leads_of, runs, signals_set, values_of, written
from fatcube.noc.verilog.texts import Named, bits_of, literal

__all__ = ["Group", "clocked", "groups_of", "masks_of", "process"]


class Group(NamedTuple):
    """Statements without a clock that belong together, and the bits of each signal that they set."""

    statements: list[Statement]
    masks: SignalDict

    @property
    def assigns(self) -> bool:
        """Whether there are only assignments, none of bits that another one sets, so that no process is needed."""
        bits = sum(one.stop - one.start for one in signals_set(self.statements))
        return all(isinstance(one, Set) for one in self.statements) and bits == sum(
            mask.bit_count() for mask in self.masks.values()
        )


def masks_of(statements: Iterable[Statement]) -> SignalDict:
    """The bits of each signal that ``statements`` set, as an integer."""
    masks = SignalDict()
    for one in signals_set(statements):
        masks[one.signal] = masks.get(one.signal, 0) | one.mask
    return masks


def groups_of(statements: Sequence[Statement], instead: SignalDict) -> list[Group]:
    """The statements that belong together: those that set a signal, and all that one decision sets.

    A process does not see what it sets itself. So where one of these signals decides over another one, or is part of it,
    also by way of others, each has a process of its own. ``instead`` says what stands for signals.
    """
    found: list[tuple[SignalDict, list[int]]] = []
    for place, statement in enumerate(statements):
        signals = SignalDict((one.signal, None) for one in signals_set([statement]))
        places = [place]
        apart = []
        for group in found:
            if any(signal in group[0] for signal in signals):
                signals.update(group[0])
                places += group[1]
            else:
                apart.append(group)
        found = [*apart, (signals, places)] if len(signals) else apart
    found.sort(key=lambda group: min(group[1]))
    leads = leads_of(statements, instead)
    result: list[Group] = []
    for signals, places in found:
        together = [statements[place] for place in sorted(places)]
        if len(signals) == 1 or not _reaches(signals, together, leads):
            result.append(Group(together, masks_of(together)))
        else:
            for signal in signals:
                alone = kept(together, lambda other, one=signal: other is one)
                result.append(Group(alone, masks_of(alone)))
    return result


def _reaches(signals: SignalDict, statements: Iterable[Statement], leads: SignalDict) -> bool:
    """Whether what ``statements`` read depends on one of the ``signals`` that they set."""
    found, left = SignalDict(), list(signals)
    while left:
        for target in leads.get(left.pop(), ()):
            if target not in found and target not in signals:
                found[target] = None
                left.append(target)
    return any(signal in found or signal in signals for value in values_of(statements) for signal in signals_in(value))


def process(group: Group, expressions: Expressions) -> list[str]:
    """The lines of a process without a clock."""
    first = SignalDict()
    for statement in group.statements:
        for one in signals_set([statement]):
            first.setdefault(one.signal, statement is one and one.whole)
    lines = [
        f"{expressions.text(signal, start, stop)} = {literal(signal.init >> start, stop - start)};"
        for signal, mask in group.masks.items()
        if not first[signal]
        for start, stop in runs(mask)
    ]
    lines += written(group.statements, expressions, expressions.text, "=", _labels)
    return ["always @* begin", *(f"  {line}" for line in lines), "end"]


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
        return written(kept(statements, lambda signal: signal in chosen), expressions, target, "<=", _labels)

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

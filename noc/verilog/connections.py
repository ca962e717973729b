"""The signals of a module that need no wire of their own, because something else stands for them."""

from collections.abc import Iterable, Sequence

from amaranth.hdl import Cat, Const, Signal
from amaranth.hdl._ast import SignalDict

from fatcube.noc.verilog.expressions import bits_between, signals_in
from fatcube.noc.verilog.statements import Set, Statement, leads_of, signals_set

__all__ = ["Connections"]


class Connections:
    """Replaces signals at the border of inner units by what drives them, and drops assignments that nobody reads.

    Parameters
    ----------
    statements : list of :data:`Statement`
        The statements without a clock.
    reads : dict of :class:`Signal` to :class:`int`
        How often each signal is read in the module.
    ports : dict
        The ports of the module, by signal.
    inner : dict
        The signals of what is inside, which are read there and set here, by signal.
    outputs : dict
        The signals that instances and memories set.
    registers : dict
        The signals that are registers, in whole or in part.

    Members
    -------
    instead : dict of :class:`Signal` to :class:`Value`
        The value that replaces each such signal.
    statements : list of :data:`Statement`
        The remaining statements.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        reads: SignalDict,
        ports: SignalDict,
        inner: SignalDict,
        outputs: SignalDict,
        registers: SignalDict,
    ) -> None:
        self.instead = SignalDict()
        self._reads, self._ports, self._inner = reads, ports, inner
        self._outputs, self._registers = outputs, registers
        self.statements = list(statements)
        self._drop(self._unread())
        self._merge()
        alone = _set_once(self.statements)
        self._drop(self._folded(alone))
        self._drop(self._joined(alone))

    def _drop(self, sets: Iterable[Set]) -> None:
        gone = {id(one) for one in sets}
        self.statements = [one for one in self.statements if id(one) not in gone]

    def _unread(self) -> list[Set]:
        """The assignments to signals that nobody reads, and to those that only such read."""
        gone: list[Set] = []
        left = [one for one in self.statements if isinstance(one, Set)]
        while True:
            now = [one for one in left if one.signal not in self._ports and not self._reads.get(one.signal)]
            if not now:
                return gone
            for one in now:
                for signal in signals_in(one.value):
                    self._reads[signal] -= 1
            gone += now
            chosen = {id(one) for one in now}
            left = [one for one in left if id(one) not in chosen]

    def _merge(self) -> None:
        """Set signals at once of which assignments set one part after the other, unless the parts depend on each other."""
        parts = SignalDict()
        for statement in self.statements:
            for one in signals_set([statement]):
                parts.setdefault(one.signal, []).append(one if statement is one else None)
        leads = leads_of(self.statements, self.instead)
        merged: dict[int, Set | None] = {}
        for signal, sets in parts.items():
            if len(sets) < 2 or None in sets or signal in self._outputs or signal in self._registers:
                continue
            ordered = sorted(sets, key=lambda one: one.start)
            if any(one.stop > other.start for one, other in zip(ordered, ordered[1:])) or _depends(signal, leads):
                continue
            values, place = [], 0
            for one in ordered:
                values += [
                    Const(signal.init >> place, one.start - place),
                    bits_between(one.value, one.at, one.at + one.stop - one.start),
                ]
                place = one.stop
            whole = Cat(*values, Const(signal.init >> place, len(signal) - place))
            merged |= dict.fromkeys(map(id, sets))
            merged[id(sets[0])] = Set(signal, 0, len(signal), whole, 0)
        changed = (merged.get(id(one), one) for one in self.statements)
        self.statements = [one for one in changed if one is not None]

    def _folded(self, alone: SignalDict) -> list[Set]:
        """The assignments to inner signals that need no wire, as they are a signal, or are read once."""
        gone: list[Set] = []
        for signal, one in alone.items():
            if signal in self._ports or (signal not in self._inner and not isinstance(one.value, Const)):
                continue
            value = bits_between(one.value, one.at, one.at + len(signal))
            if isinstance(one.value, Const):
                value = Const(one.value.value >> one.at, len(signal))
            if isinstance(value, (Signal, Const)) or self._reads.get(signal) == 1:
                self.instead[signal] = value
                gone.append(one)
        return gone

    def _joined(self, alone: SignalDict) -> list[Set]:
        """The assignments of an output of an instance to a signal which that drives itself."""
        gone: list[Set] = []
        for signal, one in alone.items():
            source = one.value
            while isinstance(source, Signal) and source in self.instead:
                source = self.instead[source]
            if signal in self.instead or not isinstance(source, Signal) or one.at or len(source) != len(signal):
                continue
            if source in self._outputs and source not in self.instead and self._reads.get(source) == 1:
                self.instead[source] = signal
                self._outputs[signal] = None
                gone.append(one)
        return gone


def _depends(signal: Signal, leads: SignalDict) -> bool:
    """Whether a signal depends on itself."""
    found, left = SignalDict(), [signal]
    while left:
        for target in leads.get(left.pop(), ()):
            if target is signal:
                return True
            if target not in found:
                found[target] = None
                left.append(target)
    return False


def _set_once(statements: Iterable[Statement]) -> SignalDict:
    """The signals that one assignment sets as a whole, and nothing else, with it."""
    found = SignalDict()
    for statement in statements:
        for one in signals_set([statement]):
            found[one.signal] = None if one.signal in found or statement is not one or not one.whole else one
    return SignalDict((signal, one) for signal, one in found.items() if one is not None)

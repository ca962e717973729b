"""The signals of a module that need no wire of their own: ports of inner units that are replaced by their drivers."""

from collections.abc import Iterable, Sequence

from amaranth.hdl import Cat, Const, Signal
from amaranth.hdl._ast import SignalDict

from fatcube.noc.verilog.expressions import bits_between, signals_in
from fatcube.noc.verilog.statements import Set

__all__ = ["Connections"]


class Connections:
    """Substitutes drivers for the ports of inner units, and removes dead assignments.

    Parameters
    ----------
    sets : list of :class:`Set`
        The assignments without a clock, each of bits that no other one sets.
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
    sets : list of :class:`Set`
        The remaining assignments.
    """

    def __init__(
        self,
        sets: Sequence[Set],
        reads: SignalDict,
        ports: SignalDict,
        inner: SignalDict,
        outputs: SignalDict,
        registers: SignalDict,
    ) -> None:
        self.instead = SignalDict()
        self._reads, self._ports, self._inner = reads, ports, inner
        self._outputs, self._registers = outputs, registers
        self.sets = list(sets)
        self._drop(self._dead())
        self._merge()
        # The rest of several assignments to a signal cannot be merged.
        alone = SignalDict((one.signal, one) for one in self.sets if one.whole)
        self._drop(self._folded(alone))
        self._drop(self._joined(alone))

    def _drop(self, sets: Iterable[Set]) -> None:
        gone = {id(one) for one in sets}
        self.sets = [one for one in self.sets if id(one) not in gone]

    def _dead(self) -> list[Set]:
        """The dead assignments: the signal is read by nothing, or by dead assignments only."""
        gone: list[Set] = []
        left = self.sets
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
        """Concatenate the assignments to parts of a signal, unless the signal depends on itself."""
        parts, readers = SignalDict(), SignalDict()
        for one in self.sets:
            parts.setdefault(one.signal, []).append(one)
            for signal in signals_in(one.value):
                readers.setdefault(signal, []).append(one.signal)
        merged: dict[int, Set | None] = {}
        for signal, sets in parts.items():
            if len(sets) < 2 or signal in self._outputs or signal in self._registers or _depends(signal, readers):
                continue
            values, place = [], 0
            for one in sorted(sets, key=lambda one: one.start):
                values += [
                    Const(signal.init >> place, one.start - place),
                    bits_between(one.value, one.at, one.at + one.stop - one.start),
                ]
                place = one.stop
            whole = Cat(*values, Const(signal.init >> place, len(signal) - place))
            merged |= dict.fromkeys(map(id, sets))
            merged[id(sets[0])] = Set(signal, 0, len(signal), whole, 0)
        changed = (merged.get(id(one), one) for one in self.sets)
        self.sets = [one for one in changed if one is not None]

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
        """The assignments of an instance's output to a signal that the instance can drive directly."""
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


def _depends(signal: Signal, readers: SignalDict) -> bool:
    """Whether a signal depends on itself."""
    found, left = SignalDict(), [signal]
    while left:
        for target in readers.get(left.pop(), ()):
            if target is signal:
                return True
            if target not in found:
                found[target] = None
                left.append(target)
    return False

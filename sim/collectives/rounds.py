"""The rounds of a dataflow run: how early each packet can leave if every packet takes one round, and nothing else waits."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from fatcube.sim.collectives.flow import Place

__all__ = ["Rounds"]


_Port: TypeAlias = tuple[int, int]  # a processor, and the number of its sending port


class Rounds:
    """The round of each packet, which is never later than its step, and from it the rounds in which its port waits before it.

    A packet leaves in the first round in which its port has sent the one before it and all that it carries has arrived. If a
    port waits g rounds for its next packet, it waits at least g (F + 4) cycles unless other packets delay it, and so it
    has time there for g entries that send nothing, which take three cycles each.

    Parameters
    ----------
    barriers : sequence of :class:`int`
        The steps after which all processors wait for each other.

    Attributes
    ----------
    waits : dict from (processor, port, step) to :class:`int`
        The rounds that a port waits before the packet that it sends in a step.
    """

    def __init__(self, barriers: Sequence[int] = ()) -> None:
        self.waits: dict[tuple[int, int, int], int] = {}
        self._barriers = frozenset(barriers)
        self._last: dict[_Port, int] = {}  # the round of the packet that each port has sent last
        self._held: dict[Place, int] = {}  # the last round in which something arrived for a message
        self._least = 0  # the round of the last barrier
        self._sent: dict[_Port, int] = {}  # of the present step
        self._arrived: dict[Place, int] = {}

    def add(self, port: _Port, sources: Iterable[Place], targets: Iterable[Place]) -> None:
        """Add a packet of the present step: what it carries away, and what arrives with it. Copies have one port."""
        before = max(self._least, self._last.get(port, 0), *(self._held.get(place, 0) for place in sources))
        self._sent[port] = max(before + 1, self._sent.get(port, 0))
        for place in targets:
            self._arrived[place] = max(self._sent[port], self._arrived.get(place, 0))

    def end(self, step: int) -> None:
        """End a step: what arrived in it can be sent from now on."""
        for (processor, port), sent in self._sent.items():
            self.waits[processor, port, step] = sent - 1 - max(self._least, self._last.get((processor, port), 0))
        self._last |= self._sent
        for place, arrived in self._arrived.items():
            self._held[place] = max(arrived, self._held.get(place, 0))
        if step in self._barriers:
            self._least = max(self._last.values(), default=self._least)
        self._sent, self._arrived = {}, {}

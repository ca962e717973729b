"""The names of nodes and the numbers of processors in a drawing, as large as there is room for them."""

import dataclasses

from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topology import Topology
from fatcube.reports.layout import Layout

__all__ = ["Label", "left_out", "node_labels", "processor_labels"]


_SMALLEST = 6.5  # letters that can be read, in pixels
_LETTER = 0.6  # the width of a letter, in heights


@dataclasses.dataclass(frozen=True)
class Label:
    """A name in a drawing.

    Members
    -------
    text : :class:`str`
    size : :class:`float`
        The height of its letters in pixels; 0 if there is no room for it.
    below : :class:`float`
        How far its middle is below that of the thing that it names.
    """

    text: str
    size: float
    below: float = 0.0

    @classmethod
    def fitting(cls, text: str, size: float, below: float = 0.0) -> "Label":
        """The label with letters of this height, if they can be read."""
        return cls(text, size if size >= _SMALLEST else 0.0, below)


def node_labels(topology: Topology, place: Layout) -> list[Label]:
    """The number of each node within its router, or its name, which may stand below the node if it is too long for that."""
    whole = topology.intact
    named = isinstance(whole, Graph)
    names = whole.names if named else [str(node) for node in range(whole.nodes)]
    found = []
    for name in names:
        size = min(14.0, 1.25 * place.router, 1.7 * place.router / (_LETTER * len(name if named else names[-1])))
        below = 0.0
        if size < _SMALLEST and named:
            size = min(11.0, 0.98 * place.apart / (_LETTER * len(name)))
            below = place.radius + 0.6 * size
        found.append(Label.fitting(name, size, below))
    return found


def processor_labels(topology: Topology, place: Layout) -> list[Label | None]:
    """The number of each processor; none where every node has one processor, which has its number."""
    if topology.m == 1 and topology.uniform:
        return [None] * topology.processors
    names = map(str, range(topology.processors))
    return [
        Label.fitting(name, min(12.0, 0.8 * place.side, 0.96 * place.side / (_LETTER * len(name)))) for name in names
    ]


def left_out(kind: str, many: int) -> str:
    """A phrase for the number of things of a kind that have no name in a drawing."""
    return f"the name{'s' * (many > 1)} of {many} {kind}{'s' * (many > 1)}"

"""Which networks are small enough to be drawn."""

from fatcube.groundwork.validation import check_count
from fatcube.noc.topology import Topology
from fatcube.reports.lanes import joined

__all__ = ["check_size"]


_MOST_NODES = 512  # of a network that is drawn
_MOST_PROCESSORS = 4096
_MOST_LANES = 8192
_MOST_BESIDE = 64  # lanes of a link


def check_size(topology: Topology) -> None:
    """Refuse a network that is too large to be drawn.

    Raises
    ------
    ParameterError
        If it has more nodes, processors or lanes than can be distinguished in a drawing.
    """
    what = f"of a network that is drawn, {topology.name}"
    check_count("nodes", topology.nodes, maximum=_MOST_NODES, what=what)
    check_count("processors", topology.processors, maximum=_MOST_PROCESSORS, what=what)
    check_count("lanes", topology.lanes, maximum=2 * _MOST_LANES, what=what)
    check_count(
        "lanes between two nodes",
        max((len(topology.lanes_between(node, other)) for node, other in joined(topology)), default=0),
        maximum=_MOST_BESIDE,
        what=what,
    )

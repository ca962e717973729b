# amaranth: UnusedElaboratable=no
"""The lanes of a topology, each once with both of its ends, and the units in them."""

from collections.abc import Iterator, Mapping, Sequence
import functools
from typing import Any, NamedTuple, TypeAlias

from amaranth.hdl import Module
from amaranth.lib import wiring

from fatcube.groundwork.late import read_at_exit
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared, module_name, port_bits
from fatcube.noc.topology import Topology
from fatcube.rtl.lanes import LANES
from fatcube.rtl.lanes.lane import lane_layout
from fatcube.rtl.router_options import RouterOptions

__all__ = ["LaneEnd", "Links", "check_lanes", "connect_lanes", "lane_wires", "lanes_of", "shared_lane"]

read_at_exit(__file__)


class LaneEnd(NamedTuple):
    """An end of a lane: the node, its channel, and the number of the lane there."""

    node: int
    channel: int
    lane: int


Links: TypeAlias = Mapping[tuple[int, int, int], wiring.Component]
"""Components with streams ``i`` and ``o`` for single directions of lanes, by the :class:`LaneEnd` that sends."""


def lanes_of(topology: Topology) -> Iterator[tuple[LaneEnd, LaneEnd]]:
    """Both ends of every lane, each lane once: first the end that comes first, or that sends where links go one way."""
    for node in range(topology.nodes):
        for channel, other, back in topology.ends(node):
            if topology.directed or (node, channel) < (other, back):
                for lane in topology.lanes_of(node, channel):
                    yield LaneEnd(node, channel, lane), LaneEnd(other, back, lane)


def lane_wires(network: Network) -> int:
    """Wires of all lanes of a network. The payload wires of a lane whose directions share them count once."""
    options, topology = network.options, network.topology
    of_lane = sum(port_bits(options.lane_port))
    payload = lane_layout(options.width, options.virtual_channels).size
    # Each channel counts half of a lane, that in which it sends.
    return topology.lanes * (of_lane - payload * options.shared_lanes) // 2


def shared_lane(options: RouterOptions, *, counters: bool = False, prefix: str | None = None) -> Shared | None:
    """The unit in every lane of a network whose routers have these options; ``None`` if lanes are wires.

    ``prefix`` is that of the name of its module, as of :func:`fatcube.noc.shared.module_name`.
    """
    kind = LANES[options.links]
    if kind is None:
        return None
    again = functools.partial(kind, options, counters=counters)
    return Shared(again(), module_name("lane", prefix), again=again)


def connect_lanes(
    m: Module, topology: Topology, nodes: Sequence[Any], lane: Shared | None = None, links: Links | None = None
) -> list[tuple[LaneEnd, Any]]:
    """Connect the ``lanes[c][l]`` of all nodes, by wires or by copies of ``lane``.

    Nothing ever comes in where no lane leads. What is behind an output that leads nowhere is for the nodes to say.

    Parameters
    ----------
    nodes : list
        A component for each node, with lanes ``lanes[c][l]``.
    lane : :class:`Shared` or ``None``
        The unit in every lane, see :func:`shared_lane`.
    links : :data:`Links`
        Components to put into single directions of lanes, which are wires.

    Returns
    -------
    list of (:class:`LaneEnd`, component)
        The copies, with the first end of each.

    Raises
    ------
    ParameterError
        If there are ``links``, and lanes are more than wires.
    """
    links = links or {}
    check_lanes(lane, links)
    copies = []
    for first, second in lanes_of(topology):
        ports = [nodes[end.node].lanes[end.channel][end.lane] for end in (first, second)]
        name = f"{first.node}_{first.channel}_{first.lane}"
        if lane is not None:
            m.submodules[f"lane{name}"] = copy = lane.copy()
            copies.append((first, copy))
            for port, end in zip(ports, copy.ends):  # type: ignore[attr-defined]
                wiring.connect(m, port, end)
            continue
        for sender, (source, sink) in ((first, ports), (second, ports[::-1])):
            if sender is second and topology.directed:
                break
            link: Any = links.get(sender)
            if link is None:
                wiring.connect(m, source.out, sink.into)
            else:
                m.submodules[f"link{sender.node}_{sender.channel}_{sender.lane}"] = link
                wiring.connect(m, source.out, link.i)
                wiring.connect(m, link.o, sink.into)
    return copies


def check_lanes(lane: object, links: Links) -> None:
    """Refuse lanes that are more than wires where single directions have components."""
    if lane is not None and links:
        raise ParameterError(
            "links in single directions must be put into full-duplex lanes, not into lanes of another kind"
        )

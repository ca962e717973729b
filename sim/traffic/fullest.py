"""The fullest parts of a network at an offered load, from the flits that went into it and the routes of packets."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.loads import Lane, Shares, lane_loads
from fatcube.sim.traffic.limit import Fullest
from fatcube.sim.traffic.load_point import LaneFigures
from fatcube.sim.traffic.traffic import RATE_UNITS
from fatcube.sim.traffic.traffic_result import TrafficResult

__all__ = ["fullest_parts"]


def fullest_parts(
    network: RoutedNetwork,
    shares: Shares,
    processors: Sequence[tuple[float, float]],
    counted: Sequence[LaneFigures],
    results: Sequence[TrafficResult],
    *,
    starved: Sequence[bool],
    ports: int,
    replies: Fraction,
) -> Fullest:
    """The fullest parts that packets of starved processors need, or those of all if none is starved.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    shares : :class:`Shares`
        The parts of the packets of each processor that go to each other one.
    processors : list of (:class:`float`, :class:`float`)
        The load that each processor offered and the part that was accepted, in flits per cycle and port.
    counted : list of :class:`LaneFigures`
        The lanes by node, channel and number, if their flits were counted; else none.
    results : list of :class:`TrafficResult`
        The runs, whose conflicts are counted.
    starved : list of :class:`bool`
        Whether each processor could not send all that it offered.
    ports : :class:`int`
        Ports of a processor that send packets which answer none.
    replies : :class:`Fraction`
        Flits of replies for each flit.
    """
    sent = shares.of_sources([Fraction(round(one * RATE_UNITS), RATE_UNITS) for _, one in processors])
    asking = shares.of_sources([Fraction(one or not any(starved)) for one in starved])
    crossing, needed = (lane_loads(network.ways, some, network.lanes, replies=replies) for some in (sent, asking))
    loads = {lane: float(load) * ports for lane, load in crossing.items()}
    if counted:
        loads = dict(zip(loads, (lane.utilisation for lane in counted), strict=True))
    if network.options.shared_lanes:
        loads = _both_directions(network, loads)
    senders, receivers = asking.parts.sum(axis=1) > 0, asking.parts.sum(axis=0) > 0
    taken, received = (sent.parts.sum(axis=axis).astype(float) / sent.whole for axis in (1, 0))
    most, back = max(received[receivers]), float(replies)
    cycles = sum(result.cycles for result in results) * network.topology.nodes
    return Fullest(
        lane=max((loads[lane] for lane, share in needed.items() if share), default=0.0),
        sender=float(min(taken[senders]) if any(starved) else max(taken)),
        receiver=float(max(most, back * max(taken[senders]))),
        answering=float(back * most),
        waiting=sum(result.conflicts for result in results) / cycles,
    )


def _both_directions(network: RoutedNetwork, loads: Mapping[Lane, float]) -> dict[Lane, float]:
    """The flits per cycle of each lane and of the one back, which has the same wires."""
    found = {}
    for lane, load in loads.items():
        other, back = network.ways.ends[lane.node][lane.channel]
        found[lane] = load + loads[Lane(other, back, lane.lane)]
    return found

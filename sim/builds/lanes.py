"""Parts in the lanes of a simulated network, each compiled by itself as its nodes are."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from fatcube.groundwork.digest import digest
from fatcube.noc.lanes import LaneEnd, Links, check_lanes, lanes_of, shared_lane
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.shared import Shared
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.builds.job import Lanes
from fatcube.sim.builds.parts import parts_of

__all__ = ["InLane", "described", "in_lanes"]


class InLane(NamedTuple):
    """A part in a lane.

    Members
    -------
    first, second : :class:`LaneEnd`
        The ends of the lane.
    part : :class:`Shared`
        The part, with members ``ends`` as of :class:`fatcube.rtl.lanes.lane_base.Lane`. Parts that are the same have the
        same name.
    """

    first: LaneEnd
    second: LaneEnd
    part: Shared


def in_lanes(machine: Machine | TrafficMachine, links: Links) -> list[InLane]:
    """The parts in those lanes of a machine that are more than wires: lanes of their kind, or ``links``.

    Raises
    ------
    ParameterError
        As :func:`fatcube.noc.lanes.connect_lanes`.
    """
    if isinstance(machine, TrafficMachine) and machine.alone:
        return []
    network = machine.built if isinstance(machine, TrafficMachine) else machine.network
    lane = shared_lane(network.options, counters=True)
    check_lanes(lane, links)
    if lane is not None:
        return [InLane(*ends, lane) for ends in lanes_of(network.topology)]
    found = []
    for first, second in lanes_of(network.topology):
        there, back = links.get(first), None if network.topology.directed else links.get(second)
        if there is not None or back is not None:
            linked = _LinkedLane(network.options, there, back)
            name = f"lane_{digest(Shared(linked, 'lane').modules())[:16]}"
            found.append(InLane(first, second, Shared(linked, name)))
    return found


def described(machine: Machine | TrafficMachine, placed: Sequence[InLane]) -> Lanes:
    """The description of a machine's nodes and the lanes between them for the harness, ``placed`` as of :func:`in_lanes`."""
    topology, parts = machine.network.topology, parts_of(machine)
    alike = topology.alike or parts.nodes == 1  # a router alone lacks nothing
    lanes = [
        LaneEnd(node, channel, lane)
        for node in range(parts.nodes)
        for channel in range(parts.channels)
        for lane in range(parts.lanes)
    ]

    def number(end: LaneEnd) -> int:
        return (end.node * parts.channels + end.channel) * parts.lanes + end.lane

    filled = {one.first for one in placed} | {one.second for one in placed if not topology.directed}

    def leads_to(lane: LaneEnd) -> int:
        end = topology.neighbour(lane.node, lane.channel)
        if end is None or lane.lane not in topology.lanes_of(lane.node, lane.channel) or lane in filled:
            return -1
        return number(LaneEnd(*end, lane.lane))

    return {
        "nodes": parts.nodes,
        "channels": parts.channels,
        "lanes": parts.lanes,
        "units": parts.units,
        "banks": parts.banks,
        "inputs": list(parts.inputs),
        "outputs": list(parts.outputs),
        "host_bytes": -(-machine.host_width // 32) * 4,
        "memories": {str(region): path for region, path in parts.memories.items()},
        "leads_to": [leads_to(lane) for lane in lanes],
        "parts": [one.part.name for one in placed],
        "ends": [value for one in placed for value in (number(one.first), number(one.second), int(topology.directed))],
        "constants": {
            **({} if alike else {"absent": [_bits(machine.network.absent(node)) for node in range(parts.nodes)]}),
            **({"number": [f"{node:x}" for node in range(parts.nodes)]} if _numbered(machine) else {}),
            **({"routes": [f"{table:x}" for table in machine.network.tables]} if machine.network.tables else {}),
        },
    }


def _numbered(machine: Machine | TrafficMachine) -> bool:
    return machine.numbered if isinstance(machine, Machine) else machine.network.options.setup_retry > 0


def _bits(numbers: Iterable[int]) -> str:
    return f"{sum(1 << number for number in numbers):x}"


class _LinkedLane(wiring.Component):
    """A lane of wires with a component in one of its directions, or in each.

    Parameters
    ----------
    options : :class:`RouterOptions`
    there, back : :class:`wiring.Component` or ``None``
        The part from the first end to the second, and the part back: each a component with lanes ``i`` and ``o``.

    Members
    -------
    ends : :py:`In(LanePort(width, channels, answers)).array(2)`
    """

    ends: Any

    def __init__(self, options: RouterOptions, there: wiring.Component | None, back: wiring.Component | None) -> None:
        # Their lanes are members that a type checker does not know.
        self.links: dict[str, Any] = {"there": there, "back": back}
        super().__init__({"ends": In(options.lane_port).array(2)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        first, second = map(wiring.flipped, self.ends)
        for (name, link), (source, sink) in zip(self.links.items(), ((first, second), (second, first)), strict=True):
            if link is None:
                wiring.connect(m, source.out, sink.into)
            else:
                m.submodules[name] = link
                wiring.connect(m, source.out, link.i)
                wiring.connect(m, link.o, sink.into)
        return m

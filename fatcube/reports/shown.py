"""Data that a drawing of a network can show on its lanes: loads, the ways of packets, or the transfers of a step."""

from collections.abc import Mapping, Sequence
import dataclasses
from fractions import Fraction
from typing import Any, TypeAlias

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.lanes import processor_ways
from fatcube.schedules.collective import Message
from fatcube.schedules.schedule import Schedule
from fatcube.sim.traffic.load import LoadTest

__all__ = ["CLASSES", "Loads", "Route", "Step", "Trail", "loads_under", "route_between", "step_of"]


CLASSES = 5
"""Classes of loads above 0, which are told apart by width and shade."""

Trail: TypeAlias = tuple[tuple[int, int, int], ...]
"""The hops of a packet in order: the node that it leaves, the one that it enters, and the lane between them."""


@dataclasses.dataclass(frozen=True)
class Loads:
    """The load of every lane, in flits per cycle if every processor offers one flit per cycle at each of its ports.

    Of given flows, if the busiest processor does, and the others offer in proportion.

    Members
    -------
    of : mapping of (node, channel, lane) to :class:`Fraction`
        The load of each direction of a lane that works.
    bound : :class:`float`
        The load at which the first lane or the first receiver has a flit in every cycle, as ``fatcube load`` prints it.
    pattern, routing : :class:`str`
        The traffic and the routing.
    of_busiest : :class:`bool`
        Loads are those of the busiest processor.
    """

    of: Mapping[tuple[int, int, int], Fraction]
    bound: float
    pattern: str
    routing: str
    of_busiest: bool = False

    @property
    def most(self) -> Fraction:
        """The highest load."""
        return max(self.of.values(), default=Fraction(0))

    def class_of(self, load: Fraction) -> int:
        """The class of a load: 0 for none, and up to :data:`CLASSES` for the highest."""
        return 0 if not load else max(1, -(-load * CLASSES // self.most))


@dataclasses.dataclass(frozen=True)
class Route:
    """The ways that packets take from one processor to another one.

    Members
    -------
    source, target : :class:`int`
        The processors.
    ways : tuple
        The hops of each way, of which there are several where a routing has alternatives, or packets alternate between lanes.
    routing : :class:`str`
        The name of the routing.
    """

    source: int
    target: int
    ways: tuple[Trail, ...]
    routing: str

    def to_json(self) -> dict[str, Any]:
        """The processors, and each way as a list of ``[node, next node, lane]``."""
        return {
            "source": self.source,
            "target": self.target,
            "routing": self.routing,
            "ways": [[list(hop) for hop in way] for way in self.ways],
        }


@dataclasses.dataclass(frozen=True)
class Step:
    """The transfers of one step of a schedule.

    Members
    -------
    number, of : :class:`int`
        The step, counted from 1, and the steps of the schedule.
    what : :class:`str`
        The collective.
    parts : :class:`int`
        The parts of each message of the whole schedule.
    transfers : tuple of (sender, receiver, hops, messages)
        Each packet of the step with the messages in it.
    """

    number: int
    of: int
    what: str
    parts: int
    transfers: tuple[tuple[int, int, Trail, tuple[Message, ...]], ...]

    def label(self, messages: Sequence[Message]) -> str:
        """Origins and destinations of messages, as the page of `fatcube view` names them."""
        return ", ".join(_named(message, self.parts) for message in messages)

    def to_json(self) -> dict[str, Any]:
        """The step, and each transfer as an object with the processors, the messages and the hops."""
        return {
            "step": self.number,
            "steps": self.of,
            "transfers": [
                {
                    "src": src,
                    "dst": dst,
                    "messages": [message.to_json() for message in messages],
                    "hops": [list(hop) for hop in trail],
                }
                for src, dst, trail, messages in self.transfers
            ],
        }


def loads_under(test: LoadTest) -> Loads:
    """The loads of the lanes of a network under a traffic pattern, from which its load bound follows."""
    network = test.network
    ports = network.processor_ports
    loads = {(node, channel, lane): load * ports for (node, channel, lane), load in test.lane_loads.items()}
    return Loads(loads, test.bound, test.options.word, network.ways.name, test.demand.rates is not None)


def route_between(network: RoutedNetwork, source: int, target: int) -> Route:
    """The ways that packets of ``source`` take to ``target``, lane by lane.

    Raises
    ------
    ParameterError
        If one of them is no processor, or does not work.
    """
    topology = network.topology
    for name, processor in (("source", source), ("target", target)):
        check_integer(f"{name} of the route", processor, minimum=0, maximum=topology.processors - 1)
        if not topology.works(processor):
            raise ParameterError(f"{name} of the route must be a processor that works, not {processor}")
    ways = []
    for way in processor_ways(network.ways, source, target, network.lanes):
        node, trail = topology.node_of(source), []
        for hop in way:
            other, _ = network.ways.ends[node][hop.channel]
            number = topology.channels_between(node, other).index(hop.channel) * topology.f + hop.lane
            trail.append((node, other, number))
            node = other
        ways.append(tuple(trail))
    return Route(source, target, tuple(dict.fromkeys(ways)), network.ways.name)


def step_of(schedule: Schedule, number: int) -> Step:
    """The transfers of one step of a schedule.

    Raises
    ------
    ParameterError
        If the schedule has no such step.
    """
    check_integer("step", number, minimum=1, maximum=schedule.steps, why=f", the steps of {schedule.collective.value}")
    packets: dict[tuple[int, int, Trail], list[Message]] = {}
    for transfer in schedule.expanded().transfers:
        if transfer.step == number:
            trail = tuple(transfer.hops(schedule.topology))
            packets.setdefault((transfer.src, transfer.dst, trail), []).append(transfer.message)
    return Step(
        number,
        schedule.steps,
        schedule.work,
        schedule.parts,
        tuple((*packet, tuple(messages)) for packet, messages in packets.items()),
    )


def _named(message: Message, parts: int) -> str:
    origin = "Σ" if message.origin is None else message.origin
    destination = "all" if message.destination is None else message.destination
    return f"{origin}→{destination}{f'.{message.part}' if parts > 1 else ''}"

"""Numbers used in lower bounds: lanes, ports, messages in packets, and transfers between processors."""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
import dataclasses
from functools import lru_cache
import sys

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.reach import hops_by_processor, lanes_from
from fatcube.schedules.step_model import Links, StepModel

__all__ = [
    "Bound",
    "crossings",
    "lanes_bound",
    "lanes_in_all",
    "messages_in",
    "transfers_between",
    "highest",
    "ceil_divide",
    "counts_by_distance",
    "beyond",
    "port_for_each_link",
    "processor_ports",
]


@dataclasses.dataclass(frozen=True)
class Bound:
    """A proven lower bound: no schedule has fewer than ``steps`` steps, and ``reason`` says why."""

    steps: int
    reason: str


def port_for_each_link(topology: Topology, ports: PortModel) -> bool:
    """Whether there is one processor on every node, with a port for each link and one lane in it."""
    return ports.value in "d*" and topology.uniform and topology.m == topology.f == 1


def crossings(topology: Topology, origin: int, kind: Collection[int]) -> int:
    """The number of times that messages from node ``origin`` to all others take channels of a kind, at the least."""
    crossings: dict[int, int] = {}
    queue = deque([(0, origin)])
    while queue:
        count, node = queue.popleft()
        if node not in crossings:
            crossings[node] = count
            for channel, there, _ in topology.ends(node):
                if there not in topology.served:
                    continue
                if channel in kind:
                    queue.append((count + 1, there))
                else:
                    queue.appendleft((count, there))
    counts = [len(topology.processors_of(node)) * count for node, count in crossings.items()]
    return len(topology.processors_of(origin)) * sum(counts)


def lanes_bound(topology: Topology, model: StepModel, amount: int, name: str, lanes: int | None = None) -> Bound:
    """The bound for ``amount`` crossings in total of all lanes, or of ``lanes``; full-duplex lanes carry one in each direction."""
    if amount == 0:
        return Bound(0, f"no {name}")
    rate = messages_in(lanes_in_all(topology, model, lanes), model)
    return Bound(ceil_divide(amount, rate), f"{amount} {name}, at most {rate} a step")


def lanes_in_all(topology: Topology, model: StepModel, lanes: int | None = None) -> int:
    """The packets that all lanes carry in a step, or those that are ``lanes`` counted in both directions."""
    if lanes is None:
        lanes = sum(lanes_from(topology, node) for node in topology.served)
    return lanes // 2 if model.links is Links.HALF_DUPLEX and not topology.directed else lanes


def messages_in(packets: int, model: StepModel) -> int:
    """The messages in this number of packets; without a limit, more than any schedule has."""
    return packets * int(min(model.most_messages, sys.maxsize))


def transfers_between(topology: Topology, processor: int, model: StepModel, back: bool = False) -> Iterator[int]:
    """Transfers between the nodes of ``processor`` and of every other one: hops, or one of them if they are direct."""
    hops = hops_by_processor(topology, processor, back)
    return (min(count, 1) for count in hops) if model.direct else iter(hops)


def highest(*bounds: Bound) -> Bound:
    return max(bounds, key=lambda bound: bound.steps, default=Bound(0, "nothing has to move"))


def ceil_divide(amount: int, rate: int) -> int:
    """Steps that ``amount`` takes at ``rate`` per step."""
    return -(-amount // rate)


def counts_by_distance(distances: Iterable[int], parts: int = 1) -> Iterator[tuple[int, int]]:
    """For each distance from 1 on, how many of ``distances`` are at least that, ``parts`` times."""
    counts = Counter(distances)
    left = counts.total() - counts[0]
    for distance in range(1, max(counts, default=0) + 1):
        yield distance, parts * left
        left -= counts[distance]


def beyond(distance: int) -> str:
    return "" if distance == 1 else f", each over {distance} transfers or more"


def processor_ports(topology: Topology, ports: PortModel) -> int:
    """The ports k of a processor that can be in use at once: one alone on its node has no use for more than there are lanes."""
    k = ports.processor_ports(topology.degree, topology.m)
    return min(k, topology.f * _most_links(topology)) if topology.m == 1 and topology.directed else k


@lru_cache(maxsize=64)
def _most_links(topology: Topology) -> int:
    """The most links that leave a node, or enter one. Nodes have more channels where some only leave and others only enter."""
    links = [
        (node, other) for node in topology.served for _, other, _ in topology.ends(node) if other in topology.served
    ]
    return max(count for ends in zip(*links) for count in Counter(ends).values())

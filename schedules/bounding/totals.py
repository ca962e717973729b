"""Lower bounds that count all transfers, hops or entries of an all-to-all or an all-gather, over all ports or lanes."""

from collections import Counter
from collections.abc import Iterator

import networkx

from fatcube.noc.coordinates import Coordinates
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.step_model import STANDARD, Links, StepModel

__all__ = ["entries_in_total", "lanes_in_total", "lanes_of_channels", "ports_in_total"]


def ports_in_total(topology: Topology, ports: PortModel, parts: int = 1, model: StepModel = STANDARD) -> Bound:
    """All transfers of an all-to-all, over all receiving ports.

    Every message takes as many transfers as its distance, and P processors receive k per step.
    """
    within = sum(len(beside) * (len(beside) - 1) for beside in map(topology.processors_of, topology.served))
    between = topology.processors * (topology.processors - 1) - within if model.direct else topology.all_hops
    transfers = parts * (within + between)
    receivers = counting.messages_in(topology.processors * counting.processor_ports(topology, ports), model)
    return Bound(counting.ceil_divide(transfers, receivers), f"{transfers} transfers, at most {receivers} a step")


def lanes_in_total(topology: Topology, model: StepModel = STANDARD, parts: int = 1) -> Bound:
    """All hops of an all-to-all, over all lanes (fat-cube paper, section 4.4)."""
    return counting.lanes_bound(topology, model, parts * topology.all_hops, "hops")


def lanes_of_channels(topology: Topology, model: StepModel = STANDARD, parts: int = 1) -> Iterator[Bound]:
    """In an all-to-all, those hops that no way can avoid over one kind of links: a channel and the one that leads back.

    On cube-connected cycles a message crosses the links between cycles once for every bit in which the numbers of
    its cycles differ, whatever its way, and on all of these n N / 2 steps are needed for it (Kambhatla, result 13).
    Where one kind of links is as good as another, :func:`lanes_in_total` says as much. Where nodes have coordinates, the
    channels of a dimension are a kind too: on a generalized hypercube a coordinate can be corrected by several kinds of its
    dimension, and by no others. One :class:`Bound` each.
    """
    pairs = networkx.Graph()  # of channels that are of one kind
    for node in range(1 if topology.alike else topology.nodes):
        pairs.add_edges_from((channel, back) for channel, _, back in topology.ends(node))
    bases = [base for base in topology.bases if base in topology.served]
    carrying = (
        dict.fromkeys(range(topology.degree), topology.nodes)
        if topology.alike
        else Counter(
            channel for node in topology.served for channel, other, _ in topology.ends(node) if other in topology.served
        )
    )
    for kind in [*sorted(networkx.connected_components(pairs), key=min), *_dimensions(topology)]:
        hops = sum(counting.crossings(topology, base, kind) for base in bases) * len(topology.translations)
        lanes = topology.f * sum(carrying[channel] for channel in kind)
        yield counting.lanes_bound(topology, model, parts * hops, f"hops over channels {sorted(kind)}", lanes)


def _dimensions(topology: Topology) -> Iterator[set[int]]:
    """The channels of each dimension, if all nodes are alike and have coordinates."""
    if topology.alike and isinstance(topology, Coordinates):
        for dimension in range(topology.dimensions):
            yield {
                channel
                for channel, other, _ in topology.ends(0)
                if topology.correction(0, other, dimension) is not None
            }


def entries_in_total(topology: Topology, model: StepModel = STANDARD, parts: int = 1) -> Bound:
    """In an all-gather every node is entered by the messages of all the others, over all lanes.

    With lanes that carry one packet per step in each direction, :func:`fatcube.schedules.bounds.lanes_into_node` says more; this one
    counts where they carry one in either direction. As there, what enters in the last step takes a lane for each of the
    processors of the node.
    """
    entries = parts * topology.processors * (len(topology.served) - 1)
    plain = counting.lanes_bound(topology, model, entries, "entries")
    rate = counting.messages_in(counting.lanes_in_all(topology, model), model)
    late = rate // min(len(topology.processors_of(node)) for node in topology.served)
    if model.links is not Links.HALF_DUPLEX or topology.directed or entries <= late:
        return plain
    last = Bound(
        1 + counting.ceil_divide(entries - late, rate),
        f"{entries} entries, at most {rate} a step, {late} in the last step",
    )
    return counting.highest(plain, last)

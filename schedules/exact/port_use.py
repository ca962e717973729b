"""Limits of a step in the integer program by the use of ports: one partner, sending or receiving, and dedicated ports."""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Move
from fatcube.schedules.symmetry import Link, Symmetry

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar  # at run time only when a search is made

__all__ = ["limit_dedicated", "limit_partners", "limit_turns"]


def limit_partners(
    model: "CpModel", topology: Topology, ports: PortModel, symmetry: Symmetry, packets: "Mapping[Move, IntVar]"
) -> None:
    """One partner: all that a processor sends and receives in a step is with one other."""
    most = ports.processor_ports(topology.degree, topology.m)
    exchanged: defaultdict[tuple[int, int], defaultdict[int, list[IntVar]]] = defaultdict(lambda: defaultdict(list))
    for (step, src, dst, _, _), variable in packets.items():
        for processor, other in ((src, dst), (dst, src)):
            key = step, symmetry.processor_class(processor)
            exchanged[key][symmetry.seen_from(processor, other)].append(variable)
    for partners in exchanged.values():
        chosen = []
        for variables in partners.values():
            chosen.append(model.new_bool_var(""))
            for variable in variables:
                model.add(variable <= most * chosen[-1])
        model.add_at_most_one(chosen)


def limit_turns(model: "CpModel", symmetry: Symmetry, packets: "Mapping[Move, IntVar]") -> None:
    """Send or receive: a processor that sends in a step receives nothing in it."""
    ends: defaultdict[tuple[int, int], tuple[list[IntVar], list[IntVar]]] = defaultdict(lambda: ([], []))
    for (step, src, dst, _, _), variable in packets.items():
        ends[step, symmetry.processor_class(src)][0].append(variable)
        ends[step, symmetry.processor_class(dst)][1].append(variable)
    for sent, received in ends.values():
        sends = model.new_bool_var("")
        for variables, allowed in ((sent, sends), (received, ~sends)):
            for variable in variables:
                model.add(variable == 0).only_enforce_if(~allowed)


def limit_dedicated(
    model: "CpModel",
    topology: Topology,
    symmetry: Symmetry,
    packets: "Mapping[Move, IntVar]",
    flows: "Mapping[tuple[int, int, Link], IntVar]",
) -> None:
    """Dedicated ports: one each way for each channel, and one for each processor of the same node."""
    if flows:
        raise ParameterError("dedicated ports must be left out of a search for direct transfers")
    used: defaultdict[Hashable, list[IntVar]] = defaultdict(list)
    ports: dict[Hashable, int] = {}
    for (step, src, dst, _, _), variable in packets.items():
        for processor, other, way in ((src, dst, "out"), (dst, src, "in")):
            here, there = topology.node_of(processor), topology.node_of(other)
            port = symmetry.seen_from(processor, other) if here == there else symmetry.link_class(here, there)
            key = step, symmetry.processor_class(processor), way, port
            used[key].append(variable)
            link = topology.node_of(src), topology.node_of(dst)
            ports[key] = 1 if here == there else len(topology.channels_between(*link))
    for key, variables in used.items():
        model.add(sum(variables) <= ports[key])

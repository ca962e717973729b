"""Notes on networks of the command line: one-way links in a file, which few who draw a network mean, and options without effect."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fatcube.cli.network_files import GRAPH_OF_FILE
from fatcube.cli.output import note
from fatcube.noc.network import Network
from fatcube.noc.topologies import make_topology
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.graph_file import one_way_links, read_topology
from fatcube.noc.topology import Topology

__all__ = ["graph_in", "say_idle", "topology_of"]


_OF_LINKS = ("links", "turn_round", "link_stages", "lanes", "hops")
"""Options that reach links, and lanes on them, alone."""


def topology_of(given: Mapping[str, Any]) -> Topology:
    """The topology of flags, as of :func:`fatcube.noc.topologies.make_topology`, or of a network file."""
    of_flags = {name: value for name, value in given.items() if name != GRAPH_OF_FILE}
    topology, file = make_topology(graph=given.get(GRAPH_OF_FILE), **of_flags), given.get("topology_file")
    if file is not None and topology.intact.directed:
        note(f"{file}: {one_way_links(file)}")
    return topology


def graph_in(file: Path) -> Graph:
    """The topology in a file."""
    if clause := one_way_links(file):
        note(f"{file}: {clause}")
    return read_topology(file)


def say_idle(network: Network, given: Mapping[str, Any]) -> Network:
    """Say on standard error which of the options of a network that were given change no bit of it; returns the network."""
    topology, ports = network.topology, network.options.ports
    several = ports.processor_ports(topology.degree, topology.m) > 1
    if "ports" in given and not ports.copies and ports.value != "1" and not several:
        note(f"--ports {given['ports']} is the same as model 1 here, where processors have one port")
    for name in _OF_LINKS if topology.degree == 0 else ():
        if name in given:
            note(f"--{name.replace('_', '-')} {given[name]} changes nothing here, where there are no links")
    if "lanes" in given and topology.f == 1 and topology.degree:
        note(f"--lanes {given['lanes']} changes nothing here, where links have one lane")
    return network

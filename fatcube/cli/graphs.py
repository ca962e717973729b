"""Topologies of files on the command line. One-way links are mentioned in a note, as few who draw a network mean them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fatcube.cli.network_files import GRAPH_OF_FILE
from fatcube.cli.output import note
from fatcube.noc.topologies import make_topology
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.graph_file import one_way_links, read_topology
from fatcube.noc.topology import Topology

__all__ = ["graph_in", "topology_of"]


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

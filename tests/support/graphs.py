"""Properties of every topology, tested from outside: one channel, one permutation, one hop at a time."""

import networkx

from fatcube.noc.topologies.graph import Graph


def as_graph(topology):
    """An equal graph of any shape, with the nodes, processors and links of a topology, as it is in a file.

    A lane of a graph has a channel and a port of its own, so that links of several lanes would be another machine.
    """
    assert topology.f == 1, topology
    links = [
        (node, other)
        for node in range(topology.nodes)
        for channel, other, back in topology.ends(node)
        if topology.directed or (node, channel) < (other, back)
    ]
    names = tuple(map(str, range(topology.nodes)))
    counts = tuple(len(topology.processors_of(node)) for node in range(topology.nodes))
    return Graph(names, counts, tuple(links), topology.directed)


def check_channels(topology):
    """Every channel of a node leads somewhere else and is entered by exactly one."""
    entered = set()
    for node in range(topology.nodes):
        for channel in range(topology.degree):
            other, back = topology.neighbour(node, channel)
            assert other in range(topology.nodes) and back in range(topology.degree) and other != node
            if not topology.directed:
                assert topology.neighbour(other, back) == (node, channel)
            entered.add((other, back))
    assert len(entered) == topology.nodes * topology.degree


def check_translations(topology):
    """They are a group, keep every channel, and only the identity keeps a node; so does the mirror, backwards."""
    permutations = {tuple(permutation) for permutation in topology.translations}
    assert len(permutations) == len(topology.translations)
    assert tuple(range(topology.nodes)) in permutations
    for one in permutations:
        assert sorted(one) == list(range(topology.nodes))
        assert {tuple(one[node] for node in other) for other in permutations} == permutations
        if one != tuple(range(topology.nodes)):
            assert all(one[node] != node for node in range(topology.nodes))
        for node in range(topology.nodes):
            assert _ways(topology, one[node]) == sorted(one[other] for other in _ways(topology, node))
    mirror = topology.mirror
    for node in range(topology.nodes):
        assert mirror[mirror[node]] == node
        for other in range(topology.nodes):
            assert _ways(topology, node).count(other) == _ways(topology, mirror[other]).count(mirror[node])
    assert {tuple(mirror[one[mirror[node]]] for node in range(topology.nodes)) for one in permutations} == permutations


def check_distances(topology):
    """Hops as networkx counts them on a graph made here, from every node."""
    graph = networkx.MultiDiGraph()
    graph.add_edges_from((node, other) for node in range(topology.nodes) for other in _ways(topology, node))
    for node, lengths in networkx.all_pairs_shortest_path_length(graph):
        assert topology.distances[node] == [lengths[other] for other in range(topology.nodes)]


def _ways(topology, node):
    """The nodes that the channels of ``node`` lead to, sorted."""
    ends = (topology.neighbour(node, channel) for channel in range(topology.degree))
    return sorted(end[0] for end in ends if end is not None)

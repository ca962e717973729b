"""Ways of packets that routers of model b copy, for sources of traffic in networks with a routing."""

from fatcube.noc.machines.traffic_machine import Destination

__all__ = ["with_copies"]


def with_copies(machine, dice):
    """For each endpoint, its ways to all others, and as many to all peers on its node and one processor of each neighbour.

    Which one is drawn by ``dice``. So half of the packets are copied, and those to further nodes pass between them.
    """
    network = machine.network
    topology = network.topology
    found = []
    for endpoint in range(machine.endpoints):
        node = topology.node_of(endpoint)
        peers = [peer for peer in topology.processors_of(node) if peer != endpoint]
        neighbours = [list(topology.processors_of(other)) for _, other, _ in topology.ends(node)]
        copies = (*peers, *(dice.choice(some) for some in neighbours if some))
        alone = machine.destinations(endpoint)
        copied = Destination(endpoint, network.route_of_copies(endpoint, copies), copies=copies)
        found.append([*alone, *[copied] * len(alone)])
    return found

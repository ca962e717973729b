"""Lane loads as they were first computed, way by way and in fractions: slow, and another derivation than that of the sources."""

from fractions import Fraction

from fatcube.noc.routing.loads import Lane


def loads_way_by_way(routing, matrix, rule, replies=0):
    """The load of every lane, as :func:`fatcube.noc.routing.loads.lane_loads` gives it."""
    topology = routing.topology
    found = {
        Lane(node, channel, lane): Fraction(0)
        for node in range(topology.nodes)
        for channel, _, _ in topology.ends(node)
        for lane in range(topology.f)
    }
    for source, target, way in routing.ways():
        shares = {}
        for processor in topology.processors_of(source):
            others = topology.processors_of(target)
            flow = sum((matrix[processor][other] + replies * matrix[other][processor] for other in others), Fraction(0))
            lanes = rule.lanes(processor, topology.f)
            for lane in lanes:
                shares[lane] = shares.get(lane, Fraction(0)) + flow / len(lanes)
        node = source
        for hop in way:
            for lane, share in shares.items():
                found[Lane(node, hop.channel, lane)] += share
            node, _ = topology.neighbour(node, hop.channel)
    return found

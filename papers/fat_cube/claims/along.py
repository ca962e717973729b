"""Sections 4.2 to 4.4: the Hamiltonian cycle, the time-arc-disjoint trees, and what enters a node in a step.

The schedules are those that ``fatcube schedule --by`` makes.
"""

from collections import Counter
from functools import partial
from operator import attrgetter

import networkx

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.algorithms import ALGORITHMS
from fatcube.papers.fat_cube.fat_case import SINGLE, FatCase, by_size, cases
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.schedule import Schedule, Transfer

claim = partial(PAPER.claim, evidence="transfers of the schedule, which passes the checker")


_BY = {algorithm.name: algorithm for algorithm in ALGORITHMS}
_SHOWN = "(d, m) == (2, 2)"


def _made(instance: FatCase, by: str) -> Schedule:
    return _BY[by].schedule(instance.problem).expanded()


def _file(evidence: Evidence, instance: FatCase, by: str) -> str:
    return evidence.keep(f"{instance.name}-{by}", _made(instance, by))


@claim(
    "{where}",
    "{printed}",
    name="cycle_through_all_processors_{collective}",
    parameters=columns(
        "collective where printed",
        [
            ("AAB", "Theorem 3, proof", "m processors in the node are incorporated into that cycle"),
            ("OAS", "Theorem 4, proof", "going through all processors of one node and then to the following node"),
        ],
    ),
    over=columns("d m", [(d, m) for d, m, f in by_size(SINGLE)]),
)
@said(show=_SHOWN, words="%s cycle through %s processors, with %s links between nodes")
def cycle_through_all_processors(evidence: Evidence, collective: str, d: int, m: int) -> Case:
    """{collective} goes along a Hamiltonian cycle through all m processors of a node, and then those of the next."""
    instance = FatCase.of(d, m, 1, "1", collective)
    cycle = networkx.DiGraph([(one.src, one.dst) for one in _made(instance, "hamiltonian").transfers])
    if collective == "OAS":  # the way back to the source has nothing to carry
        cycle.add_edges_from([(end, 0) for end in list(cycle) if not cycle.out_degree(end)])
    cyclic = all(cycle.out_degree(one) == cycle.in_degree(one) == 1 for one in cycle)
    between = sum(src // m != dst // m for src, dst in cycle.edges())
    found = networkx.number_weakly_connected_components(cycle) if cyclic else 0, len(cycle), between
    return case(found, (1, m << d, 1 << d), evidence=partial(_file, evidence, instance, "hamiltonian"), P=m << d)


@claim(
    "Theorem 3, proof", "in following P - 2 cycles they keep receiving and re-sending", over=cases(SINGLE, "1", "AAB")
)
@said(show=_SHOWN)
def messages_rotate(evidence: Evidence, instance: FatCase, P: int) -> Case:
    """In the first step all P processors send their message, and in P - 2 further ones what they received before."""
    steps: dict[int, list[Transfer]] = {}
    for one in _made(instance, "hamiltonian").transfers:
        steps.setdefault(one.step, []).append(one)
    received, passed_on = {processor: processor for processor in range(P)}, 0
    for step in sorted(steps):
        passed_on += sorted((one.src, one.message.origin) for one in steps[step]) == sorted(received.items())
        received = {one.dst: one.message.origin for one in steps[step]}
    return case(
        f"in {passed_on} of {len(steps)} steps",
        f"in {P - 1} of {P - 1} steps",
        evidence=partial(_file, evidence, instance, "hamiltonian"),
    )


@claim(
    "Theorem 4, proof", "in the (P - 1)-th step all processors will get their messages", over=cases(SINGLE, "1", "OAS")
)
@said(show=_SHOWN)
def farthest_first_arrivals(evidence: Evidence, instance: FatCase, P: int) -> Case:
    """The source sends to the most remote first along the cycle, and in step P - 1 all processors get their messages."""
    transfers = _made(instance, "hamiltonian").transfers
    hops = Counter(one.message.target for one in transfers)
    sent = [hops[one.message.target] for one in sorted(transfers, key=attrgetter("step")) if one.src == 0]
    arrivals = Counter(one.step for one in transfers if one.dst == one.message.target)
    found = ", ".join(f"{number} in step {step}" for step, number in sorted(arrivals.items()))
    in_order = sent == sorted(sent, reverse=True)
    return judged(
        f"{found}, sent {'farthest first' if in_order else 'in another order'}",
        f"{P - 1} in step {P - 1}, sent farthest first",
        in_order and arrivals == {P - 1: P - 1},
        evidence=partial(_file, evidence, instance, "hamiltonian"),
    )


@claim("Theorem 4, proof", "we cannot use more than f = 1 external link", over=cases(SINGLE, "1", "OAS"))
@said(show=_SHOWN, evidence="lanes of a link that a step of the schedule uses in one direction, with 3 lanes a link")
def one_external_link(instance: FatCase, m: int) -> Case:
    """Along the cycle no step of OAS uses more than one lane of a link."""
    transfers = _made(instance.changed(f=3), "hamiltonian").transfers
    lanes = Counter((one.step, one.src // m, one.dst // m) for one in transfers if one.src // m != one.dst // m)
    return case(f"at most {max(lanes.values())}", "at most 1")


@claim("section 4.2", "synchronously with no conflicts", over=each(d=range(1, 8)))
@said(
    show="d == 3",
    words="%s steps, at most %s on a link in a step, copies of %s tree",
    reading="Of optimal algorithms, so that they take the ceil((P - 1)/d) steps of Table 3; the checker knows conflicts too",
)
def trees_do_not_conflict(evidence: Evidence, d: int) -> Case:
    """On the all-port hypercube all processors use time-arc-disjoint trees synchronously with no conflicts."""
    cube, instance = Hypercube(d), FatCase.of(d, 1, 1, "d", "AAB")
    schedule = _made(instance, "tadt")
    loads = Counter((one.step, one.src, one.dst) for one in schedule.transfers)
    trees: dict[int, set[tuple[int, int, int]]] = {}
    for one in schedule.transfers:
        origin = one.message.origin
        assert origin is not None
        trees.setdefault(origin, set()).add((one.step, one.src ^ origin, one.dst ^ origin))
    different = {frozenset(tree) for tree in trees.values()}
    found = schedule.steps, max(loads.values()), len(different)
    shown = partial(_file, evidence, instance, "tadt")
    return case(found, (ceil_div(cube.nodes - 1, d), 1, 1), evidence=shown, P=cube.nodes)


def _entering(topology: FatCube, k: int) -> int:
    """The most messages that enter node 0 in a step: the largest flow from its neighbours' processors, of k ports."""
    graph, m = networkx.DiGraph(), topology.m
    for node in topology.graph[0]:
        for processor in topology.processors_of(node):
            graph.add_edge("sent", ("from", processor), capacity=k)
            graph.add_edge(("from", processor), ("node", node))
        graph.add_edge(("node", node), "node", capacity=topology.graph.number_of_edges(node, 0))
    for processor in range(m):
        graph.add_edge("node", ("to", processor))
        graph.add_edge(("to", processor), "received", capacity=k)
    return round(networkx.maximum_flow_value(graph, "sent", "received"))


@claim(
    "{where}",
    "{text}",
    name="messages_into_a_node_{model}",
    parameters=columns(
        "model where text",
        [
            ("d", "Theorem 3, proof", "min(f d, m d)"),
            ("*", "Theorem 3, proof", "min(f d, m (d + m - 1))"),
            ("1", "Theorem 5", "min(m, f d)"),
        ],
    ),
    over=columns("d m f", by_size((d, m, f) for d in range(1, 6) for m in range(2, 6) for f in range(1, 7))),
    evidence="the largest flow through the ports of the processors and the lanes between the nodes",
)
def messages_into_a_node(model: str, d: int, m: int, f: int) -> Case:
    """In model {model} not more than {text} messages arrive at a node in a step, and so many can."""
    instance = FatCase.of(d, m, f, model, "AAB")
    return case(_entering(instance.topology, instance.k), min(f * d, m * instance.k))

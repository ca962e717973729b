"""Sections 3.2, 8.2 and 8.3: the distributed algorithms, run on processors that have no program.

Every claim of a run is tried from every source, on one machine: on each wire the packets of each step are compared with
the schedule along the graph, and every message with what was loaded.
"""

from collections import Counter
from fractions import Fraction
import functools
from math import ceil

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs.claims.common import approximation
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.verdict import Case, case
from fatcube.rtl.endpoint.distributed.rules import Rule, table_of_port
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.construct import construct_along
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.sim.collectives.distributed import collective_of
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all

ON_RTL = "run on the RTL from every source, without programs, every wire compared with the schedule"

claim = functools.partial(PAPER.claim, evidence=ON_RTL, over=each(n=range(2, 6)))


def _ran(rule: Rule, ports: str, n: int, parts: int = 1) -> str:
    """A sentence with the steps that the hardware counts from all sources, and the faults of all runs."""
    network = Network(Hypercube(n), RouterOptions(ports=PortModel.parse(ports)), parts=parts)
    machine = fitting_machine(network, payload_flits=1, distributed=rule)
    graphs = (spanning_graph(rule.value, n, source) for source in range(1 << n))
    schedules = [
        construct_along(graph, Problem(Hypercube(n), ports, collective_of(rule), graph.source, parts=parts)).found
        for graph in graphs
    ]
    results = simulate_all(machine, [Run(schedule=schedule, payload_flits=1) for schedule in schedules])
    steps = sorted({result.steps for result in results})
    return _in_words(steps, sum(map(len, (result.failures for result in results))))


def _in_words(steps: list[int], faults: int = 0) -> str:
    return f"{', '.join(map(str, steps))} steps, {faults or 'no'} faults"


@claim("section 3.2", "its own address, and the source")
def tree_by_own_address(n: int) -> Case:
    """SBT: its definition can be used as a distributed algorithm: each node only needs its own address and the source, one-port
    broadcasting of one message."""
    return case(_ran(Rule.SBT, "1", n), _in_words([n]))


@claim(
    "section 8.2",
    "leading zeroes",
    name="retransmission_{name}",
    parameters=columns("name words ports", [("one_port", "one-port", "1"), ("n_port", "n-port", "d")]),
)
def retransmission(ports: str, n: int) -> Case:
    """SBT: a processor retransmits what it receives to the nodes of the leading zeroes of its address, {words}, 2 n + 1
    messages."""
    M = 2 * n + 1
    return case(_ran(Rule.SBT, ports, n, M), _in_words([n * M if ports == "1" else n + M - 1]))


@claim("section 8.2", "leaf, or k + 1, ..., j")
@said(reading="The tree of a packet follows from the port at which it arrives, and need not stand in its header.")
def broadcast_by_arrival(n: int) -> Case:
    """nESBT: the rule of the port at which a message arrives is a control that does, n-port, 2 n + 1 messages."""
    M = 2 * n + 1
    return case(_ran(Rule.NESBT, "d", n, M), _in_words([ceil(M / n) + n]))


@claim("section 8.3", "by the base, and the first 1 to its left")
@said(
    reading="The source serves all ports at once in the order of its table, reverse-breadth-first; a node sends on in the "
    "next step. The bound is that of a port: the most addresses behind one."
)
def scatter_by_destination(n: int) -> Case:
    """SBnT: the root has a table of messages, and an internal node routes by the destination of a message, n-port."""
    bases = Counter(_base(address, n) for address in range(1, 1 << n))
    return case(_ran(Rule.SBNT, "d", n), _in_words([max(bases.values())]))


def _base(address: int, n: int) -> int:
    """The fewest steps to the right that make an address least, from its n rotations as texts."""
    turned = [f"{address:0{n}b}"[n - steps :] + f"{address:0{n}b}"[: n - steps] for steps in range(n)]
    return turned.index(min(turned))


@claim("section 8.3", "N/n", over=(), evidence="counted in the table of the RTL")
def length_of_table() -> Cases:
    """SBnT: the table that the root keeps has about N/n entries."""
    for n in range(2, 11):
        yield approximation({"n": n}, Fraction(len(table_of_port(n, 0))), Fraction(1 << n, n))


@claim("section 8.3", "once", over=each(n=range(2, 11)), evidence="counted in the table of the RTL")
def period_in_table(n: int) -> Case:
    """SBnT: with the table rotated for port j, without entries whose period is at most j, every node gets its data once."""
    served = Counter(target for port in range(n) for target in table_of_port(n, port))
    text = "{} nodes, at most {} time(s) each"
    return case(text.format(len(served), max(served.values())), text.format((1 << n) - 1, 1))

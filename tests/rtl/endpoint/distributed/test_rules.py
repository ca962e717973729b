"""To whom a node sends on, in logic: held against the spanning graphs, which are built from parents and children."""

from amaranth.hdl import Module, Signal
from amaranth.sim import Simulator
import pytest

from fatcube.rtl.endpoint.distributed.rules import Rule, dimensions_ahead, table_of_port
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.schedules.spanning.phases import paths


def of_logic(rule, n, cases, along=0):
    """The sets of dimensions that the logic says for pairs of c and what lies ahead."""
    m = Module()
    relative, ahead, found = Signal(n), Signal(n), Signal(n)
    m.d.comb += found.eq(dimensions_ahead(m, rule, relative, ahead, along))
    sets = []

    async def ask(ctx):
        for c, beyond in cases:
            ctx.set(relative, c)
            ctx.set(ahead, beyond)
            answer = ctx.get(found)
            sets.append({d for d in range(n) if answer >> d & 1})

    simulator = Simulator(m)
    simulator.add_testbench(ask)
    simulator.run()
    return sets


def to_children(graph, node, tree=0):
    return {(node ^ child).bit_length() - 1 for child in graph.children(node, tree)}


@pytest.mark.parametrize("n", range(1, 7))
def test_binomial_tree(n):
    graph = spanning_graph("sbt", n)
    nodes = range(1, 1 << n)
    assert of_logic(Rule.SBT, n, [(c, 0) for c in nodes]) == [to_children(graph, c) for c in nodes]


@pytest.mark.parametrize("n", range(1, 7))
def test_edge_disjoint_trees(n):
    """Of every tree: what comes along the edge from the parent goes on to the children. Every dimension is asked."""
    graph = spanning_graph("nesbt", n)
    expected = {
        (tree, c): ((c ^ graph.above(c, tree)).bit_length() - 1, to_children(graph, c, tree))
        for tree in range(n)
        for c in range(1, 1 << n)
    }
    for k in range(n):
        edges = {c: children for (_, c), (along, children) in expected.items() if along == k}
        assert of_logic(Rule.NESBT, n, [(c, 0) for c in edges], k) == list(edges.values())
        assert len(edges) == (1 << n) - 1


@pytest.mark.parametrize("n", range(1, 7))
def test_balanced_tree(n):
    """A message for every node, at every node on its path but the source; at the target it goes no further."""
    ways = paths(spanning_graph("sbnt", n), 0)
    cases = [(node, node ^ way[-1]) for way in ways for node in way[1:]]
    steps = [{(here ^ there).bit_length() - 1} for way in ways for here, there in zip(way[1:], way[2:])]
    found = of_logic(Rule.SBNT, n, cases)
    assert [dimensions for dimensions, (_, ahead) in zip(found, cases) if ahead] == steps
    assert all(not dimensions for dimensions, (_, ahead) in zip(found, cases) if not ahead)


@pytest.mark.parametrize("n", range(1, 9))
def test_table_of_a_source(n):
    """Every node once, behind the port that its path begins with, and never one that is farther than the one before."""
    graph = spanning_graph("sbnt", n)
    first = {way[-1]: (way[1]).bit_length() - 1 for way in paths(graph, 0)}
    tables = [table_of_port(n, port) for port in range(n)]
    assert {target: port for port, table in enumerate(tables) for target in table} == first
    assert sum(map(len, tables)) == (1 << n) - 1
    for table in tables:
        distances = [target.bit_count() for target in table]
        assert distances == sorted(distances, reverse=True)


def test_tables_by_hand():
    """n = 4: 0101 has a period of 2, and belongs to ports 0 and 1 with 1010; 1111 belongs to port 0."""
    assert table_of_port(4, 0) == [0b1111, 0b0111, 0b0011, 0b0101, 0b0001]
    assert table_of_port(4, 1) == [0b1110, 0b0110, 0b1010, 0b0010]
    assert table_of_port(4, 3) == [0b1011, 0b1001, 0b1000]

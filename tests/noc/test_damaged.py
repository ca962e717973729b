"""Networks with failures: what is left of them, by hand and against networkx, and failures that are refused."""

import itertools
import json
import pickle
import random

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.measures import measure
from fatcube.noc.topologies import make_topology, topology_from_json
from fatcube.noc.topologies.ccc import CubeConnectedCycles as CCC
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import Damaged, damaged
from fatcube.noc.topologies.failures import FORMAT, Failure, read_failures
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.graph import Link, make_graph
from fatcube.noc.topologies.grids import Mesh, Torus


def _links_by_hand(whole, failures):
    """The links that are left, as (node, channel, lane, other), without asking Damaged."""
    left = set()
    for node in range(whole.nodes):
        for channel, other, _ in whole.ends(node):
            number = whole.channels_between(node, other).index(channel) * whole.f
            left.update((node, channel, lane, other, number + lane) for lane in range(whole.f))
    for text in failures:
        kind, rest = text.split(":", 1)
        if kind == "node":
            left = {wire for wire in left if int(rest) not in (wire[0], wire[3])}
        if kind in ("link", "lane"):
            ends, *more = rest.split(":")
            node, other = map(int, ends.split("-"))
            lanes = [int(part) for part in more if part != "out"] or range(1000)
            out = "out" in more
            back = {
                whole.other_end(node, other, lane) for lane in lanes if lane < len(whole.lanes_between(node, other))
            }
            left = {
                wire
                for wire in left
                if not (wire[0] == node and wire[3] == other and wire[4] in lanes)
                and not (not out and wire[0] == other and wire[3] == node and wire[4] in back)
            }
    return left


def _links_of(topology):
    return {
        (node, channel, lane, other, topology.channels_between(node, other).index(channel) * topology.f + lane)
        for node in range(topology.nodes)
        for channel, other, _ in topology.ends(node)
        for lane in topology.lanes_of(node, channel)
    }


@pytest.mark.parametrize(
    "whole", [Hypercube(3), FatCube(2, 2, 2), Mesh(w=4, d=2), Torus(w=3, d=2), CCC(3), SparseGHC(3, 2, 1, 3)], ids=str
)
def test_what_is_left(whole):
    """Catches a failure that takes too much or too little along, at 40 random sets, and a name that is not canonical."""
    dice, tried = random.Random(str(whole)), 0
    links = [(node, other) for node in range(whole.nodes) for _, other, _ in whole.ends(node)]
    while tried < 40:
        failures = []
        for _ in range(dice.randint(1, 4)):
            node, other = dice.choice(links)
            lane = dice.randrange(len(whole.lanes_between(node, other)))
            out = dice.choice(["", ":out"])
            failures.append(
                dice.choice(
                    [
                        f"link:{node}-{other}{out}",
                        f"lane:{node}-{other}:{lane}{out}",
                        f"node:{node}",
                        f"processor:{node}",
                    ]
                )
            )
        topology = Damaged(whole, tuple(failures))
        left = _links_by_hand(whole, failures)
        assert _links_of(topology) == left
        assert topology.lanes == len(left)
        dead = {int(text[5:]) for text in failures if text.startswith("node")}
        assert set(topology.working) == {
            one
            for one in range(whole.processors)
            if whole.node_of(one) not in dead and f"processor:{one}" not in failures
        }
        again = Damaged(whole, tuple(dice.sample(topology.failed, len(topology.failed))) * 2)
        assert again == topology and topology_cut(topology) == refused(topology)
        if not refused(topology):
            assert topology_from_json(json.loads(json.dumps(topology.to_json()))) == topology
        restored = pickle.loads(pickle.dumps(topology))
        assert restored == topology and restored.working == topology.working
        tried += 1


def refused(topology):
    try:
        topology.check()
    except ParameterError as error:
        assert "\n" not in str(error)
        return True
    return False


def topology_cut(topology):
    graph = networkx.DiGraph((wire[0], wire[3]) for wire in _links_of(topology))
    graph.add_nodes_from(topology.left)
    return not networkx.is_strongly_connected(graph.subgraph(topology.left))


def test_canonical_names():
    """Catches two values for the same failures, as results are found by them."""

    def named(whole, text):
        return Damaged(whole, tuple(text.split(","))).failed

    cube = FatCube(2, 2, 2)
    assert named(cube, "lane:1-0:0,lane:0-1:1") == ("link:0-1",)
    assert named(cube, "link:1-0:out,link:0-1:out,link:0-1") == ("link:0-1",)
    assert named(cube, "lane:1-0:0:out,lane:1-0:1:out") == ("link:1-0:out",)
    assert named(cube, "lane:1-0:0:out,lane:0-1:0") == ("lane:0-1:0",)
    assert named(cube, "lane:3-2:1:out, link:2-3:out") == ("link:2-3:out", "lane:3-2:1:out")
    assert named(cube, "processor:6,node:3,link:3-2,processor:0") == ("node:3", "processor:0")
    # Two links between the same nodes: the second one's lanes are 2 and 3, and each end numbers them in its own order.
    pair = make_graph([("a", 1), ("b", 1), ("c", 1)], [Link("a", "b", False, 2)] * 2 + [Link("b", "c", False, 2)])
    assert named(pair, "lane:1-0:3,lane:0-1:2") == ("lane:0-1:2", "lane:0-1:3")


TWICE = make_graph([(name, 1) for name in "abc"], [*[Link("a", "b", False, 2)] * 2, Link("b", "c", False, 2)])


@pytest.mark.parametrize(
    ("whole", "failed", "ends", "there", "back"),
    [
        (CCC(2, 1, 2), "node:7", (0, 1), [0, 1, 2, 3], {0, 1, 2, 3}),
        (CCC(2, 1, 2), "lane:0-1:2", (0, 1), [0, 1, 3], {1, 2, 3}),  # lane 2 of node 0 is lane 0 of node 1
        (CCC(2, 1, 2), "lane:0-1:1:out,node:6", (0, 1), [0, 2, 3], {0, 1, 2, 3}),
        (CCC(2, 1, 2), "lane:2-3:0,node:1", (2, 3), [1, 2, 3], {0, 1, 3}),
        (TWICE, "lane:0-1:2", (0, 1), [0, 1, 3], {0, 1, 3}),
        (TWICE, "lane:1-0:3:out,lane:1-0:0:out", (0, 1), [0, 1, 2, 3], {1, 2}),
        (TWICE, "lane:1-2:0", (1, 2), [1], {1}),
        (FatCube(2, 2, 4), "node:0,lane:1-3:2", (1, 3), [0, 1, 3], {0, 1, 3}),
        (SparseGHC(3, 2, 1, 3), "lane:0-1:1", (0, 1), [0, 2], set()),
    ],
    ids=str,
)
def test_lanes_of_survivors_have_their_numbers_in_the_network(whole, failed, ends, there, back):
    """By hand, both ways: those that work, in order, of links of one or two channels with one or several lanes each."""
    topology = damaged(whole, failed.split(","))
    left = topology.survivors
    node, other = (left.places.index(end) for end in ends)
    assert [left.lane_in_network(node, other, lane) for lane in left.lanes_between(node, other)] == there
    assert {left.lane_in_network(other, node, lane) for lane in left.lanes_between(other, node)} == back
    if not topology.directed:
        for lane in left.lanes_between(node, other):
            far = left.other_end(node, other, lane)
            known = whole.other_end(*ends, left.lane_in_network(node, other, lane))
            assert left.lane_in_network(other, node, far) == known


@pytest.mark.parametrize(
    ("failed", "message"),
    [
        ("link:0-3", "as no link leads from node 0 to node 3"),
        ("link:0-9", "node of link:0-9 must be an integer from 0 to 3, not 9"),
        ("lane:0-1:2", "lane of lane:0-1:2 must be an integer from 0 to 1, not 2"),
        ("node:4", "failed node must be an integer from 0 to 3, not 4"),
        ("processor:8", "failed processor must be an integer from 0 to 7, not 8"),
        ("node:0,node:1,node:2,processor:6", "failures must leave two processors or more"),
        ("link:0-1,link:0-2", "leave none from node 0 to 3 nodes: 1, 2, 3"),
        ("link:0-1:out,link:3-1:out", "leave none from node 0 to 1 node: 1"),
        ("link:1-0:out,link:1-3:out", "leave none back to node 0 from 1 node: 1"),
        ("router:3", "failure must be link:NODE-NODE, lane:NODE-NODE:LANE"),
        ("", "failure must be link:NODE-NODE"),
        ("link:0-1:out:out", "failure must be link:NODE-NODE"),
    ],
)
def test_refused(failed, message):
    """Catches failures of what does not exist, or that cut a network, which would fail later and somewhere else."""
    with pytest.raises(ParameterError, match=message) as caught:
        make_topology("fat-cube", d=2, m=2, f=2, failed=failed)
    assert "\n" not in str(caught.value)


def test_links_that_go_one_way():
    """Catches a failed node that links still lead to, where none leads back."""
    ring = SparseGHC(3, 2, 1, 1)
    if not ring.directed:
        ring = make_graph([(name, 1) for name in "abc"], [Link(a, b, True, 1) for a, b in ("ab", "bc", "ca", "ac")][:3])
    topology = Damaged(ring, ("node:1",))
    assert all(1 not in (wire[0], wire[3]) for wire in _links_of(topology))
    for node, other in itertools.permutations(range(3), 2):
        if ring.channels_between(node, other):
            assert Damaged(ring, (f"link:{node}-{other}",)) == Damaged(ring, (f"link:{other}-{node}",))


def test_files(tmp_path):
    """Catches names of nodes that are not found, and what is no list of failures."""
    graph = make_graph([(name, 2) for name in "abcd"], [Link(a, b, False, 2) for a, b in ("ab", "bc", "cd", "da")])
    file = tmp_path / "failures.json"

    def read(failed, **more):
        file.write_text(json.dumps({"format": "fatcube.failures/1", "failed": failed} | more))
        return [str(failure) for failure in read_failures(file, graph)]

    given = [
        {"link": ["d", "a"], "out": True},
        {"link": ["a", 1], "lane": 1},
        {"node": "c"},
        {"processor": 0},
        "node:3",
    ]
    assert read(given) == ["link:3-0:out", "lane:0-1:1", "node:2", "processor:0", "node:3"]
    for wrong in (
        [{"link": ["a", "e"]}],
        [{"link": ["a"]}],
        [{"node": "a", "out": True}],
        [{"lane": 1}],
        [{"processor": -1}],
        [{"link": ["a", "b"], "out": 1}],
        [],
        "link:0-1",
        [3],
    ):
        with pytest.raises(ParameterError, match="failures.json: ") as caught:
            read(wrong)
        assert "\n" not in str(caught.value)
    with pytest.raises(ParameterError, match="an object with"):
        read(["node:1"], more=1)


def _sum_and_diameter(topology):
    hops = [
        length
        for _, lengths in networkx.all_pairs_shortest_path_length(topology.survivors.graph)
        for length in lengths.values()
    ]
    return sum(hops), max(hops)


def test_one_dead_link_of_a_cube_adds_four_hops():
    """The sums of distances of models.md, section 8: 96 to 100 and 512 to 516 over unordered pairs twice; diameter n."""
    for n, whole in ((3, 96), (4, 512)):
        assert _sum_and_diameter(damaged(Hypercube(n), ["link:0-1"])) == (whole + 4, n)


@pytest.mark.parametrize(("n", "diameters"), [(3, (7, 6, 6)), (4, (9, 9, 9)), (5, (11, 11, 11))])
def test_diameters_of_cube_connected_cycles(n, diameters):
    """Diameters after a lateral link, a cycle link and a node have failed, for every one of them with n = 3 (models.md, 8)."""
    whole = CCC(n)
    kinds = [[], [], [f"node:{node}" for node in range(whole.nodes)]]
    for node, other, _ in whole._links():
        kinds[node // n == other // n].append(f"link:{node}-{other}")
    for failures, diameter in zip(kinds, diameters, strict=True):
        for failure in failures if n == 3 else failures[:1]:
            assert measure(damaged(whole, [failure]), effort=0).diameter == diameter


@pytest.mark.parametrize("n", range(2, 7))
def test_cubes_survive_one_failure_less_than_dimensions(n):
    """By maximum flow: without n - 1 links or nodes around a node there is still a way to every other; n cut it off."""
    cube = Hypercube(n)
    flow = networkx.algorithms.connectivity.local_node_connectivity
    assert min(flow(cube.adjacent, 0, node) for node in range(2, cube.nodes) if node.bit_count() > 1) == n
    around = [1 << b for b in range(n)]
    for survived in (around[:-1], around[1:]):
        for kind in ("link:0-{}", "node:{}"):
            damaged(cube, [kind.format(node) for node in survived])
    with pytest.raises(ParameterError, match="failures must leave"):
        damaged(cube, [f"link:0-{node}" for node in around])


def test_failure_text():
    for text in ("link:0-1", "link:0-1:out", "lane:0-1:2", "lane:0-1:2:out", "node:5", "processor:9"):
        assert str(Failure.parse(f" {text} ")) == text


def test_a_file_of_as_many_failures_as_there_may_be(monkeypatch, tmp_path):
    monkeypatch.setattr("fatcube.noc.topologies.failures.MOST_FAILURES", 3)
    file = tmp_path / "failed.json"
    for count in (3, 4, 0):
        file.write_text(json.dumps({"format": FORMAT, "failed": ["node:1"] * count}))
        if count == 3:
            assert read_failures(file, Mesh(w=3, d=2)) == [Failure("node", (1,))] * 3
        else:
            with pytest.raises(ParameterError, match=": failed must be a list of 1 to 3 failures, not "):
                read_failures(file, Mesh(w=3, d=2))

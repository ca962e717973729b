"""Rows of the fat-cube audit on what goes along cycles and trees and into a node: derived again, and red where a bug is planted."""

from collections import Counter
import dataclasses
import itertools

import networkx
import pytest

from fatcube.noc.topologies.cubes import FatCube
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.claims import PAPER, along, networks
from fatcube.papers.fat_cube.fat_case import FatCase
from tests.support.audits import said, stored, without_counts

ROWS = {row.name: row for row in stored("fat-cube")}


def verdict(tmp_path, name):
    return without_counts(PAPER.find(name).row(Evidence(tmp_path)).verdict)


def cycle(d, m):
    """The cycle as pairs of processors: the nodes of a smaller cube to and fro, and m processors in each."""
    nodes = [0]
    for bit in range(d):
        nodes += [node | 1 << bit for node in reversed(nodes)]
    order = [node * m + place for node in nodes for place in range(m)]
    return dict(zip(order, [*order[1:], order[0]]))


@pytest.mark.parametrize(("d", "m"), [(1, 2), (2, 2), (2, 3), (3, 4)])
def test_every_transfer_is_on_the_cycle(d, m):
    """Followed step by step from what is typed in here: who has which message after each step."""
    after, P = cycle(d, m), m << d
    gather = along._made(FatCase.of(d, m, 1, "1", "AAB"), "hamiltonian")
    expected, now = set(), {processor: processor for processor in range(P)}
    for step in range(1, P):
        expected |= {(step, src, after[src], origin) for src, origin in now.items()}
        now = {after[src]: origin for src, origin in now.items()}
    assert {(one.step, one.src, one.dst, one.message.origin) for one in gather.transfers} == expected
    scatter, expected, way = along._made(FatCase.of(d, m, 1, "1", "OAS"), "hamiltonian"), set(), [0]
    while len(way) < P:
        way.append(after[way[-1]])
    for place, target in enumerate(way[1:], start=1):
        expected |= {(P - place + hop, way[hop], way[hop + 1], target) for hop in range(place)}
    assert {(one.step, one.src, one.dst, one.message.target) for one in scatter.transfers} == expected


@pytest.mark.parametrize(
    ("model", "ports"), [("one", lambda d, m: 1), ("d_port", lambda d, m: d), ("all_port", lambda d, m: d + m - 1)]
)
def test_messages_into_a_node_one_by_one(tmp_path, model, ports):
    """One message after the other takes a lane, a port that sends and one that receives, until nothing is left."""
    for one in PAPER.find(f"messages_into_a_node_{model}").cases(Evidence(tmp_path)):
        d, m, f = (one.given[letter] for letter in "dmf")
        left = Counter({f"lane {bit}": f for bit in range(d)} | {"ports that receive": m * ports(d, m)})
        entered = 0
        for bit, place in itertools.product(range(d), range(m)):
            sender = f"ports of {bit}, {place}"
            left[sender] = ports(d, m)
            while left[sender] and left[f"lane {bit}"] and left["ports that receive"]:
                left.subtract([sender, f"lane {bit}", "ports that receive"])
                entered += 1
        assert one.found == entered == one.printed


def test_trees_do_not_conflict_by_dimension():
    """Translations of a tree are apart where the edges of one step are in different dimensions."""
    for d in range(1, 7):
        made = along._made(FatCase.of(d, 1, 1, "d", "AAB"), "tadt")
        tree = [one for one in made.transfers if one.message.origin == 0]
        assert len({(one.step, one.src ^ one.dst) for one in tree}) == len(tree) == 2**d - 1
        assert made.steps == -(-(2**d - 1) // d)


def test_diameters_by_formula(tmp_path):
    """2 d + floor(d/2) - 2 for CCC beyond d = 3, floor(3 d/2) and 2 d for butterflies."""
    for one in PAPER.find("derived_diameter").cases(Evidence(tmp_path)):
        d = one.given["d"]
        formula = {"CCC": 2 * d + d // 2 - 2 if d > 3 else 6, "wrapped butterfly": 3 * d // 2, "butterfly": 2 * d}
        assert one.found.startswith(f"{formula[one.given['topology']]} against ")


def test_easier_mapping_over_all_halves(tmp_path):
    """Up to 16 nodes: the fewest links between two halves of the nodes."""

    def narrowest(links, nodes):
        halves = map(set, itertools.combinations(range(1, nodes), nodes // 2))
        return min(sum((u in half) != (v in half) for u, v in links) for half in halves)

    thin = {d: narrowest(networks.Hypercube(d).graph.edges(), 1 << d) for d in range(1, 5)}
    tried = 0
    for one in PAPER.find("easier_mapping").cases(Evidence(tmp_path)):
        d, m, f = (one.given[letter] for letter in "dmf")
        if m << d <= 16:
            fat = f * thin[d]
            assert (one.found, one.holds) == (f"{fat} against {thin[d + m // 2]} links", fat < thin[d + m // 2])
            tried += 1
    assert tried == 25


def changed(monkeypatch, change):
    """Schedules along a cycle or trees are other ones, in which each transfer is changed."""
    real = along._made

    def made(instance, by):
        schedule = real(instance, by)
        moved = (change(one, schedule) for one in schedule.transfers)
        return dataclasses.replace(schedule, transfers=tuple(moved))

    monkeypatch.setattr(along, "_made", made)
    monkeypatch.setattr(along, "_file", lambda evidence, instance, by: "a file")


def other_order(one, schedule):
    """Processors 1 and m change their places on the cycle."""
    swapped = {1: schedule.topology.m, schedule.topology.m: 1}
    return dataclasses.replace(one, src=swapped.get(one.src, one.src), dst=swapped.get(one.dst, one.dst))


def in_half(one, schedule):
    return dataclasses.replace(one, step=(one.step + 1) // 2)


def backwards(one, schedule):
    return dataclasses.replace(one, step=schedule.steps + 1 - one.step)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("cycle_through_all_processors_AAB", other_order),
        ("cycle_through_all_processors_OAS", other_order),
        ("messages_rotate", backwards),
        ("farthest_first_arrivals", backwards),
        ("one_external_link", in_half),
        ("trees_do_not_conflict", in_half),
    ],
)
def test_another_schedule_is_red(tmp_path, monkeypatch, name, change):
    assert verdict(tmp_path, name) == "holds"
    changed(monkeypatch, change)
    assert verdict(tmp_path, name).startswith("wrong: ")


@pytest.mark.parametrize("model", ["one", "d_port", "all_port"])
def test_a_lane_more_is_red(tmp_path, monkeypatch, model):
    name = f"messages_into_a_node_{model}"
    assert verdict(tmp_path, name) == "holds"
    monkeypatch.setattr(along.FatCase, "of", lambda d, m, f, *rest: FatCase(FatCube(d, m, f + 1), *rest))
    assert verdict(tmp_path, name).startswith("wrong: ")


def test_graphs_that_are_long_are_red(tmp_path, monkeypatch):
    assert verdict(tmp_path, "derived_diameter") == "holds"
    monkeypatch.setitem(networks._DERIVED, "CCC", lambda d: networkx.cycle_graph(d << d))
    assert verdict(tmp_path, "derived_diameter").startswith("wrong: ")


def test_links_of_nodes_that_are_not_counted_are_red(tmp_path, monkeypatch):
    """The width of the hypercube without its last dimension: no fat cube of f = m / 2 would be easier."""
    assert verdict(tmp_path, "easier_mapping") == "holds only if f < m"
    monkeypatch.setattr(networks, "Hypercube", lambda d: FatCube(d - 1))
    assert verdict(tmp_path, "easier_mapping") != "holds only if f < m"


NAMES = [
    *("derived_diameter", "easier_mapping", "trees_do_not_conflict", "messages_rotate", "farthest_first_arrivals"),
    *("one_external_link", "cycle_through_all_processors_AAB", "cycle_through_all_processors_OAS"),
    *("messages_into_a_node_one", "messages_into_a_node_d_port", "messages_into_a_node_all_port"),
]


@pytest.mark.parametrize("name", NAMES)
def test_they_are_as_they_are_stored(tmp_path, name):
    assert said(PAPER.find(name).row(Evidence(tmp_path))) == said(ROWS[name])

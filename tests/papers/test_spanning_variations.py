"""Rows of section 4.2 on variations of a path and on rounds of n packets: derived again, and red where a bug is planted."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from fatcube.papers.evidence import Evidence
from fatcube.papers.spanning_graphs.claims import PAPER, variations
from fatcube.schedules.spanning.graphs import SBT
from fatcube.schedules.spanning.packets import check_execution
from fatcube.schedules.spanning.pipelines import broadcast_oldest_first
from tests.support.audits import stored, without_counts

PATHS = ["delay_of_opposite_paths", "delay_of_central_path"]
PATHS += [name.replace("delay_of", "cycles_apart_of") for name in PATHS]


def row(tmp_path, name):
    return PAPER.find(name).row(Evidence(tmp_path))


@pytest.mark.parametrize("name", [*PATHS, "rounds_of_nRSBT"])
def test_they_are_as_they_are_stored(tmp_path, name):
    found = row(tmp_path, name)
    assert found == next(one for one in stored("spanning-graphs") if one.name == name) and found.verdict == "holds"


def test_delays_by_hand(tmp_path):
    """Two paths start a cycle apart where there is one port; the center of a path is N / 2 hops from its end."""
    for name, one_port, ports in (("opposite", 0, -1), ("central", Fraction(-1, 2), Fraction(-1, 2))):
        for one in PAPER.find(f"delay_of_{name}_path{'s' * (name == 'opposite')}").cases(Evidence(tmp_path)):
            N = 2 ** one.given["n"]
            expected = N + (one_port if one.given["ports"] == "one-port" else ports) * (1 if name == "opposite" else N)
            assert one.found == f"{expected} against {N - 1} cycles"


def test_delays_are_those_of_pipelines(tmp_path):
    """The first packets along the graphs that are pipelined take what the schedules of --by take."""
    for name, graph in variations._VARIATIONS.items():
        claim = PAPER.find(f"delay_of_{name.replace('-', '_')}")
        for one in claim.cases(Evidence(tmp_path)):
            made = graph(one.given["n"])
            execution = broadcast_oldest_first(made, one.given["ports"], made.trees, 1)
            assert one.found.startswith(f"{check_execution(execution).startups} against ")


def test_packets_apart_by_hand(tmp_path):
    """With one port a node receives in a cycle and sends in the next; of opposite paths it serves both at once."""
    for name, least in (("opposite_paths", Fraction(1, 2)), ("central_path", 1)):
        for one in PAPER.find(f"cycles_apart_of_{name}").cases(Evidence(tmp_path)):
            path = 2 if one.given["ports"] == "one-port" else 1
            assert one.found == f"{least * path} against {path} cycles"


@pytest.mark.parametrize("n", range(2, 7))
def test_rounds_of_rotated_trees_by_the_loads_of_the_source(n):
    """Every tree sends over every port of the source once, so that n packets keep all its ports busy for n cycles."""
    assert variations._apart("nrsbt", n) == n
    sends = [packet for cycle in variations._rounds("nrsbt", n, n, 1).cycles for packet in cycle if packet.src == 0]
    assert sorted(packet.dst for packet in sends) == sorted([1 << port for port in range(n)] * n)


@pytest.mark.parametrize("name", PATHS)
def test_more_than_a_factor_of_two_is_red(tmp_path, monkeypatch, name):
    """A delay of 2 N - 1 cycles, and a binomial tree in place of the path, whose source needs n cycles for each packet."""
    for kind in variations._VARIATIONS:
        monkeypatch.setitem(variations._VARIATIONS, kind, SBT)
        slow = SimpleNamespace(schedule=lambda problem: SimpleNamespace(steps=2 * problem.topology.nodes - 1))
        monkeypatch.setitem(variations._BY, kind, slow)
    assert row(tmp_path, name).verdict.startswith("wrong: ")


@pytest.mark.parametrize("name", ["rounds_of_nRSBT", "rounds_of_nRBRG"])
def test_other_rounds_are_red(tmp_path, monkeypatch, name):
    """Rounds of nRSBT a cycle sooner than they can be, and of nRBRG in every cycle."""
    assert without_counts(row(tmp_path, name).verdict) in ("holds", "holds only if n > 2")
    monkeypatch.setattr(variations, "_apart", lambda kind, n: n - 1 if kind == "nrsbt" else 1)
    assert row(tmp_path, name).verdict.startswith("wrong: ")


def test_labels_that_make_a_conflict_put_rounds_apart(monkeypatch):
    """Rotated trees served level by level ask for a link twice, so that not even one round is free of conflicts."""
    monkeypatch.setattr(variations, "by_size", variations.by_level)
    variations._apart.cache_clear()
    variations._rounds.cache_clear()
    with pytest.raises(AssertionError, match="no conflict"):
        variations._apart("nrsbt", 3)
    variations._apart.cache_clear()
    variations._rounds.cache_clear()


@pytest.mark.parametrize(
    "name",
    ["startups_with_best_packets_SBT_one_port", "startups_with_best_packets_nESBT_n_port"]
    + ["bandwidth_with_best_packets_nRSBT", "bandwidth_with_best_packets_TCBT"],
)
def test_the_worst_packet_is_red(tmp_path, monkeypatch, name):
    """Packets of one element: as many start-ups as packets, and of several elements more to transfer."""
    right = row(tmp_path, name)
    monkeypatch.setattr(
        variations,
        "_best",
        lambda run, n, M, tau: variations.price(run, n, M, 1)._replace(elements=M if run[0] == 5 else 2 * M),
    )
    assert right.kind in ("holds", "condition") and row(tmp_path, name).verdict != right.verdict

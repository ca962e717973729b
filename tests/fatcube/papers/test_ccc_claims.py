"""The audit of the cube-connected cycles paper: what it finds, that its evidence is checked, and its algorithms."""

import pytest

from fatcube.papers.audit import Evidence
from fatcube.papers.ccc import printed as printed_ccc
from fatcube.papers.ccc.claims import rows, searched
from noc.topologies.ccc import CubeConnectedCycles
from schedules.bounds import lower_bound
from schedules.checker import check
from schedules.construct import construct
from schedules.constructions import ccc
from schedules.constructions.balanced import balanced_scatter, branches
from schedules.schedule import Schedule
from tests.support.audits import check_evidence, check_told_apart, check_verdict, row_of


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit") / "ccc"
    return folder, list(rows(Evidence(folder, time_limit=20, searched=searched)))


FINDINGS = [
    ("section 2", "each processor has exactly three links", "holds only if n >= 3"),
    ("result 1", "no destination is more than 2 n hops away", "holds only if n <= 5"),
    ("section 3", "the bisection width of CCC", "holds"),
    ("section 3, Table 2", "the average distance in CCC(3,3)", "wrong"),
    ("section 3, Table 2", "the average distance in 3-cube", "wrong"),
    ("section 3, Table 2", "the average distance in 4-cube", "holds"),
    ("result 3", "three disjoint paths", "holds"),
    ("result 3, proof", "the paths of the proof are disjoint", "wrong"),
    ("algorithm A2, result 5", "left AND right", "holds if n = 3, and in 1 of the other 4 cases"),
    ("algorithm A2, result 5", "it takes 2 n steps", "holds only if n = 3"),
    ("algorithm A3, result 6", "it takes 2 n steps", "holds only if n = 3"),
    ("Table 1, result 4", "single-node broadcast, single I/O: that bound", "holds only if n = 3"),
    ("Table 1, result 4", "single-node broadcast, multiple I/O: that bound", "holds only if n <= 5"),
    ("Table 1, result 13", "total exchange, multiple I/O: that bound", "holds"),
    ("result 8", "a simple ring", "wrong"),
    ("result 11, proof", "the three parts add up", "holds only if r = 3"),
    ("Table 2", "relative number of links", "wrong"),
    ("Table 2", "hypercube: single-node broadcast", "wrong"),
]


@pytest.mark.parametrize(("where", "claim", "verdict"), FINDINGS)
def test_findings(audit, where, claim, verdict):
    check_verdict(row_of(audit[1], where, claim), verdict)


def test_claims_are_told_apart(audit):
    check_told_apart(audit[1])


def test_evidence_passes_the_checker(audit):
    check_evidence(*audit, at_least=21)


@pytest.mark.parametrize(
    ("table", "key", "cell", "claim"),
    [
        (
            "TABLE_1",
            "OAS",
            {"1": ("N", lambda n, N: N), "d": ("N / 3", lambda n, N: N / 2)},
            "scatter, single I/O: a lower bound is",
        ),
        ("TABLE_1", "AAS", {"d": ("N n", lambda n, N: N * n)}, "total exchange, multiple I/O: a lower bound is"),
        ("TABLE_2", "paths", (("n", lambda n, N: n), ("2", lambda n, N: 2)), "redundant paths of the CCC"),
    ],
)
def test_a_planted_misprint_is_found(audit, monkeypatch, table, key, cell, claim):
    [before] = [row for row in audit[1] if row.claim == claim]
    monkeypatch.setitem(getattr(printed_ccc, table), key, cell)
    [after] = [row for row in rows(Evidence(audit[0], searched=searched)) if row.claim == claim]
    assert before.verdict == "holds" and after.verdict.startswith("wrong")


class TestAlgorithms:
    CCC3 = CubeConnectedCycles(3)

    def test_routes(self):
        """By hand: from (000, 0) to (101, 1) the bit of the position changes first, then that of the closest one."""
        assert [divmod(node, 3) for node in ccc.route(self.CCC3, 0, 5 * 3 + 1)] == [
            (0, 0),
            (1, 0),
            (1, 2),
            (5, 2),
            (5, 1),
        ]

    @pytest.mark.parametrize("n", [3, 4, 5])
    def test_rings_are_rings(self, n):
        topology = CubeConnectedCycles(n)
        for ring in ccc.rings(topology):
            assert len(set(ring)) == len(ring)
            assert all(topology.channels_between(u, v) for u, v in zip(ring, ring[1:] + ring[:1]))

    @pytest.mark.parametrize(
        ("name", "ports", "collective", "moves", "steps"),
        [
            ("A2", "1", "OAB", ccc.broadcast(CCC3, "1"), 7),
            ("A3", "d", "OAB", ccc.broadcast(CCC3, "d"), 6),
            ("A4", "1", "AAB", ccc.multinode_broadcast(CCC3)[0], 60),
            ("A5", "1", "OAS", ccc.scatter_by_route(CCC3, "1"), 23),
            ("A6", "d", "OAS", ccc.scatter_on_tree(CCC3, "d"), 12),
            ("A7", "d", "AAS", ccc.total_exchange(CCC3, "d"), 75),
        ],
    )
    def test_steps(self, name, ports, collective, moves, steps):
        root = 0 if collective[0] == "O" else None
        assert check(Schedule.from_moves(self.CCC3, ports, collective, root, moves)).steps == steps


class TestBetterThanThePaper:
    @pytest.mark.parametrize("n", [3, 4, 5])
    @pytest.mark.parametrize(
        ("ports", "collective"), [("1", "OAS"), ("1", "AAB"), ("d", "OAS"), ("d", "AAB"), ("d", "AAS")]
    )
    def test_meets_the_bound(self, n, ports, collective):
        topology = CubeConnectedCycles(n)
        schedule = construct(topology, ports, collective).schedule
        assert check(schedule).steps == lower_bound(topology, ports, collective).steps

    @pytest.mark.parametrize("root", [0, 17, 63])
    def test_balanced_scatter(self, root):
        topology = CubeConnectedCycles(4)
        assert sorted(map(len, branches(topology, root).values())) == [21, 21, 21]
        assert check(balanced_scatter(topology, "d", root)).steps == 21

    def test_links_between_cycles_bound_the_total_exchange(self):
        """n N / 2, by counting; all links together would say 25 for n = 3."""
        assert [lower_bound(CubeConnectedCycles(n), "d", "AAS").steps for n in (3, 4, 5)] == [36, 128, 400]

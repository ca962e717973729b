"""The audit of the cube-connected cycles paper: what it finds, that its evidence is checked, and its algorithms."""

import pytest

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.papers.ccc import printed as printed_ccc
from fatcube.papers.ccc.claims import PAPER, searched
from fatcube.papers.evidence import Evidence
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions import ccc
from fatcube.schedules.constructions.balanced import balanced_scatter, branches
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from tests.support.audits import check_evidence, check_told_apart, check_verdict, said, stored, tried

pytestmark = pytest.mark.xdist_group("audit of ccc")


@pytest.fixture(scope="module")
def audit(audited):
    evidence, rows = audited("ccc")
    return evidence.folder, rows


FINDINGS = {
    "links_per_processor": "holds only if n >= 3",
    "a1_hops": "holds only if n <= 5",
    "most_hops": "holds only if 2 <= n <= 5",
    "ccc_bisection": "holds",
    "average_distance_ccc_3": "wrong",
    "average_distance_3_cube": "holds",
    "average_distance_4_cube": "holds",
    "inverted_is_farthest": "holds only if n <= 5",
    "three_disjoint_paths": "holds",
    "proof_paths_are_disjoint": "holds only if n == 3 and h >= 1",
    "proof_paths_differ_somewhere": "holds",
    "proof_paths_differ_in_length": "holds only if n % 2 == 1",
    "nearer_of_two": "holds only if n <= 4",
    "one_kind_of_neighbour_waits": "holds only if n <= 3",
    "a2_reaches_all": "holds",
    "a2_steps": "holds only if n <= 3",
    "a3_reaches_all": "holds",
    "a3_reaches_all_on_first_receipts": "holds if n <= 3, and in 1 of the other 6 cases",
    "a3_steps": "holds only if n <= 3",
    "a6_is_a_scatter": "holds",
    "oab_fewest_single": "holds only if n <= 3",
    "oab_fewest_multiple": "holds only if n <= 5",
    "aas_fewest_multiple": "holds",
    "ring_changes_neighbouring_dimensions": "holds only if n <= 4",
    "ring_crosses_cycles_at_once": "wrong",
    "a4_sum": "holds only if r == 3",
    "a4_order": "holds",
    "bounds_differ_by_n_over_3": "holds only if n == 7",
    "bounds_differ_by_n_over_3_or_more": "holds",
    "table_2_oab_bound_hypercube": "holds",
    "table_2_oab_fewest_hypercube": "wrong",
    "table_2_scalability_hypercube": "holds",
}


def named(audit, name):
    [row] = [row for row in audit[1] if row.name == name]
    return row


@pytest.mark.parametrize("name", FINDINGS)
def test_findings(audit, name):
    check_verdict(named(audit, name), FINDINGS[name])


def test_misprints(audit):
    assert {row.name for row in audit[1] if row.kind == "misprint"} == {
        "cycle_of_k",
        "cube_average_distance",
        "cross_references",
        "reversed_is_farthest",
        "source_address",
        "scatter_messages_single",
        "scatter_messages_multiple",
        "messages_across",
        "steps_across",
        "a7_recursion_ends_in_a_cycle",
        "table_2_area_efficiency_hypercube",
        "table_2_power_efficiency_hypercube",
        "table_2_links",
    }


def test_every_column_is_as_it_is_stored(audited):
    assert list(map(said, audited("ccc")[1])) == list(map(said, stored("ccc")))


def test_claims_are_told_apart(audit):
    check_told_apart(audit[1])


def test_evidence_passes_the_checker(audit):
    folder, found = audit
    check_evidence(folder, tried("ccc", found), at_least=10)


NUMBERED = [
    *(f"section {number}" for number in range(1, 8)),
    *(f"figure {number}" for number in (1, 2)),
    *(f"Table {number}" for number in (1, 2)),
    *(f"result {number}" for number in range(1, 14)),
    *(f"corollary {number}" for number in range(1, 5)),
    *(f"algorithm A{number}" for number in range(1, 8)),
]
"""What the paper numbers. It has no numbered equations."""


def test_every_place_has_a_row(audit):
    assert set(NUMBERED) <= set(PAPER.places)
    claimed = {claim.where for claim in PAPER.claims}
    assert [name for name, place in PAPER.places.items() if name not in claimed and not place.untested] == []
    found = [row.where for row in audit[1]]
    assert list(dict.fromkeys(found)) == list(PAPER.places)
    assert len(found) == len(PAPER.claims) + sum(bool(place.untested) for place in PAPER.places.values())


def test_every_row_says_how_many_cases(audit):
    for row in audit[1]:
        if row.kind != "untested":
            assert row.cases[0].isdigit() and " case" in row.cases
            assert (row.failing == "") == (row.kind in ("holds", "open")) or row.cases == "1 case"


@pytest.mark.parametrize(
    ("table", "key", "cell", "claim"),
    [
        ("TABLE_1", "OAS", {"1": printed_ccc.Cell("N", "N")}, "oas_bound_single"),
        ("TABLE_1", "AAS", {"d": printed_ccc.Cell("N n", "N * n")}, "aas_bound_multiple"),
        ("TABLE_2", "paths", (printed_ccc.Cell("n", "n"), printed_ccc.Cell("2", "2")), "table_2_paths_ccc"),
    ],
)
def test_a_planted_misprint_is_found(audit, monkeypatch, table, key, cell, claim):
    monkeypatch.setitem(getattr(printed_ccc, table), key, cell)
    after = PAPER.find(claim).row(Evidence(audit[0], searched=searched))
    assert named(audit, claim).verdict == "holds" and after.verdict.startswith("wrong")


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

    def test_of_two_close_bits_the_better_comes_first(self):
        """By hand: from (000, 0) to (110, 1) bit 2 first, as the way ends at position 1; bit 1 first takes a hop more."""
        assert [divmod(node, 3) for node in ccc.route(self.CCC3, 0, 6 * 3 + 1)] == [
            (0, 0),
            (0, 2),
            (4, 2),
            (4, 1),
            (6, 1),
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
            ("A2, first receipts", "1", "OAB", ccc.broadcast(CCC3, "1", every=False), 7),
            ("A3", "d", "OAB", ccc.broadcast(CCC3, "d"), 6),
            ("A3, first receipts", "d", "OAB", ccc.broadcast(CCC3, "d", every=False), 6),
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
        schedule = construct(Problem(topology, ports, collective)).schedule
        assert check(schedule).steps == lower_bound(Problem(topology, ports, collective)).steps

    @pytest.mark.parametrize("root", [0, 17, 63])
    def test_balanced_scatter(self, root):
        topology = CubeConnectedCycles(4)
        assert sorted(map(len, branches(topology, root).values())) == [21, 21, 21]
        assert check(balanced_scatter(topology, "d", root)).steps == 21

    def test_links_between_cycles_bound_the_total_exchange(self):
        """n N / 2, by counting; all links together would say 25 for n = 3."""
        assert [lower_bound(Problem(CubeConnectedCycles(n), "d", "AAS")).steps for n in (3, 4, 5)] == [36, 128, 400]

"""Ten rows of the audit of the cube-connected cycles paper, chosen by nobody, derived a second time.

Nothing here comes from the claims: the network is made of pairs of addresses, distances by spreading, algorithms by
their rules. The condition that a row prints is evaluated for every size, and must be true exactly where the printed
value is right here.
"""

from fractions import Fraction
import itertools
import re

import pytest

from tests.support.audits import chosen, without_counts

pytestmark = pytest.mark.xdist_group("audit of ccc")


@pytest.fixture(scope="module")
def ten(audited):
    return chosen(audited("ccc")[1])


def linked(n, one, other):
    """Section 2, word by word, for d = k = n."""
    (i, j), (k, m) = one, other
    lateral = j == m and i ^ k == 2**j
    around = i == k and j != m and (abs(j - m) == 1 or abs(j - m) == n - 1)
    return lateral or around


def links(n):
    addresses = list(itertools.product(range(2**n), range(n)))
    return [pair for pair in itertools.combinations(addresses, 2) if linked(n, *pair)]


def next_to(n, node):
    i, j = node
    found = {(i ^ 2**j, j), (i, (j + 1) % n), (i, (j - 1) % n)} - {node}
    assert n > 5 or all(linked(n, node, other) for other in found)
    return found


def levels(n):
    """The nodes at 0, 1, 2, ... hops from (0, 0)."""
    found = [{(0, 0)}]
    seen = {(0, 0)}
    while found[-1]:
        found.append({other for node in found[-1] for other in next_to(n, node)} - seen)
        seen |= found[-1]
    assert len(seen) == n * 2**n
    return found[:-1]


def right_only(row, right, sizes):
    """The row's condition is true exactly of those sizes where the printed value is right."""
    [condition] = re.findall("^holds only if (.*)$", without_counts(row.verdict))
    assert {n for n in sizes if eval(condition, {"n": n})} == set(right) != set(sizes)


def diameter(row):
    sizes = range(1, 13)
    right_only(row, {n for n in sizes if len(levels(n)) - 1 == 2 * n}, sizes)
    assert row.recomputed == f"n = 1: {len(levels(1)) - 1}, printed 2"


def table_2_scalability_ccc(row):
    sizes = range(1, 6)
    degrees = {n: Fraction(2 * len(links(n)), n * 2**n) for n in range(1, 7)}
    right_only(row, {n for n in sizes if degrees[n] == degrees[n + 1]}, sizes)
    assert row.printed == "inductive"


def a3_steps(row):
    """A message is at nodes, and came there over a link between cycles or around a cycle, or was there first."""
    steps = {}
    for n in range(2, 10):
        has, now, steps[n] = {(0, 0)}, {((0, 0), "first")}, 0
        seen = set(now)
        while len(has) < n * 2**n:
            steps[n] += 1
            sent = set()
            for (i, j), came in now:
                if came != "around":
                    sent |= {((i, (j + turn) % n), "around") for turn in (1, -1)}
                if came != "lateral":
                    sent.add(((i ^ 2**j, j), "lateral"))
            now = sent - seen
            assert now
            seen |= now
            has |= {node for node, _ in now}
    right_only(row, {n for n in steps if steps[n] <= 2 * n}, steps)
    assert row.recomputed == f"n = 4: {steps[4]} steps, printed 8 steps"


def oab_fewest_multiple(row):
    """With a port for every link the message is everywhere after as many steps as the farthest node has hops."""
    fewest = {n: len(levels(n)) - 1 for n in range(2, 13)}
    right_only(row, {n for n in fewest if fewest[n] <= 2 * n}, fewest)
    assert row.recomputed == f"n = 6: {fewest[6]} steps, printed 12"


def links_are_constant(row):
    sizes = range(1, 7)
    ends = {n: [sum(node in pair for pair in links(n)) for node in [(0, 0), (1, n - 1)]] for n in sizes}
    right_only(row, {n for n in sizes if ends[n] == [3, 3]}, sizes)


def average_distance_ccc_3(row):
    total = sum(hops * len(nodes) for hops, nodes in enumerate(levels(3)))
    assert (row.verdict, row.printed) == ("wrong", "3.25")
    for others in (23, 24):
        assert round(total / others, 2) != 3.25 and f"{total / others:.3f}" in row.recomputed
    assert f"{Fraction(total, 23)}" in row.recomputed


def a1_defined(row):
    """Step 2 while a bit at the position differs, step 3 towards the nearest that does; without one there is no rule."""

    def stuck(n, goal):
        node = (0, 0)
        while node != goal:
            i, j = node
            differ = [bit for bit in range(n) if (i ^ goal[0]) >> bit & 1]
            if not differ:
                return True
            if j in differ:
                node = (i ^ 2**j, j)
            else:
                near = min(differ, key=lambda bit: min((bit - j) % n, (j - bit) % n))
                node = (i, (j + (1 if (near - j) % n <= (j - near) % n else -1)) % n)
        return False

    sizes = range(1, 7)
    missed = {n: sum(stuck(n, goal) for goal in itertools.product(range(2**n), range(n))) for n in sizes}
    right_only(row, {n for n in sizes if not missed[n]}, sizes)
    assert row.recomputed.startswith(f"n = 2: no rule for {missed[2]} of 7 destinations")


def a2_left(row):
    """Two walks from the originator: over the link first, and left first; then the one and the other by turns."""
    reached = {}
    for n in range(2, 9):
        seen = {(0, 0)}
        for lateral in (True, False):
            i, j = 0, 0
            for _ in range(8 * n):
                i, j = (i ^ 2**j, j) if lateral else (i, (j - 1) % n)
                lateral = not lateral
                seen.add((i, j))
            assert (i, j) == (0, 0), "it has come round, and goes on as before"
        reached[n] = len(seen)
    right_only(row, {n for n in reached if reached[n] == n * 2**n}, reached)
    assert row.recomputed == f"n = 3: {reached[3]} nodes, printed all 24"


def ccc_links_stay(row):
    sizes = range(1, 6)
    degrees = {n: Fraction(2 * len(links(n)), n * 2**n) for n in range(1, 7)}
    right_only(row, {n for n in sizes if degrees[n] == degrees[n + 1] == 3}, sizes)
    assert row.recomputed == f"n = 1: {degrees[1]} links before, {degrees[2]} after, printed 3 links before, 3 after"


def ccc_links(row):
    sizes = range(1, 7)
    right_only(row, {n for n in sizes if len(links(n)) == Fraction(3 * n * 2**n, 2)}, sizes)
    assert row.recomputed == f"n = 1: {len(links(1))}, printed 3"


AGAIN = {
    derive.__name__: derive
    for derive in (
        diameter,
        table_2_scalability_ccc,
        a3_steps,
        oab_fewest_multiple,
        links_are_constant,
        average_distance_ccc_3,
        a1_defined,
        a2_left,
        ccc_links_stay,
        ccc_links,
    )
}


@pytest.mark.long(stays="tests/papers/test_ccc_claims.py::test_a_planted_misprint_is_found")
@pytest.mark.parametrize("number", range(10))
def test_chosen_rows_again(ten, number):
    row = ten[number]
    assert row.name in AGAIN, f"{row.name} is chosen and has no second derivation"
    AGAIN[row.name](row)

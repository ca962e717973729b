"""Schedules along spanning graphs: the checker accepts them, they keep to their trees, and their steps are counted."""

from math import comb

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.reversal import backwards
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnT, SBnTc
from fatcube.schedules.spanning.trees import Order, along
from fatcube.schedules.step_model import STANDARD, StepModel

KINDS = [BRG, NRBRG, SBT, TCBT, NRSBT, NESBT, SBnT, SBnTc]
PARTNER = StepModel(port_use="one-partner")
MODELS = [("1", STANDARD), ("1", PARTNER), ("d", STANDARD), ("d", PARTNER), ("*", STANDARD)]
REVERSED = {Collective.OAB: Collective.AOR, Collective.OAS: Collective.AOG, Collective.AAB: Collective.AAR}

every_size = pytest.mark.parametrize("n", range(2, 7))


def steps(kind, n, ports, collective, model=STANDARD, source=0):
    """The steps of a schedule that the checker accepts."""
    return check(along(kind(n, source), ports, collective, one_partner=model == PARTNER), model).steps


def bound(n, ports, collective, model=STANDARD):
    return lower_bound(Problem(Hypercube(n), ports, collective, 0, model)).steps


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ports", "model"), MODELS)
@pytest.mark.parametrize("collective", [Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS])
def test_valid_and_along_the_trees(kind, ports, model, collective):
    """From another source than 0; every transfer goes from parent to child, a broadcast over one tree."""
    graph = kind(4, 11)
    schedule = along(graph, ports, collective, one_partner=model == PARTNER)
    assert check(schedule, model).steps >= bound(4, ports, collective, model)
    check(schedule.expanded(), model)
    trees = range(1 if collective in (Collective.OAB, Collective.AAB) else graph.trees)
    for transfer in schedule.transfers:
        origin = transfer.message.origin
        assert any(graph.parent(transfer.dst ^ origin ^ 11, tree) == transfer.src ^ origin ^ 11 for tree in trees)
    if collective in REVERSED and model is STANDARD:
        check(backwards(schedule, schedule.ports, REVERSED[collective]))


@pytest.mark.parametrize("tree", range(4))
def test_one_tree_only(tree):
    for collective in (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS):
        schedule = along(NESBT(4, 0), "d", collective, tree=tree)
        check(schedule)
        assert all(
            NESBT(4).parent(transfer.dst, tree) == transfer.src
            for transfer in schedule.transfers
            if transfer.message.origin == 0
        )


@every_size
def test_broadcast(n):
    """Table 2, for one packet; the one-port delay of BRG, SBT, nRSBT and nESBT is the same with one partner."""
    one_port = {BRG: 2**n - 1, SBT: n, NRSBT: n, TCBT: 2 * n - 2, NESBT: n + 1}
    n_port = {BRG: 2**n - 1, SBT: n, NRSBT: n, TCBT: n, NESBT: n + 1}
    for kind in one_port:
        assert steps(kind, n, "1", "OAB") == steps(kind, n, "1", "OAB", PARTNER) == one_port[kind]
        assert steps(kind, n, "d", "OAB") == n_port[kind]
    assert bound(n, "1", "OAB") == bound(n, "d", "OAB") == n


@every_size
def test_scatter(n):
    """Section 5.1: one-port the source sends all the time, n-port each subtree takes as long as it has nodes."""
    N = 2**n
    for kind in KINDS:
        assert steps(kind, n, "1", "OAS") == bound(n, "1", "OAS") == N - 1
    for kind in (SBT, NRSBT, NESBT, SBnT, SBnTc):
        assert steps(kind, n, "1", "OAS", PARTNER) == bound(n, "1", "OAS", PARTNER) == N - 1
    assert steps(BRG, n, "1", "OAS", PARTNER) == 2 * N - 3  # section 5.1.1
    assert steps(BRG, n, "d", "OAS") == N - 1
    assert steps(SBT, n, "d", "OAS") == steps(TCBT, n, "d", "OAS") == N // 2
    for kind in (NRSBT, SBnTc):
        assert steps(kind, n, "d", "OAS") == bound(n, "d", "OAS") == -(-(N - 1) // n)
    # The subtrees of the tree that is not split differ where n is no prime number.
    assert steps(SBnT, n, "d", "OAS") == {2: 2, 3: 3, 4: 5, 5: 7, 6: 13}[n]


@every_size
def test_all_gather(n):
    """One-port any tree does it in the fewest steps; n-port the dimension with the most edges counts (Ew_d)."""
    N = 2**n
    for kind in KINDS:
        assert steps(kind, n, "1", "AAB", PARTNER) == steps(kind, n, "1", "AAB") == bound(n, "1", "AAB") == N - 1
    assert steps(BRG, n, "d", "AAB") == N - 1
    assert steps(SBT, n, "d", "AAB") == steps(NRSBT, n, "d", "AAB") == N // 2
    assert steps(SBnT, n, "d", "AAB") == {2: 2, 3: 3, 4: 5, 5: 7, 6: 13}[n]
    assert bound(n, "d", "AAB") == -(-(N - 1) // n)


@every_size
def test_all_to_all(n):
    """Section 7: with greedy trees as many transfers as the lower bound counts; one-port they are all it takes."""
    N = 2**n
    assert bound(n, "1", "AAS") == sum(l * comb(n, l) for l in range(n + 1)) == n * N // 2
    assert bound(n, "d", "AAS") == N // 2
    for kind in (SBT, NRSBT, SBnT, SBnTc):
        assert steps(kind, n, "1", "AAS", PARTNER) == steps(kind, n, "1", "AAS") == n * N // 2
    for kind in (NRSBT, SBnT, SBnTc):
        assert steps(kind, n, "d", "AAS") == N // 2
    assert steps(SBT, n, "d", "AAS") == N // 2 + (n == 6)
    assert steps(BRG, n, "1", "AAS") == N * (N - 1) // 2


@every_size
def test_one_port_labels(n):
    """Theorem 4.1 as schedules: over each of the n trees a broadcast that the checker accepts with one partner."""
    graph = NESBT(n, 1)
    for tree in range(n):
        moves = [
            Move(graph.label(node, tree) + 1, graph.parent(node, tree), node, Message(1, None))
            for node in range(2**n)
            if node != 1
        ]
        assert check(Schedule.from_moves(Hypercube(n), "1", "OAB", 1, moves), PARTNER).steps == n + tree + 1


def divided(kind, n, ports, collective, parts, model=STANDARD):
    """The steps of a schedule of divided messages that the checker accepts, and that keeps to its trees."""
    graph = kind(n, 1)
    schedule = along(graph, ports, collective, one_partner=model == PARTNER, parts=parts)
    for transfer in schedule.transfers:
        origin, _, part = transfer.message
        assert graph.parent(transfer.dst ^ origin ^ 1, part % graph.trees) == transfer.src ^ origin ^ 1
    return check(schedule, model).steps


@every_size
@pytest.mark.parametrize("laps", (2, 3))
def test_pipelined_broadcast(n, laps):
    """Tables 2 and 3: the delay of the first packet, and the steps between packets; n trees take n packets at once."""
    parts, N = laps * n, 2**n
    expected = {BRG: 2 * parts + N - 3, SBT: n * parts, NESBT: parts + n}
    for kind, steps in expected.items():
        assert divided(kind, n, "1", "OAB", parts, PARTNER) == steps
    if n > 2:  # the two-rooted tree of 4 nodes is a path with the source inside
        assert divided(TCBT, n, "1", "OAB", parts, PARTNER) == 3 * parts + 2 * n - 5
    assert divided(SBT, n, "d", "OAB", parts) == divided(TCBT, n, "d", "OAB", parts) == parts + n - 1
    assert divided(BRG, n, "d", "OAB", parts) == parts + N - 2
    assert divided(NESBT, n, "d", "OAB", parts) == laps + n


@every_size
def test_divided_into_n(n):
    """With a part for each of n rotated trees all dimensions carry the same: all links are used all the time."""
    N = 2**n
    for kind in (NRBRG, NRSBT, NESBT, SBnTc):
        assert divided(kind, n, "d", "AAB", n) == N - 1
    for kind in (NRSBT, NESBT, SBnTc):
        assert divided(kind, n, "d", "OAS", n) == N - 1
    if n < 6:
        for kind in (NRSBT, SBnTc):
            assert divided(kind, n, "d", "AAS", n) == n * N // 2
        assert divided(NESBT, n, "d", "AAS", n) == n * N // 2 + (N - 2)  # section 7.1


def test_one_partner_is_stricter():
    """A scatter of which nodes pass on one message while they receive the next is not one-port to the paper."""
    schedule = along(SBT(4), "1", "OAS")
    with pytest.raises(ScheduleError, match="it has another partner in this step"):
        check(schedule, PARTNER)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SBT(3), "b", "OAB"), "ports must be 1, d or * along a spanning graph, not b"),
        ((SBT(3), "1", "AOR"), "collective along a spanning graph must be OAB, OAS, AAB or AAS, not AOR"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ParameterError) as caught:
        along(*arguments)
    assert str(caught.value) == message
    with pytest.raises(ParameterError, match="^tree must be 0, not 1$"):
        along(SBT(3), "1", "OAB", tree=1)
    with pytest.raises(ParameterError, match="^parts must be an integer from 1 to 65535, not 0$"):
        along(SBT(3), "1", "OAB", parts=0)


def test_orders_are_those_of_theorems_7_3_and_7_4():
    """N-port all-to-all, M = B = 1: the most messages of a dimension in each cycle, added up by hand.

    On the path BRG postorder sends all to the first node, then all but one to the second: 7 + 6 + ... + 1. The other order
    sends along 1, 2, ... 7 edges, which are of dimension 0 in turn: 1 + 1 + 2 + 2 + 3 + 3 + 4.
    """
    steps = {
        kind: [check(along(kind(3), "d", "AAS", order=order)).steps for order in Order] for kind in (BRG, TCBT, SBT)
    }
    assert steps == {BRG: [28, 16], TCBT: [9, 7], SBT: [7, 7]}


@pytest.mark.parametrize("kind", [NRSBT, SBnTc])
@pytest.mark.parametrize("n", [3, 4, 5])
def test_orders_of_rotated_greedy_trees(kind, n):
    """Equal times in both, for n parts: all n N directed links are used all the time (theorem 7.6)."""
    for order in Order:
        schedule = along(kind(n), "d", "AAS", order=order, parts=n)
        assert check(schedule).steps == n * 2 ** (n - 1)


def test_orders_of_a_scatter():
    """Data for a child of the source are sorted by the level, or the child's own are last; N - 1 steps both."""
    for order in Order:
        schedule = along(SBT(4), "1", "OAS", order=order)
        assert check(schedule).steps == 15
        sent = sorted((one.step, one.dst, one.message.destination) for one in schedule.transfers if one.src == 0)
        for child in (1, 2, 4, 8):
            nodes = [node for _, other, node in sent if other == child]
            levels = [node.bit_count() for node in nodes]
            assert nodes[-1] == child
            assert order is Order.POSTORDER or levels == sorted(levels, reverse=True)
            assert order is Order.REVERSE_BREADTH_FIRST or child > 1 or levels == [4, 3, 3, 2, 3, 2, 2, 1]


@pytest.mark.parametrize(("ports", "collective"), [("d", "OAB"), ("1", "AAS")])
def test_orders_that_do_not_matter(ports, collective):
    with pytest.raises(ParameterError) as caught:
        along(SBT(3), ports, collective, order=Order.POSTORDER)
    assert str(caught.value) == (
        "order must be left out along a spanning graph except for OAS, AOG and, with several ports, AAS, not postorder"
    )


@pytest.mark.parametrize("kind", [SBnT, SBnTc])
def test_a_scatter_along_a_balanced_tree_is_the_same_from_every_source(kind):
    """Translated by the source: messages for nodes at one distance leave in an order that knows relative addresses only."""

    def moves(source):
        made = along(kind(4, source), "d", "OAS")
        return sorted(
            (one.step, one.src ^ source, one.dst ^ source, one.message.destination ^ source) for one in made.transfers
        )

    assert all(moves(source) == moves(0) for source in range(1, 16))

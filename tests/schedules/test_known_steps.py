"""Fewest steps of small cases by step model: held against brute force, and against what is proved elsewhere."""

import itertools
import math

import networkx
import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import best, construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.search import fewest
from fatcube.schedules.step_model import StepModel
from tests.support.children import HANG
from tests.support.tries import few_tries

DIRECT = {"transfers": "direct"}
HALF = {"links": "half-duplex"}
SIMPLEX = {"links": "simplex"}
UNLIMITED = {"per_packet": "unlimited"}
IN_TURN = {"port_use": "send-or-receive"}


def found(topology, ports, collective, options, root=0):
    """The schedule found, checked, read back from its file, and checked as it is written out."""
    model = StepModel(**options)
    finding = best(Problem(topology, ports, collective, root, model=model), time_limit=HANG)
    assert finding.schedule.model == model
    assert check(finding.schedule).steps == check(finding.schedule.expanded(), model).steps == finding.steps
    assert schedule_from_json(schedule_to_json(finding.schedule)) == finding.schedule
    return finding


@pytest.mark.parametrize(
    ("topology", "ports", "collective", "options", "steps"),
    [
        (Hypercube(3), "1", "AAS", HALF, 12),
        (Hypercube(3), "d", "AAS", HALF, 8),
        (Hypercube(3), "1", "AAB", HALF, 7),
        (Hypercube(3), "d", "AAB", HALF, 5),
        *((FatCube(2, 2, 1), ports, "AAS", HALF, 16) for ports in "1bd*"),
        *((FatCube(2, 2, 1), ports, "AAB", HALF, 7) for ports in "1bd*"),
        *((Hypercube(3), ports, collective, UNLIMITED, 3) for ports in "1d*" for collective in ("AAB", "AAS")),
    ],
    ids=str,
)
def test_proved_elsewhere(topology, ports, collective, options, steps):
    """Half duplex is not doubled, and combining takes 3 steps on the 3-cube; proved by others' search or maximum flow."""
    finding = found(topology, ports, collective, options)
    assert finding.steps == steps and finding.proved


@pytest.mark.parametrize(("collective", "of"), [("AOG", "OAS"), ("AOR", "OAB"), ("AAR", "AAB")])
@pytest.mark.parametrize("options", [HALF, SIMPLEX, DIRECT, UNLIMITED], ids=str)
def test_reversals(collective, of, options):
    """A reversed schedule takes as long; on simplex links seen in the mirror, which exchanges roots 1 and 0."""
    for ports in "1d":
        there = found(Hypercube(3), ports, collective, options, 1)
        back = found(Hypercube(3), ports, of, options, 0 if options == SIMPLEX else 1)
        assert there.proved and there.steps == back.steps


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_wormhole_column_of_table_3(d):
    """The hypercube with wormhole switching: fat-cube paper, table 3."""
    P = 2**d
    one = {"OAB": d, "AAB": P - 1, "OAS": P - 1, "AAS": P - 1}
    every = {"OAB": next(t for t in itertools.count() if (d + 1) ** t >= P), "AAS": P // 2}
    every |= dict.fromkeys(("AAB", "OAS"), math.ceil((P - 1) / d))
    for ports, column in (("1", one), ("d", every)):
        for collective, steps in column.items():
            finding = found(Hypercube(d), ports, collective, DIRECT)
            assert (finding.steps, finding.proved) == (steps, True), (ports, collective)


@pytest.mark.parametrize("d", [3, 4, 5])
def test_all_port_broadcast_in_two_steps(d):
    assert construct(Problem(Hypercube(d), "d", "OAB", 1, StepModel(**DIRECT))).steps == 2


@pytest.mark.parametrize("size", [(2, 2, 1), (1, 4, 1), (2, 3, 2), (3, 2, 2)])
@pytest.mark.parametrize("ports", ["1", "d", "*"])
def test_direct_all_to_all_on_fat_cubes(size, ports):
    d, m, f = size
    k = {"1": 1, "d": d, "*": d + m - 1}[ports]
    P = m * 2**d
    finding = construct(Problem(FatCube(*size), ports, "AAS", None, StepModel(**DIRECT)))
    assert check(finding.schedule).steps == max(math.ceil((P - 1) / k), math.ceil(m * P / (2 * f)))
    assert finding.proved


def log(m, k):
    """The steps in which k ports each reach m processors."""
    return next(t for t in itertools.count() if (k + 1) ** t >= m)


@pytest.mark.parametrize("size", [(2, 2, 1), (1, 3, 1), pytest.param((3, 4, 1), marks=pytest.mark.long)])
@pytest.mark.parametrize("ports", ["1", "d"])
def test_gather_scatter(monkeypatch, size, ports):
    """The steps of the fat-cube paper, sections 4.2 and 4.4, and those of packets of two messages, which are no more than
    there are messages to go over a link."""
    few_tries(monkeypatch, 10)
    d, m, _ = size
    k = {"1": 1, "d": d}[ports]
    for collective in ("AAB", "AAS", "AAR"):
        made = construct(Problem(FatCube(*size), ports, collective, None, StepModel(**UNLIMITED)))
        assert check(made.schedule).steps <= d + 2 * log(m, k)
        two = construct(Problem(FatCube(*size), ports, collective, None, StepModel(per_packet=2))).schedule
        assert check(two).steps >= made.bound.steps
        assert max(len(packet) for _, step in by_step(two) for packet in two.packets(step)) <= 2


def by_step(schedule):
    for number, together in itertools.groupby(schedule.transfers, key=lambda transfer: transfer.step):
        yield number, list(together)


@pytest.mark.parametrize("d", [3, 5])
def test_scatter_with_combining_takes_the_steps_of_a_broadcast(d):
    for ports in "1d":
        made = construct(Problem(Hypercube(d), ports, "OAS", 1, StepModel(**UNLIMITED)))
        assert check(made.schedule).steps == made.bound.steps == d


# Brute force: broadcasts and, where packets hold what their sender has, all-gathers, over all that holders can be.


def transfers_of(topology, options):
    """All transfers as (sender, receiver, lanes taken): a lane is (node, node, number), from the lower node to the other one
    if both directions share it."""
    links = {(v, v ^ 1 << b) for v in range(topology.nodes) for b in range(topology.d)}
    if options.get("links") == "simplex" and topology.f == 1:
        links = {(v, w) for v, w in links if (bin(v).count("1") + (v ^ w).bit_length() - 1) % 2 == 0}
    lanes = topology.f // 2 if options.get("links") == "simplex" and topology.f > 1 else topology.f
    graph = networkx.DiGraph(links)
    graph.add_nodes_from(range(topology.nodes))
    m = topology.m
    for src, dst in itertools.permutations(range(topology.processors), 2):
        here, there = src // m, dst // m
        if here == there:
            yield src, dst, ()
            continue
        longest = None if options.get("transfers") == "direct" else 1
        for path in networkx.all_simple_paths(graph, here, there, cutoff=longest):
            hops = list(itertools.pairwise(path))
            if options.get("links") == "half-duplex":
                hops = [(min(hop), max(hop)) for hop in hops]
            for numbers in itertools.product(range(lanes), repeat=len(hops)):
                yield src, dst, tuple((*hop, number) for hop, number in zip(hops, numbers))


def legal_sets(transfers, k, options, taken=(), start=0):
    """All sets of transfers that may be made at once, the empty one first."""
    yield taken
    for place in range(start, len(transfers)):
        src, dst, lanes = transfers[place]
        sends, receives = [one[0] for one in taken], [one[1] for one in taken]
        if sends.count(src) == k or receives.count(dst) == k:
            continue
        if any(set(lanes) & set(one[2]) for one in taken):
            continue
        if options.get("port_use") == "send-or-receive" and (src in receives or dst in sends):
            continue
        if options.get("port_use") == "one-partner" and any(
            len({*one[:2]} | {src, dst}) == 3 for one in taken if {*one[:2]} & {src, dst}
        ):
            continue
        yield from legal_sets(transfers, k, options, (*taken, transfers[place]), place + 1)


def fewest_steps(topology, k, options, broadcast):
    """Steps until everybody has everything, where a packet holds all that its sender has."""
    P = topology.processors
    transfers = sorted(set(transfers_of(topology, options)))
    every = {frozenset((src, dst) for src, dst, _ in one) for one in legal_sets(transfers, k, options)}
    sets = [one for one in every if not any(one < other for other in every)]  # more transfers do no harm
    states = {tuple(1 if broadcast and p == 0 else 0 if broadcast else 1 << p for p in range(P))}
    whole = (1 if broadcast else (1 << P) - 1,) * P
    for steps in itertools.count():
        if whole in states:
            return steps
        after = set()
        for state, one in itertools.product(states, sets):
            now = list(state)
            for src, dst in one:
                now[dst] |= state[src]
            after.add(tuple(now))
        # Who has less than another state in every place gets nowhere sooner.
        states = {
            one for one in after if not any(one != two and all(a | b == b for a, b in zip(one, two)) for two in after)
        }


@pytest.mark.parametrize("topology", [Hypercube(2), FatCube(1, 2, 1), FatCube(1, 2, 2)], ids=str)
@pytest.mark.parametrize(
    "options",
    [
        {},
        HALF,
        SIMPLEX,
        DIRECT,
        IN_TURN,
        {"port_use": "one-partner"},
        DIRECT | HALF,
        DIRECT | SIMPLEX,
        HALF | IN_TURN,
        DIRECT | IN_TURN,
    ],
    ids=str,
)
def test_against_brute_force(monkeypatch, topology, options):
    """The search finds as few steps, no bound is above them, and what is constructed has no fewer."""
    few_tries(monkeypatch, 10)
    if options.get("links") == "simplex" and topology.d == 1 and topology.f == 1:
        return
    for ports in "1d" if topology.d > 1 and "transfers" not in options else "1":
        k = topology.d if ports == "d" else 1
        for collective, more in (("OAB", {}), ("AAB", UNLIMITED), ("AAS", UNLIMITED)):
            true = fewest_steps(topology, k, options, collective == "OAB")
            model = StepModel(**options, **more)
            assert lower_bound(Problem(topology, ports, collective, 0, model)).steps <= true, collective
            finding = fewest(Problem(topology, ports, collective, 0, model=model), time_limit=HANG)
            assert (finding.steps, finding.proved) == (true, True), collective
            assert check(finding.schedule, model).steps == true
            made = construct(Problem(topology, ports, collective, 0, model))
            assert made.steps is None or made.steps >= true

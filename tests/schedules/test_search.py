from dataclasses import dataclass
import itertools
import os
import re
import signal

from ortools.sat.python import cp_model
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.schedules.bounds import Bound, lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import Finding, Outcome, Search, fewest, search
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Symmetry
from tests.support.children import HANG


@dataclass(frozen=True)
class Loop(Topology, kind="search test loop"):
    """Nodes in a circle, each joined with the next by one channel or more; two nodes are joined both ways."""

    length: int
    m: int = 1
    f: int = 1
    channels: int = 1

    nodes = property(lambda self: self.length)
    degree = property(lambda self: 2 * self.channels)

    def neighbour(self, node, channel):
        return (node + (1, -1)[channel % 2]) % self.length, channel ^ 1


PORTS = ("1", "b", "d", "*")
# There is no such schedule, since 96 transfers take 8 ports 12 steps; but that is hard to find by search.
HARD = Problem(Hypercube(3), "1", "AAS")
OPEN = Search(0, Outcome.TIME, None, 0.0)


def broadcast_by_hand(topology, ports, root):
    """Fewest steps of a broadcast, by breadth first over all sets of holders, every way to go on tried."""
    m, f = topology.m, topology.f
    everybody = range(topology.processors)
    k = {"1": 1, "b": topology.processors, "d": topology.degree, "*": topology.degree + m - 1}[ports]

    def lanes(src, dst):
        neighbours = [topology.neighbour(src // m, channel)[0] for channel in range(topology.degree)]
        return neighbours.count(dst // m) * f

    reached, steps = {frozenset([root])}, 0
    while frozenset(everybody) not in reached:
        steps += 1
        following = set()
        for holders in reached:
            lacking = [dst for dst in everybody if dst not in holders]
            senders = [[None] + [src for src in holders if src // m == dst // m or lanes(src, dst)] for dst in lacking]
            for chosen in itertools.product(*senders):
                links = [
                    (src // m, dst // m)
                    for src, dst in zip(chosen, lacking)
                    if src is not None and src // m != dst // m
                ]
                if all(chosen.count(src) <= k for src in holders) and all(
                    links.count((here, there)) <= lanes(here * m, there * m) for here, there in links
                ):
                    following.add(holders | {dst for src, dst in zip(chosen, lacking) if src is not None})
        reached = following
    return steps


class TestFewest:
    @pytest.mark.parametrize(
        "topology",
        [
            Hypercube(1),
            Hypercube(2),
            FatCube(1, 2),
            FatCube(1, 1, 2),
            FatCube(1, 2, 2),
            FatCube(1, 3),
            FatCube(1, 3, 2),
            FatCube(2, 1, 2),
            Loop(2),
            Loop(3),
            Loop(4),
            Loop(5),
            Loop(2, 2),
            Loop(2, 3),
            Loop(3, 2),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("ports", PORTS)
    def test_broadcast_is_what_all_ways_give(self, topology, ports):
        expected = broadcast_by_hand(topology, ports, topology.processors - 1)
        finding = fewest(Problem(topology, ports, "OAB", topology.processors - 1), time_limit=HANG)
        assert check(finding.schedule).steps == finding.steps == expected
        assert finding.proved
        assert finding.bound.steps == expected
        assert finding.stopped is None

    @pytest.mark.parametrize(
        "topology, ports, collective, steps",
        [
            # two processors: everything in one step
            (Hypercube(1), "1", "OAS", 1),
            (Hypercube(1), "1", "AAB", 1),
            (Hypercube(1), "b", "AAS", 1),
            # a square: 3 messages to receive, 1 or 2 at a time; an all-to-all is 1 + 1 + 2 transfers for each
            (Hypercube(2), "d", "AAB", 2),
            (Hypercube(2), "1", "AAB", 3),
            (Hypercube(2), "1", "AAS", 4),
            (Hypercube(2), "d", "AAS", 2),
            (Hypercube(2), "1", "AOG", 3),
            (Hypercube(2), "d", "AOG", 2),
            # two nodes of two: 4 messages cross one lane, but a scatter sends only 2 across
            (FatCube(1, 2), "1", "AAS", 4),
            (FatCube(1, 2, 2), "1", "AAS", 3),
            (FatCube(1, 2), "*", "OAS", 2),
            # what crosses in the last step reaches one of two only: 2 messages in 2 steps and a copy
            (FatCube(1, 2), "*", "AAB", 3),
            (FatCube(1, 2, 2), "*", "AAB", 2),
            # a circle of three is complete
            (Loop(3), "d", "AAS", 1),
            (Loop(3), "1", "AAS", 2),
            (Loop(3), "b", "AAB", 2),
            (Loop(3), "d", "AAB", 1),
            # an all-reduce of two is an exchange and an exchange; of three, each sends two and then each is sent two
            (Hypercube(1), "1", "all-reduce", 2),
            (Loop(3), "d", "all-reduce", 2),
            (Loop(3), "1", "all-reduce", 4),
            # each sum crosses the one lane twice, which takes 4 steps, but neither in the first step nor in the last one
            (FatCube(1, 2), "*", "all-reduce", 6),
            (FatCube(1, 3, 2), "*", "all-reduce", 5),
            # two nodes joined by two channels
            (Loop(2, 2), "d", "AAS", 2),
            (Loop(2, 2), "1", "AAS", 3),
        ],
    )
    def test_others(self, topology, ports, collective, steps):
        finding = fewest(Problem(topology, ports, collective), time_limit=HANG)
        assert check(finding.schedule).steps == finding.steps == steps
        assert finding.proved

    def test_proof_by_search(self):
        """On a circle of 7 the holders lie side by side: 1, 2, 4, then only 2 more a step, never 7 in 3."""
        assert lower_bound(Problem(Loop(7), "1", "OAB")).steps == 3
        finding = fewest(Problem(Loop(7), "1", "OAB"), time_limit=HANG)
        assert check(finding.schedule).steps == finding.steps == 4
        assert finding.by == "search"
        assert finding.bound == Bound(4, "search proves that there is no schedule of 3 steps")
        assert finding.proved

    def test_the_search_raises_the_bound(self, monkeypatch):
        monkeypatch.setattr("fatcube.schedules.search.lower_bound", lambda *case, **among: Bound(1, "nothing"))
        finding = fewest(Problem(FatCube(2, 2), "*", "AAB"), time_limit=HANG)
        assert finding.steps == 4
        assert finding.by == "search among symmetric schedules"
        assert finding.bound == Bound(4, "search proves that there is no schedule of 3 steps")
        assert finding.proved

    def test_what_is_known_is_the_answer_if_nothing_is_shorter(self):
        known = Finding(
            Collective.OAB,
            construct(Problem(Hypercube(2), "1", "OAB")).schedule,
            "constructed",
            Bound(1, "nothing"),
            0.0,
        )
        finding = fewest(Problem(Hypercube(2), "1", "OAB"), time_limit=HANG, known=known)
        assert finding.schedule is known.schedule
        assert finding.by == "constructed"

    def test_no_time(self):
        finding = fewest(Problem(Hypercube(3), "1", "AAS"), time_limit=0)
        assert finding.schedule is None
        assert finding.steps is None
        assert not finding.proved
        assert finding.stopped is Outcome.TIME
        assert finding.bound == lower_bound(Problem(Hypercube(3), "1", "AAS"))

    def test_what_was_left_open_is_not_proved(self, monkeypatch):
        """There is no answer for the first number of steps, and a schedule for the next."""

        def search_but_for_3(*case, steps, **settings):
            return OPEN if steps == 3 else search(*case, steps=steps, **settings)

        monkeypatch.setattr("fatcube.schedules.search.search", search_but_for_3)
        finding = fewest(Problem(Loop(7), "1", "OAB"), time_limit=HANG)
        assert finding.steps == 4
        assert finding.bound == lower_bound(Problem(Loop(7), "1", "OAB"))
        assert finding.stopped is Outcome.TIME
        assert not finding.proved

    def test_what_no_symmetric_schedule_does_is_not_proved(self, monkeypatch):
        def search_symmetric_only(*case, symmetric, **settings):
            return search(*case, symmetric=True, **settings) if symmetric else OPEN

        monkeypatch.setattr("fatcube.schedules.search.search", search_symmetric_only)
        monkeypatch.setattr("fatcube.schedules.search.lower_bound", lambda *case, **among: Bound(3, "too low"))
        finding = fewest(Problem(FatCube(2, 2), "*", "AAB"), time_limit=HANG)
        assert finding.steps == 4
        assert finding.bound == Bound(3, "too low")
        assert not finding.proved

    def test_an_answer_for_more_steps_answers_for_fewer(self, monkeypatch):
        def search_but_for_2(*case, steps, **settings):
            return OPEN if steps == 2 else search(*case, steps=steps, **settings)

        monkeypatch.setattr("fatcube.schedules.search.search", search_but_for_2)
        monkeypatch.setattr("fatcube.schedules.search.lower_bound", lambda *case, **among: Bound(2, "too low"))
        finding = fewest(Problem(Loop(7), "1", "OAB"), time_limit=HANG)
        assert finding.bound == Bound(4, "search proves that there is no schedule of 3 steps")
        assert finding.stopped is None
        assert finding.proved

    def test_interrupted(self, monkeypatch):
        monkeypatch.setattr("fatcube.schedules.search.solve", interrupt)
        finding = fewest(Problem(Hypercube(3), "1", "AAS"), time_limit=HANG)
        assert finding.schedule is None
        assert finding.stopped is Outcome.INTERRUPTED
        assert not finding.proved

    @pytest.mark.parametrize("collective", ["AOG", "AOR", "AAR"])
    @pytest.mark.parametrize("ports", PORTS)
    def test_what_runs_backwards(self, collective, ports):
        """The schedule is one of the collective asked for, and as short as can be."""
        finding = fewest(Problem(FatCube(1, 2), ports, collective), time_limit=HANG)
        assert finding.proved
        assert finding.schedule.collective.value == collective
        assert check(finding.schedule).steps == finding.steps


def interrupt(*_):
    raise KeyboardInterrupt


class TestSearch:
    def test_found(self):
        result = search(Problem(FatCube(2, 2), "d", "OAS", 5), steps=4, time_limit=HANG)
        assert result.outcome is Outcome.FOUND
        assert check(result.schedule).steps == 4
        assert result.schedule.root == 5
        assert result.seconds > 0

    def test_impossible(self):
        result = search(Problem(FatCube(2, 2), "d", "OAS"), steps=3, time_limit=HANG)
        assert result.outcome is Outcome.IMPOSSIBLE
        assert result.schedule is None

    def test_nothing_is_faster_than_its_way(self):
        assert search(Problem(Hypercube(3), "*", "OAB"), steps=2, time_limit=HANG).outcome is Outcome.IMPOSSIBLE

    def test_more_steps_than_needed(self):
        result = search(Problem(Hypercube(2), "1", "OAB"), steps=5, time_limit=HANG)
        assert result.outcome is Outcome.FOUND
        assert check(result.schedule).steps <= 5

    def test_symmetric(self):
        result = search(Problem(FatCube(2, 2), "d", "AAB"), steps=4, time_limit=HANG, symmetric=True)
        assert result.outcome is Outcome.FOUND
        assert check(result.schedule).steps == 4
        assert len(result.schedule.transfers) == 2 * 7
        nodes = {
            (transfer.step, transfer.src, transfer.dst, transfer.message.origin)
            for transfer in result.schedule.expanded().transfers
        }
        assert len(nodes) == 8 * 7
        for node in range(4):  # FatCube(2, 2): the nodes' numbers are the upper bits of the processors'
            assert {(step, *(processor ^ node * 2 for processor in rest)) for step, *rest in nodes} == nodes

    @pytest.mark.long(stays="tests/schedules/test_search.py::TestSearch::test_symmetric")
    def test_no_symmetric_one_proves_nothing_about_others(self):
        result = search(HARD, steps=11, time_limit=HANG, symmetric=True)
        assert result.outcome is Outcome.NO_SYMMETRIC
        assert result.outcome.value == "proven impossible for symmetric schedules only"
        assert result.schedule is None

    def test_out_of_time(self):
        result = search(HARD, steps=11, time_limit=1)
        assert result.outcome is Outcome.TIME
        assert result.outcome.value == "out of time, nothing proven"
        assert result.schedule is None

    def test_out_of_time_before_the_model_is_written_down(self):
        result = search(Problem(Hypercube(5), "1", "AAS"), steps=80, time_limit=0.5)
        assert result.outcome is Outcome.TIME

    def test_interrupted(self, monkeypatch):
        """Ctrl-C is noticed while the solver works, and it still works afterwards."""
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which may be ignored
        solving = cp_model.CpSolver.solve

        def interrupted(*arguments):
            os.kill(os.getpid(), signal.SIGINT)  # in the solver's thread, as the main one waits for it
            return solving(*arguments)

        monkeypatch.setattr(cp_model.CpSolver, "solve", interrupted)
        result = search(HARD, steps=11, time_limit=HANG)
        assert result.outcome is Outcome.INTERRUPTED
        assert result.outcome.value == "interrupted, nothing proven"
        assert result.schedule is None
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    def test_the_same_seed_finds_the_same_schedule(self):
        def found(seed):
            case, model = (Hypercube(3), "d", "AAS"), StepModel(links="half-duplex")
            return search(Problem(*case, model=model), steps=8, time_limit=HANG, seed=seed, symmetric=True).schedule

        first = found(1)
        assert first is not None
        assert first == found(1)
        assert first != found(2) or first != found(3)

    @pytest.mark.parametrize(
        "change, message",
        [
            ({"steps": 0}, "steps must be an integer of at least 1, not 0"),
            ({"seed": -1}, "seed must be an integer from 0 to 2147483647, not -1"),
            ({"root": 4}, "root of OAB must be an integer from 0 to 3, not 4"),
            ({"ports": "2"}, "ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not '2'"),
            (
                {"symmetric": True},
                "symmetric must be False for OAB on the hypercube of 4 nodes: "
                "schedules that are the same seen from every node are not known there",
            ),
            (
                {"symmetric": True, "topology": Loop(4), "collective": "AAB"},
                "symmetric must be False for AAB on the search test loop length = 4, channels = 1: "
                "schedules that are the same seen from every node are not known there",
            ),
            (
                {"collective": "all-reduce", "among": Participants((0, 1), (0, 1))},
                "all-reduce must be among all processors to be searched, not among 0,1",
            ),
            (
                {"model": StepModel(dedicated_ports=True)},
                "dedicated ports must be in model * (all-port), not in model 1",
            ),
        ],
    )
    def test_refuses(self, change, message):
        case = {"topology": Hypercube(2), "ports": "1", "collective": "OAB", "steps": 2, "time_limit": 1}
        with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
            asked = {**case, **change}
            settings = {name: asked.pop(name) for name in ("steps", "time_limit", "seed", "symmetric") if name in asked}
            search(Problem(**asked), **settings)


class TestBounds:
    @pytest.mark.parametrize(
        "topology, ports, collective, bound",
        [
            (Hypercube(3), "1", "OAB", Bound(3, "a message of processor 0 cannot reach all processors sooner")),
            # node 3 is 2 hops away, and in step 2 two of its 4 processors can be reached
            (FatCube(2, 4), "*", "OAB", Bound(3, "a message of processor 0 cannot reach all processors sooner")),
            (FatCube(2, 2), "d", "OAS", Bound(4, "7 messages pass processor 0, at most 2 a step")),
            (FatCube(2, 2), "*", "OAS", Bound(3, "7 messages pass processor 0, at most 3 a step")),
            (FatCube(2, 3), "*", "OAS", Bound(5, "9 messages pass node 0, at most 2 a step")),
            (FatCube(2, 3), "*", "AOG", Bound(5, "9 messages pass node 0, at most 2 a step")),
            (FatCube(2, 2), "*", "AAB", Bound(4, "6 messages enter node 0, at most 2 a step, 1 in the last step")),
            (FatCube(2, 2), "1", "AAS", Bound(9, "72 transfers, at most 8 a step")),
            (FatCube(2, 2), "d", "AAS", Bound(8, "64 hops, at most 8 a step")),
            (FatCube(1, 2), "*", "AAB", Bound(3, "2 messages enter node 0, at most 1 a step, 0 in the last step")),
            (Loop(9), "d", "OAS", Bound(4, "8 messages pass processor 0, at most 2 a step")),
            (Loop(4, 16, 8), "1", "OAS", Bound(63, "63 messages pass processor 0, at most 1 a step")),
            (Loop(6, 5, 2), "*", "AOG", Bound(7, "25 messages pass node 0, at most 4 a step")),
            # the farthest pass in all steps but the first three (or the last three)
            (
                Loop(9, channels=2),
                "d",
                "OAS",
                Bound(4, "2 messages pass processor 0, at most 4 a step, each over 4 transfers or more"),
            ),
            (Loop(9, channels=2), "d", "AAB", Bound(4, "a message of processor 0 cannot reach all processors sooner")),
            (Loop(9, channels=2), "d", "AAS", Bound(5, "180 transfers, at most 36 a step")),
        ],
    )
    def test_value_and_reason(self, topology, ports, collective, bound):
        assert lower_bound(Problem(topology, ports, collective)) == bound

    @pytest.mark.parametrize(
        "topology",
        [
            Hypercube(1),
            Hypercube(2),
            FatCube(1, 2),
            FatCube(1, 2, 2),
            FatCube(2, 1, 2),
            Loop(2),
            Loop(3),
            Loop(4),
            Loop(2, 2),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("ports", PORTS)
    @pytest.mark.parametrize("collective", ["OAB", "OAS", "AOG", "AAB", "AAS"])
    def test_nothing_is_below_the_bound(self, topology, ports, collective):
        """The search, which knows nothing of bounds, finds no schedule with one step less."""
        steps = lower_bound(Problem(topology, ports, collective)).steps
        if steps > 1:
            result = search(Problem(topology, ports, collective), steps=steps - 1, time_limit=HANG)
            assert result.outcome is Outcome.IMPOSSIBLE

    def test_refuses(self):
        with pytest.raises(ParameterError, match="^root of OAB must be an integer from 0 to 3, not 4$"):
            lower_bound(Problem(Hypercube(2), "1", "OAB", 4))
        with pytest.raises(ParameterError, match=r"^dedicated ports must be in model \* \(all-port\), not in model d$"):
            lower_bound(Problem(Hypercube(2), "d", "AAB", model=StepModel(dedicated_ports=True)))


class TestSymmetry:
    @pytest.mark.parametrize("topology", [Hypercube(3), FatCube(2, 3, 2), Loop(5, 2)], ids=str)
    def test_translations_keep_links_and_no_node(self, topology):
        symmetry = Symmetry.of(topology, Collective.AAS)
        nodes = range(topology.nodes)
        for permutation in symmetry.permutations:
            assert sorted(permutation) == list(nodes)
            kept = [node for node in nodes if permutation[node] == node]
            assert kept in ([], list(nodes))
            for node, other in itertools.product(nodes, nodes):
                assert len(topology.channels_between(node, other)) == len(
                    topology.channels_between(permutation[node], permutation[other])
                )

    def test_classes(self):
        symmetry = Symmetry.of(FatCube(2, 3), Collective.AAB)
        assert not symmetry.trivial
        assert {symmetry.node_class(node) for node in range(4)} == {0}
        assert [symmetry.processor_class(processor) for processor in range(12)] == [0, 1, 2] * 4
        assert symmetry.link_class(3, 1) == symmetry.link_class(0, 2) == symmetry.link_class(2, 0) == (0, 2)

    def test_none_where_there_is_a_root(self):
        symmetry = Symmetry.of(Hypercube(3), Collective.OAS)
        assert symmetry.trivial
        assert symmetry.link_class(3, 1) == (3, 1)
        assert symmetry.processor_class(5) == 5

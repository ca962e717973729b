import dataclasses

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.schedules import construct as module
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best, construct, with_fewer_ports
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import Outcome
from fatcube.schedules.step_model import STANDARD, StepModel


@dataclasses.dataclass(frozen=True)
class Loop(Topology, kind="construct test loop"):
    """Nodes in a circle. Where there are two, both channels join them."""

    length: int
    m: int = 1
    f: int = 1

    nodes = property(lambda self: self.length)
    degree = 2

    def neighbour(self, node, channel):
        return (node + (1, -1)[channel]) % self.length, 1 - channel


PORTS = ("1", "b", "d", "*")
COLLECTIVES = ("OAB", "OAS", "AOG", "AAB", "AAS")


class TestPaper:
    """The fat-cube paper's example with 8 processors (section 5, Table 6), each proven to be the shortest."""

    HYPERCUBE, FAT_CUBE = Hypercube(3), FatCube(2, 2, 1)

    @pytest.mark.parametrize(
        "topology, collective, steps",
        [
            (HYPERCUBE, "OAB", (3, 3, 3, 3)),
            (FAT_CUBE, "OAB", (3, 2, 2, 2)),
            (HYPERCUBE, "OAS", (7, 7, 3, 3)),
            (FAT_CUBE, "OAS", (7, 7, 4, 3)),
            (HYPERCUBE, "AAB", (7, 7, 3, 3)),
            (FAT_CUBE, "AAB", (7, 7, 4, 4)),
            (HYPERCUBE, "AAS", (12, 12, 4, 4)),
            (FAT_CUBE, "AAS", (9, 9, 8, 8)),
        ],
    )
    def test_table_6(self, topology, collective, steps):
        for ports, expected in zip(PORTS, steps, strict=True):
            finding = best(Problem(topology, ports, collective))
            assert check(finding.schedule).steps == finding.steps == expected
            assert finding.bound.steps == expected
            assert finding.proved

    @pytest.mark.parametrize("collective", ["OAB", "OAS", "AOG"])
    @pytest.mark.parametrize("ports", PORTS)
    def test_any_root(self, collective, ports):
        for topology in (self.HYPERCUBE, self.FAT_CUBE):
            steps = {best(Problem(topology, ports, collective, root)).steps for root in range(8)}
            assert len(steps) == 1


class TestConstruct:
    @pytest.mark.parametrize("collective", COLLECTIVES)
    @pytest.mark.parametrize(
        "topology", [FatCube(d, m, f) for d in (1, 2, 3) for m in (1, 2, 3, 4) for f in (1, 2)], ids=str
    )
    def test_meets_the_bound_on_small_cubes(self, topology, collective):
        for ports in PORTS:
            schedule = construct(Problem(topology, ports, collective)).schedule
            assert check(schedule).steps == lower_bound(Problem(topology, ports, collective)).steps

    @pytest.mark.parametrize(
        "topology",
        [
            pytest.param(FatCube(d, m, f), marks=pytest.mark.long if m << d > 48 and m * f > 1 else ())
            for d in range(1, 7)
            for m in (1, 2, 3, 5, 6)
            for f in (1, 2, 4)
            if m << d <= 192
        ],
        ids=str,
    )
    def test_what_is_proved_to_be_the_fewest(self, topology):
        """The sizes for which constructions have a proof: the proof is right, and so is the code."""
        d, m, f = topology.d, topology.m, topology.f
        for ports in PORTS:
            k = topology.degree if ports == "d" else d + m - 1 if ports == "*" else 1
            proved = ["OAS", "AOG", *(["AAB", "AAR"] if k == 1 else [])]
            if m <= f * d if k == 1 else f <= m or ports == "d":
                proved.append("AAS")
            for collective in proved:
                root = topology.processors // 2
                schedule = construct(Problem(topology, ports, collective, root)).schedule
                assert check(schedule).steps == lower_bound(Problem(topology, ports, collective, root)).steps

    @pytest.mark.parametrize(
        "topology, ports, collective, above",
        [
            (Hypercube(6), "*", "AAB", 0),
            (FatCube(4, 4, 2), "d", "AAB", 1),
            (FatCube(1, 9, 2), "1", "AAS", 4),
            (FatCube(3, 8), "1", "AAS", 0),
            pytest.param(FatCube(3, 8, 2), "b", "AAS", 3, marks=pytest.mark.long),
            (FatCube(4, 7), "1", "AAS", 0),
            (Hypercube(10), "1", "AAS", 0),
            (FatCube(6, 4), "d", "all-reduce", 3),
            (FatCube(5, 2), "*", "AAR", 1),
        ],
    )
    def test_is_near_the_bound_on_larger_cubes(self, topology, ports, collective, above):
        schedule = construct(Problem(topology, ports, collective)).schedule
        assert check(schedule).steps <= lower_bound(Problem(topology, ports, collective)).steps + above

    @pytest.mark.parametrize("topology", [Hypercube(10), FatCube(5, 32), FatCube(2, 256)], ids=str)
    @pytest.mark.parametrize("ports", PORTS)
    def test_broadcast_to_1024_processors(self, topology, ports):
        schedule = construct(Problem(topology, ports, "OAB", 517)).schedule
        assert check(schedule).steps == lower_bound(Problem(topology, ports, "OAB", 517)).steps

    @pytest.mark.parametrize("collective", COLLECTIVES)
    @pytest.mark.parametrize("ports", PORTS)
    @pytest.mark.parametrize(
        "topology",
        [
            *(Loop(2), Loop(2, 3, 2), Loop(3), Loop(5, 2), Loop(6, 1, 2)),
            pytest.param(Loop(9), marks=pytest.mark.long),
        ],
        ids=str,
    )
    def test_any_topology(self, topology, ports, collective):
        root = topology.processors - 1
        schedule = construct(Problem(topology, ports, collective, root)).schedule
        assert check(schedule).steps <= 1.25 * lower_bound(Problem(topology, ports, collective, root)).steps + 1

    def test_nothing_is_sent_that_is_not_needed(self):
        topology = FatCube(2, 3)
        assert (
            construct(Problem(topology, "d", "OAB")).schedule.size
            == construct(Problem(topology, "d", "AOR")).schedule.size
            == 11
        )
        assert (
            construct(Problem(topology, "d", "AAB")).schedule.size
            == construct(Problem(topology, "d", "AAR")).schedule.size
            == 12 * 11
        )
        assert construct(Problem(topology, "d", "all-reduce")).schedule.size == 2 * 12 * 11
        # per processor 2 peers, 6 processors one hop away, 3 two hops away
        assert construct(Problem(topology, "d", "OAS")).schedule.size == 2 + 6 + 3 * 2
        assert construct(Problem(topology, "d", "AAS")).schedule.size == 12 * (2 + 6 + 3 * 2)

    def test_a_gather_is_a_scatter_run_backwards(self):
        scatter = construct(Problem(FatCube(2, 2), "d", "OAS", 3)).schedule
        gather = construct(Problem(FatCube(2, 2), "d", "AOG", 3)).schedule
        backwards = {
            (
                scatter.steps + 1 - transfer.step,
                transfer.dst,
                transfer.src,
                (transfer.message.destination, transfer.message.origin, 0),
            )
            for transfer in scatter.transfers
        }
        assert backwards == {
            (transfer.step, transfer.src, transfer.dst, transfer.message) for transfer in gather.transfers
        }

    @pytest.mark.parametrize("ports", PORTS)
    @pytest.mark.parametrize("collective", list(Collective), ids=str)
    def test_comes_with_its_bound(self, collective, ports):
        finding = construct(Problem(FatCube(2, 2), ports, collective, 5))
        assert finding.bound == lower_bound(Problem(FatCube(2, 2), ports, collective, 5))
        assert finding.steps == check(finding.schedule).steps
        assert (finding.by, finding.stopped) == ("constructed", None)

    @pytest.mark.parametrize("collective", COLLECTIVES)
    def test_is_the_same_every_time(self, collective):
        assert (
            construct(Problem(FatCube(2, 3), "1", collective)).schedule
            == construct(Problem(FatCube(2, 3), "1", collective)).schedule
        )

    def test_root_counts_for_rooted_collectives_only(self):
        assert construct(Problem(Hypercube(2), "1", "AAS", 3)).schedule.root is None
        assert (
            construct(Problem(Hypercube(2), "1", "AAS", 3)).schedule
            == construct(Problem(Hypercube(2), "1", "AAS")).schedule
        )
        assert construct(Problem(Hypercube(2), "1", "AOG", 3)).schedule.root == 3


class TestBest:
    @pytest.fixture(autouse=True)
    def few_tries(self, monkeypatch):
        """So that the greedy choice is a step too long on some loops."""
        monkeypatch.setattr("fatcube.schedules.constructions.greedy.TRIES", 60)

    def test_the_bound_is_computed_once(self, monkeypatch):
        """Also where greedy tries until it is met, and a search begins at it."""
        asked = []

        def count(problem):
            asked.append(problem)
            return lower_bound(problem)

        monkeypatch.setattr("fatcube.schedules.construct.lower_bound", count)
        monkeypatch.setattr("fatcube.schedules.search.lower_bound", count)
        finding = best(Problem(Loop(5), "1", "AAS"))
        assert finding.by == "search"
        assert finding.bound == lower_bound(Problem(Loop(5), "1", "AAS"))
        assert len(asked) == 1

    def test_constructed(self):
        finding = best(Problem(FatCube(2, 2), "d", "AAB"))
        assert finding.by == "constructed"
        assert finding.proved
        assert finding.stopped is None
        assert finding.seconds > 0

    def test_searched(self):
        """Here the greedy choice is a step too long, and the search finds a shorter schedule."""
        assert construct(Problem(Loop(5), "1", "AAS")).steps == 7
        finding = best(Problem(Loop(5), "1", "AAS"))
        assert check(finding.schedule).steps == finding.steps == 6
        assert finding.by == "search"
        assert finding.proved

    def test_constructed_and_proved_by_search(self):
        finding = best(Problem(Loop(7), "1", "OAB"))
        assert check(finding.schedule).steps == 4
        assert finding.by == "constructed"
        assert finding.bound.reason == "search proves that there is no schedule of 3 steps"
        assert finding.proved

    def test_no_time_to_search(self):
        finding = best(Problem(Loop(5), "1", "AAS"), time_limit=0)
        assert check(finding.schedule).steps == 7
        assert finding.bound == lower_bound(Problem(Loop(5), "1", "AAS"))
        assert finding.stopped is Outcome.TIME
        assert not finding.proved

    def test_interrupted(self, monkeypatch):
        def interrupt(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("fatcube.schedules.search.solve", interrupt)
        finding = best(Problem(Loop(5), "1", "AAS"))
        assert check(finding.schedule).steps == 7
        assert finding.stopped is Outcome.INTERRUPTED
        assert not finding.proved

    def test_too_large_to_search(self, monkeypatch):
        monkeypatch.setattr("fatcube.schedules.construct.SMALL", 0)
        finding = best(Problem(Loop(5), "1", "AAS"))
        assert finding.by == "constructed"
        assert finding.stopped is None
        assert not finding.proved


class TestFewerPorts:
    def test_a_narrower_router_model_has_fewer_steps(self):
        """Catches a schedule that keeps the router model, or the step model, that it was made for."""
        problem = Problem(FatCube(1, 3), "*", "AAS", model=StepModel(per_packet=4))
        wide = construct(problem)
        found = with_fewer_ports(problem, wide)
        assert (wide.steps, found.steps, found.by) == (4, 3, "constructed for router model d")
        assert Problem.of(found.found) == problem and check(found.found).steps == 3
        assert (
            with_fewer_ports(problem.changed(model=STANDARD), finding := construct(Problem(FatCube(2), "*", "AAB")))
            is finding
        )

    @pytest.mark.parametrize("ports", "1bd*")
    def test_nothing_is_constructed_for_the_router_model(self, monkeypatch, ports):
        """Only model 1 has none narrower; what it does, dedicated ports do as well."""
        model = StepModel(port_use="one-partner", dedicated_ports=ports == "*")
        problem = Problem(Hypercube(3), ports, "AAB", model=model)
        real = module.construct
        monkeypatch.setattr(
            module, "construct", lambda one: without(real(one)) if one.ports.value != "1" else real(one)
        )
        found = with_fewer_ports(problem, module.construct(problem))
        assert Problem.of(found.found) == problem and check(found.found).steps == found.steps == 7

    def test_one_partner_on_the_5_cube(self):
        """As few steps as with one port, where nothing was found in 21 s."""
        found = construct(Problem(Hypercube(5), "d", "AAB", model=StepModel(port_use="one-partner")))
        assert check(found.found).steps <= 31


def without(finding):
    return dataclasses.replace(finding, schedule=None, by="not found")

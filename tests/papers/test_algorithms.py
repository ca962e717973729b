"""The papers' algorithms: the steps that are printed, or the right ones where what is printed is wrong; and on the RTL.

What steps are expected is written down as numbers, or computed from a formula that knows no schedule.
"""

from collections import defaultdict
from math import ceil

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.algorithms import ALGORITHMS
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import bound_of, lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.constructions.ccc import broadcast
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import network_of
from fatcube.sim.collectives.plan import most_entries
from fatcube.sim.collectives.simulate import Run, fitting_machine, longest_packet_of, simulate_all

FAT_CUBES = [
    FatCube(d, m, f)
    for d, m, f in ((1, 1, 1), (1, 3, 2), (2, 2, 1), (2, 2, 3), (2, 3, 1), (2, 5, 2), (3, 2, 1), (3, 3, 2), (3, 4, 1))
]


def made(name, topology, ports="1", collective=None, root=0, model=None):
    """The schedule of an algorithm, and its steps; it passed the checker."""
    algorithm = ALGORITHMS[name]
    model = model or algorithm.model
    schedule = algorithm.schedule(Problem(topology, ports, collective or algorithm.collectives[0], root, model))
    assert check(schedule, model).steps >= bound_of(schedule).steps
    return schedule


def steps(*args, **kwargs):
    return made(*args, **kwargs).steps


def log(base, number):
    """The rounds in which ``number`` are reached if each round multiplies them by ``base``, rounded up."""
    return next(rounds for rounds in range(99) if base**rounds >= number)


def test_every_name_of_the_papers_is_there():
    assert list(ALGORITHMS) == [
        *("hamiltonian", "tadt", "two-phase", "edelman", "gather-scatter", "a2", "a3", "a4", "a5", "a6", "a7"),
        *("circuit", "two-way-circuit", "nrsbt-alternative", "opposite-paths", "central-path"),
    ]
    assert all(name == algorithm.name and algorithm.does and algorithm.source for name, algorithm in ALGORITHMS.items())


class TestFatCube:
    """The fat-cube paper, sections 4.2 to 4.4."""

    @pytest.mark.parametrize("topology", FAT_CUBES, ids=str)
    def test_hamiltonian(self, topology):
        for ports in "1b":
            for collective in ("AAB", "OAS"):
                root = topology.processors - 1
                assert steps("hamiltonian", topology, ports, collective, root) == topology.processors - 1

    @pytest.mark.parametrize("d", range(1, 7))
    def test_time_arc_disjoint_trees(self, d):
        """A spanning tree whose edges have later and later steps, with one edge in each step and dimension at most."""
        schedule = made("tadt", Hypercube(d), "d")
        assert schedule.steps == [1, 2, 3, 4, 7, 11][d - 1]
        tree = [transfer for transfer in schedule.transfers if transfer.message == Message(0, None)]
        assert sorted(transfer.dst for transfer in tree) == list(range(1, 2**d))
        assert len({(transfer.step, transfer.src ^ transfer.dst) for transfer in tree}) == len(tree)
        for transfer in schedule.transfers:  # the copies are translations
            moved = transfer.src ^ transfer.message.origin, transfer.dst ^ transfer.message.origin
            assert (transfer.step, *moved) in {(one.step, one.src, one.dst) for one in tree}

    @pytest.mark.parametrize("topology", FAT_CUBES, ids=str)
    @pytest.mark.parametrize("ports", "d*")
    def test_two_phase_all_gather(self, topology, ports):
        """Theorem 3; the printed ceil((P - m) / min(f d, m d)) is a step a super-message less than is executed."""
        d, m, f, nodes = topology.d, topology.m, topology.f, topology.nodes
        k = PortModel.parse(ports).processor_ports(d, m)
        between = (nodes - 1) * ceil(m / min(f * d, m * k))
        assert steps("two-phase", topology, ports, "AAB") == between + ceil((m - 1) / k) * nodes

    def test_erratum_of_theorem_3(self):
        """d = 2, m = 3, f = 1: merged, 9 messages over 2 lanes are 5 steps, but three super-messages of 2 steps are 6."""
        P, m, d = 12, 3, 2
        printed = ceil((P - m) / d) + ceil((m - 1) / d) * P // m
        assert (printed, steps("two-phase", FatCube(d, m), "d", "AAB")) == (9, 10)

    @pytest.mark.parametrize("topology", [one for one in FAT_CUBES if one.f == 1], ids=str)
    @pytest.mark.parametrize("ports", "d*")
    def test_two_phase_scatter(self, topology, ports):
        """Theorem 4, for one lane: in model * the last step between nodes has the messages of the root's node too."""
        d, m, P = topology.d, topology.m, topology.processors
        expected = ceil((P - m) / d) + ceil((m - 1) / d) if ports == "d" else ceil((P - m - d) / d) + 1
        assert steps("two-phase", topology, ports, "OAS", root=1) == expected

    @pytest.mark.parametrize("ports", "d*")
    def test_erratum_of_theorem_4(self, ports):
        """With several lanes the printed bound is less than any schedule takes: the root has not so many ports."""
        topology = FatCube(2, 4, 4)
        d, m, f, P = 2, 4, 4, 16
        printed = ceil((P - m) / min(f * d, m * d)) + ceil((m - 1) / d)
        assert printed < lower_bound(Problem(topology, "d", Collective.OAS, 0)).steps == ceil((P - 1) / d)
        with pytest.raises(ParameterError, match="^f must be 1 for OAS by two-phase over several ports, .*, not 4$"):
            made("two-phase", topology, ports, "OAS")

    @pytest.mark.parametrize("topology", FAT_CUBES, ids=str)
    @pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
    def test_two_phase_all_to_all(self, topology, ports):
        """Theorem 5, equations 14 and 17; with one port the paper has no algorithm for m > f d."""
        d, m, f, P = topology.d, topology.m, topology.f, topology.processors
        k = PortModel.parse(ports).processor_ports(d, m)
        single = ports in "1b"
        if single and m > f * d:
            with pytest.raises(ParameterError, match=f"^m must be at most f d = {f * d} for AAS by two-phase"):
                made("two-phase", topology, ports, "AAS")
        else:
            between = ceil(P * m * d / (2 * min(m if single else m * d, f * d)))
            assert steps("two-phase", topology, ports, "AAS") == between + ceil((m - 1) / k)

    def test_the_paper_s_example(self):
        """Section 5: 7 steps of AAB, 7, 4 and 3 of OAS, and 9 of AAS, on 8 processors."""
        found = {
            one: [steps("two-phase", FatCube(2, 2), ports, one) for ports in "1d*"] for one in ("AAB", "OAS", "AAS")
        }
        assert found == {"AAB": [7, 7, 7], "OAS": [7, 4, 3], "AAS": [9, 9, 9]}

    @pytest.mark.parametrize(
        ("topology", "expected"),
        [(Hypercube(2), 2), (Hypercube(4), 8), (FatCube(2, 2), 8), (FatCube(3, 2), 16), (FatCube(2, 4, 2), 16)],
        ids=str,
    )
    def test_edelman(self, topology, expected):
        """2^(d-1) rows of m^2 / f steps; messages within a node go beside them (section 5.4)."""
        assert [steps("edelman", topology, ports) for ports in "d*"] == [expected, expected]

    @pytest.mark.parametrize("topology", FAT_CUBES, ids=str)
    @pytest.mark.parametrize("ports", "1d*")
    @pytest.mark.parametrize("collective", ["AAB", "AAS"])
    def test_gather_scatter(self, topology, ports, collective):
        schedule = made("gather-scatter", topology, ports, collective)
        k = PortModel.parse(ports).processor_ports(topology.d, topology.m)
        assert schedule.steps == 2 * log(k + 1, topology.m) + topology.d

    def test_gather_scatter_in_packets_of_two(self):
        """On (1, 2, 1), AAB, one port: 1 message is gathered, 2 are exchanged, 3 are spread: 1 + 1 + 2 steps."""
        assert steps("gather-scatter", FatCube(1, 2), "1", "AAB", model=StepModel(per_packet=2)) == 4


class TestCubeConnectedCycles:
    """The cube-connected cycles paper, algorithms A2 to A7, for n = 2, 3 and 4."""

    @pytest.mark.parametrize(
        ("name", "ports", "expected"),
        [
            ("a2", "1", (4, 6, 13)),
            ("a3", "d", (4, 6, 12)),
            ("a4", "1", (7, 60, 157)),
            ("a5", "1", (7, 23, 63)),
            ("a6", "d", (4, 12, 31)),
            ("a7", "d", (16, 75, 364)),
        ],
    )
    def test_steps(self, name, ports, expected):
        """A2 as its proof reads it, left *and* right: the printed "left (or right)" leaves nodes out for n = 3."""
        assert tuple(steps(name, CubeConnectedCycles(n), ports) for n in (2, 3, 4)) == expected

    def test_erratum_of_a2(self):
        """Read as printed, each node sends left or right: sent left, the message reaches 20 of 24 nodes, followed here."""
        n, reached, receipts = 3, {(0, 0)}, {((1, 0), "lateral"), ((0, 2), "left")}
        while receipts - reached:
            reached |= receipts
            for (cycle, place), way in list(receipts):
                if way == "left":
                    receipts.add(((cycle ^ 1 << place, place), "lateral"))
                else:
                    receipts.add(((cycle, (place - 1) % n), "left"))
        assert len({(0, 0), *(node for node, _ in receipts)}) == 20
        moves = broadcast(CubeConnectedCycles(n), "1", both=False)
        assert len({0, *(move.dst for move in moves)}) == 20

    def test_from_another_root(self):
        for name, ports, expected in (("a2", "1", 6), ("a3", "d", 6), ("a5", "1", 23), ("a6", "d", 12)):
            assert steps(name, CubeConnectedCycles(3), ports, root=17) == expected

    @pytest.mark.parametrize(("name", "least"), [("a2", (4, 6)), ("a4", (14, 46)), ("a5", (7, 23))])
    def test_send_or_receive(self, name, least):
        """Section 5, taken by the word; a multinode broadcast then takes 2 (N - 1) steps, not the printed N - 1."""
        model = StepModel(port_use="send-or-receive")
        for n, fewest in zip((2, 3), least):
            topology = CubeConnectedCycles(n)
            schedule = made(name, topology, model=model)
            assert schedule.model == model and schedule.steps >= fewest
            busy = defaultdict(int)
            for transfer in schedule.transfers:
                busy[transfer.step, transfer.src] += 1
                busy[transfer.step, transfer.dst] += 1
            assert set(busy.values()) == {1}
        assert steps("a4", CubeConnectedCycles(2), model=model) == 14


class TestSpanningGraphs:
    """The spanning-graphs paper, sections 4.2, 7.1 and 8.4."""

    @pytest.mark.parametrize("n", range(1, 6))
    def test_circuits(self, n):
        cube, N = Hypercube(n), 2**n
        partner = StepModel(port_use="one-partner")
        assert {steps("circuit", cube, ports) for ports in "1d*"} == {N - 1}
        assert {steps("two-way-circuit", cube, ports) for ports in "d*"} == {ceil((N - 1) / 2)}
        assert {steps("two-way-circuit", cube, ports, model=partner) for ports in "1d*"} == {N - 1}
        used = {frozenset((one.src, one.dst)) for one in made("circuit", cube).transfers}
        assert len(used) == (N if n > 1 else 1)

    @pytest.mark.parametrize("n", range(1, 5))
    def test_nrsbt_alternative(self, n):
        """Every link carries a packet of N / 2 of n N parts in every cycle; a part is one nth of the data for a node."""
        N = 2**n
        schedule = made("nrsbt-alternative", Hypercube(n), "d")
        packets = defaultdict(int)
        for transfer in schedule.transfers:
            packets[transfer.step, transfer.src, transfer.dst] += 1
        assert (schedule.steps, schedule.parts) == (n, n)
        assert len(packets) == n * n * N and set(packets.values()) == {N // 2}

    @pytest.mark.parametrize("n", [2, 3, 4])
    def test_nrsbt_alternative_in_small_packets(self, n):
        for size in (1, 2):
            expected = n * 2 ** (n - 1) // size
            assert steps("nrsbt-alternative", Hypercube(n), "d", model=StepModel(per_packet=size)) == expected

    @pytest.mark.parametrize("n", range(2, 6))
    def test_opposite_paths(self, n):
        """A part has N - 1 links to go; over one port the source sends the second part a step later."""
        found = [made("opposite-paths", Hypercube(n), ports, root=1) for ports in "d1"]
        assert [one.steps for one in found] == [2**n - 1, 2**n]
        for schedule in found:
            links = [{(one.dst, one.src) for one in schedule.transfers if one.message.part == part} for part in (0, 1)]
            assert len(links[0] & {(src, dst) for dst, src in links[1]}) == 2**n - 2  # the ways are opposite

    @pytest.mark.parametrize("n", range(1, 7))
    def test_central_path(self, n):
        for ports in "1d*":
            schedule = made("central-path", Hypercube(n), ports, root=2**n - 1)
            assert schedule.steps == 2 ** (n - 1)
            sends = defaultdict(int)
            for transfer in schedule.transfers:
                sends[transfer.src] += 1
            assert all(number == 1 for src, number in sends.items() if src != schedule.root)


@pytest.mark.parametrize(
    ("name", "case", "message"),
    [
        ("a3", (CubeConnectedCycles(3), "1", "OAB"), "ports must be d or * by a3, not 1"),
        ("a3", (CubeConnectedCycles(3), "d", "AAB"), "collective must be OAB by a3, not AAB"),
        (
            "a3",
            (CubeConnectedCycles(3, 2), "d", "OAB"),
            "topology must be ccc with k = n and m = f = 1 by a3, not the CCC of order 3, m = 2",
        ),
        ("two-phase", (FatCube(2, 2), "d", "OAB"), "collective must be AAB or OAS or AAS by two-phase, not OAB"),
        ("tadt", (FatCube(2, 2), "d", "AAB"), "topology must be hypercube by tadt, not the fat cube d = 2, m = 2"),
    ],
)
def test_refusals(name, case, message):
    with pytest.raises(ParameterError) as caught:
        made(name, *case)
    assert str(caught.value) == message


def test_a_model_that_it_does_not_keep_to():
    """The title names the differences from the model that the algorithm is meant for."""
    with pytest.raises(ParameterError, match="^AAS by nrsbt-alternative must be done without half-duplex: step 1: "):
        made("nrsbt-alternative", Hypercube(2), "d", model=StepModel(per_packet="unlimited", links="half-duplex"))


def on_rtl(schedules):
    """The results of schedules on the RTL, in lockstep: every delivery is compared, and every wire with the plan.

    Those that need the same machine are run on it together.
    """
    runs = defaultdict(list)
    for name, schedule in schedules.items():
        network = network_of(schedule, RouterOptions(ports=schedule.ports))
        machine = fitting_machine(
            network.for_packets(longest_packet_of(schedule, 3)), payload_flits=3, steps=most_entries(schedule)
        )
        runs[machine].append((name, Run(schedule=schedule, payload_flits=3)))
    return {
        name: result
        for machine, named in runs.items()
        for (name, _), result in zip(named, simulate_all(machine, [run for _, run in named]))
    }


SMALL = {
    "hamiltonian": (FatCube(1, 2), "1", "OAS"),
    "tadt": (Hypercube(2), "d", "AAB"),
    "two-phase": (FatCube(1, 2), "d", "AAB"),
    "edelman": (Hypercube(2), "d", "AAS"),
    "gather-scatter": (FatCube(1, 2), "1", "AAS"),
    "a2": (CubeConnectedCycles(2), "1", "OAB"),
    "a3": (CubeConnectedCycles(2), "d", "OAB"),
    "a4": (CubeConnectedCycles(2), "1", "AAB"),
    "a5": (CubeConnectedCycles(2), "1", "OAS"),
    "a6": (CubeConnectedCycles(2), "d", "OAS"),
    "a7": (CubeConnectedCycles(2), "d", "AAS"),
    "circuit": (Hypercube(2), "d", "AAB"),
    "two-way-circuit": (Hypercube(2), "d", "AAB"),
    "nrsbt-alternative": (Hypercube(2), "d", "AAS"),
    "opposite-paths": (Hypercube(2), "d", "OAB"),
    "central-path": (Hypercube(2), "d", "OAB"),
}
LARGER = [
    ("two-phase", FatCube(2, 2), "1", "AAS"),
    ("two-phase", FatCube(2, 2), "d", "OAS"),
    ("two-phase", FatCube(2, 2), "*", "AAB"),
    ("edelman", FatCube(2, 2), "d", "AAS"),
    ("gather-scatter", FatCube(2, 2), "d", "AAB"),
    ("tadt", Hypercube(4), "d", "AAB"),
    ("two-way-circuit", Hypercube(3), "d", "AAB"),
    *((name, CubeConnectedCycles(n), *SMALL[name][1:]) for n in (3, 4) for name in SMALL if name[1:].isdigit()),
]


@pytest.fixture(scope="module")
def run_on_rtl():
    """The schedules of the small cases, and their results on the RTL."""
    schedules = {name: made(name, *case) for name, case in SMALL.items()}
    return schedules, on_rtl(schedules)


def check_run(schedule, result):
    """Steps are counted by the hardware, nothing waits for anything, and the trace is the plan."""
    assert (result.failures, result.conflicts, result.steps) == ((), 0, schedule.steps)


@pytest.mark.xdist_group("algorithms")
@pytest.mark.parametrize("name", SMALL)
def test_on_the_rtl(run_on_rtl, name):
    schedules, results = run_on_rtl
    check_run(schedules[name], results[name])


@pytest.mark.long(stays="tests/papers/test_algorithms.py::test_on_the_rtl[two-phase]")
@pytest.mark.parametrize(
    ("name", "topology", "ports", "collective"),
    [pytest.param(*case, id=f"{case[0]}-{case[1]}-{case[2]}") for case in LARGER],
)
def test_larger_on_the_rtl(name, topology, ports, collective):
    schedule = made(name, topology, ports, collective)
    check_run(schedule, on_rtl({name: schedule})[name])


def test_every_algorithm_has_a_small_case():
    assert list(SMALL) == list(ALGORITHMS)

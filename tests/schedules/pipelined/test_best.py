"""Collectives in many parts: checked, and beside bounds; the anchors of issue 37 on the 4 x 4 mesh and the DGX-1."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.tree import Tree
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.participants import Participants
from fatcube.schedules.pipelined.best import best_in_parts, best_number_of_parts
from fatcube.schedules.pipelined.build import fewest_cycles, flits_of_part, numbers_of_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel
from tests.support.large import DUMBBELL, ONE_WAY
from tests.support.tries import few_tries

DOUBLE = ((0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7))
SINGLE = ((0, 1), (0, 2), (1, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7))
DGX1 = Graph(tuple(f"g{number}" for number in range(8)), (1,) * 8, (*DOUBLE, *DOUBLE, *SINGLE))
MESH = Mesh(w=4, d=2)


@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
@pytest.mark.parametrize("collective", list(Collective))
def test_every_collective_and_router_model_in_parts(collective, ports):
    """Catches a collective without parts, in model b sums that are copied, and ports of a processor taken for lanes."""
    for topology in (FatCube(2, 2, 2), FatCube(1, 2, 1), ONE_WAY):
        found = best_in_parts(Problem(topology, ports, collective, 1 if collective.rooted else None, parts=3))
        assert found.schedule is not None
        assert check(found.schedule).steps == found.steps >= found.bound.steps
        assert found.schedule.parts == 3


@pytest.mark.parametrize(
    "topology",
    [
        Ring(8),
        DGX1,
        *(
            pytest.param(one, marks=pytest.mark.long)
            for one in (Hypercube(4), Torus(w=4, d=2), Tree(2, 3), DUMBBELL, MESH)
        ),
    ],
    ids=str,
)
def test_near_the_bound_in_sixteen_parts(topology):
    """Steps <= max(bound + 1, 1.10 bound), which the issue asks of every graph; stored once where nodes look alike."""
    for collective in ("OAB", "AOR", "AAB", "AAR", "all-reduce"):
        found = best_in_parts(Problem(topology, "d", collective, 0, parts=16))
        assert found.steps <= max(found.bound.steps + 1, 1.1 * found.bound.steps), (topology, collective)
        symmetric = len(topology.translations) > 1 and collective not in ("OAB", "AOR")
        assert found.schedule.symmetric == symmetric
        check(found.schedule)


def test_all_gather_of_the_dgx1():
    """SCCL (Cai et al., 2021, table 4): 6 chunks in 7 steps, in which every lane is in use all the time."""
    found = best_in_parts(Problem(DGX1, "d", "AAB", None, parts=6))
    assert check(found.schedule).steps == found.bound.steps == 7


def test_the_best_number_of_parts_on_the_mesh():
    """26 parts of 10 flits: 18 steps of 14 cycles, and no number of parts can take fewer cycles."""
    network = Network(MESH, RouterOptions(ports=PortModel.D_PORT))
    found = best_number_of_parts(Problem(MESH, network.options.ports, Collective.OAB, 0), network, 256)
    assert (found.schedule.parts, found.steps) == (26, 18)
    fewest = min((distance_and_lanes(parts)) * (flits_of_part(256, parts) + 4) for parts in range(1, 257))
    assert lockstep_cycles(found.schedule, dataclasses.replace(network, parts=26), 10) == fewest == 252


def distance_and_lanes(parts):
    """The steps in which the corner that is farthest, 6 links away, is entered over its 2 lanes."""
    return 6 - 1 + -(-parts // 2)


def test_numbers_of_parts():
    """Every other number of parts has as many flits in each part as a smaller one."""
    found = numbers_of_parts(37)
    for parts in range(1, 38):
        if parts not in found:
            assert flits_of_part(37, parts) == flits_of_part(37, max(one for one in found if one < parts))


@pytest.mark.parametrize(
    ("cycles", "found", "expected"),
    [
        ({1: 11, 2: 14, 3: 12, 4: 12}, 1, [2, 3, 1]),
        ({1: 11, 2: 13, 3: 14, 4: 12}, 1, [2, 3, 1]),  # one that is worse ends nothing
        ({1: 11, 2: 13, 3: 13, 4: 12}, 1, [2, 3, 1]),  # nor one that is as good
        ({1: 12, 2: 11, 3: 13, 4: 12}, 2, [2, 3, 1]),  # the first stays the best
        ({1: 13, 2: 14, 3: 13, 4: 12}, 4, [2, 3, 1, 4]),
        ({1: 11, 2: 14, 3: 10, 4: 12}, 3, [2, 3]),  # as many cycles as the next bound
    ],
)
def test_the_fewest_cycles_of_all_numbers(cycles, found, expected):
    """The number with the lowest bound is not the best, and those whose bound is no lower than what was found are not built."""
    bounds, built = {1: 10, 2: 8, 3: 9, 4: 12}, []

    def build(parts):
        built.append(parts)
        return parts

    assert fewest_cycles(4, bounds.__getitem__, build, cycles.__getitem__, [1, 2, 3, 4]) == found
    assert built == expected


def test_failures_simplex_and_half_duplex_links(monkeypatch):
    few_tries(monkeypatch, 10)
    broken = damaged(Mesh(w=3, d=2), ["link:0-1", "node:5"])
    for topology, model in (
        (broken, StepModel()),
        (FatCube(2, 1, 2), StepModel(links="simplex")),
        (Mesh(w=3, d=2), StepModel(links="half-duplex")),
        (Mesh(w=3, d=2), StepModel(port_use="send-or-receive")),
    ):
        for collective in ("OAB", "AAR", "AAS"):
            found = best_in_parts(Problem(topology, "d", collective, 0, parts=3, model=model))
            assert check(found.schedule, model).steps >= found.bound.steps


def test_among_some_processors():
    found = best_in_parts(Problem(MESH, "d", "AAB", None, parts=3, among=Participants((0, 3, 9), (0, 3, 9))))
    assert check(found.schedule).steps >= found.bound.steps


@pytest.mark.parametrize(
    "model",
    [
        StepModel(port_use="one-partner"),
        StepModel(dedicated_ports=True),
        StepModel(port_use="one-partner", links="half-duplex", dedicated_ports=True),
    ],
    ids=str,
)
@pytest.mark.parametrize("collective", ["OAB", "AAR", "AAS", "all-reduce"])
@pytest.mark.parametrize("topology", [Ring(5), FatCube(2, 2, 2)], ids=str)
def test_partners_and_dedicated_ports(monkeypatch, topology, collective, model):
    """Catches transfers of which two take one port or two partners, and a ring on which each waits for the other direction."""
    few_tries(monkeypatch, 4)
    found = best_in_parts(Problem(topology, "*", collective, parts=3, model=model))
    assert check(found.schedule, model).steps >= found.bound.steps


def test_no_parts():
    with pytest.raises(ParameterError, match="^parts must be an integer of at least 1, not 0$"):
        best_in_parts(Problem(MESH, "d", "AAB", None, parts=0))


@pytest.mark.long(stays="tests/schedules/pipelined/test_best.py::test_every_collective_and_router_model_in_parts")
def test_overlap_is_shorter_than_one_half_after_the_other():
    """160 steps by lanes; a reduce-scatter and an all-gather take 120 each, as a corner has two lanes only."""
    found = best_in_parts(Problem(MESH, "d", "all-reduce", None, parts=16))
    assert lower_bound(Problem(MESH, "d", "AAB", None, parts=16)).steps == 120
    assert found.bound.steps == 160 <= found.steps <= 170


def test_a_sum_that_is_sent_too_early_is_found():
    """The first transfer of a complete sum, one step earlier: what is missing from the sum is then missing everywhere."""
    schedule = best_in_parts(Problem(MESH, "d", "all-reduce", None, parts=2)).schedule
    spread = next(one for one in schedule.transfers if one.message.origin is not None and one.step > 1)
    early = [dataclasses.replace(one, step=1) if one is spread else one for one in schedule.transfers]
    with pytest.raises(ScheduleError):
        check(dataclasses.replace(schedule, transfers=tuple(early)))

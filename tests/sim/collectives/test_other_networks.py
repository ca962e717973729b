"""Spanning graphs, cube-connected cycles and generalized hypercubes on the RTL: the same routers, the same judge."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions import ccc
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnT, SBnTc
from fatcube.schedules.spanning.trees import Order, along
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from tests.support.along import made_along
from tests.support.runs import check_result

GRAPHS = [BRG, NRBRG, SBT, TCBT, NRSBT, NESBT, SBnT, SBnTc]
FOUR = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)
ONE_PORT, N_PORT = "1", "d"


def run_all(network, schedules, *, flits=3, reductions=False):
    """Runs each schedule in lockstep and in dataflow, on one build, and checks all that a good run shows."""
    schedules = [schedule.expanded() for schedule in schedules]
    for schedule in schedules:
        check(schedule)
    machine = fitting_machine(
        network, payload_flits=flits, reductions=reductions, steps=max(schedule.steps for schedule in schedules)
    )
    runs = [
        Run(schedule=schedule, payload_flits=flits, lockstep=lockstep)
        for schedule in schedules
        for lockstep in (True, False)
    ]
    for run, result in zip(runs, simulate_all(machine, runs)):
        check_result(run, result)


HERE = "tests/sim/collectives/test_other_networks.py"


def cubes(few):
    """Dimensions, ports and collectives: a few for every day, all of them in the grid."""
    every = [(n, ports, FOUR) for n in (3, 4, 5) for ports in (ONE_PORT, N_PORT)]
    every += [(6, ports, (Collective.OAB,)) for ports in (ONE_PORT, N_PORT)]
    long = pytest.mark.long(stays=f"{HERE}::test_spanning_graphs_backwards_and_in_turns")
    small = pytest.param(2, ONE_PORT, FOUR, id=f"2-cube {ONE_PORT}", marks=long)
    return [small] + [
        pytest.param(*one, id=f"{one[0]}-cube {one[1]}", marks=long if one[:2] in few else pytest.mark.grid)
        for one in every
    ]


@pytest.mark.parametrize("n, ports, collectives", cubes(few=[(3, N_PORT)]))
def test_spanning_graphs(n, ports, collectives):
    """Every graph from the last node: undivided, and in a part for each dimension that take the trees in turn."""
    schedules = [
        along(kind(n, 2**n - 1), ports, collective, one_partner=ports == ONE_PORT, parts=parts)
        for kind in GRAPHS
        for collective in collectives
        for parts in (1, n)
    ]
    # An all-to-all in 5 parts along paths of 31 hops is 2,480 steps of the same.
    schedules = [schedule for schedule in schedules if schedule.steps <= 600]
    assert len(schedules) >= 2 * len(GRAPHS) * len(collectives) - 2
    run_all(Network(Hypercube(n), RouterOptions(ports=ports), parts=n), schedules)


BACKWARDS = (Collective.AOG, Collective.AOR, Collective.AAR, Collective.ALL_REDUCE)
EITHER = StepModel(port_use="send-or-receive")


@pytest.mark.parametrize(
    "n, ports, kinds",
    [
        pytest.param(2, ONE_PORT, [NESBT], id="2-cube 1"),
        pytest.param(3, ONE_PORT, GRAPHS, id="3-cube 1", marks=pytest.mark.long),
        pytest.param(3, N_PORT, GRAPHS, id="3-cube d", marks=pytest.mark.long),
    ],
)
def test_spanning_graphs_backwards_and_in_turns(n, ports, kinds):
    """Reductions and gather; nodes that send or receive; messages in both orders."""
    last = 2**n - 1
    schedules = [
        made_along(kind(n, last), ports, collective, model=model, parts=parts).schedule
        for kind in kinds
        for parts in (1, n)
        for model, collectives in ((STANDARD, BACKWARDS), (EITHER, Collective))
        for collective in collectives
    ]
    schedules += [
        made_along(kind(n, last), ports, collective, order=order).schedule
        for kind in kinds
        for order in Order
        for collective in (Collective.OAS, Collective.AOG)
    ]
    if ports == N_PORT:
        schedules += [along(kind(n), ports, Collective.AAS, order=order) for kind in kinds for order in Order]
    run_all(Network(Hypercube(n), RouterOptions(ports=ports), parts=n), schedules, reductions=True)


FEW = [(DenseGHC(3, 1, 2, 2), "*")]
MORE = [(CubeConnectedCycles(3), ports) for ports in "1bd*"]
MORE += [
    (topology, ports)
    for topology in (
        CubeConnectedCycles(2, 2, 2),
        CubeConnectedCycles(3, 2, 1),
        DenseGHC(3, 3),
        SparseGHC(3, 3),
        DenseGHC(3, 2, 2, 2),
        SparseGHC(3, 2, 2, 2),
    )
    for ports in "1d"
]
MORE += [(topology, ports) for topology in (DenseGHC(3, 2), SparseGHC(3, 2)) for ports in "b*"]


@pytest.mark.parametrize(
    "topology, ports",
    [
        *(
            pytest.param(
                *one,
                id=f"{one[0]} {one[1]}",
                marks=pytest.mark.long(stays="tests/sim/collectives/test_families.py::test_one_of_each"),
            )
            for one in FEW
        ),
        *(pytest.param(*one, id=f"{one[0]} {one[1]}", marks=pytest.mark.grid) for one in MORE),
    ],
)
def test_every_collective(topology, ports):
    schedules = [
        construct(Problem(topology, ports, collective, topology.processors - 1)).schedule for collective in Collective
    ]
    run_all(Network(topology, RouterOptions(ports=ports)), schedules, reductions=True)


@pytest.mark.grid
@pytest.mark.parametrize("ports", [ONE_PORT, N_PORT])
def test_the_algorithms_of_the_cycles_paper(ports):
    """A2, A4, A5 and A7 for single I/O, A3, A6 and A7 for multiple I/O, on CCC(3)."""
    topology = CubeConnectedCycles(3)
    scatter = ccc.scatter_by_route if ports == ONE_PORT else ccc.scatter_on_tree
    moves = [
        ("OAB", 0, ccc.broadcast(topology, ports)),
        ("OAS", 0, scatter(topology, ports)),
        ("AAS", None, ccc.total_exchange(topology, ports)),
    ]
    if ports == ONE_PORT:
        moves.append(("AAB", None, ccc.multinode_broadcast(topology)[0]))
    run_all(
        Network(topology, RouterOptions(ports=ports)),
        [Schedule.from_moves(topology, ports, collective, root, found) for collective, root, found in moves],
    )

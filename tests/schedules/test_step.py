"""A step while it is filled takes exactly what the checker accepts, whatever the network, the router and the step model."""

from collections import Counter
import itertools
import random

import pytest

from fatcube.noc.topologies.butterflies import WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.graph import Link, make_graph
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import rules
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Symmetry

CUBES = [Hypercube(2), Hypercube(3), FatCube(2, 2, 2), FatCube(1, 3, 4), FatCube(2, 2, 1)]
DOUBLE = make_graph([("a", 2), ("b", 1), ("c", 2)], [Link("a", "b", False, 2), Link("b", "c", False, 1)])
OTHERS = [Ring(4), Ring(5), CubeConnectedCycles(3), Mesh(w=3, d=2), OrientedCube(2, 2), DOUBLE]
MODELS = [
    StepModel(transfers=transfers, links=links, per_packet=per_packet, port_use=port_use, dedicated_ports=dedicated)
    for transfers, links, per_packet, port_use, dedicated in itertools.product(
        ("adjacent", "direct"),
        ("full-duplex", "half-duplex", "simplex"),
        (1, 2),
        ("send-and-receive", "one-partner", "send-or-receive"),
        (False, True),
    )
]


def drawn(rng, topology, symmetry, model, copied):
    """A transfer that nothing forbids by itself, but lanes that lead the other way; one in two of one that is ``copied``."""
    again = rng.choice(copied)[:3] if copied and rng.random() < 0.5 else None
    while True:
        src = rng.randrange(topology.processors) if again is None else again[0]
        way = [topology.node_of(src)]
        for _ in range(rng.randrange(4 if model.direct else 2)):
            way.append(rng.choice([*topology.adjacent[way[-1]]]))
        dst = rng.choice(topology.processors_of(way[-1]))
        if src == dst or len({*way}) < len(way):
            continue
        base = rng.choice([one for node in symmetry.bases for one in topology.processors_of(node)])
        message = rng.choice([Message(base, None), Message(base, None), Message(base, dst), Message(None, base)])
        return src, dst, message if again is None else again[2], tuple(way[1:]) if len(way) > 2 else ()


def scheduled(topology, ports, model, symmetric, given):
    moves = [Move(1, *one) for one in given]
    return Schedule.from_moves(topology, ports, Collective.AAS, None, moves, symmetric=symmetric, model=model)


def accepted(schedule):
    """Whether the checker accepts a step, whatever its messages."""
    model, symmetry, ports = schedule.model, schedule.symmetry, schedule.ports
    try:
        for transfer in schedule.transfers:
            (rules.check_path if transfer.path else rules.check_lane)(transfer, schedule.topology)
        rules.check_twice(schedule.transfers, [symmetry.representative(one.move) for one in schedule.transfers])
        packets = [packet[0] for packet in schedule.packets(schedule.transfers)]
        for rule, wanted in (
            (rules.check_lanes, True),
            (rules.check_receivers, True),
            (rules.check_senders, True),
            (rules.check_ways_out, model.links == "simplex"),
            (rules.check_directions, model.links == "half-duplex"),
            (rules.check_copies, ports.copies and model.direct),
            (rules.check_partners, model.port_use == "one-partner"),
            (rules.check_send_or_receive, model.port_use == "send-or-receive"),
            (rules.check_dedicated, model.dedicated_ports),
        ):
            if wanted:
                rule(packets, schedule, symmetry)
    except rules.ScheduleError:
        return False
    return True


def fill(rng, topology, ports, model, symmetric, exact=True):
    """Ask a step for random transfers, and the checker for the step with each of them; return the answers."""
    symmetry = Symmetry.of(topology, Collective.AAS, model) if symmetric else Symmetry.none(topology)
    symmetric = not symmetry.trivial
    state = StepState(1, StepRules(topology, ports, symmetry, model))
    given = []
    answers = Counter()
    for _ in range(25):
        one = src, dst, message, way = drawn(rng, topology, symmetry, model, given if ports.copies else [])
        ends = symmetry.at_base(Move(1, *one))[1:3]
        if model.combining and any(ends == symmetry.at_base(Move(1, *other))[1:3] for other in given):
            continue  # which would share a packet
        expected = accepted(scheduled(topology, ports, model, symmetric, [*given, one]))
        found = state.takes(*one)
        assert found == expected if exact else found <= expected, (topology, ports, str(model), symmetric, given, one)
        answers[found] += 1
        if found:
            state.add(*one)
            given.append(one)
    return answers


@pytest.mark.parametrize("symmetric", [False, True], ids=["each-node", "symmetric"])
@pytest.mark.parametrize("ports", PortModel, ids=lambda ports: ports.word)
def test_a_step_takes_what_the_checker_accepts(ports, symmetric):
    """Catches a field of the step model that builders count in another way than the checker does."""
    rng = random.Random(1)
    for model in MODELS:
        if model.dedicated_ports and ports is not PortModel.ALL_PORT or model.combining and ports.copies:
            continue
        answers = Counter()
        for _ in range(4):
            topology = rng.choice(CUBES if model.links == "simplex" else CUBES + OTHERS)
            answers += fill(rng, topology, ports, model, symmetric)
        assert min(answers[True], answers[False]) > 1, str(model)


def test_several_channels_of_several_lanes():
    """Catches a processor with dedicated ports whose two packets are given lanes of one channel when lanes are numbered."""
    topology = WrappedButterfly(2, m=2, f=2)
    assert len(topology.channels_between(0, topology.neighbour(0, 0)[0])) == 2
    model = StepModel(dedicated_ports=True)
    answers = Counter()
    for seed in range(6):
        answers += fill(random.Random(seed), topology, PortModel.ALL_PORT, model, symmetric=False, exact=False)
    assert answers[True] > 5

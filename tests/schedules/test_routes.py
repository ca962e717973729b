"""Ports and turns of the packets of schedules."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Message
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.schedules.routes import at_ports, turns_of
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import StepModel

DIRECT = StepModel(transfers="direct")


def found(topology, ports, collective):
    return best(Problem(topology, ports, collective, 0, model=DIRECT), time_limit=0).schedule


def walked(schedule):
    """The turns of a cube's schedule with a processor a node and one port or copies, by the bits in which nodes differ."""
    turns = set()
    for transfer in schedule.expanded().transfers:
        nodes = [transfer.src, *(node for node, _ in transfer.path)] if transfer.path else [transfer.src, transfer.dst]
        ports = [0, *((here ^ there).bit_length() for here, there in zip(nodes, nodes[1:])), 0]
        turns.update(zip(ports, ports[1:]))
    return turns


@pytest.mark.parametrize("ports", ["1", "b"])
@pytest.mark.parametrize("collective", ["AAS", "OAB"])
def test_turns_of_paths_on_a_cube(ports, collective):
    schedule = found(Hypercube(3), ports, collective)
    assert turns_of(schedule, Network(Hypercube(3), RouterOptions(width=64, ports=ports)).router()) == walked(schedule)


def test_dimension_order_by_hand():
    """All-to-all by dimension order: port 0 is the processor's, and a packet crosses the lanes 3, 2 and 1 in this order."""
    turns = turns_of(found(Hypercube(3), "1", "AAS"), Network(Hypercube(3)).router())
    assert turns == {(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0), (3, 2), (3, 1), (2, 1)}


LANES = [
    Transfer(1, 0, 2, Message(0, 2), 1),
    Transfer(1, 0, 3, Message(0, 3), 0),
    Transfer(1, 1, 3, Message(1, 3), 2),
    Transfer(2, 2, 3, Message(2, 3)),
]


def test_turns_with_several_ports_and_lanes_by_hand():
    """Two nodes of two processors with two ports each, so lanes are 4 to 6; processor 0 sends twice, and 3 receives twice."""
    topology = FatCube(1, 2, 3)
    schedule = Schedule(topology, "*", "AAS", None, LANES)
    router = Network(topology, RouterOptions(ports="*")).router()
    assert (router.ports, router.processor_ports) == (2, 4)
    assert turns_of(schedule, router) == {
        *[(0, 5), (5, 0)],
        *[(1, 4), (4, 2)],
        *[(2, 6), (6, 3)],
        (0, 2),
    }


def test_a_turn_enters_by_the_channel_that_leads_back():
    """Along a line of three nodes, which is entered by another channel than it is left by."""
    line = Mesh(w=3, d=1)
    path = ((1, 0), (2, 0))
    schedule = Schedule(line, "1", "AAS", None, [Transfer(1, 0, 2, Message(0, 2), path=path)], model=DIRECT)
    [back], [on] = line.channels_between(1, 0), line.channels_between(1, 2)
    assert back != on
    first, last = line.channels_between(0, 1)[0], line.channels_between(2, 1)[0]
    turns = turns_of(schedule, Network(line).router())
    assert turns == {(0, 1 + first), (1 + back, 1 + on), (1 + last, 0)}


def test_copies_leave_one_port():
    packets = [[one] for one in LANES[:3]]
    assert [packet[1:] for packet in at_ports(packets, copies=False)] == [(0, 0), (1, 0), (0, 1)]
    assert [packet[1:] for packet in at_ports(packets, copies=True)] == [(0, 0), (0, 0), (0, 1)]

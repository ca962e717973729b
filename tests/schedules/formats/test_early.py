"""Packets timed in steps: none can go a step earlier, whatever the network and the model."""

from collections import Counter
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.orientation import lanes_leaving
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Ring
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.all_to_all import all_to_all
from fatcube.schedules.formats import early
from fatcube.schedules.formats.early import Packet, Task, timed
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel


def random_tasks(rng, topology, number):
    tasks = []
    for index in range(number):
        after = tuple({rng.randrange(index) for _ in range(rng.choice((0, 0, 1, 2)))}) if index else ()
        if rng.random() < 0.2:
            tasks.append(Task(after))
            continue
        src = rng.randrange(topology.processors)
        near = [
            one
            for one in range(topology.processors)
            if one != src
            and (
                topology.node_of(one) == topology.node_of(src)
                or topology.lanes_between(topology.node_of(src), topology.node_of(one))
            )
        ]
        tasks.append(Task(after, Packet(src, rng.choice(near), Message(src, None, index))))
    return tasks


@pytest.mark.parametrize("topology", [Ring(5), FatCube(2, 2, 2)], ids=str)
@pytest.mark.parametrize(("ports", "links"), [("1", "full-duplex"), ("d", "full-duplex"), ("d", "half-duplex")])
@pytest.mark.parametrize("seed", range(4))
def test_no_packet_can_go_earlier(topology, ports, links, seed):
    """Counted anew: every packet comes after all that it waits for, and a step before it was full or too early."""
    tasks = random_tasks(random.Random(seed), topology, 60)
    moves = timed(tasks, topology, PortModel.parse(ports), StepModel(links=links))
    k = PortModel.parse(ports).processor_ports(topology.degree, topology.m)
    step_of = {move.message.part: move.step for move in moves}
    done = []
    sent, received, carried = Counter(), Counter(), Counter()
    for index, task in enumerate(tasks):
        before = max((done[other] for other in task.after), default=0)
        done.append(before if task.packet is None else step_of[index])
        assert done[-1] >= before + (task.packet is not None)
    for move in moves:
        ends = topology.node_of(move.src), topology.node_of(move.dst)
        sent[move.step, move.src] += 1
        received[move.step, move.dst] += 1
        carried[move.step, ends if links == "full-duplex" else frozenset(ends)] += ends[0] != ends[1]
    assert max([*sent.values(), *received.values()]) <= k
    assert max(carried.values()) <= topology.f
    for index, task in enumerate(tasks):
        if task.packet is None or task.packet.src is None:
            continue
        before = max((done[other] for other in task.after), default=0)
        ends = topology.node_of(task.packet.src), topology.node_of(task.packet.dst)
        link = ends if links == "full-duplex" else frozenset(ends)
        for step in range(before + 1, step_of[index]):
            lane_free = ends[0] == ends[1] or carried[step, link] < topology.f
            assert sent[step, task.packet.src] == k or received[step, task.packet.dst] == k or not lane_free


def test_long_chains_go_first():
    """Of two packets on one lane, that which two others wait for goes first: 3 steps, not 4."""
    message = [Message(0, None, part) for part in range(2)]
    tasks = [
        Task((), Packet(0, 1, message[0])),
        Task((), Packet(0, 1, message[1])),
        Task((1,), Packet(1, 2, message[1])),
        Task((2,), Packet(2, 3, message[1])),
    ]
    assert max(move.step for move in timed(tasks, Ring(4), PortModel.D_PORT, StepModel())) == 3


def test_the_shortest_of_all_orders(monkeypatch):
    """Of sixteen orders, neither the first nor the last, and of equal ones the first."""
    steps = [5, 4, 3, 6, 3, *[4] * 11]
    made = [[Move(last, 0, 1, Message(0, None, number))] for number, last in enumerate(steps)]
    left = iter(made)
    monkeypatch.setattr(early, "_in_steps", lambda *asked: next(left))
    tasks = [Task((), Packet(0, 1, Message(0, None, 0)))]
    assert timed(tasks, Ring(4), PortModel.D_PORT, StepModel()) is made[2]
    assert not [*left]


@pytest.mark.parametrize(
    "model",
    [
        StepModel(port_use="one-partner"),
        StepModel(dedicated_ports=True),
        StepModel(port_use="one-partner", links="half-duplex", dedicated_ports=True),
    ],
    ids=str,
)
def test_partners_and_dedicated_ports(model):
    """Catches packets that are timed in a way that the checker does not accept."""
    topology = FatCube(2, 3, 2)
    tasks, last = [], {}
    for move in all_to_all(topology, PortModel.ALL_PORT).expanded().transfers:
        after = (last[move.message],) if move.message in last else ()
        last[move.message] = len(tasks)
        tasks.append(Task(after, Packet(move.src, move.dst, move.message)))
    moves = timed(tasks, topology, PortModel.ALL_PORT, model)
    found = Schedule.from_moves(topology, PortModel.ALL_PORT, Collective.AAS, None, moves, model=model)
    assert check(found).transfers == len(tasks)


def test_lanes_that_lead_the_other_way():
    """Catches a list schedule that waits forever for a packet that no step takes."""
    topology = FatCube(2)
    [away] = [one for one in (1, 2) if not lanes_leaving(topology, 0, one)]
    tasks = [Task((), Packet(0, away, Message(0, None)))]
    with pytest.raises(
        ParameterError, match=r"^lanes must lead the way of every packet, but some lead the other way on "
    ):
        timed(tasks, topology, PortModel.ONE, StepModel(links="simplex"))

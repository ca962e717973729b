"""Packets filled step by step: valid in every model, no more than the limit, and near the bound."""

import pytest

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.star import Star
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions import packed as module
from fatcube.schedules.constructions.packed import packed
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel

TOPOLOGIES = [Hypercube(3), FatCube(2, 2), FatCube(1, 2, 2), CubeConnectedCycles(2), Mesh(w=3, d=2), Star(5)]
MODELS = [
    {},
    {"links": "half-duplex"},
    {"port_use": "send-or-receive"},
    {"transfers": "direct", "links": "half-duplex"},
]


@pytest.mark.parametrize("ports", ["1", "d", "*"])
@pytest.mark.parametrize("topology", TOPOLOGIES, ids=str)
def test_it_keeps_to_the_model(monkeypatch, topology, ports):
    """Catches a packet over its limit, a lane in both directions, and a message that is sent twice."""
    monkeypatch.setattr(module, "TRIES", 3)
    for options in MODELS:
        for number in (2, 3, "unlimited"):
            model = StepModel(per_packet=number, **options)
            for collective, root in ((Collective.AAS, None), (Collective.OAS, 1)):
                bound = lower_bound(Problem(topology, ports, collective, root, model)).steps
                schedule = packed(Problem(topology, PortModel.parse(ports), collective, root, model), bound)
                assert schedule.steps >= bound
                check(schedule)


def test_by_hand():
    """On a line of three nodes in packets of two, three steps: the middle node receives from one end in step 1 and from the other
    in step 2, as it has one port, and passes on what it has with a message of its own in steps 2 and 3."""
    model = StepModel(per_packet=2)
    schedule = packed(Problem(Mesh(w=3, d=1), PortModel.ONE, Collective.AAS, None, model), 1)
    sizes = [
        len(packet)
        for step in (1, 2, 3)
        for packet in schedule.packets([t for t in schedule.transfers if t.step == step])
    ]
    assert schedule.steps == 3 and max(sizes) == 2 and sum(sizes) == 8  # two of six messages cross both links


@pytest.mark.parametrize(
    ("topology", "ports", "links", "steps", "before"),
    [
        pytest.param(FatCube(2, 2), "1", "half-duplex", 5, 16, marks=pytest.mark.long),
        (FatCube(2, 2), "d", "half-duplex", 5, 12),
        (FatCube(2, 2), "1", "full-duplex", 3, 8),
        (Hypercube(3), "1", "half-duplex", 5, 12),
        (Mesh(w=4, d=2), "d", "full-duplex", 6, 17),
    ],
    ids=str,
)
def test_fewer_steps_than_whole_patterns(topology, ports, links, steps, before):
    """All-to-all in packets of four: what is constructed, beside the patterns of the combining construction."""
    model = StepModel(links=links, per_packet=4)
    found = construct(Problem(topology, ports, "AAS", None, model))
    assert found.bound.steps <= found.steps <= steps < before
    check(found.found, model)


def test_tries_end_with_the_bound(monkeypatch):
    """Catches tries that go on when nothing shorter is possible, and those that end before."""
    made = []
    real = module._Packing.moves
    monkeypatch.setattr(module._Packing, "moves", lambda self, shortest: made.append(0) or real(self, shortest))
    model = StepModel(per_packet=2)
    schedule = packed(Problem(FatCube(2, 2), PortModel.ONE, Collective.AAS, None, model), 0)
    tries = len(made)
    made.clear()
    again = packed(Problem(FatCube(2, 2), PortModel.ONE, Collective.AAS, None, model), schedule.steps)
    assert again.steps == schedule.steps and len(made) < tries

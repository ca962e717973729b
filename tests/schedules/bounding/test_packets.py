"""Bounds for packets of several messages: held against search, which knows nothing of them, and against what is worked out by hand."""

import math

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.topologies.star import Star
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounding.packets import gathered, joined, scattered, shared_packets
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import Outcome, search
from fatcube.schedules.step_model import StepModel
from tests.support.children import HANG

SMALL = [FatCube(1, 2, 1), FatCube(1, 2, 2), Mesh(w=3, d=1), Ring(4), Star(3), FatCube(1, 3, 1)]


def fewest(topology, ports, collective, model):
    """The fewest steps, by search from one step upwards."""
    steps = 1
    while True:
        found = search(Problem(topology, ports, collective, None, model=model), steps=steps, time_limit=HANG)
        assert found.outcome in (Outcome.FOUND, Outcome.IMPOSSIBLE)
        if found.outcome is Outcome.FOUND:
            return steps
        steps += 1


@pytest.mark.parametrize("topology", [*SMALL[:5], pytest.param(SMALL[5], marks=pytest.mark.long)], ids=str)
@pytest.mark.parametrize("links", ["full-duplex", "half-duplex"])
def test_no_schedule_has_fewer_steps(topology, links):
    """Catches a bound that is too high. It may be too low by one step here."""
    for ports in "1d":
        port_model = PortModel.parse(ports)
        for number in (2, "unlimited"):
            model = StepModel(per_packet=number, links=links)
            least = fewest(topology, ports, "AAB", model)
            bounds = [gathered(topology, port_model, model, model.most_messages), *joined(topology, port_model, model)]
            assert least - 2 <= max(bound.steps for bound in bounds) <= least
        model = StepModel(per_packet=2, links=links)
        if (topology, links) == (SMALL[5], "half-duplex"):  # A search proves nothing in minutes.
            least = construct(Problem(topology, ports, "AAS", None, model)).steps
        else:
            least = fewest(topology, ports, "AAS", model)
        assert shared_packets(topology, port_model, model).steps <= least


def test_a_star_by_hand():
    """The hub receives from eight leaves one after the other, and what came last it sends to seven: 15 steps."""
    (bound,) = joined(Star(8), PortModel.ONE, StepModel(per_packet="unlimited"))
    assert bound.steps == 15


def test_shared_packets_by_hand():
    """Eight processors beside each other send 56 messages in packets of two: at most one of each packet is alone in needing one
    transfer, so 38 packets at least, of which eight go in a step."""
    assert shared_packets(FatCube(1, 4, 2), PortModel.ONE, StepModel(per_packet=2)).steps == 5


def test_what_a_processor_knows_doubles_and_then_grows_by_packets():
    """With one port: 1, 2, 4, 8 and then 4 more in each step, until 32 are known."""
    bound = gathered(Hypercube(5), PortModel.ONE, StepModel(per_packet=4), 4)
    assert bound.steps == 3 + (32 - 8) // 4
    assert gathered(Hypercube(5), PortModel.ONE, StepModel(), math.inf).steps == 5


def test_what_comes_late_has_to_spread():
    """Two nodes of four processors with one lane: the other node's four messages cannot all be at its end before step 2 (1, then
    2 together), nor cross before step 3; then one of four processors has them, and needs two steps to give them to all."""
    assert gathered(FatCube(1, 4, 1), PortModel.ONE, StepModel(per_packet="unlimited"), math.inf).steps == 5


def test_a_scatter_by_hand():
    """Nine processors, one port, packets of two: the last packet holds one message, those before it two: 1 + 2 + 2 + 2 < 8."""
    bounds = [bound.steps for bound in scattered(DenseGHC(3, 2), PortModel.ONE, 0, StepModel(per_packet=2))]
    assert bounds == [5, 2]

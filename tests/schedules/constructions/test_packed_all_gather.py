"""All-gather in packets of several messages: valid in every model, and the fewest steps where these are known otherwise."""

import pytest

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.star import Star
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions import packed_all_gather as module
from fatcube.schedules.constructions.dimension_exchange import dimension_exchange
from fatcube.schedules.constructions.packed_all_gather import packed_all_gather
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel

TOPOLOGIES = [FatCube(2, 2), FatCube(1, 3, 2), CubeConnectedCycles(2), SparseGHC(3, 2), Mesh(w=3, d=2), Star(5)]
MODELS = [{}, {"links": "half-duplex"}, {"port_use": "send-or-receive"}]


@pytest.mark.parametrize("topology", TOPOLOGIES, ids=str)
def test_it_keeps_to_the_model(monkeypatch, topology):
    """Catches a packet over its limit, a lane in both directions, and what is sent before it is held."""
    monkeypatch.setattr(module, "TRIES", 2)
    for options in MODELS:
        for number in (2, 3, "unlimited"):
            for ports in "1d*":
                model = StepModel(per_packet=number, **options)
                bound = lower_bound(Problem(topology, ports, "AAB", None, model)).steps
                made = packed_all_gather(topology, PortModel.parse(ports), bound, model)
                assert check(made).steps == check(made.expanded(), model).steps >= bound


@pytest.mark.parametrize("b", [1, 2, 3])
@pytest.mark.parametrize("d", [3, 4, pytest.param(6, marks=pytest.mark.long)])
def test_dimension_exchange(d, b):
    """With one port and packets of 2^b messages, exchanges over one dimension after the other take b + 2^(d - b) - 1 steps:
    1 over each of the first b, and then 1, 2, 4 and so on. What a processor can know after each step says that there are no fewer."""
    model = StepModel(per_packet=2**b)
    finding = construct(Problem(Hypercube(d), "1", "AAB", None, model))
    assert check(finding.found).steps == b + 2 ** (d - b) - 1
    assert check(dimension_exchange(Hypercube(d), PortModel.ONE, model)).steps == finding.steps
    assert finding.proved


@pytest.mark.parametrize("model", [pytest.param({"links": "half-duplex"}, marks=pytest.mark.long), {}], ids=str)
@pytest.mark.parametrize(
    "size", [(2, 3, 2), *(pytest.param(s, marks=pytest.mark.long) for s in [(4, 2, 1), (5, 4, 1)])]
)
def test_fat_cubes_are_near_their_bounds(model, size):
    """Within a step, or a tenth, of the bound; within two steps where 32 nodes have half-duplex links and packets any size."""
    for number in (2, "unlimited"):
        beyond = 2 if model and size[0] == 5 and number == "unlimited" else 1
        for ports in "d*":
            finding = construct(Problem(FatCube(*size), ports, "AAB", None, StepModel(per_packet=number, **model)))
            assert check(finding.found).steps <= max(finding.bound.steps + beyond, 1.1 * finding.bound.steps)


def test_an_all_to_all_takes_its_steps():
    """Without a limit on packets, messages for one processor go the ways of those for everybody."""
    model = StepModel(per_packet="unlimited")
    for topology in (FatCube(1, 3, 2), Mesh(w=3, d=2)):
        steps = [construct(Problem(topology, "1", collective, None, model)).steps for collective in ("AAS", "AAB")]
        assert steps[0] <= steps[1]

"""Networks chosen by the time for messages of so many bytes: what a message is, and beside schedules built one by one."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from fatcube.studies.explore_steps import flits_of_message, least_in_parts, work_in_parts

NETWORK = Network(Hypercube(3), RouterOptions(ports=PortModel.D_PORT))


@pytest.mark.parametrize(
    ("collective", "flits"),
    [("OAB", 256), ("AAB", 256), ("AOR", 256), ("OAS", 32), ("AAS", 32), ("AAR", 32), ("all-reduce", 32)],
)
def test_flits_of_what_a_processor_has(collective, flits):
    """1,024 bytes are 256 words of 32 bits: a message for everybody, or an eighth for each of the 8 processors."""
    assert flits_of_message(1024, Collective.parse(collective), NETWORK) == flits


def test_a_few_bytes_and_too_many():
    assert flits_of_message(1, Collective.AAS, NETWORK) == 1
    with pytest.raises(ParameterError, match="^payload flits of 16777216 bytes must be an integer from 1 to"):
        flits_of_message(1 << 24, Collective.AAB, NETWORK)


@pytest.mark.parametrize("topology", [Hypercube(3), pytest.param(FatCube(2, 2, 1), marks=pytest.mark.long)], ids=str)
def test_the_best_of_powers_of_two(topology):
    """Every power of two, built: F + 4 cycles a step, as steps of these schedules all have a packet over a link."""
    network = Network(topology, RouterOptions(ports=PortModel.D_PORT))
    cycles = {
        parts: best_in_parts(Problem(topology, "d", "OAB", 0, parts=parts)).steps * (-(-64 // parts) + 4)
        for parts in (1, 2, 4, 8, 16, 32, 64)
    }
    found = work_in_parts(network, Collective.OAB, 64)
    assert (found.cycles, found.parts) == (min(cycles.values()), min(cycles, key=cycles.__getitem__))
    assert least_in_parts(network, Collective.OAB, 64) <= found.cycles

"""Machines that are too large to be simulated are refused in one line."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.size import MOST_MEMORY, check_memory, check_simulation
from tests.support.commands import run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-c OAB -d 9", "nodes must be at most 256 to simulate the fat cube d = 9, not 512"),
        ("-c OAB -d 8 -m 8", "processors must be at most 1,024 to simulate the fat cube d = 8, m = 8, not 2,048"),
        (
            "-c OAB -d 6 --memory-words 16777216",
            "bytes of all message memories must be at most 1,073,741,824 to simulate the "
            "fat cube d = 6 with 16,777,216 words in a bank, not 4,294,967,296",
        ),
    ],
)
def test_refuses_before_anything_is_built(monkeypatch, capsys, arguments, message):
    status, out, err = run(monkeypatch, capsys, "simulate", *arguments.split())
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


def test_limits_are_allowed():
    check_simulation(FatCube(8, 4))
    network = Network(FatCube(2, 2), RouterOptions(ports="d", width=33))
    words = MOST_MEMORY // (8 * 2 * 8)  # of two ports of eight processors, a flit of 33 bits in eight bytes
    check_memory(Machine(network=network, memory_words=words))
    with pytest.raises(ParameterError, match="^bytes of all message memories must be at most 1,073,741,824 "):
        check_memory(Machine(network=network, memory_words=words + 1))

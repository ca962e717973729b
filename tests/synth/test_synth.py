"""Synthesis is held against designs counted by hand, and against nextpnr's own count."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from amaranth.hdl import Array, Instance, Module, Mux, Signal
from amaranth.sim import Simulator
import pytest

from fatcube.groundwork import tool, yosys
from fatcube.groundwork.tool import Call, ToolError, run_tools
from fatcube.groundwork.validation import ParameterError
from fatcube.synth import measure, nextpnr
from fatcube.synth.area import Area, count_cells
from fatcube.synth.families.ecp5 import FAMILY as ecp5
from fatcube.synth.mapping import Design, map_design
from fatcube.synth.measure import measure_area
from fatcube.synth.wrapper import Registered, registered_design
from tests.support.children import HANG, child, until
from tests.support.designs import Combinational, Everything, Path, RegisteredAdder, Storage, Together, without_tools


def area(component, **kwargs):
    return measure_area(Design.of(component, name="design"), family=ecp5, **kwargs)


def cells(lut4=0, ff=0, ram=0, carry=0, distributed_ram=0, comb_equivalents=0):
    netlist = {"LUT4": lut4, "TRELLIS_FF": ff, "DP16KD": ram, "CCU2C": carry, "TRELLIS_DPR16X4": distributed_ram}
    return Area(
        luts={4: lut4},
        ff=ff,
        ram=ram,
        carry=carry,
        distributed_ram=distributed_ram,
        comb_equivalents=comb_equivalents,
        cells={name: number for name, number in netlist.items() if number},
    )


# Yosys


def test_yosys_runs_a_script_on_files():
    finished = yosys.run(
        ["read_verilog a.v", "hierarchy -top top", "write_rtlil a.il", "log done so far"],
        files={"a.v": "module top(input a, output b); assign b = ~a; endmodule"},
        outputs=["a.il"],
    )
    assert r"module \top" in finished.outputs["a.il"]
    assert "done so far" in finished.log
    assert yosys.version().startswith("Yosys 0.")


def test_error_of_yosys_is_the_message():
    with pytest.raises(ToolError) as caught:
        yosys.run(["log before it", "no_such_command", "log after it"])
    assert str(caught.value) == "ERROR: No such command: no_such_command (type 'help' for a command overview)"
    assert "before it" in caught.value.log
    assert "after it" not in caught.value.log
    with pytest.raises(ToolError, match=r"^a\.v:1: ERROR: syntax error"):
        yosys.run(["read_verilog a.v"], files={"a.v": "module modul"})


def test_tool_that_dies_without_a_word_fails():
    with pytest.raises(ToolError, match="^Yosys ended with signal 9; its last output was: "):
        yosys.run(["log alive", "exec -- kill -9 $PPID"])


def test_file_that_was_not_written_fails():
    with pytest.raises(ToolError, match="^Yosys did not write netlist.json$"):
        yosys.run(["log nothing"], outputs=["netlist.json"])


# Tools


def shell(script, **kwargs):
    return Call("shell", ("sh", "-c", script), **kwargs)


def test_tools_run_in_parallel_and_answer_in_order(tmp_path):
    """The first tool ends only when the second has, so one at a time they would never end."""
    ended = tmp_path / "ended"
    os.mkfifo(ended)
    calls = [Call("cat", ("timeout", str(HANG), "cat", str(ended))), shell("echo b")]
    logs = iter([lambda: ended.write_text("a"), lambda: None])
    assert [finished.log for finished in run_tools(calls, jobs=2, advance=lambda: next(logs)())] == ["a", "b\n"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_tools_run_at_most_so_many_at_a_time(monkeypatch, jobs):
    ended, running, started = [], [], tool._started

    @contextlib.contextmanager
    def counted(call):
        running.append(len(running) + 1 - len(ended))
        with started(call) as found:
            yield found

    monkeypatch.setattr(tool, "_started", counted)
    run_tools([shell(":")] * 3, jobs=jobs, advance=lambda: ended.append(True))
    assert max(running) == jobs and len(running) == len(ended) == 3


@pytest.mark.parametrize("jobs", [0, True, "2"])
def test_jobs_are_checked(jobs):
    message = f"^synthesis jobs must be an integer of at least 1, not {jobs!r}$"
    with pytest.raises(ParameterError, match=message):
        run_tools([], jobs=jobs)


def test_failure_stops_the_others_and_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(ToolError, match="^ERROR: no$"):
        run_tools([shell(f"sleep {HANG}; touch {tmp_path}/late"), shell("mktemp; echo 'ERROR: no'; exit 1")], jobs=2)
    assert not list(tmp_path.iterdir())


def test_interrupt_leaves_no_process_and_no_files(tmp_path):
    code = (
        "from fatcube.groundwork import yosys; "
        f"yosys.run(['exec -- echo $$ > $TMPDIR/../pid && mv $TMPDIR/../pid $TMPDIR/../begun && exec sleep {4 * HANG}'])"
    )
    with child(
        *(sys.executable, "-c", code),
        env={**os.environ, "TMPDIR": str(tmp_path)},
        cwd=pathlib.Path(__file__).parents[2],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        begun = tmp_path / "begun"
        until(begun.exists, process)
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=HANG)[1]
    sleeper = pathlib.Path("/proc", begun.read_text().strip(), "stat")
    until(lambda: not sleeper.exists() or sleeper.read_text().split()[2] == "Z")
    assert [file.name for file in tmp_path.iterdir()] == ["begun"]


# Area


COUNTED = [
    pytest.param(Combinational(1, lambda a, b: a ^ b), cells(lut4=1, comb_equivalents=1), id="lut"),
    pytest.param(
        Combinational(4, lambda a, b: a.xor(), output_width=1),
        cells(lut4=1, comb_equivalents=1),
        id="four inputs in one lut",
    ),
    # Five inputs do not fit: the area flow must not make a LUT5 of two LUT4 and a multiplexer.
    pytest.param(
        Combinational(5, lambda a, b: a.xor(), output_width=1),
        cells(lut4=2, comb_equivalents=2),
        id="five inputs in two luts",
    ),
    pytest.param(Combinational(8, lambda a, b: a + b), cells(carry=4, comb_equivalents=8), id="adder"),
    pytest.param(RegisteredAdder(), cells(carry=4, ff=8, comb_equivalents=8), id="registered adder"),
    pytest.param(Storage(4, 16), cells(distributed_ram=1, comb_equivalents=6), id="16x4"),
    pytest.param(Storage(18, 1024, registered=True), cells(ram=1), id="block ram"),
]


@pytest.mark.long(stays="tests/synth/test_synth.py::test_areas_that_were_counted_by_hand_add_up")
@pytest.mark.parametrize("component, expected", COUNTED)
def test_area_is_what_was_counted_by_hand(component, expected):
    assert area(component) == expected


def test_areas_that_were_counted_by_hand_add_up():
    """Several circuits in one design, as Yosys reads the cells of a family for most of its time."""
    components, counted = zip(*(one.values for one in COUNTED), strict=True)
    assert area(Together(*components)) == sum(counted[1:], start=counted[0])


def test_comb_equivalents_are_what_place_and_route_occupies():
    """The weights of carry and RAM cells are nextpnr's, not only ours."""
    netlist = map_design(registered_design(Everything(), name="everything"), family=ecp5)
    expected = ecp5.area(netlist.cells)
    assert expected.carry == 4 and expected.distributed_ram == 2 and expected.lut4 > 0
    log = ecp5.place_and_route(netlist, seeds=[5]).logs[5]
    assert re.search(r"Total LUT4s: +(\d+)/", log)[1] == str(expected.comb_equivalents)
    assert re.search(r"Total DFFs: +(\d+)/", log)[1] == str(expected.ff)


def test_wide_luts_are_counted_apart():
    select = Combinational(8, lambda a, b: Array(a)[b[:3]], output_width=1)
    wide = area(select, wide_luts=True)
    assert wide.wide_multiplexers > 0
    assert wide.comb_equivalents == wide.lut4
    assert area(select).wide_multiplexers == 0


def test_wide_multiplexer_in_the_area_flow_fails():
    found = {"LUT4": 4, "PFUMX": 2, "L6MUX21": 1}
    message = "^the area flow must leave no PFUMX and no L6MUX21, not 3 of them$"
    with pytest.raises(ToolError, match=message):
        ecp5.area(found)
    assert ecp5.area(found, wide_luts=True).wide_multiplexers == 3


def test_cell_of_unknown_area_fails():
    message = "^the netlist has 1 cells of type MULT18X18D, whose area is unknown$"
    with pytest.raises(ToolError, match=message):
        area(Combinational(16, lambda a, b: a * b))
    kinds = {"x": "a", "y": "a", "z": None, "w": "b"}
    assert count_cells({"x": 2, "y": 3, "z": 4}, kinds) == {"a": 5, "b": 0}


def test_verilog_has_an_area():
    text = "module top(input [3:0] a, output b); assign b = &a; endmodule"
    assert measure_area(Design(text, "top", "verilog"), family=ecp5).lut4 == 1


def test_modules_apart_are_mapped_on_their_own_and_counted():
    text = """
        module inner(input a, b, output o); assign o = a & b; endmodule
        module top(input a, b, c, output o); wire d; inner x(a, b, d); inner y(d, c, o); endmodule
    """
    assert measure_area(Design(text, "top", "verilog"), family=ecp5).lut4 == 1
    assert measure_area(Design(text, "top", "verilog", keep_hierarchy=("inner",)), family=ecp5).lut4 == 2
    attribute = text.replace("module inner", "(* keep_hierarchy *) module inner")
    assert measure_area(Design(attribute, "top", "verilog"), family=ecp5).lut4 == 2


@pytest.mark.parametrize("name", ["", "a b", "4x4", "a.b", None])
def test_name_is_checked(name):
    with pytest.raises(ParameterError, match="^synthesis name must be a Verilog identifier, not "):
        Design("", name)


def test_language_is_checked():
    message = "^synthesis language must be one of rtlil, verilog, not 'vhdl'$"
    with pytest.raises(ParameterError, match=message):
        Design("", "top", "vhdl")


# Wrapper


@pytest.mark.long(stays="tests/synth/test_synth.py::test_wrapper_delays_by_two_cycles")
def test_wrapper_registers_every_port_and_changes_nothing_else():
    # An AND at an output is the logic that Yosys would draw into the output's register as its reset.
    for device, bits in (
        (Everything(), 6 + 10 + 8),
        (Combinational(8, lambda a, b: a & b), 24),
        (Combinational(8, lambda a, b: Mux(b.any(), a, 0)), 24),
    ):
        bare = area(device)
        netlist = map_design(registered_design(device, name="device"), family=ecp5)
        wrapped = ecp5.area(netlist.cells)
        assert wrapped.ff == bare.ff + bits
        assert (wrapped.lut4, wrapped.comb_equivalents) == (bare.lut4, bare.comb_equivalents)


def test_wrapper_has_no_reset_of_its_own():
    assert r"switch \rst" in registered_design(RegisteredAdder(), name="device").text
    assert r"switch \rst" not in registered_design(Combinational(4, lambda a, b: a & b), name="device").text


def test_wrapper_delays_by_two_cycles():
    wrapped = Registered(Combinational(4, lambda a, b: a - b))
    assert set(wrapped.signature.members) == {"a", "b", "o"}

    async def testbench(context):
        for a, b in ((9, 4), (3, 3), (1, 2)):
            context.set(wrapped.a, a)
            context.set(wrapped.b, b)
            await context.tick()
            context.set(wrapped.a, 0)
            context.set(wrapped.b, 7)
            await context.tick()
            assert context.get(wrapped.o) == (a - b) % 16
            await context.tick()
            assert context.get(wrapped.o) == 9

    simulator = Simulator(wrapped)
    simulator.add_clock(1e-6)
    simulator.add_testbench(testbench)
    simulator.run()


# Place and route


@pytest.mark.long(stays="tests/synth/test_synth.py::test_fmax_is_the_median")
def test_long_path_is_slow():
    frequencies = {}
    for depth in 1, 8:
        netlist = map_design(registered_design(Path(depth), name="path"), family=ecp5)
        frequencies[depth] = ecp5.place_and_route(netlist, seeds=[1]).fmax_mhz
    assert frequencies[8] < frequencies[1] / 2


@pytest.mark.long(stays="tests/synth/test_synth.py::test_comb_equivalents_are_what_place_and_route_occupies")
def test_device_may_have_more_ports_than_the_package_has_pins():
    netlist = map_design(registered_design(Combinational(150, lambda a, b: a ^ b), name="wide"), family=ecp5)
    assert ecp5.place_and_route(netlist, seeds=[1]).fmax_mhz > 50


@pytest.mark.long(stays="tests/synth/test_synth.py::test_fmax_is_the_median")
def test_seeds_differ_and_repeat():
    netlist = map_design(registered_design(Path(2), name="path"), family=ecp5)
    placed = ecp5.place_and_route(netlist, seeds=(7, 3), jobs=2)
    assert list(placed.seeds_mhz) == [7, 3]
    assert len(set(placed.seeds_mhz.values())) > 1
    assert ecp5.place_and_route(netlist, seeds=[3]).fmax_mhz == placed.seeds_mhz[3]


def test_fmax_is_the_median():
    assert nextpnr.PlaceAndRoute({1: 300.0, 2: 100.0, 3: 120.0}, {}).fmax_mhz == 120.0


def test_netlist_without_a_clock_has_no_fmax():
    netlist = map_design(Design.of(Combinational(1, lambda a, b: a & b), name="gate"), family=ecp5)
    with pytest.raises(ToolError, match="^Fmax needs one clock with a path from register to register, "):
        ecp5.place_and_route(netlist, seeds=[1])


@pytest.mark.parametrize("seeds", [(), (1, 1), (1, 2, 1)])
def test_seeds_are_checked(seeds):
    with pytest.raises(ParameterError, match="^seeds must be one or more different integers, not "):
        nextpnr.check_seeds(seeds)


def test_seed_is_checked():
    with pytest.raises(ParameterError, match="^seed must be an integer of at least 0, not 1.5$"):
        nextpnr.check_seeds([1.5])


# Designs


def test_text_of_a_design_is_the_same_in_every_process():
    """Or nothing would ever be found in the cache."""
    code = (
        "from fatcube.synth.wrapper import registered_design; from tests.support.designs import Everything; "
        "print(registered_design(Everything(), name='everything').text)"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"},
        check=True,
        cwd=pathlib.Path(__file__).parents[2],
        capture_output=True,
        text=True,
    ).stdout
    assert other == registered_design(Everything(), name="everything").text + "\n" and "storage" in other


# All together


@pytest.mark.long(stays="tests/synth/test_synth.py::test_areas_that_were_counted_by_hand_add_up")
def test_synthesize_measures_and_remembers(tmp_path, monkeypatch):
    def device(inputs=8):
        return Combinational(8, lambda a, b: Array(a[:inputs])[b[:3]], output_width=1)

    def run(inputs=8, **kwargs):
        return measure.synthesize(device(inputs), name="device", **{"jobs": 2, "cache": tmp_path, **kwargs})

    result = run()
    assert result.area == area(device())
    registered = registered_design(device(), name="device")
    narrow, wide = (
        ecp5.place_and_route(map_design(registered, family=ecp5, wide_luts=wide), seeds=[2]).fmax_mhz
        for wide in (False, True)
    )
    assert result.timing.seeds_mhz[2] == narrow != wide == result.timing_wide.seeds_mhz[2]
    assert result.fmax_mhz == sorted(result.timing.seeds_mhz.values())[1]
    assert result.fmax_wide_mhz == sorted(result.timing_wide.seeds_mhz.values())[1]
    assert "Critical path report" in result.timing.logs[3]
    assert result.tools == {"Yosys": yosys.version(), "nextpnr": ecp5.version()}
    commands = result.commands
    assert (
        commands.index("synth_ecp5 -nowidelut -top device")
        < commands.index("synth_ecp5 -nowidelut -top registered_device")
        < commands.index("synth_ecp5 -top registered_device")
    )
    assert sum(command.startswith("nextpnr-ecp5 --85k ") for command in commands) == 6
    record = result.to_json()
    assert record["lut4"] == result.area.lut4
    assert (record["fmax_mhz"], record["fmax_wide_mhz"]) == (result.fmax_mhz, result.fmax_wide_mhz)
    assert [seed for seed, _ in record["seeds_wide_mhz"]] == [1, 2, 3]

    without_tools(monkeypatch)
    assert run() == result
    bare = run(fmax=False)
    assert bare.area == result.area and bare.fmax_mhz is None and bare.to_json()["seeds_mhz"] is None
    # The design, the versions and the seeds are what a result is found by.
    with pytest.raises(FileNotFoundError):
        run(inputs=7)
    with pytest.raises(FileNotFoundError):
        run(seeds=(1, 2))
    monkeypatch.setattr(measure, "versions", lambda packages: dict.fromkeys(packages, "another"))
    with pytest.raises(FileNotFoundError):
        run()


def test_instantiated_modules_are_part_of_the_design():
    inner = Design.of(Combinational(8, lambda a, b: a + b), name="inner").text

    class Outer(Combinational):
        def elaborate(self, platform):
            m = Module()
            between = Signal(8)
            m.submodules += [
                Instance("inner", i_a=self.a, i_b=self.b, o_o=between),
                Instance("inner", i_a=between[::-1], i_b=self.b, o_o=self.o),
            ]
            return m

    assert measure.synthesize(Outer(8, None), name="outer", fmax=False, modules=inner).area == cells(
        carry=8, comb_equivalents=16
    )
    with pytest.raises(ToolError, match="^ERROR: Module `.*inner' .* is not part of the design"):
        measure.synthesize(Outer(8, None), name="outer", fmax=False)


def test_parameters_are_checked_before_anything_runs(monkeypatch):
    without_tools(monkeypatch)
    adder = RegisteredAdder()
    for arguments, message in (
        ({"seeds": ()}, r"seeds must be one or more different integers, not \(\)"),
        ({"jobs": 0}, "synthesis jobs must be an integer of at least 1, not 0"),
        ({"family": "ecp6"}, "FPGA family must be one of ecp5, ice40, xilinx, gowin, gates, osu018, not 'ecp6'"),
        (
            {"family": "xilinx", "fmax": True},
            "Fmax requires an FPGA family with place and route, not xilinx",
        ),
        ({"name": "a-b"}, "synthesis name must be a Verilog identifier, not 'a-b'"),
    ):
        with pytest.raises(ParameterError, match=f"^{message}$"):
            measure.synthesize(adder, **{"name": "adder", **arguments})
    with pytest.raises(FileNotFoundError):
        measure.synthesize(adder, name="adder")

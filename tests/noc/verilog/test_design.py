"""Generated Verilog: it passes lint, Yosys reads it, it has the router once, and it can be wired by hand."""

from pathlib import Path
import re

from amaranth.back import rtlil
from amaranth.hdl import Module, Signal, Value
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out
import pytest

from fatcube.groundwork import yosys
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.fabric import Fabric, shared_router
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.system import System
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import Shared, check_identifier
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Ring
from fatcube.noc.verilog import design, to_verilog
from fatcube.rtl.ports import verilog_name
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from tests.support.cases import some
from tests.support.linting import lint
from tests.support.pair_cover import CHOICES, CONFIGURATIONS, wide


@pytest.mark.parametrize(
    ("topology", "ports", "width"),
    [
        *some([(FatCube(2, 2, 1), ports, 32) for ports in "1bd*"], (0, 1)),
        *(pytest.param(FatCube(2, 3, 2), ports, 64, marks=pytest.mark.long) for ports in "d*"),
        pytest.param(FatCube(4, 4, 1), "1", 32, marks=pytest.mark.long),
        *(pytest.param(FatCube(3, 4, 2), ports, 64, marks=pytest.mark.long) for ports in "1b"),
        *(pytest.param(FatCube(3, 4, 2), ports, 64, marks=pytest.mark.grid) for ports in "d*"),
    ],
)
def test_network_lints_and_has_its_router_once(topology, ports, width, tmp_path):
    """Catches repeated routers, unconnected ports, wrong widths, and latches."""
    network = Network(topology, RouterOptions(ports=ports, width=width))
    text = to_verilog(Fabric(network).shared())
    kept = text.count("(* keep_hierarchy *)")  # parts of the crossbar
    router = network.router()
    sources = [sum(output in router.reach(number) for number in router.inputs) for output in router.outputs]
    # One module of the first LUTs where four inputs reach an output, and one of the second where there is logic behind.
    assert kept == (max(sources) >= 4) + (max(sources) > 4)
    assert text.count("\nmodule fat_node_router(") == 1
    assert text.count("\n  fat_node_router ") == topology.nodes
    assert lint("fabric", text, tmp_path) == ""
    log = yosys.run(
        ["read_verilog design.v", "hierarchy -check -top fabric", "proc", "check -assert"], files={"design.v": text}
    ).log
    assert "Found and reported 0 problems" in log


def test_lint_finds_errors(tmp_path):
    """Lint is not disabled as a whole: an undriven and a too short signal are reported."""
    text = to_verilog(Shared(FatNodeRouter(Network(FatCube(1)).router()), "fat_node_router"))
    broken = text + "\nmodule broken(output [3:0] o); wire [3:0] w; assign o = w; endmodule\n"
    assert "UNDRIVEN" in lint("broken", broken, tmp_path)


def test_waivers_are_those_of_the_documentation():
    text = (Path(__file__).parents[3] / "docs" / "tasks" / "flows.md").read_text()
    names = [line.split()[3] for line in (*design._WAIVERS, design._CROSSING_WAIVER)]
    assert len(names) == 5
    assert all(f"`{name}`" in text for name in names)


@pytest.mark.parametrize(("kind", "asked"), [("block", 1), ("registers", 1), ("distributed", 0)])
def test_memory_attribute_in_the_file(kind, asked):
    """The file has the attribute for the type of a memory, and no other attributes of Amaranth and Yosys."""
    network = Network(FatCube(1, 3), RouterOptions(buffer_depth=6, buffer_memory=kind))
    text = to_verilog(Fabric(network).shared())
    found = re.findall(r"\(\* (\w+) = \"(\w+)\" \*\) reg \[32:0\] memory \[0:3\];", text)
    assert found == [("ram_style", kind)] * asked
    assert set(re.findall(r"\(\* *(\w+)", text)) == {name for name, _ in found}


def test_two_routers_wired_by_hand(tmp_path):
    """The port names and widths of the documentation and the head, used as in a user's design."""
    text = to_verilog(Shared(FatNodeRouter(Network(FatCube(1)).router()), "fat_node_router"))
    router = """
      fat_node_router node{n}(.clk(clk), .rst(rst), .error(error{n}),
        .processor0_send0__payload(send{n}), .processor0_send0__valid(send{n}_valid), .processor0_send0__ready(send{n}_ready),
        .processor0_receive0__payload(get{n}), .processor0_receive0__valid(get{n}_valid), .processor0_receive0__ready(1'b1),
        .channel0_lane0_in__payload(link{o}), .channel0_lane0_in__valid(link{o}_valid), .channel0_lane0_in__ready(link{o}_ready),
        .channel0_lane0_out__payload(link{n}), .channel0_lane0_out__valid(link{n}_valid), .channel0_lane0_out__ready(link{n}_ready));
    """
    ports = "".join(
        f", input [32:0] send{n}, input send{n}_valid, output send{n}_ready, output [32:0] get{n}, output get{n}_valid, output error{n}"
        for n in range(2)
    )
    wires = "".join(f"wire [32:0] link{n}; wire link{n}_valid, link{n}_ready;\n" for n in range(2))
    mine = (
        f"module pair(input clk, input rst{ports});\n{wires}"
        + "".join(router.format(n=n, o=1 - n) for n in range(2))
        + "endmodule\n"
    )
    assert lint("pair", text + mine, tmp_path) == ""


@pytest.mark.parametrize(
    "shared",
    [
        shared_router(Network(FatCube(1, 2)), counters=True),
        Fabric(Network(FatCube(1, 2), RouterOptions(ports="d"))).shared(),
        System(Machine(network=Network(FatCube(1, 2), RouterOptions(ports="b")), reductions=True)).shared(),
    ],
    ids=lambda shared: shared.name,
)
def test_a_port_has_its_meaning(shared):
    """Catches a port of a shared module without a description, also a port added later."""
    text = to_verilog(shared)
    heads = dict(re.findall(r"^module (\w+)\(\n(.*?)^\);", text, re.DOTALL | re.MULTILINE))
    assert len(heads) == text.count("\nmodule ")
    for name in shared.modules():
        lines = heads[name].splitlines()
        for number, line in enumerate(lines):
            if not line.startswith("  //"):
                assert re.fullmatch(r"  (input |output) (wire|reg ) (\[\d+:0\] )?\w+( = \d+'h\w+)?,?( +// \S.*)?", line)
                assert "//" in line or lines[number - 1].startswith("  // "), line


def test_the_words_of_a_port():
    text = to_verilog(Fabric(Network(FatCube(1, 2), RouterOptions(ports="*"))).shared())
    assert re.search(r"  input  wire \[32:0\] processor3_send1__payload, +// a flit from port 1 of processor 3\n", text)
    assert re.search(r"  output wire processor3_send1__ready, +// ready for a flit from port 1 of processor 3\n", text)


def test_two_networks_in_one_design(tmp_path):
    """Two concatenated files, and a module that instantiates both: all their modules have different names."""
    networks = {"left": Network(FatCube(1)), "right": Network(FatCube(1), RouterOptions(ports="*", width=16))}
    text = "\n".join(to_verilog(Fabric(network, name=name).shared()) for name, network in networks.items())
    modules = re.findall(r"^module (\w+)", text, re.MULTILINE)
    assert {"left", "left_fat_node_router", "right", "right_fat_node_router"} < set(modules)
    assert len(set(modules)) == len(modules)
    assert all(module.split("_")[0] in networks for module in modules)
    ports, instances = ["input clk", "input rst"], ""
    for name, network in networks.items():
        connections = [".clk(clk)", ".rst(rst)"]
        fabric = Fabric(network)
        for path, member, value in fabric.signature.flatten(fabric):
            port = verilog_name(path)
            bits = len(Value.cast(value))
            ports.append(f"{'input' if member.flow == In else 'output'} {f'[{bits - 1}:0] ' * (bits > 1)}{name}_{port}")
            connections.append(f".{port}({name}_{port})")
        instances += f"  {name} my_{name}({', '.join(connections)});\n"
    both = f"module both({', '.join(ports)});\n{instances}endmodule\n"
    assert lint("both", text + both, tmp_path) == ""


def test_a_system_with_a_name():
    text = to_verilog(System(Machine(network=Network(FatCube(1))), name="mine").shared())
    modules = re.findall(r"^module (\w+)", text, re.MULTILINE)
    assert {"mine", "mine_fat_node_router", "mine_monitor", "mine_node", "mine_processor"} < set(modules)
    assert all(module.startswith("mine") for module in modules)


@pytest.mark.parametrize(
    "name", ["", "1a", "a-b", "a b", "a$b", "é", "x;", "a\n", 3, "module", "endmodule", "wire", "logic", "class"]
)
def test_a_name_that_verilog_does_not_take(name):
    with pytest.raises(ParameterError, match="name must be a Verilog identifier of .* and no keyword, not"):
        check_identifier(name)


def test_no_name_is_refused_for_nothing():
    for name in ("a", "_1", "noc", "Wire", "fat_node_router", "x" * 100):
        assert check_identifier(name) == name


class _Ports(wiring.Component):
    """A component with given bits of input and output, and a copy of another one."""

    def __init__(self, inputs, outputs, uses=()):
        self.uses = uses
        # No single signal may have as many bits.
        super().__init__(
            {
                "i0": In(inputs // 2),
                "i1": In(inputs - inputs // 2),
                "o0": Out(outputs // 2),
                "o1": Out(outputs - outputs // 2),
            }
        )

    def elaborate(self, platform):
        m = Module()
        register = Signal()
        m.d.sync += register.eq(~register)
        for n, shared in enumerate(self.uses):
            m.submodules[f"copy{n}"] = shared.copy()
        return m


def test_a_design_without_signature_is_refused():
    with pytest.raises(
        ParameterError, match="^component must be a wiring.Component, not Module, which has no signature$"
    ):
        Shared(Module(), "top")


@pytest.mark.long(stays="tests/noc/test_verilog.py::test_without_the_limit_amaranth_breaks")
def test_the_limit_of_ports_is_that_of_amaranth():
    """Ports at the limit can be written; with one bit more, Amaranth fails."""
    Shared(_Ports(65532, 70000), "top").modules()
    part = Shared(_Ports(5, 65536), "part")
    Shared(_Ports(1, 1, uses=[part]), "top", uses=[part]).modules()
    with pytest.raises(ParameterError, match="module top must have at most 65532 bits of input, .*, not 65533$"):
        Shared(_Ports(65533, 1), "top")
    part = Shared(_Ports(5, 65537), "part")
    with pytest.raises(ParameterError, match="module part must have at most 65536 bits of output, .*, not 65537$"):
        Shared(_Ports(1, 1, uses=[part]), "top", uses=[part])


def test_without_the_limit_amaranth_breaks(monkeypatch):
    """Catches a version of Amaranth with another limit."""
    monkeypatch.setattr("fatcube.noc.shared.check_port_bits", lambda *arguments: None)
    part = Shared(_Ports(5, 65537), "part")
    for shared in (Shared(_Ports(65533, 1), "top"), Shared(_Ports(1, 1, uses=[part]), "top", uses=[part])):
        with pytest.raises(AssertionError):
            shared.modules()


def test_the_ports_of_a_network_are_counted_before_they_are_made():
    """A network of the widest flits that fit is made, and one of one bit more is refused."""
    network = Network(FatCube(4, 2), RouterOptions(ports="d", width=508))  # 128 ports of 511 bits
    fabric = Fabric(network)
    assert len(list(fabric.signature.flatten(fabric))) == 256 * 3 + 1  # payload, valid and ready of each stream
    network = Network(FatCube(4, 2), RouterOptions(ports="d", width=509))
    with pytest.raises(
        ParameterError, match="ports of module fabric must have .* not 65536(: 15 of these 16 nodes fit)?$"
    ):
        Fabric(network)
    network = Network(FatCube(2, 30), RouterOptions(ports="1", width=2044))  # 32 streams each way of 2047 bits: 65,504
    shared_router(network)
    network = Network(FatCube(2, 30), RouterOptions(ports="1", width=2045))
    for refused in (lambda: shared_router(network), lambda: System(Machine(network=network))):
        with pytest.raises(
            ParameterError, match="ports of module fat_node_router must have .* not 65536(: 15 of these 16 nodes fit)?$"
        ):
            refused()


def test_zeros_of_memories_are_the_text_that_amaranth_writes():
    """Catches another version of Amaranth, which may write memories in another way; and one that does not start as 0."""

    class Memories(wiring.Component):
        def __init__(self):
            super().__init__({"address": In(3), "data": Out(9)})

        def elaborate(self, platform):
            m = Module()
            for name, init in (("zeros", []), ("others", [0, 3])):
                m.submodules[name] = part = memory.Memory(shape=9, depth=8, init=init)
                read = part.read_port()
                m.d.comb += read.addr.eq(self.address)
                m.d.sync += self.data.eq(self.data ^ read.data)
            return m

    [text] = Shared(Memories(), "memories").modules().values()
    assert text == rtlil.convert(Memories(), name="memories", emit_src=False)
    assert "72'" + 72 * "0" in text


def listed(shared):
    """The ports of each module, in the order of its head."""
    heads = re.findall(r"^module (\w+)\(\n(.*?)^\);", to_verilog(shared), re.DOTALL | re.MULTILINE)
    return {
        name: re.findall(r"^  (?:input |output) (?:wire|reg ) (?:\[.*?\] )?(\w+)", ports, re.MULTILINE)
        for name, ports in heads
    }


def test_ports_are_listed_stream_by_stream():
    """Catches the order of the netlist, in which the signals of a stream stand apart, and 10 before 2."""
    heads = listed(Fabric(RoutedNetwork(Ring(11))).shared())
    streams = [(f"processor{p}", way) for p in range(11) for way in ("send0", "receive0")]
    signals = [f"{of}_{way}__{signal}" for of, way in streams for signal in ("payload", "valid", "ready")]
    assert heads["fabric"] == ["clk", "rst", *signals, "error"]
    assert heads["fat_node_router"][:9] == ["clk", "rst", *signals[:6], "channel0_lane0_in__payload"]


def test_axi_ports_are_listed_stream_by_stream():
    ports = listed(AxiNetwork(RoutedNetwork(Hypercube(1)), crossing_depth=8).shared())["axi_network"]
    of = [re.sub(r"^((?:[sm]_)?axis_\d)_.*", r"\1", port) for port in ports]
    assert [*dict.fromkeys(of)][:8] == [
        *sorted(of[:2]),
        "axis_0",
        "s_axis_0",
        "m_axis_0",
        "axis_1",
        "s_axis_1",
        "m_axis_1",
    ]
    assert sorted(of[:2]) == ["aclk", "aresetn"] and of[8:] == sorted(of[8:], key=[*dict.fromkeys(of)].index)


@pytest.mark.parametrize("choices", some([pytest.param(one, id=str(one)) for one in CONFIGURATIONS], (3, 11)))
def test_names_are_those_of_the_sources(choices, tmp_path):
    """No name is escaped or has a dollar, and few are made up; Verilator says nothing."""
    text = to_verilog(Shared(FatNodeRouter(wide(dict(zip(CHOICES, choices, strict=True)))), "fat_node_router"))
    assert not set(text) & {"$", "\\", "`"}
    declared = re.findall(r"\b(?:wire|reg) +(?:\[\d+:0\] )?(\w+)", text)
    made_up = [name for name in declared if re.match(r"(.*__)?(unnamed|part)(_\d+)?$", name)]
    assert len(declared) > 100 and len(made_up) <= 0.02 * len(declared)
    assert lint("fat_node_router", text, tmp_path) == ""


def test_units_of_one_class_that_differ_say_which_they_are():
    """Each input of a router is in the comment of its module, once; equal units share a module and its comment."""
    router = Network(FatCube(2, 2), RouterOptions()).router()
    text = to_verilog(Shared(FatNodeRouter(router), "fat_node_router"))
    about = re.findall(r"// This is (.*(?:\n// .*)*)\.\n(?:\(\*.*\n)?module (\w+)\(", text)
    named = [
        (unit, module) for units, module in about for unit in re.findall(r"fat_node_router\.(input\d+)\b(?!\.)", units)
    ]
    instances = re.findall(r"^  (fat_node_router_input_unit\w*) (input\d+) \(", text, re.M)
    assert len(instances) == len(router.inputs) and sorted(named) == sorted(
        (unit, module) for module, unit in instances
    )


def test_waivers_end_with_the_file():
    text = to_verilog(Shared(FatNodeRouter(Network(FatCube(1, 2), RouterOptions()).router()), "fat_node_router"))
    off, on = (re.findall(rf"verilator lint_{way} (\w+)", text) for way in ("off", "on"))
    assert off == on and len(off) == 4
    assert text.rindex("endmodule") < text.index("lint_on")

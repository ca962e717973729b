"""OpenSTA: the longest path from register to register of a netlist of standard cells."""

from collections.abc import Mapping
import dataclasses
import functools
import json
import re
from typing import Any

from fatcube.groundwork.tool import Call, ToolError, run_tools
from fatcube.synth.families.library import LibraryCell, parse_library
from fatcube.synth.mapping import Netlist

__all__ = ["SCRIPT", "StaticPath", "longest_path", "version"]


_PERIOD = 1000  # ns of the clock, from which the slack is taken: longer than any path
SCRIPT = (
    "read_liberty cells.lib",
    "read_verilog netlist.v",
    "link_design top",
    f"create_clock -name clk -period {_PERIOD} [get_ports clk]",
    "report_checks -from [all_registers -clock_pins] -to [all_registers -data_pins] -path_delay max -digits 4",
    "exit",
)
"""The commands of OpenSTA."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class StaticPath:
    """The longest path from register to register.

    Members
    -------
    ns : :class:`float`
        The least period of the clock, from a register's clock to the end's setup time.
    start, end : :class:`str`
        The registers at its two ends, by the names of the source.
    """

    ns: float
    start: str
    end: str


def longest_path(netlist: Netlist, library: str) -> StaticPath:
    """The longest path of a netlist, without wires, at the corner of the library.

    Raises
    ------
    ToolError
        If OpenSTA finds none.
    """
    module = json.loads(netlist.json)["modules"][netlist.top]
    cells = {f"c{number}": cell for number, cell in enumerate(module["cells"].values())}
    files = {"cells.lib": library, "netlist.v": _verilog(module, cells), "sta.tcl": "\n".join(SCRIPT) + "\n"}
    call = Call("OpenSTA", ("sta", "-no_init", "-no_splash", "sta.tcl"), files, environment={"HOME": "."})
    [finished] = run_tools([call])
    ends = re.findall(r"^(?:Startpoint|Endpoint): (\w+)", finished.log, re.MULTILINE)
    slack = re.search(r"^\s+(-?[\d.]+)\s+slack", finished.log, re.MULTILINE)
    if len(ends) != 2 or slack is None:
        problem = re.search(r"^Error: .*", finished.log, re.MULTILINE)
        raise ToolError(problem[0] if problem else "OpenSTA found no path from register to register", log=finished.log)
    known = parse_library(library)
    start, end = (_name(module, cells[one], known) for one in ends)
    return StaticPath(ns=round(_PERIOD - float(slack[1]), 4), start=start, end=end)


@functools.cache
def version() -> str:
    """The version that OpenSTA prints of itself."""
    [finished] = run_tools([Call("OpenSTA", ("sta", "-version"))])
    return finished.log.strip()


def _verilog(module: Mapping[str, Any], cells: Mapping[str, Mapping[str, Any]]) -> str:
    """The netlist in the little Verilog that OpenSTA reads: a net is a number, a port of it a bit."""
    inputs = {
        bit: "clk" if name == "clk" else f"n{bit}"
        for name, port in module["ports"].items()
        if port["direction"] == "input"
        for bit in port["bits"]
    }

    def net(bit: int | str) -> str:
        return f"1'b{bit if bit in ('0', '1') else 0}" if isinstance(bit, str) else inputs.get(bit, f"n{bit}")

    nets = {bit for cell in cells.values() for bits in cell["connections"].values() for bit in bits}
    wires = sorted(bit for bit in nets if isinstance(bit, int) and bit not in inputs)
    return "\n".join(
        [
            f"module top({', '.join(inputs.values())});",
            *(f"input {name};" for name in inputs.values()),
            *(f"wire n{bit};" for bit in wires),
            *(
                f"{cell['type']} {name} ({', '.join(f'.{pin}({net(bits[0])})' for pin, bits in cell['connections'].items() if bits)});"
                for name, cell in cells.items()
            ),
            "endmodule",
            "",
        ]
    )


def _name(module: Mapping[str, Any], cell: Mapping[str, Any], known: Mapping[str, LibraryCell]) -> str:
    """The name of a register: that of its output in the source, where it has one."""
    if not known[cell["type"]].register:
        raise ToolError(f"OpenSTA's path must be from register to register, not at a {cell['type']}")
    pins = known[cell["type"]].functions
    outputs = {bit for pin in pins for bit in cell["connections"].get(pin, ())}
    names = [
        f"{name}[{index + net.get('offset', 0)}]" if len(net["bits"]) > 1 else name
        for name, net in module["netnames"].items()
        for index, bit in enumerate(net["bits"])
        if bit in outputs
    ]
    best = min(names, key=lambda name: (name.startswith("$"), "$" in name, len(name), name))
    return best.removeprefix("registered.").removeprefix("device.")

"""Verilog of a router, a fabric or a system, each distinct module once."""

from collections.abc import Iterable
import re

from groundwork.yosys import run
from noc.descriptions.ports import port_meaning
from noc.shared import Shared
from rtl.crossbar import LOWER, SELECTOR, UPPER

__all__ = ["to_verilog"]


# The warnings of `verilator --lint-only -Wall` for all Verilog that Yosys writes; docs/hardware.md, "Lint".
_WAIVERS = [
    "/* verilator lint_off DECLFILENAME */",  # One file holds all modules.
    "/* verilator lint_off PROCASSINIT */",  # Registers have an initial value and a reset.
    "/* verilator lint_off UNUSEDSIGNAL */",  # Yosys keeps the carry out and other high bits of a result.
    "/* verilator lint_off WIDTHEXPAND */",  # Yosys writes constants in as few bits as they need.
    "/* verilator lint_off WIDTHTRUNC */",  # Yosys writes a comparison with zero as a logical not.
]
# The one for Verilog in which a stream crosses from one clock to another. The reset of the one side, by which its own
# registers are cleared synchronously, clears asynchronously those that hand it on to the other side.
_CROSSING_WAIVER = "/* verilator lint_off SYNCASYNCNET */"


def to_verilog(shared: Shared, *, comment: str = "", flat: bool = True) -> str:
    """The Verilog text of a :class:`Shared` component and of all modules that it uses.

    ``comment`` is put before it, each line as a Verilog comment. Every port stands on a line of its own, with its
    direction, bits and meaning. With ``flat``, what a shared module has parts of is taken into it; without, each part
    stays a module, with all its signals, for those who look at waves.

    Raises
    ------
    ParameterError
        If a module has more ports than can be written: see :class:`Shared`.
    """
    modules = shared.modules()
    design, selectors = _with_plain_names("\n".join(modules.values()))
    text = run(
        [
            "read_rtlil design.il",
            f"hierarchy -check -top {shared.name}",
            # Message memories are loaded before they are read: thousands of zeros would only be text.
            f"delete t:$meminit_v2 {' '.join(f'r:MEMID=*{name} %d' for name in _with_contents(design))}".rstrip(),
            "proc -norom -noopt",
            # A $pmux would be written as a function whose name Icarus takes for a system function.
            "pmuxtree",
            "memory_collect",
            *(f"setattr -mod -set keep_hierarchy 1 {name}" for name in (*modules, *selectors)),
            *(["flatten -separator _", "opt_clean -purge"] if flat else []),
            *(f"attrmap {of} -remove {name}" for name in _attributes(design) for of in ("", "-modattr")),
            # synth_gowin would put pads at the ports of every module, and not of the top alone.
            *(f"setattr -set iopad_external_pin 1 {name}/x:*" for name in selectors),
            "write_verilog -norename design.v",
        ],
        files={"design.il": design},
        outputs=["design.v"],
    ).outputs["design.v"]
    lines = [f"// {line}".rstrip() for line in comment.splitlines()]
    waivers = [*_WAIVERS, _CROSSING_WAIVER] if re.search("posedge .*, posedge ", text) else _WAIVERS
    return "\n".join([*lines, *waivers, _with_attributes(_with_ports_on_lines(text), selectors)])


def _with_plain_names(design: str) -> tuple[str, list[str]]:
    """RTLIL in which the names of the LUTs of selectors that are to be kept apart, and of their ports, are Verilog
    identifiers.

    And these names.
    """
    # What Amaranth calls a port if its bits are of several signals.
    design = re.sub(r"\\port\$(\d+)\$(\d+)", r"\\port_\1_\2", design)
    names: dict[str, None] = {}

    def plain(found: re.Match[str]) -> str:
        name = re.sub(r"\W", "_", found[1])
        names[name] = None
        return f"\\{name}"

    return re.sub(rf"(?<= )\\(\S+\.{SELECTOR}\d+_\d+\.(?:{LOWER}|{UPPER}))", plain, design), list(names)


def _with_contents(design: str) -> list[str]:
    """The memories that start as something else than zeros."""
    found = re.findall(r'parameter \\MEMID "\\\\(\w+)"(?:\n.*){5}\n +connect \\DATA \d+\'([01]+)', design)
    return sorted({name for name, contents in found if "1" in contents})


def _attributes(design: str) -> list[str]:
    """The attributes that ``design`` has, or gets from Yosys, and that say nothing to whoever reads the Verilog.

    What a memory is to be kept in stays, and the initial values of registers, which Yosys has as attributes too.
    """
    names = {*re.findall(r"attribute \\(\S+) ", design), "full_case", "hdlname", "keep_hierarchy", "top"}
    return sorted(names - {"init", "ram_style"})


def _with_attributes(text: str, names: Iterable[str]) -> str:
    """The same Verilog with an attribute at those modules that keep their LUTs only if they are mapped by themselves."""
    for name in names:
        text = text.replace(f"module {name}(", f"(* keep_hierarchy *)\nmodule {name}(", 1)
    return text


def _with_ports_on_lines(text: str) -> str:
    """The same Verilog with each port in the head of a module on its own line, and a comment beside it."""
    return re.sub(
        r"^module (\w+)\((.*?)\);$(.*?)^endmodule$", _module_with_ports_on_lines, text, flags=re.DOTALL | re.MULTILINE
    )


def _module_with_ports_on_lines(found: re.Match[str]) -> str:
    name, ports, body = found.groups()
    ports = re.findall(r"\w+", ports)
    kinds = {
        port: f"{direction} {bits}".strip()
        for direction, bits, port in re.findall(r"^  (input|output) (\[\d+:\d+\])? ?(\w+);$", body, re.MULTILINE)
    }
    room = max(map(len, ports), default=0) + 1
    lines = []
    for number, port in enumerate(ports):
        comma = "," if number + 1 < len(ports) else ""
        comment = ": ".join(filter(None, (kinds[port], port_meaning(port))))
        lines.append(f"  {port + comma:<{room}}  // {comment}\n")
    return f"module {name}(\n{''.join(lines)});{body}endmodule"

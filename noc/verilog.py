"""Verilog of a router, a fabric or a system, each distinct module once."""

from collections.abc import Iterable
import re

from fatcube.groundwork.yosys import run
from fatcube.noc.descriptions.ports import port_meaning
from fatcube.noc.shared import Shared
from fatcube.rtl.crossbar import LOWER, SELECTOR, UPPER

__all__ = ["to_verilog"]


# The warnings of `verilator --lint-only -Wall` for all Verilog that Yosys writes; docs/tasks/flows.md, "Lint".
_WAIVERS = [
    "/* verilator lint_off DECLFILENAME */",  # One file holds all modules.
    "/* verilator lint_off PROCASSINIT */",  # Registers have an initial value and a reset.
    "/* verilator lint_off UNUSEDSIGNAL */",  # Yosys keeps the carry out and other high bits of a result.
    "/* verilator lint_off WIDTHEXPAND */",  # Yosys writes constants in as few bits as they need.
    "/* verilator lint_off WIDTHTRUNC */",  # Yosys writes a comparison with zero as a logical not.
]
# The waiver for Verilog in which a stream crosses from one clock to another. The reset of one side clears its own
# registers synchronously, and asynchronously those that synchronize it to the other side.
_CROSSING_WAIVER = "/* verilator lint_off SYNCASYNCNET */"
_SELECTORS = "// LUTs of the crossbar: without keep_hierarchy, synthesis would restructure them into more LUTs."


# The ports of streams: of flits, and AXI4-Streams with their clocks.
_FLITS = re.compile(r"(processor|channel)(\d+)_(?:lane(\d+)_)?(in|out|send|receive)(\d*)__(\w+)$")
_AXIS = re.compile(r"(?:([sm])_)?axis_(\d+)_")
_SIGNALS = ("payload", "valid", "ready")
_CLOCKS = ("clk", "rst", "aclk", "aresetn")


def to_verilog(shared: Shared, *, comment: str = "", flat: bool = True) -> str:
    """The Verilog text of a :class:`Shared` component and of all modules that it uses.

    ``comment`` is put before it, each line as a Verilog comment. Every port is on a line of its own, with its
    direction, bits and meaning. With ``flat``, the parts of a shared module are flattened into it; without, each part
    remains a module with all its signals, to be seen in waveforms.

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
            # A $pmux would be written as a function whose name Icarus mistakes for a system function.
            "pmuxtree",
            "memory_collect",
            *(f"setattr -mod -set keep_hierarchy 1 {name}" for name in (*modules, *selectors)),
            *(["flatten -separator _", "opt_clean -purge"] if flat else []),
            *(f"attrmap {of} -remove {name}" for name in _attributes(design) for of in ("", "-modattr")),
            # Without this, synth_gowin puts pads at the ports of every module, not only of the top.
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
    """The RTLIL, and the names of the selector LUTs that stay modules, renamed to Verilog identifiers."""
    # The name that Amaranth gives a port whose bits come from several signals.
    design = re.sub(r"\\port\$(\d+)\$(\d+)", r"\\port_\1_\2", design)
    names: dict[str, None] = {}

    def plain(found: re.Match[str]) -> str:
        name = re.sub(r"\W", "_", found[1])
        names[name] = None
        return f"\\{name}"

    return re.sub(rf"(?<= )\\(\S+\.{SELECTOR}\d+_\d+\.(?:{LOWER}|{UPPER}))", plain, design), list(names)


def _with_contents(design: str) -> list[str]:
    """The memories whose initial contents are not all zeros."""
    found = re.findall(r'parameter \\MEMID "\\\\(\w+)"(?:\n.*){5}\n +connect \\DATA \d+\'([01]+)', design)
    return sorted({name for name, contents in found if "1" in contents})


def _attributes(design: str) -> list[str]:
    """The attributes in ``design``, or from Yosys, that mean nothing to a reader of the Verilog.

    Two kinds are not among them: those for the type of a memory, and initial values of registers, which Yosys stores as
    attributes.
    """
    names = {*re.findall(r"attribute \\(\S+) ", design), "full_case", "hdlname", "keep_hierarchy", "top"}
    return sorted(names - {"init", "ram_style"})


def _with_attributes(text: str, names: Iterable[str]) -> str:
    """The same Verilog with an attribute at the modules that keep their LUTs only if they are mapped by themselves."""
    for name in names:
        text = text.replace(f"module {name}(", f"{_SELECTORS}\n(* keep_hierarchy *)\nmodule {name}(", 1)
    return text


def _with_ports_on_lines(text: str) -> str:
    """The same Verilog with each port in a module header on its own line, followed by a comment."""
    return re.sub(
        r"^module (\w+)\((.*?)\);$(.*?)^endmodule$", _module_with_ports_on_lines, text, flags=re.DOTALL | re.MULTILINE
    )


def _place(port: str) -> tuple[int, ...]:
    """The key by which the ports of a module are sorted: clocks and resets, then stream after stream, then all others."""
    if port in _CLOCKS:
        return 0, _CLOCKS.index(port)
    if stream := _FLITS.match(port):
        kind, number, lane, way, beside, signal = stream.groups()
        last = _SIGNALS.index(signal) if signal in _SIGNALS else len(_SIGNALS)
        return 1, kind == "channel", int(number), int(lane or beside), way in ("out", "receive"), last
    if stream := _AXIS.match(port):
        return 1, int(stream[2]), " sm".index(stream[1] or " ")
    return (2,)


def _module_with_ports_on_lines(found: re.Match[str]) -> str:
    name, ports, body = found.groups()
    ports = sorted(re.findall(r"\w+", ports), key=_place)
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

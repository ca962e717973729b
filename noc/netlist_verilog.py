"""Verilog of the netlist of a component, for simulators and synthesis; :mod:`fatcube.noc.verilog` writes what people read."""

import re

from fatcube.groundwork.yosys import run
from fatcube.noc.shared import Shared
from fatcube.rtl.crossbar import LOWER, SELECTOR, UPPER

__all__ = ["netlist_verilog"]


def netlist_verilog(shared: Shared, *, flat: bool = True) -> str:
    """The Verilog text that Yosys writes of a :class:`Shared` component and of all modules that it uses.

    With ``flat``, the parts of a shared module are flattened into it; without, each part remains a module with all its
    signals, to be seen in waveforms.

    Raises
    ------
    ParameterError
        If a module has more ports than can be written: see :class:`Shared`.
    """
    modules = shared.modules()
    design, selectors = _with_plain_names("\n".join(modules.values()))
    return run(
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
            "write_verilog -norename design.v",
        ],
        files={"design.il": design},
        outputs=["design.v"],
    ).outputs["design.v"]


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

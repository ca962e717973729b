"""A network as a core of FuseSoC (CAPI2), and the generator by which other cores have FuseSoC generate networks."""

from collections.abc import Mapping, Sequence
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.digest import versions
from fatcube.noc.descriptions.flows.constraints import has_crossings

__all__ = ["GENERATOR_CORE", "GENERATOR_PROGRAM", "generator_files", "network_core"]


GENERATOR_CORE, GENERATOR_PROGRAM = "fatcube_generator.core", "fatcube_generator.py"
"""The names of the generator's files, which are the same beside every network."""

# Without the second, Verilator refuses modules after the testbench, which has a time scale where they have none.
_SIMULATED = ("--timing", "--timescale 1ns/1ps")
# The families that Yosys from pip synthesizes and that there is place and route from pip for.
_FAMILIES = ("ecp5", "ice40", "gowin")
_NETLIST = {"output_format": "json"}
_TEMPLATES = Path(__file__).parent.parent / "templates"


def network_core(
    about: Mapping[str, Any], *, verilog: str, title: str, testbench: str | None, constraints: str | None
) -> str:
    """The text of the core of a network, whose files are beside it.

    Parameters
    ----------
    about, verilog, title
        See :func:`fatcube.noc.descriptions.flows.vhdl.component_file`.
    testbench, constraints : :class:`str` or ``None``
        The names of the files of the testbench and of the constraints of crossings, if they are there.
    """
    top = about["top"]
    filesets = {"rtl": _fileset(verilog, "verilogSource")}
    shipped = ["rtl"]
    if constraints is not None and has_crossings(about):
        filesets["constraints"] = _fileset(constraints, "SDC")
        shipped.append("constraints")
    targets: dict[str, Any] = {
        "default": {"filesets": shipped, "toplevel": top},
        "lint": _target(["rtl"], top, "lint", mode="lint-only", options=["-Wall"]),
    }
    targets |= {
        family: {**targets["default"], "flow": "generic", "flow_options": {"tool": "yosys", "arch": family, **_NETLIST}}
        for family in _FAMILIES
    }
    if testbench is not None:
        filesets["testbench"] = _fileset(testbench, "verilogSource")
        targets["sim"] = _target(["rtl", "testbench"], f"{top}_tb", "sim", mode="binary", options=_SIMULATED)
    core = {
        "name": f"fatcube:networks:{top}:{_version()}",
        "description": f"Network on chip: {title}",
        "filesets": filesets,
        "targets": targets,
    }
    return _capi2(core)


def generator_files() -> dict[str, str]:
    """The files of the generator: its core, and the program that FuseSoC starts."""
    core = {
        "name": f"fatcube:generators:network:{_version()}",
        "description": "Generator of networks on chip, by the command `fatcube generate network`",
        "generators": {
            "fatcube_network": {
                "interpreter": "python3",
                "command": GENERATOR_PROGRAM,
                "description": "A network on chip",
                "usage": "The parameter `options` has the options of `fatcube generate network` in one text; the module is "
                "named by its option --name. With `testbench: true`, the testbench comes with the tag simulation.",
            }
        },
    }
    program = (_TEMPLATES / GENERATOR_PROGRAM).read_text(encoding="utf-8")
    return {GENERATOR_CORE: _capi2(core), GENERATOR_PROGRAM: program}


def _capi2(core: Mapping[str, Any]) -> str:
    """A core as FuseSoC reads it: YAML, of which JSON is a part."""
    return f"CAPI=2:\n{json.dumps(core, indent=2)}\n"


def _fileset(name: str, kind: str) -> dict[str, Any]:
    return {"files": [name], "file_type": kind}


def _target(filesets: Sequence[str], top: str, flow: str, *, mode: str, options: Sequence[str]) -> dict[str, Any]:
    return {
        "flow": flow,
        "flow_options": {"tool": "verilator", "mode": mode, "verilator_options": [*options]},
        "filesets": [*filesets],
        "toplevel": top,
    }


def _version() -> str:
    return versions(["fatcube"])["fatcube"]

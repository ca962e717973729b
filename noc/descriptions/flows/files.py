"""The kinds of files beside a network, and the files of each."""

from collections.abc import Mapping, Sequence
import re
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_choice, shown
from fatcube.noc.descriptions.flows.c_header import c_header
from fatcube.noc.descriptions.flows.constraints import (
    clocks_lpf,
    clocks_sdc,
    crossings_sdc,
    crossings_xdc,
    has_crossings,
)
from fatcube.noc.descriptions.flows.fusesoc import GENERATOR_CORE, generator_files, network_core
from fatcube.noc.descriptions.flows.ip_xact import ip_xact
from fatcube.noc.descriptions.flows.vhdl import component_file, entity_file
from fatcube.noc.descriptions.integration import BESIDE, integration, integration_name, stem_of

__all__ = ["BESIDE_NETWORK", "FLOWS", "files_beside"]


FLOWS = ("filelist", "constraints", "vhdl", "ip-xact", "fusesoc", "c-header")
"""The kinds of files for other people's tools, which any network can have."""

BESIDE_NETWORK = (*BESIDE, *FLOWS)
"""All kinds of files beside a network."""


def files_beside(
    wanted: Sequence[str], about: Mapping[str, Any], *, verilog: str, title: str, mhz: float
) -> dict[str, str]:
    """The texts of the files beside a network, by their names.

    Parameters
    ----------
    wanted : sequence of :class:`str`
        Some of :data:`BESIDE_NETWORK`. Lists of files and cores have a testbench and constraints that are wanted too.
    about : JSON value
        The description of the network, as of :func:`fatcube.noc.descriptions.network_file.network_json`.
    verilog : :class:`str`
        The name of the file of Verilog, in the same folder.
    title : :class:`str`
        A short description of the network.
    mhz : :class:`float`
        Frequency of all clocks in constraints, in MHz.

    Raises
    ------
    ParameterError
        If one of the kinds is unknown, the network cannot have it (see :func:`fatcube.noc.descriptions.integration.integration`),
        or ``verilog`` is the name of one of these files.
    """
    stem = stem_of(verilog)
    testbench = integration_name("testbench", verilog) if "testbench" in wanted else None
    constraints = f"{stem}.sdc" if "constraints" in wanted else None
    files: dict[str, str] = {}
    for what in wanted:
        match check_choice("the files beside the Verilog", what, BESIDE_NETWORK):
            case "filelist":
                files[f"{stem}.f"] = _list(about, [verilog])
                if testbench is not None:
                    files[f"{stem}_tb.f"] = _list(about, [testbench, verilog])
            case "constraints":
                files |= _constraints(about, stem, title, mhz)
            case "vhdl":
                files[f"{stem}.vhd"] = component_file(about, verilog=verilog, title=title)
                files[f"{stem}_entity.vhd"] = entity_file(about, verilog=verilog, title=title)
            case "ip-xact":
                files[f"{stem}.xml"] = ip_xact(about, verilog=verilog, title=title)
            case "fusesoc":
                core = network_core(about, verilog=verilog, title=title, testbench=testbench, constraints=constraints)
                files |= {**generator_files(), f"{stem}.core": core}
            case "c-header":
                files[f"{stem}.h"] = c_header(about, title=title)
            case _:
                files[integration_name(what, verilog)] = integration(what, about, verilog=verilog, title=title)
    if verilog in files or (generator := f"{stem}.core") == GENERATOR_CORE and generator in files:
        raise ParameterError(f"output must be named otherwise than the files beside it, not {verilog}")
    return files


def _list(about: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        if not re.fullmatch(r"[\w.][\w.+-]*", name):
            raise ParameterError(
                f"output must be named with letters, digits, _, ., + and - in a list of files, where tools read other characters "
                f"differently, not {shown(name)}"
            )
    return "\n".join([f"// Sources of {about['top']}, for the option -f of simulators and synthesis.", *names, ""])


def _constraints(about: Mapping[str, Any], stem: str, title: str, mhz: float) -> dict[str, str]:
    """The constraints of the clocks and, where ports have clocks of their own, of the crossings."""
    files = {
        f"{stem}_clocks.sdc": clocks_sdc(about, title=title, mhz=mhz),
        f"{stem}.lpf": clocks_lpf(about, title=title, mhz=mhz),
    }
    if has_crossings(about):
        files[f"{stem}.sdc"] = crossings_sdc(about, title=title, mhz=mhz)
        files[f"{stem}.xdc"] = crossings_xdc(about, name=f"{stem}.xdc", title=title)
    return files

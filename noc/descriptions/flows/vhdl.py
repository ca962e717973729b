"""A network in VHDL: its component, to instantiate, and an entity for tools that do not read Verilog."""

from collections.abc import Mapping
import re
from typing import Any

from fatcube.groundwork.validation import ParameterError

__all__ = ["component_file", "entity_file", "vhdl_name"]


# Reserved words of VHDL-2008 (IEEE 1076-2008, section 15.10).
_RESERVED = frozenset(
    """abs access after alias all and architecture array assert assume assume_guarantee attribute begin block body buffer
    bus case component configuration constant context cover default disconnect downto else elsif end entity exit fairness
    file for force function generate generic group guarded if impure in inertial inout is label library linkage literal
    loop map mod nand new next nor not null of on open or others out package parameter port postponed procedure process
    property protected pure range record register reject release rem report restrict restrict_guarantee return rol ror
    select sequence severity shared signal sla sll sra srl strong subtype then to transport type unaffected units until
    use variable vmode vprop vunit wait when while with xnor xor""".split()
)


#: Names that the file itself uses, which a component of the same name would hide.
_HIDDEN = frozenset(("ieee", "std", "std_logic", "std_logic_1164", "std_logic_vector", "work"))


def vhdl_name(name: str) -> str:
    """The name in VHDL of what has ``name`` in Verilog: an extended identifier where VHDL allows no plain one."""
    plain = re.fullmatch(r"[A-Za-z](?:_?[A-Za-z0-9])*", name) and name.lower() not in _RESERVED
    return name if plain else f"\\{name}\\"


def component_file(about: Mapping[str, Any], *, verilog: str, title: str) -> str:
    """The text of a package with the component of a network, which a design in VHDL instantiates.

    Parameters
    ----------
    about : JSON value
        The description of the network, as of :func:`fatcube.noc.descriptions.network_file.network_json`.
    verilog : :class:`str`
        The name of the file of Verilog.
    title : :class:`str`
        A short description of the network.

    Raises
    ------
    ParameterError
        If the name of the network would hide a type of its ports.
    """
    top = about["top"]
    if top.lower() in _HIDDEN:
        raise ParameterError(f"name must be another than {top} in VHDL, where it would hide a name that its ports need")
    component, package = vhdl_name(top), vhdl_name(f"{top}_component")
    return "\n".join(
        [
            f"-- The component of {top}, {title}: an instance of it is the module in {verilog}.",
            f"--   use work.{package}.all;",
            *_LIBRARIES,
            f"package {package} is",
            f"  component {component} is",
            *_ports(about, "    "),
            f"  end component {component};",
            f"end package {package};",
            "",
        ]
    )


def entity_file(about: Mapping[str, Any], *, verilog: str, title: str) -> str:
    """The text of an entity without contents in place of a network; parameters are as of :func:`component_file`."""
    top = vhdl_name(about["top"])
    return "\n".join(
        [
            f"-- {about['top']}, {title}, as an entity without contents: for tools that read VHDL only.",
            f"-- Leave this file out where {verilog} is read, which has the contents.",
            *_LIBRARIES,
            f"entity {top} is",
            *_ports(about, "  "),
            f"end entity {top};",
            "",
            f"architecture in_verilog of {top} is",
            "begin",
            "end architecture in_verilog;",
            "",
        ]
    )


_LIBRARIES = ("library ieee;", "use ieee.std_logic_1164.all;", "")


def _ports(about: Mapping[str, Any], indent: str) -> list[str]:
    """The port clause of a network, a line for each port."""
    rows = [(vhdl_name(port["name"]), _type(port), port["meaning"]) for port in about["ports"]]
    names, types = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = [
        f"{indent}  {name:<{names}} : {(kind + (';' if number < len(rows) else '')):<{types + 1}}  -- {meaning}".rstrip()
        for number, (name, kind, meaning) in enumerate(rows, 1)
    ]
    return [f"{indent}port (", *lines, f"{indent});"]


def _type(port: Mapping[str, Any]) -> str:
    direction = {"input": "in", "output": "out"}[port["direction"]]
    bits = port["bits"]
    return f"{direction} std_logic" if bits == 1 else f"{direction} std_logic_vector({bits - 1} downto 0)"

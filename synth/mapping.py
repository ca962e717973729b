"""Mapping of a design to a netlist of an FPGA family's cells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
import json
import re
from typing import Any, Protocol

from amaranth.lib import wiring

from fatcube.groundwork import yosys
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.shared import to_rtlil
from fatcube.rtl.crossbar import SELECTOR

__all__ = ["Design", "Netlist", "Target", "mapping_script", "map_design"]


_readers = {"rtlil": "read_rtlil", "verilog": "read_verilog"}


class Target(Protocol):
    """The part of a :class:`~fatcube.synth.families.family.Family` that mapping uses; its members are described there."""

    @property
    def commands(self) -> Callable[[str, bool], Sequence[str]]: ...

    @property
    def technology(self) -> str: ...

    @property
    def keep_selectors(self) -> bool: ...

    @property
    def pads(self) -> str: ...

    @property
    def inputs(self) -> Mapping[str, str]: ...


@dataclasses.dataclass(frozen=True)
class Design:
    """A design to be synthesized.

    Members
    -------
    text : :class:`str`
        All modules of the design.
    top : :class:`str`
        The name of its top module, a Verilog identifier.
    language : :class:`str`
        ``"rtlil"`` or ``"verilog"``.
    keep_hierarchy : :class:`tuple` of :class:`str`
        Modules that are optimized and mapped separately, without their surroundings.

    Raises
    ------
    ParameterError
        If the name is not an identifier, or the language is unknown.
    """

    text: str
    top: str
    language: str = "rtlil"
    keep_hierarchy: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (isinstance(self.top, str) and re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", self.top)):
            raise ParameterError(f"synthesis name must be a Verilog identifier, not {self.top!r}")
        check_choice("synthesis language", self.language, _readers)

    @classmethod
    def of(
        cls, component: wiring.Component, *, name: str, modules: str = "", keep_hierarchy: Iterable[str] = ()
    ) -> "Design":
        """The design of an Amaranth component, with ``name`` for its top module.

        ``modules`` is the RTLIL text of modules that the component instantiates by
        :class:`amaranth.hdl.Instance`.
        """
        design = cls("", name, keep_hierarchy=tuple(keep_hierarchy))
        text = to_rtlil(component, name) + modules
        return dataclasses.replace(design, text=text)


@dataclasses.dataclass(frozen=True)
class Netlist:
    """A mapped design.

    Members
    -------
    top : :class:`str`
        The name of its top module.
    cells : mapping of :class:`str` to :class:`int`
        Number of cells of each type.
    json : :class:`str`
        The netlist as Yosys writes it for place and route.
    transistors : :class:`int` or ``None``
        Transistors of all cells, if the family asks Yosys for an estimate.
    """

    top: str
    cells: Mapping[str, int]
    json: str
    transistors: int | None = None


def mapping_script(design: Design, *, family: Target, wide_luts: bool = False, pads: bool = False) -> list[str]:
    """The Yosys commands that map ``design`` to the cells of a :class:`~fatcube.synth.families.family.Family`.

    With ``pads``, the netlist has the pads that the family's place and route needs.
    """
    # The patterns match each selector, and not the LUTs within it, whose names are longer.
    selectors = (f"*.{SELECTOR}*_?", f"*.{SELECTOR}*_??") if family.keep_selectors else ()
    return [
        f"{_readers[design.language]} design",
        *(f"setattr -mod -set keep_hierarchy 1 {module}" for module in (*design.keep_hierarchy, *selectors)),
        *family.commands(design.top, wide_luts),
        # A module with keep_hierarchy (of ours, or of the design) has now been mapped on its own;
        # the netlist that is counted and placed is flat. Without such modules this changes nothing.
        "setattr -mod -unset keep_hierarchy *",
        "flatten -noscopeinfo",
        "opt_clean",
        *([f"{family.pads} {design.top}"] if pads and family.pads else []),
        f"tee -q -o cells.json stat -json{family.technology and f' -tech {family.technology}'}",
        "write_json netlist.json",
    ]


def map_design(design: Design, *, family: Target, wide_luts: bool = False, pads: bool = False) -> Netlist:
    """Map ``design`` to a :class:`Netlist` of the cells of a :class:`~fatcube.synth.families.family.Family`.

    The parameters are those of :func:`mapping_script`.

    Raises
    ------
    ToolError
        If Yosys refuses the design, or has no estimate for one of its cells.
    """
    finished = yosys.run(
        mapping_script(design, family=family, wide_luts=wide_luts, pads=pads),
        files={"design": design.text, **family.inputs},
        outputs=("cells.json", "netlist.json"),
    )
    statistics = json.loads(finished.outputs["cells.json"])["design"]
    return Netlist(
        design.top,
        statistics["num_cells_by_type"],
        finished.outputs["netlist.json"],
        _transistors(statistics) if family.technology else None,
    )


def _transistors(statistics: Mapping[str, Any]) -> int:
    estimate = str(statistics["estimated_num_transistors"])
    if not estimate.isdecimal():  # Yosys appends a plus if it has left cells out.
        raise ToolError(f"Yosys cannot count the transistors of all cells, only {estimate}")
    return int(estimate)

"""The generated Verilog in four flows: the plain command, the script beside the file, and the flow for area."""

from collections.abc import Callable, Collection, Mapping, Sequence
import dataclasses
from pathlib import Path
from typing import Any

from experiments.experiment import Experiment, Record, Settings, table
from fatcube.groundwork import yosys
from fatcube.groundwork.cache import Cache, cache_folder
from fatcube.groundwork.digest import versions
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.fabric import Fabric, shared_router
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.verilog import to_verilog
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.figures import Figures
from fatcube.synth.families import FAMILIES
from fatcube.synth.families.family import Family
from fatcube.synth.mapping import map_design
from fatcube.synth.plain import SCRIPTS, plain_area, script_area
from fatcube.synth.silicon import network_silicon, router_silicon
from fatcube.synth.wrapper import registered_design

__all__ = ["EXPERIMENT", "Flow", "page"]


@dataclasses.dataclass(frozen=True)
class _Case:
    name: str
    network: Network
    what: str = "router"
    fmax: bool = False  # takes minutes for each family and flow
    families: Collection[str] = tuple(SCRIPTS)

    def shared(self) -> Shared:
        return shared_router(self.network) if self.what == "router" else Fabric(self.network).shared()


_FORWARD = RouterOptions(turns="forward")
_CASES = (
    _Case("5 ports", Network(FatCube(2, 3), _FORWARD), fmax=True),
    _Case("5 ports, two stages", Network(FatCube(2, 3), dataclasses.replace(_FORWARD, pipeline=2)), fmax=True),
    _Case("5 ports, model b", Network(FatCube(2, 3), RouterOptions(ports=PortModel.BROADCAST))),
    _Case("8 ports", Network(FatCube(4, 4), _FORWARD)),
    _Case("8 ports, two stages", Network(FatCube(4, 4), dataclasses.replace(_FORWARD, pipeline=2))),
    _Case("network of four routers", Network(FatCube(2, 2)), what="network"),
    # Yosys takes most of an hour to map it for each of the others.
    _Case("16 ports", Network(FatCube(4, 8, 2), _FORWARD), families=("ecp5",)),
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Flow(Figures):
    """A design in the three flows on one family.

    Members
    -------
    design, family : :class:`str`
    network : mapping
        The network that it is of, as in records.
    plain, script, ours : mapping
        Its area in each flow, as :meth:`fatcube.synth.area.Area.to_json` has it.
    plain_ratio : :class:`float`
        COMB equivalents of the plain flow by ours.
    plain_mhz, ours_mhz : :class:`float` or ``None``
        Fmax; ``None`` if it was not placed.
    installed : :class:`bool`
        Whether what the family needs to be placed is installed, if it can be.
    commands : list of :class:`str`
        The commands that ours was measured with; left out in older rows.
    """

    design: str
    network: Mapping[str, Any]
    family: str
    plain: Mapping[str, Any]
    script: Mapping[str, Any]
    ours: Mapping[str, Any]
    plain_ratio: float
    plain_mhz: float | None
    ours_mhz: float | None
    installed: bool
    commands: Sequence[str] = ()


def _measure(case: _Case, settings: Settings) -> Record:
    """Area of a design in every family and flow, and Fmax where it is timed, on the families that can be placed here."""
    rows: list[Flow] = []
    shared = case.shared()
    text = to_verilog(shared)
    for name in case.families:
        family = FAMILIES[name]
        timed = case.fmax and _placeable(family)
        if case.what == "router":
            silicon = router_silicon(case.network, family=name, fmax=timed, wide=False)
        else:
            silicon = network_silicon(case.network, family=name, fmax=False)
        ours = silicon.area
        plain, script = (
            _kept(
                [text, command, versions(["pyosys"])],
                lambda: measure(text, shared.name, family=family).to_json(),
            )
            for measure, command in ((plain_area, family.plain), (script_area, family.small))
        )
        rows.append(
            Flow(
                design=case.name,
                network=case.network.to_json(),
                family=name,
                plain=plain,
                script=script,
                ours=ours.to_json(),
                plain_ratio=plain["comb_equivalents"] / ours.comb_equivalents,
                plain_mhz=_plain_mhz(shared, text, family) if timed else None,
                ours_mhz=silicon.fmax_mhz,
                installed=not family.architecture or _placeable(family),
                commands=silicon.commands,
            )
        )
    return record({"design": case.name}, {"rows": [row.to_json() for row in rows]})


def _placeable(family: Family) -> bool:
    try:
        family.check_place_and_route()
    except ParameterError:
        return False
    return True


def _plain_mhz(shared: Shared, text: str, family: Family) -> float:
    """Fmax of the Verilog between registers, mapped with wide LUTs as the plain command maps it; three seeds."""
    modules = yosys.run(
        ["read_verilog design.v", "proc", "write_rtlil design.il"], files={"design.v": text}, outputs=["design.il"]
    ).outputs["design.il"]
    design = registered_design(shared.copy(), name=shared.name, modules=modules, few_pins=family.few_pins)

    def make() -> float:
        netlist = map_design(design, family=family, wide_luts=family.wide_luts, pads=True)
        return family.place_and_route(netlist).fmax_mhz

    source = [design.text, versions(family.packages), family.commands(design.top, family.wide_luts), family.options]
    return _kept(source, make)


def _kept(source: Any, make: Callable[[], Any]) -> Any:
    return Cache(cache_folder() / "flows").look_up(source, make)


def page(records: Sequence[Mapping[str, Any]], folder: Path | None = None) -> Results:
    """The page, from the records alone: a table for each family."""
    rows = [Flow.from_json(row) for one in records for row in one["measured"]["rows"]]
    return Results(
        title="The generated Verilog in every flow",
        note="32-bit flits, buffers of two flits. The routers have all turns except U-turns; the router of model b and those of "
        "the network (`-d 2 -m 2`) have the turns that are used. Plain is the plain Yosys command on the file that `fatcube "
        "generate` writes; ours is `fatcube synthesize`, which starts from the RTLIL. COMB equivalents are LUTs, including "
        "those of carry and distributed RAM cells. ABC alone varies by up to 4 % between equivalent netlists of the same "
        "design.",
        tables=[_table(FAMILIES[name], rows) for name in SCRIPTS],
    )


def _table(family: Family, rows: Sequence[Flow]) -> TitledTable:
    columns: dict[str, Callable[[Flow], object]] = {
        "design": lambda row: row.design,
        "plain": lambda row: _cells(row.plain),
        "plain COMB": lambda row: row.plain["comb_equivalents"],
        "plain FF": lambda row: row.plain["ff"],
        "script": lambda row: _cells(row.script),
        "script COMB": lambda row: row.script["comb_equivalents"],
        "ours": lambda row: _cells(row.ours),
        "our COMB": lambda row: row.ours["comb_equivalents"],
        "plain / ours": lambda row: f"{row.plain_ratio:.2f}",
        "script / ours": lambda row: f"{row.script['comb_equivalents'] / row.ours['comb_equivalents']:.2f}",
    }
    if family.architecture:
        columns |= {
            "Fmax MHz, plain": lambda row: _megahertz(row.plain_mhz),
            "Fmax MHz, ours": lambda row: _megahertz(row.ours_mhz),
        }
    note = (
        f"Plain: `{family.plain.format(top='TOP')}`. Script: `{family.small.format(top='TOP')}`, which "
        f"`fatcube generate --script {family.name}` writes. {_speed(family, rows)}"
    )
    return table(family.title, note, columns, [row for row in rows if row.family == family.name])


def _megahertz(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _cells(area: Mapping[str, Any]) -> str:
    """The family's own cells that hold logic."""
    kept = {"LUTs": sum(area["luts"].values())} | {
        cell: number
        for cell, number in area["cells"].items()
        if cell.startswith(("PFUMX", "L6MUX", "MUX2", "MUXF", "CC", "SB_CARRY", "CARRY", "ALU"))
    }
    return ", ".join(f"{number} {cell}" for cell, number in kept.items())


def _speed(family: Family, rows: Sequence[Flow]) -> str:
    if not family.architecture:
        return "There is no place and route for it from pip."
    if not all(row.installed for row in rows if row.family == family.name):
        return f"Not placed: its nextpnr, the extra `fatcube[{family.extra}]`, was not installed."
    mine = ({"fmax_mhz": row.ours_mhz, "commands": row.commands} for row in rows if row.family == family.name)
    return (
        f"Fmax is the median of three placements between registers; - was not placed. {family.flow_note(mine)}".rstrip()
    )


EXPERIMENT = Experiment(
    name="flows",
    about="the generated Verilog in the plain flow of each family, in the script beside it, and in ours",
    cases={case.name: case for case in _CASES},
    measure=_measure,
    page=page,
)

"""The areas and clocks of a network's routers beside their price: a table, and a page."""

from collections.abc import Mapping, Sequence
import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

from fatcube.noc.cost import Price
from fatcube.noc.descriptions.paragraphs import ranges
from fatcube.noc.descriptions.routing_description import configuration, purpose
from fatcube.noc.lanes import lane_wires
from fatcube.noc.network import Network
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.synth.families.family import Family

if TYPE_CHECKING:
    from fatcube.synth.area import Area
    from fatcube.synth.measure import SynthesisResult

__all__ = ["Priced", "RouterAreas"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Priced:
    """The papers' price of a network, and the areas of a router and of a crossbar with all turns and with those used.

    Members
    -------
    cost : :class:`~fatcube.noc.cost.Price`
        a b of a router, and C_R, that of all.
    turns : list of :class:`int`
        Pairs of an input and an output that packets take, of each of the different routers.
    crossbar : :class:`~fatcube.synth.area.Area`
        The crossbar with all a x b turns.
    used_crossbar, all_turns : :class:`~fatcube.synth.area.Area` or ``None``
        The crossbar with the turns used, and the router with all, if they are others.
    """

    cost: Price
    turns: Sequence[int]
    crossbar: "Area"
    used_crossbar: "Area | None"
    all_turns: "Area | None"

    @property
    def columns(self) -> "dict[str, tuple[int, Area]]":
        """The turns and the area of each of them, by the title of its column."""
        areas = {
            "router, all turns": (self.cost.ab, self.all_turns),
            "crossbar, turns used": (self.turns[0], self.used_crossbar),
            "crossbar alone, a x b": (self.cost.ab, self.crossbar),
        }
        return {name: (turns, area) for name, (turns, area) in areas.items() if area is not None}

    def to_json(self) -> dict[str, Any]:
        """The costs and areas as in a result record."""
        return {
            "a": self.cost.a,
            "b": self.cost.b,
            "ab": self.cost.ab,
            "C_R": self.cost.router_cost,
            "turns": list(self.turns),
            "crossbar_comb_equivalents": self.crossbar.comb_equivalents,
            "crossbar_turns_used_comb_equivalents": (self.used_crossbar or self.crossbar).comb_equivalents,
            "all_turns_comb_equivalents": self.all_turns and self.all_turns.comb_equivalents,
        }


class RouterAreas(NamedTuple):
    """The measured areas and clocks of the routers of a network.

    Members
    -------
    network : :class:`Network`
    family : :class:`Family`
        The target.
    measured : list of (:class:`RouterParameters`, list of :class:`int`)
        Each of the different routers, and its nodes.
    kinds : list of :class:`SynthesisResult`
        Their results.
    priced : :class:`Priced`
    everything : :class:`Area`
        The area of all routers.
    together : list of :class:`SynthesisResult`
        The result of the network as one design, if it was measured.
    """

    network: Network
    family: Family
    measured: Sequence[tuple[RouterParameters, Sequence[int]]]
    kinds: "Sequence[SynthesisResult]"
    priced: Priced
    everything: "Area"
    together: "Sequence[SynthesisResult]"

    @property
    def names(self) -> list[str]:
        """The names of the different routers."""
        if len(self.kinds) == 1:
            return ["router"]
        return [f"router of nodes {ranges(nodes)}" for _, nodes in self.measured]

    @property
    def table(self) -> TitledTable:
        """Prices, areas and clocks side by side."""
        from fatcube.synth.silicon import area_rows

        names = self.names

        def ns(results: "Sequence[SynthesisResult]") -> list[str]:
            return [f"{one.path.ns:.2f}" if one.path else "-" for one in results]

        columns = self.priced.columns
        unplaced = ["-"] * (len(columns) + 1)  # the areas of those columns, and the routers one by one
        speeds = [
            ("Fmax MHz", *([result.fmax_mhz for result in results] for results in (self.kinds, self.together))),
            (
                "Fmax MHz, wide LUTs",
                *([result.fmax_wide_mhz for result in results] for results in (self.kinds, self.together)),
            ),
        ]
        return TitledTable(
            f"router of the {self.network.name}, {purpose(self.network)}, on {self.family.title}",
            "",
            [
                "",
                *names,
                *columns,
                f"network: {self.network.topology.nodes} router{'s' * (self.network.topology.nodes > 1)}",
                *("whole network" for _ in self.together),
            ],
            [
                [
                    "a b; C_R",
                    *([self.priced.cost.ab] * (len(self.kinds) + len(columns))),
                    *([self.priced.cost.router_cost] * (1 + len(self.together))),
                ],
                [
                    "turns",
                    *self.priced.turns,
                    *(turns for turns, _ in columns.values()),
                    *(["-"] * (1 + len(self.together))),
                ],
                *area_rows(
                    [
                        *(one.area for one in self.kinds),
                        *(area for _, area in columns.values()),
                        self.everything,
                        *(one.area for one in self.together),
                    ]
                ),
                *(
                    [name, *(f"{mhz:.1f}" for mhz in alone), *unplaced, *(f"{mhz:.1f}" for mhz in of_all)]
                    for name, alone, of_all in speeds
                    if all(alone)
                ),
                *(
                    [["ns, register to register", *ns(self.kinds), *unplaced, *ns(self.together)]]
                    if any(one.path for one in (*self.kinds, *self.together))
                    else []
                ),
                *(
                    [["wires of all lanes", *("-" for _ in self.kinds), *unplaced, str(lane_wires(self.network))]]
                    if self.together
                    else []
                ),
            ],
        )

    @property
    def paths(self) -> list[str]:
        """A line for the longest path of each of them that was timed."""
        return [
            f"longest path of the {name}: from {one.path.start} to {one.path.end}"
            for name, one in (*zip(self.names, self.kinds), *(("whole network", one) for one in self.together))
            if one.path
        ]

    def results(
        self,
        tables: Sequence[TitledTable],
        interfaces: "Mapping[str, Area] | None" = None,
        seeds: Sequence[int] = (),
    ) -> Results:
        """The page: the parts of a router by their areas, the paths, and ``tables``, of which the first is :attr:`table`.

        ``interfaces`` are the areas of interfaces by their names, the last one that of the network with them, and ``seeds``
        those of placements.
        """
        unit = "COMB equivalents" if self.family.unit == "LUTs" else self.family.unit

        def size(area: "Area") -> int:
            return round(self.family.measured_area(area.to_json()) or 0)

        areas = {name: one.area for name, one in zip(self.names, self.kinds)}
        areas |= {name: area for name, (_, area) in self.priced.columns.items()}
        further = {**({"whole network": self.together[0].area} if self.together else {}), **(interfaces or {})}
        if further:
            areas |= {"all routers": self.everything} | further
        first = self.names[0]
        besides = "".join(f"; the {name} has {size(area):,}" for name, area in [*further.items()][-1:])
        figure = Figure(
            name="areas",
            title="Areas of the router, of crossbars and of the network"
            if further
            else "Areas of the router and of crossbars",
            says=f"The {first} has {size(areas[first]):,} {unit}, and all routers together {size(self.everything):,}{besides}.",
            x=Axis("", "category"),
            y=Axis(unit),
            series=(
                Series(
                    name="area",
                    mark="bars",
                    colour=COLOURS[0],
                    points=tuple(Point(x=name, y=size(area), text=(name,)) for name, area in areas.items()),
                ),
            ),
        )
        return Results(
            title=f"R{tables[0].title[1:]}",
            note=f"{self._rows()} Written by `fatcube synthesize`.",
            says=[*(f"{line[0].upper()}{line[1:]}." for line in self.paths), self._configuration(seeds)],
            figures=[figure],
            tables=[
                one._replace(columns=["quantity", *one.columns[1:]])
                for one in (tables[0]._replace(title=""), *tables[1:])
            ],
        )

    def _configuration(self, seeds: Sequence[int]) -> str:
        """A sentence on the routers, and on the seeds of placements if there are any."""
        options = self.network.options
        placed = f"; Fmax is the median over seeds {', '.join(map(str, seeds))}" if seeds else ""
        return f"Routers of model {options.ports.value} with {configuration(options)}{placed}."

    def _rows(self) -> str:
        """A sentence or two on the rows of the table."""
        said = "a b is the price of a router, and C_R that of all."
        if self.kinds[0].area.luts:
            said += " COMB equivalents sum up LUTs, carry cells and distributed RAM."
        return f"{said} Fmax is also that with wide LUTs." if self.kinds[0].fmax_wide_mhz else said

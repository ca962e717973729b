# amaranth: UnusedElaboratable=no
"""The areas of a network with AXI4-Streams at its ports: of each interface, of all modules, and of all as one flat design."""

import functools
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from fatcube.groundwork.late import read_at_exit
from fatcube.groundwork.progress import doing
from fatcube.noc.axi_network import AxiInDomain, AxiNetwork
from fatcube.noc.descriptions.paragraphs import ranges
from fatcube.reports.table import TitledTable
from fatcube.synth.families import find_family
from fatcube.synth.families.family import Family

if TYPE_CHECKING:
    from fatcube.synth.area import Area
    from fatcube.synth.measure import SynthesisResult

__all__ = ["InterfaceAreas", "measure_interfaces"]

read_at_exit(__file__)


class InterfaceAreas(NamedTuple):
    """The areas of interfaces, and of a network with them.

    Members
    -------
    interfaces : list of (:class:`int`, :class:`bool`, :class:`int`, :class:`Area`)
        See :func:`fatcube.synth.silicon.interface_areas`.
    modules : :class:`Area`
        Of all routers and interfaces, each as a module of its own, whose routes come in at ports.
    flat : :class:`SynthesisResult`
        Of the network as one flat design, in which the routes of each interface are constants.
    """

    interfaces: "list[tuple[int, bool, int, Area]]"
    modules: "Area"
    flat: "SynthesisResult"

    @property
    def areas(self) -> "dict[str, Area]":
        """The area of each interface, and of the network with all of them as one flat design, by name."""
        alone = {f"interface of {width} bits{', own clock' * own}": area for width, own, _, area in self.interfaces}
        return {**alone, "network with interfaces": self.flat.area}

    def to_json(self) -> dict[str, Any]:
        """The areas as in the file of ``--json``."""
        return {
            "interfaces": [
                {"port_width": width, "own_clock": own, "number": number, "area": area.to_json()}
                for width, own, number, area in self.interfaces
            ],
            "modules": self.modules.to_json(),
            "flat": self.flat.to_json(),
        }

    def table(self, axi: AxiNetwork, family: str | Family) -> TitledTable:
        """The table of them, those of ``axi``."""
        from fatcube.synth.silicon import area_rows

        speeds = [("Fmax MHz", self.flat.fmax_mhz), ("Fmax MHz, wide LUTs", self.flat.fmax_wide_mhz)]
        apart = ["-"] * (len(self.interfaces) + 1)
        return TitledTable(
            f"{axi.network.name} with AXI4-Stream interfaces{_places(axi)} on {find_family(family).title}",
            "",
            [
                "",
                *(f"interface of {width} bits{', own clock' * own}" for width, own, _, _ in self.interfaces),
                "all modules",
                "one flat design",
            ],
            [
                *area_rows([*(area for *_, area in self.interfaces), self.modules, self.flat.area]),
                *([name, *apart, f"{mhz:.1f}"] for name, mhz in speeds if mhz),
            ],
        )


def _places(axi: AxiNetwork) -> str:
    """The ports with interfaces, as words to append; empty if all ports have them."""
    if not axi.flit_ports:
        return ""
    return f" at {'port' if len(axi.kinds) == 1 else 'ports'} {ranges([*axi.kinds])}"


def measure_interfaces(axi: AxiNetwork, routers: "Area", *, placed: bool, **flow: Any) -> InterfaceAreas:
    """Synthesize the interfaces, and the network as one design, which is ``placed`` with a register at each port.

    ``routers`` is the area of all routers, and ``flow`` is as of :func:`fatcube.synth.silicon.axi_silicon`.
    """
    from fatcube.synth.silicon import axi_silicon, interface_areas

    with doing(f"synthesizing interfaces of the {axi.network.name}"):
        interfaces = interface_areas(axi, family=flow["family"])
    modules = functools.reduce(operator.add, (area * number for *_, number, area in interfaces), routers)
    if placed:
        axi = AxiInDomain(axi.network, streams=axi.streams, flit_ports=axi.flit_ports)
    with doing(f"synthesizing the {axi.network.name} with interfaces"):
        return InterfaceAreas(interfaces, modules, axi_silicon(axi, fmax=placed, **flow))

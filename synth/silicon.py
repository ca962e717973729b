"""Synthesis of a network's router and of whole networks, kept between runs."""

from collections.abc import Iterable, Sequence
import functools
import operator
from typing import Any, TypedDict, Unpack

from amaranth.hdl import Const, Module, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from fatcube.groundwork.cache import cache_folder
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.rtl.crossbar import Crossbar
from fatcube.rtl.optional_ports import OptionalPorts
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.synth.area import Area
from fatcube.synth.families.family import Family
from fatcube.synth.measure import SynthesisResult, synthesis_source, synthesize

__all__ = [
    "area_rows",
    "all_turns_area",
    "axi_silicon",
    "crossbar_area",
    "interface_areas",
    "measured_routers",
    "network_area",
    "network_silicon",
    "router_silicon",
    "silicon_source",
    "turns_of",
    "used_crossbar_area",
]


class _Flow(TypedDict, total=False):
    """The options of a measurement, as for :func:`fatcube.synth.measure.synthesize`."""

    seeds: Iterable[int]
    fmax: bool | None
    wide: bool
    family: str | Family
    jobs: int


def measured_routers(network: Network) -> Sequence[tuple[RouterParameters, Sequence[int]]]:
    """The routers that stand for those of a network, each with its nodes.

    It is one with the turns of all nodes. Only where nodes differ in their ports are there several.
    """
    if any(router.absent_ports for router, _ in network.routers):
        return network.routers
    return [(network.router(), range(network.topology.nodes))]


def router_silicon(network: Network, router: RouterParameters | None = None, **flow: Unpack[_Flow]) -> SynthesisResult:
    """Area and Fmax of a network's router, as :class:`fatcube.synth.measure.SynthesisResult`.

    Where headers carry destinations, it is the router of the first node with the most channels, with its tables.

    Parameters
    ----------
    router : :class:`RouterParameters` or ``None``
        One of :func:`measured_routers`; the first if not given.
    flow
        Keyword arguments of :func:`fatcube.synth.measure.synthesize`.
    """
    component = _router(network, router)
    return synthesize(component, name="fat_node_router", cache=cache_folder() / "synthesis", **flow)


def crossbar_area(network: Network, *, family: str | Family = "ecp5") -> Area:
    """Area of the full a x b crossbar by itself, which is what the papers' price a b counts."""
    return _area(_full_crossbar(network), "crossbar", family)


def turns_of(router: RouterParameters) -> int:
    """The number of pairs of an input and an output that packets take; a b of them if all turns are there."""
    return sum(len(router.reach(number)) for number in range(router.crossbar_ports))


def used_crossbar_area(network: Network, *, family: str | Family = "ecp5") -> Area | None:
    """Area of the crossbar by itself with the turns that the router has; ``None`` if it has all a x b.

    It is that of the first of :func:`measured_routers`, without outputs that no input reaches.
    """
    router, ports = network.router(), network.router().crossbar_ports
    if turns_of(router) == ports**2:
        return None
    sources = [[number for number in range(ports) if output in router.reach(number)] for output in range(ports)]
    crossbar = Crossbar(network.options.width + 1, ports, [reaching for reaching in sources if reaching])
    return _area(crossbar, "crossbar", family)


def all_turns_area(network: Network, *, family: str | Family = "ecp5") -> Area | None:
    """Area of the router with all a x b turns, which is what the papers' price counts; ``None`` if there is no such router.

    There is none with copies (model b), and where the router has all turns already or nodes differ in their ports.
    """
    [(router, _), *others] = measured_routers(network)
    if others or network.options.ports.copies or turns_of(router) == router.crossbar_ports**2:
        return None
    try:
        changed = network.with_options(turns="all")
    except ParameterError:
        return None
    if turns_of(changed.router()) != router.crossbar_ports**2:
        return None
    return router_silicon(changed, fmax=False, family=family).area


def silicon_source(network: Network, *, seeds: Iterable[int], fmax: bool, family: str | Family) -> list[dict[str, Any]]:
    """All inputs of the results of :func:`router_silicon` and :func:`crossbar_area`: netlists, tools, commands.

    A measured router need not be measured again while these inputs are the same.
    """
    return [
        *synthesis_source(_router(network), name="fat_node_router", seeds=seeds, fmax=fmax, family=family),
        *synthesis_source(_full_crossbar(network), name="crossbar", seeds=seeds, fmax=False, family=family),
    ]


class _RouterOfNode(OptionalPorts):
    """The router of a node with the tables of this node, which are constants that synthesis folds."""

    def __init__(self, parameters: RouterParameters, routes: int) -> None:
        self._router = FatNodeRouter(parameters)
        self._routes = routes
        members = {name: member for name, member in self._router.signature.members.items() if name != "routes"}
        super().__init__(members, without=parameters.absent_ports)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.router = router = self._router
        m.d.comb += router.routes.eq(Const(self._routes, len(router.routes)))
        inner, outer = router.signature.flatten(router), self.signature.flatten(self)
        ports = {path: Value.cast(value) for path, _, value in inner}
        for path, member, value in outer:
            port = Value.cast(value)
            source, target = (port, ports[path]) if member.flow == In else (ports[path], port)
            m.d.comb += target.eq(source)
        return m


def _router(network: Network, router: RouterParameters | None = None) -> wiring.Component:
    measured = measured_routers(network)
    parameters, nodes = next(((one, nodes) for one, nodes in measured if one == router), measured[0])
    if not network.tables:
        return FatNodeRouter(parameters)
    node = max(nodes, key=lambda node: len(list(network.topology.ends(node))))
    return _RouterOfNode(parameters, network.tables[node])


def _full_crossbar(network: Network) -> Crossbar:
    ports = network.router().crossbar_ports
    return Crossbar(network.options.width + 1, ports, [range(ports)] * ports)


def network_area(network: Network, *, family: str | Family = "ecp5") -> Area:
    """Area of all routers of a network: that of each of :func:`measured_routers`, times the number of its nodes.

    This is the area of the network if every router is mapped separately. In a flat design, synthesis also optimizes
    across lanes. Flip-flops and RAM stay the same; LUTs and gates were within 13 % of :func:`network_silicon` on every
    family with two processors on a node. With one processor of one port on a node, a lane has a single source, whose
    mask moves into the neighbour's LUTs: the area is then 14 to 51 % above that of the flat design (the most with wide
    flits on ECP5).
    """
    areas = (
        router_silicon(network, router, fmax=False, family=family).area * len(nodes)
        for router, nodes in measured_routers(network)
    )
    return functools.reduce(operator.add, areas)


def network_silicon(network: Network, **flow: Unpack[_Flow]) -> SynthesisResult:
    """Area and Fmax of a network that is synthesized, placed and routed as one flat design, with the wires of its lanes.

    ``flow`` is as for :func:`router_silicon`.
    """
    fabric = Fabric(network)
    modules = "\n".join(text for shared in fabric.parts for text in shared.modules().values())
    return synthesize(fabric, name="fabric", modules=modules, cache=cache_folder() / "synthesis", **flow)


def interface_areas(axi: AxiNetwork, *, family: str | Family = "ecp5") -> list[tuple[int, bool, int, Area]]:
    """Of each kind of interfaces, the width of the port, whether it has a clock of its own, their number, and the area of one as a
    module of its own.

    Such a module has the routes to all destinations as an input. In a flat design they are constants, and it is smaller.
    """
    return [
        (
            width,
            depth > 0,
            [*axi.kinds.values()].count((width, depth)),
            _area(shared.component, "network_interface", family),
        )
        for (width, depth), shared in axi.shared_interfaces.items()
    ]


def _area(component: wiring.Component, name: str, family: str | Family) -> Area:
    return synthesize(component, name=name, fmax=False, family=family, cache=cache_folder() / "synthesis").area


def axi_silicon(axi: AxiNetwork, **flow: Unpack[_Flow]) -> SynthesisResult:
    """As :func:`network_silicon`, of a network with its interfaces. To be placed, it must have one clock."""
    modules = "\n".join(text for shared in axi.parts for text in shared.modules().values())
    return synthesize(axi, name="axi_network", modules=modules, cache=cache_folder() / "synthesis", **flow)


def area_rows(areas: Sequence[Area]) -> list[list[str | int]]:
    """Rows that show ``areas`` (a list of :class:`fatcube.synth.area.Area`) side by side: the name of a count, and its values.

    Counts that are 0 in all areas have no row.
    """
    sizes = sorted({inputs for area in areas for inputs in area.luts})
    rows: list[list[str | int]] = [
        *([f"LUT{inputs}", *(area.luts.get(inputs, 0) for area in areas)] for inputs in sizes),
        ["gates", *(area.gates for area in areas)],
        ["carry", *(area.carry for area in areas)],
        ["RAM made of LUTs", *(area.distributed_ram for area in areas)],
        ["block RAM", *(area.ram for area in areas)],
        ["FF", *(area.ff for area in areas)],
        ["COMB equivalents", *(area.comb_equivalents for area in areas if sizes)],
        ["area, um2", *(round(area.um2 or 0) for area in areas)],
        ["NAND2 equivalents", *(round(area.nand2_equivalents or 0) for area in areas)],
        ["registers, % of area", *(round(100 * (area.register_um2 or 0) / (area.um2 or 1)) for area in areas)],
        ["transistors", *(area.transistors or 0 for area in areas)],
    ]
    return [row for row in rows if any(row[1:])]

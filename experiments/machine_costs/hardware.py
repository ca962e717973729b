"""LUTs and wires of the machines of `fatcube models`: of their routers, and of the parts in their lanes."""

from collections.abc import Sequence
import dataclasses
import functools
import operator

from amaranth.lib import wiring

from fatcube.groundwork.cache import cache_folder
from fatcube.groundwork.progress import doing, tracked
from fatcube.noc.lanes import lane_wires, lanes_of
from fatcube.noc.network import Network
from fatcube.rtl.lanes import LANES
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.studies.figures import Figures
from fatcube.studies.models import Cell, networks_of
from fatcube.synth.area import Area
from fatcube.synth.measure import synthesize

__all__ = ["FAMILY", "Hardware", "lane_area", "measure_hardware"]


FAMILY = "ecp5"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Hardware(Figures):
    """The hardware between the processors of a network, as it ran the schedules of a machine model.

    Members
    -------
    transfers, links, ports : :class:`str`
        The model; how many messages a packet may have changes no router.
    inputs, turns : :class:`int`
        The most of any router: its inputs, and its pairs of a connected input and output.
    lanes, wires : :class:`int`
        Lanes between the nodes, and all of their wires, control included.
    router_luts, router_ff : :class:`int`
        COMB equivalents and flip-flops of all routers, each mapped by itself.
    lane_luts, lane_ff : :class:`int`
        COMB equivalents and flip-flops of all lanes; 0 where they are wires.
    """

    transfers: str
    links: str
    ports: str
    inputs: int
    turns: int
    lanes: int
    wires: int
    router_luts: int
    router_ff: int
    lane_luts: int
    lane_ff: int

    @property
    def luts(self) -> int:
        """COMB equivalents of routers and lanes."""
        return self.router_luts + self.lane_luts


def measure_hardware(cells: Sequence[Cell], *, time_limit: float) -> list[Hardware]:
    """The hardware of each machine of these cells: see :func:`fatcube.studies.models.networks_of`."""
    machines = networks_of(cells, time_limit=time_limit)
    return [_of(cell, network) for cell, network in tracked(machines, "synthesizing machines", len(machines))]


def _of(cell: Cell, network: Network) -> Hardware:
    lanes = len(list(lanes_of(network.topology)))
    with doing(f"synthesizing the routers of the {network.name}"):
        area = functools.reduce(
            operator.add, (_area(FatNodeRouter(one), "fat_node_router") * len(nodes) for one, nodes in network.routers)
        )
    lane = lane_area(network)
    return Hardware(
        transfers=cell.model.transfers.value,
        links=cell.model.links.value,
        ports=cell.ports.value,
        inputs=max(len(one.inputs) for one, _ in network.routers),
        turns=max(len(_turns(one)) for one, _ in network.routers),
        lanes=lanes,
        wires=lane_wires(network),
        router_luts=area.comb_equivalents,
        router_ff=area.ff,
        lane_luts=0 if lane is None else lane.comb_equivalents * lanes,
        lane_ff=0 if lane is None else lane.ff * lanes,
    )


def _turns(router: RouterParameters) -> list[tuple[int, int]]:
    return [(number, output) for number in router.inputs for output in router.reach(number)]


def lane_area(network: Network) -> Area | None:
    """The area of the part in one lane of a network, mapped by itself; ``None`` if lanes are wires."""
    kind = LANES[network.options.links]
    return None if kind is None else _area(kind(network.options), "lane")


def _area(component: wiring.Component, name: str) -> Area:
    return synthesize(component, name=name, fmax=False, family=FAMILY, cache=cache_folder() / "synthesis").area

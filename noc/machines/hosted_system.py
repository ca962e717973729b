"""The base of whole machines of every kind: all nodes, wired, on one host bus."""

from collections.abc import Iterable, Mapping
import functools
import operator
from typing import Any

from amaranth.hdl import Const, Module, Mux, Signal, Value
from amaranth.lib import enum, wiring
from amaranth.lib.wiring import In, Out

from fatcube.noc.lanes import Links, connect_lanes, shared_lane
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared
from fatcube.rtl.lanes.lane_base import LANE_COUNTERS
from fatcube.rtl.router_counters import COUNTERS

__all__ = ["HostedSystem"]


class HostedSystem(wiring.Component):
    """All nodes of a machine and the lanes between them, on a host bus.

    Members
    -------
    node, unit : :py:`In(16)`
        The address on the host bus: a node, and a unit of it. All ones address every node, or every unit.
    region, bank, word, write, data, value
        The host bus: see :class:`HostBus`. Reading takes two cycles.
    flit_count, conflict_count, error_count : :py:`Out(32)`
        The counters of the router of ``node``, and of the lanes of which it is the first end, two cycles later.

    Parameters
    ----------
    network : :class:`Network`
    node : :class:`Shared`
        The node, one for each node of the network.
    members : mapping
        The members besides.
    host_width : :class:`int`
        Data bits of the host bus.
    regions : :class:`amaranth.lib.enum.EnumType`
        The regions of a unit.
    links : :data:`fatcube.noc.lanes.Links`
        Components to put into single directions of lanes.
    numbered : :class:`bool`
        Nodes have their number as an input; they do in any case with circuits that are tried again.
    name : :class:`str` or ``None``
        The name of its module; without it the module is ``system``.

    Raises
    ------
    ParameterError
        If the name is not a Verilog identifier, or a module has more ports than can be written.
    """

    node: Signal
    unit: Signal
    region: Signal
    bank: Signal
    word: Signal
    write: Signal
    data: Signal
    value: Signal
    flit_count: Signal
    conflict_count: Signal
    error_count: Signal

    def __init__(
        self,
        network: Network,
        node: Shared,
        members: Mapping[str, Any],
        *,
        host_width: int,
        regions: type[enum.Enum],
        links: Links | None,
        name: str | None,
        numbered: bool = False,
    ) -> None:
        self.network = network
        self.numbered = numbered or network.options.setup_retry > 0
        self.links = links
        self.name = name or "system"
        self.shared_node = node
        lane = shared_lane(network.options, counters=True, prefix=name)
        self.shared_lane = lane if network.topology.channels else None
        super().__init__(
            {
                **members,
                "node": In(16),
                "unit": In(16),
                "region": In(regions),
                "bank": In(8),
                "word": In(24),
                "write": In(1),
                "data": In(host_width),
                "value": Out(host_width),
                **dict.fromkeys(COUNTERS, Out(32)),
            }
        )

    def shared(self) -> Shared:
        """The system as a module with all modules that it uses, for :func:`fatcube.noc.verilog.to_verilog`."""
        return Shared(self, self.name, uses=[self.shared_node, *filter(None, [self.shared_lane])])

    def _nodes(self, m: Module, settings: Iterable[str]) -> list[Any]:
        """The nodes, with their lanes and the host bus; each gets the ``settings`` that the system has."""
        network = self.network
        topology = network.topology
        nodes: list[Any] = []
        for number in range(topology.nodes):
            m.submodules[f"node{number}"] = node = self.shared_node.copy()
            nodes.append(node)
        lanes = connect_lanes(m, topology, nodes, self.shared_lane, self.links)
        value = 0
        counts: dict[str, Value] = {name: Const(0) for name in COUNTERS}
        for number, node in enumerate(nodes):
            selected = (self.node == number) | self.node.all()
            was_selected = Signal(name=f"was_selected{number}")
            m.d.sync += was_selected.eq(selected)
            m.d.comb += [
                *(getattr(node, name).eq(getattr(self, name)) for name in settings),
                node.unit.eq(self.unit),
                *([] if topology.alike else [node.absent.eq(sum(1 << output for output in network.absent(number)))]),
                *([node.number.eq(number)] if self.numbered else []),
                *([node.routes.eq(network.tables[number])] if network.tables else []),
                node.host.select.eq(selected),
                *(
                    getattr(node.host, name).eq(getattr(self, name))
                    for name in ("region", "bank", "word", "write", "data")
                ),
            ]
            value = value | node.host.value
            beside = [lane for first, lane in lanes if first.node == number]
            for name, count in counts.items():
                counters = [getattr(one, name) for one in (node, *(beside if name in LANE_COUNTERS else ()))]
                counts[name] = count | Mux(was_selected, functools.reduce(operator.add, counters), 0)
        m.d.sync += [self.value.eq(value), *(getattr(self, name).eq(count) for name, count in counts.items())]
        return nodes

"""The base of the nodes of machines: a router with counters, and units on a host bus."""

from collections.abc import Iterable, Mapping
from typing import Any

from amaranth.hdl import Module, Signal
from amaranth.lib import enum, wiring
from amaranth.lib.wiring import In, Out

from fatcube.noc.fabric import shared_router
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared, module_name
from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.inputs.retry_pause import DRAW_BITS
from fatcube.rtl.lanes.absent import AbsentOutput
from fatcube.rtl.ports import inputs_of, outputs_of
from fatcube.rtl.router_counters import COUNTERS

__all__ = ["RouterNode"]


class RouterNode(wiring.Component):
    """The router of a node, and a host bus for the units around it.

    Members
    -------
    active : :py:`Out(1)`
        A flit was sent or received in the cycle before.
    flit_count, conflict_count, error_count : :py:`Out(32)`
        The counters of the router.
    unit : :py:`In(16)`
        The unit that the host bus addresses; all ones address all of them.
    host : :py:`In(HostBus(host_width, regions))`
    absent : :py:`In(crossbar_ports)`
        The outputs of the router behind which nothing is at this node, a bit for each. A packet that goes there is
        lost, and counted as an error. Only if there are such outputs in the network.
    routes : :py:`In(...)`
        See :class:`~fatcube.rtl.router.FatNodeRouter`; only if headers have destinations.
    number : :py:`In(16)`
        The number of the node. Only with circuits that are tried again, and where ``numbered``.

    Parameters
    ----------
    network : :class:`Network`
    members : mapping
        The members besides.
    host_width : :class:`int`
        Data bits of the host bus.
    regions : :class:`amaranth.lib.enum.EnumType`
        The regions of a unit.
    numbered : :class:`bool`
        Something beside the router needs the number of the node.
    name : :class:`str` or ``None``
        Prefix of the names of all modules that it uses, as in :class:`fatcube.noc.machines.system.System`.
    """

    active: Signal
    flit_count: Signal
    conflict_count: Signal
    error_count: Signal
    unit: Signal
    host: wiring.PureInterface
    absent: Signal
    routes: Signal
    number: Signal

    def __init__(
        self,
        network: Network,
        members: Mapping[str, Any],
        *,
        host_width: int,
        regions: type[enum.Enum],
        name: str | None,
        numbered: bool = False,
    ) -> None:
        self.name = module_name("node", name)
        self.shared_router = shared_router(network, counters=True, name=module_name("fat_node_router", name))
        self._network = network
        router = network.router()
        super().__init__(
            {
                **members,
                **({} if network.topology.alike else {"absent": In(router.crossbar_ports)}),
                **({"routes": In(router.routes_bits)} if router.destinations else {}),
                **({"number": In(DRAW_BITS)} if numbered or network.options.setup_retry else {}),
                "active": Out(1),
                **dict.fromkeys(COUNTERS, Out(32)),
                "unit": In(16),
                "host": In(HostBus(host_width, regions)),
            }
        )

    def _shared(self, uses: Iterable[Shared | None]) -> Shared:
        """The node as a module with its router and what else it uses."""
        return Shared(self, self.name, uses=[self.shared_router, *filter(None, uses)])

    def _router(self, m: Module) -> dict[str, Any]:
        """The streams and lanes of the router by name; its outputs are connected to what is there, if it is."""
        # A copy has the members of its signature, which a type checker does not know.
        router: Any = self.shared_router.copy()
        m.submodules.router = router
        if self._network.options.setup_retry:
            m.d.comb += router.number.eq(self.number)
        parameters = self._network.router()
        if parameters.destinations:
            m.d.comb += router.routes.eq(self.routes)
        streams = dict(zip(parameters.input_names, inputs_of(router)))
        outputs = dict(zip(parameters.output_names, outputs_of(router)))
        counts = {name: getattr(router, name) for name in COUNTERS}
        if not self._network.topology.alike:
            lost = []
            for number, name in enumerate(outputs):
                channels, answers = parameters.virtual_channels(number), parameters.answers(number)
                options = self._network.options
                behind = AbsentOutput(options.width, channels, answers, options.shared_lanes)
                m.submodules[f"behind_{name}"] = behind
                wiring.connect(m, outputs[name], behind.i)
                m.d.comb += behind.absent.eq(self.absent[number])
                outputs[name] = behind.o
                lost.append(behind.lost)
            lost_count = Signal(32)
            m.d.sync += lost_count.eq(lost_count + sum(lost))
            counts["error_count"] = counts["error_count"] + lost_count
        m.d.comb += [getattr(self, name).eq(count) for name, count in counts.items()]
        return streams | outputs

    def _give_to_host(self, m: Module, units: Iterable[Any]) -> None:
        """Connect the host bus to those of all units, in the order of their numbers."""
        value = 0
        for number, unit in enumerate(units):
            m.d.comb += [
                unit.select.eq(self.host.select & ((self.unit == number) | self.unit.all())),
                *(
                    getattr(unit, name).eq(getattr(self.host, name))
                    for name in ("region", "bank", "word", "write", "data")
                ),
            ]
            value = value | unit.value
        m.d.comb += self.host.value.eq(value)

"""What every node of a machine has: a router with counters, and units on a host bus."""

from collections.abc import Iterable, Mapping
from typing import Any

from amaranth.hdl import Module, Signal
from amaranth.lib import enum, wiring
from amaranth.lib.wiring import In, Out

from noc.fabric import shared_router
from noc.network import Network
from noc.shared import Shared, module_name
from rtl.endpoint.host import HostBus
from rtl.router import COUNTERS

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

    Parameters
    ----------
    network : :class:`Network`
    members : mapping
        The members besides.
    host_width : :class:`int`
        Data bits of the host bus.
    regions : :class:`amaranth.lib.enum.EnumType`
        The regions of a unit.
    name : :class:`str` or ``None``
        Prefix of the names of all modules that it uses, as in :class:`noc.system.System`.
    """

    active: Signal
    flit_count: Signal
    conflict_count: Signal
    error_count: Signal
    unit: Signal
    host: wiring.PureInterface

    def __init__(
        self,
        network: Network,
        members: Mapping[str, Any],
        *,
        host_width: int,
        regions: type[enum.Enum],
        name: str | None,
    ) -> None:
        self.name = module_name("node", name)
        self.shared_router = shared_router(network, counters=True, name=module_name("fat_node_router", name))
        super().__init__(
            {
                **members,
                "active": Out(1),
                **dict.fromkeys(COUNTERS, Out(32)),
                "unit": In(16),
                "host": In(HostBus(host_width, regions)),
            }
        )

    def _shared(self, uses: Iterable[Shared | None]) -> Shared:
        """The node as a module with its router and what else it uses."""
        return Shared(self, self.name, uses=[self.shared_router, *filter(None, uses)])

    def _router(self, m: Module) -> Any:
        """The router, whose members a type checker does not know."""
        router: Any = self.shared_router.copy()
        m.submodules.router = router
        m.d.comb += [getattr(self, name).eq(getattr(router, name)) for name in COUNTERS]
        return router

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

"""Area and clock of a network that is compared: of the routers for its traffic, never of those for schedules alone."""

from collections.abc import Sequence
import dataclasses

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.studies.figures import Figures
from fatcube.synth.duration import router_seconds

__all__ = ["FAMILY", "Flow", "Silicon", "flow_seconds", "silicon_of"]


FAMILY = "ecp5"
"""The FPGA family of comparisons."""

_JOBS = 2  # placements at a time


@dataclasses.dataclass(frozen=True)
class Flow:
    """The part of synthesis that is wanted, besides the area of routers.

    Members
    -------
    fmax : :class:`bool`
        Place and route the router of each network; and with ``whole`` the network.
    whole : :class:`bool`
        Synthesize each network as one flat design too.
    seeds : sequence of :class:`int`
        Seeds of placements, over which Fmax is the median.
    """

    fmax: bool = False
    whole: bool = False
    seeds: Sequence[int] = (1, 2, 3)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Silicon(Figures):
    """Area and clock of a network on ECP5.

    Members
    -------
    router_comb, router_ff : :class:`int`
        COMB equivalents and flip-flops of its router; of the one with the most ports, where routers differ.
    processor_ports : :class:`int`
        Ports of a processor, each of which sends and receives.
    comb, ff : :class:`int`
        The totals of all routers, each synthesized alone.
    router_mhz : :class:`float` or ``None``
        Fmax of the router, if it was placed.
    whole_comb, whole_ff : :class:`int` or ``None``
        Of the network as one flat design, if it was synthesized.
    whole_mhz : :class:`float` or ``None``
        Fmax of the network, if it was placed.
    """

    router_comb: int
    router_ff: int
    processor_ports: int
    comb: int
    ff: int
    router_mhz: float | None = None
    whole_comb: int | None = None
    whole_ff: int | None = None
    whole_mhz: float | None = None

    @property
    def mhz(self) -> float | None:
        """The clock that times are of: that of the placed network if it is known, else that of its router."""
        return self.router_mhz if self.whole_mhz is None else self.whole_mhz


def silicon_of(network: RoutedNetwork, flow: Flow) -> Silicon:
    """Measure the routers of a network, with the turns of its routing, and the network, as far as ``flow`` says."""
    from fatcube.synth.silicon import measured_routers, network_area, network_silicon, router_silicon

    router, _ = min(measured_routers(network), key=lambda one: len(one[0].absent_ports))
    alone = router_silicon(network, router, fmax=flow.fmax, seeds=flow.seeds, wide=False, family=FAMILY, jobs=_JOBS)
    every = network_area(network, family=FAMILY)
    found = Silicon(
        router_comb=alone.area.comb_equivalents,
        router_ff=alone.area.ff,
        processor_ports=network.processor_ports,
        comb=every.comb_equivalents,
        ff=every.ff,
        router_mhz=alone.fmax_mhz,
    )
    if not flow.whole:
        return found
    whole = network_silicon(network, fmax=flow.fmax, seeds=flow.seeds, wide=False, family=FAMILY, jobs=_JOBS)
    return dataclasses.replace(
        found, whole_comb=whole.area.comb_equivalents, whole_ff=whole.area.ff, whole_mhz=whole.fmax_mhz
    )


def flow_seconds(network: RoutedNetwork, flow: Flow) -> float:
    """Seconds of processor time that synthesis and placements of a network take, if none are in the cache."""
    placements = len(flow.seeds) if flow.fmax else 0
    routers = 1 + network.topology.nodes * flow.whole
    return routers * router_seconds(network, placements=placements)

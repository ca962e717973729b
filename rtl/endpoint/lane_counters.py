"""Counters of the flits that cross the lanes out of a node."""

from amaranth.hdl import Array, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.traffic import TrafficRegion

__all__ = ["LaneCounters"]


class LaneCounters(wiring.Component):
    """Counts flits on each lane while the run is measured.

    Members
    -------
    crosses : :py:`In(lanes)`
        A flit crosses the lane in this cycle; a bit for each lane.
    measuring : :py:`In(1)`
        The counters are enabled.
    host : :py:`In(HostBus(host_width, TrafficRegion))`
        Reads the counters, a word for each.

    Parameters
    ----------
    lanes : :class:`int`
    host_width : :class:`int`
        Data bits of the host bus.
    """

    crosses: Signal
    measuring: Signal
    host: wiring.PureInterface

    def __init__(self, lanes: int, *, host_width: int) -> None:
        self.lanes = check_integer("lanes", lanes, minimum=1)
        super().__init__(
            {"crosses": In(lanes), "measuring": In(1), "host": In(HostBus(host_width, TrafficRegion))},
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        counts = [Signal(32, name=f"count{lane}") for lane in range(self.lanes)]
        value = Signal(32)
        for lane, count in enumerate(counts):
            m.d.sync += count.eq(count + (self.crosses[lane] & self.measuring))
        m.d.sync += value.eq(0)
        with m.If(self.host.select & (self.host.region == TrafficRegion.LANES)):
            m.d.sync += value.eq(Array(counts)[self.host.word[: max(1, (self.lanes - 1).bit_length())]])
        m.d.comb += self.host.value.eq(value)
        return m

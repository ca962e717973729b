"""The interface of a unit in a lane, between the routers at its two ends, which connects to both of its directions."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from amaranth.hdl import Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["LANE_COUNTERS", "Lane", "LaneOptions"]


LANE_COUNTERS = ("conflict_count", "error_count")
"""The counters of a lane, of 32 bits each; :data:`fatcube.rtl.router_counters.COUNTERS` has them too."""


class LaneOptions(Protocol):
    """The options of routers that lanes use: :class:`fatcube.rtl.router_options.RouterOptions` implements this protocol."""

    @property
    def virtual_channels(self) -> int: ...
    @property
    def link_stages(self) -> int: ...
    @property
    def setup_retry(self) -> int: ...
    @property
    def turn_round(self) -> int: ...
    @property
    def arbiter(self) -> str: ...
    @property
    def answers(self) -> int: ...
    @property
    def copies(self) -> bool: ...
    @property
    def whole_packets(self) -> bool: ...
    @property
    def lane_port(self) -> wiring.Signature: ...


class Lane(OptionalPorts):
    """The base of all kinds of lanes that are more than wires.

    A lane is placed behind the last registers of both sides. Its outputs to a router follow from registers of the routers
    and of its own, so a simulator may evaluate all lanes once per cycle, after the routers.

    Class attributes
    ----------------
    shares : :class:`bool`
        The directions wait for each other. Then a lane with several virtual channels has the signals of permission (see
        :func:`~fatcube.rtl.lanes.lane.LaneSignature`), and a packet that is to be whole in a buffer requests the direction
        only when there is room for all of it.

    Parameters
    ----------
    options : :class:`RouterOptions`
        Of the routers at both ends.
    counters : :class:`bool`
        Conflicts and errors are counted.

    Members
    -------
    ends : :py:`In(LanePort(width, channels, answers, permission)).array(2)`
        The port of the router at each end, as that router sees it. In Verilog ``end{e}_out`` and ``end{e}_in``.
    conflict_count : :py:`Out(32)`
        Cycles in which a packet waited for one in the other direction, since reset; only with ``counters``.
    error_count : :py:`Out(32)`
        Flits that crossed against the rules of the lane, since reset; only with ``counters``.
    """

    shares: ClassVar[bool]

    ends: Sequence[Any]
    conflict_count: Signal
    error_count: Signal

    def __init__(self, options: LaneOptions, *, counters: bool = False) -> None:
        self.options = options
        self.counters = counters
        super().__init__(
            {
                "ends": In(options.lane_port).array(2),
                **dict.fromkeys(LANE_COUNTERS, Out(32 * counters)),
            }
        )

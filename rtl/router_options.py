"""The options of a router, each declared once: flags, help, keys of files and records are made from these fields."""

import dataclasses
from typing import Self

from amaranth.lib import wiring

from fatcube.groundwork.options import Options, option
from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.arbiters import ARBITERS
from fatcube.rtl.flit import MOST_WIDTH
from fatcube.rtl.inputs.retry_pause import MOST_RETRY
from fatcube.rtl.lanes import LANES
from fatcube.rtl.lanes.lane import MOST_CHANNELS, LanePort
from fatcube.rtl.needed_options import (
    buffer_depth_needed,
    channels_needed,
    links_needed,
    longest_packet_needed,
    side_by_side_needed,
    switching_needed,
)
from fatcube.rtl.option_checks import check_together, reaches_in
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.queue import BUFFER_MEMORIES
from fatcube.rtl.switching import SWITCHING, WHOLE_PACKETS

__all__ = ["RouterOptions"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RouterOptions(Options):
    """The options of the routers of a network.

    Options that are not given take the values that the others need, by the rules in :mod:`fatcube.rtl.needed_options`.

    Parameters
    ----------
    ports : :class:`PortModel` or :class:`str`
        The router model, which sets the number of ports of a processor and lets the router copy packets or not.
    width : :class:`int`
        Bits of a flit, W.
    buffer_depth : :class:`int`
        Flits in the buffer of each input.
    buffer_memory : :class:`str`
        The kind of memory of buffers of more than two flits, one of :data:`fatcube.rtl.queue.BUFFER_MEMORIES`.
    pipeline : :class:`int`
        Cycles of a header in a router: 1, or 2 with arbitration in one and the way through the crossbar in the other. With
        several virtual channels the second one is between the buffer and the bid, so it saves LUTs and does not raise the clock.
    link_stages : :class:`int`
        Registers on each lane between two routers, at full rate; each takes a cycle.
    ejection_stages : :class:`int`
        Registers between a router and each port through which a processor receives, 0 or 1, at full rate; one takes a
        cycle. Where lanes have registers too, no path of the network leaves a router without ending in a register.
    links : :class:`str`
        The kind of the lanes between routers, by its name in :data:`fatcube.rtl.lanes.LANES`.
    turn_round : :class:`int`
        With half-duplex links, the least cycles between flits of opposite directions, in which the wires are idle.
    switching : :class:`str`
        One of :data:`fatcube.rtl.switching.SWITCHING`.
    setup_retry : :class:`int`
        With circuit switching, the cycles after which a set-up that is blocked behind a lane is torn down, to be tried
        again; 0: it waits.
    longest_packet : :class:`int`
        The most flits of a packet, its header among them; 0 for any number. A longer one is ended, with an error.
    stop_timeout : :class:`int`
        The cycles that a processor may stop inside a packet before that is ended, with an error; 0 for any number. Only
        cycles in which the router could take a flit count: not those in which the buffer of the input is full.
    virtual_channels : :class:`int`
        Virtual channels of each lane between routers, each with a buffer of its own at the receiving router, of
        ``buffer_depth`` flits. The depth must be at least 3, and 2 more for each register on the lane, to cover the credit
        round trip, so that a lone packet moves a flit per cycle.
    channel_classes : :class:`int`
        Classes that these are divided into evenly. A route names a class, of which the router takes any free channel.
    injection_channels : :class:`int`
        Packets that can wait side by side at each input of a processor, each in a buffer of its own, which avoids
        head-of-line blocking, where lanes have several virtual channels of a class. If not given, the number of virtual
        channels of a class, as for ``ejection_channels``.
    ejection_channels : :class:`int`
        Packets that can arrive side by side at each output to a processor, each in a buffer of its own of ``buffer_depth``
        flits, where lanes have several virtual channels of a class. They are delivered one after the other, a cycle later.
    hops : :class:`int`
        Maximum number of links that a packet crosses. More than 1 adds the turns between lanes.
    turns : :class:`str`
        ``"used"``: only the turns that a route can use, never back to the processor or channel that a packet
        came from. ``"forward"``: from every input to every output but its own. ``"all"``: the full a x b
        crossbar that the papers price.
    arbiter : :class:`str`
        The arbiter of each output, by its name in :data:`fatcube.rtl.arbiters.ARBITERS`.

    Raises
    ------
    ParameterError
        If an option is out of range, or two of them do not go together.
    """

    ports: PortModel = option(
        PortModel.ONE,
        "Router model: 1, b, d, *, also called one, broadcast, d-port, all-port.",
        parse=PortModel.parse,
        choices=tuple(model.value for model in PortModel),
        also=tuple(model.word for model in PortModel),
        reaches=reaches_in("inputs allocator"),
    )
    width: int = option(
        32,
        "Bits of a flit.",
        minimum=1,
        maximum=MOST_WIDTH,
        reaches=reaches_in("feeds inputs outputs entries registers ejection-registers"),
    )
    buffer_depth: int = option(
        2,
        "Flits in the buffer of each router input.",
        minimum=1,
        maximum=4096,
        follows=buffer_depth_needed,
        reaches=reaches_in("inputs entries", channels="inputs entries lane-output", side_by_side="inputs outputs"),
    )
    buffer_memory: str = option(
        "auto",
        "Memory of buffers of more than two flits.",
        choices=BUFFER_MEMORIES,
        reaches=reaches_in("inputs", side_by_side="inputs processor-output"),
    )
    pipeline: int = option(
        1,
        "Cycles that a header takes through a router: 1 or 2; with several virtual channels, 2 does not raise the clock.",
        minimum=1,
        maximum=2,
        reaches=reaches_in("allocator", channels="inputs", side_by_side="inputs"),
    )
    link_stages: int = option(
        0, "Registers on each lane between routers.", minimum=0, maximum=3, reaches=reaches_in("registers")
    )
    ejection_stages: int = option(
        0,
        "Registers between a router and each processor port that receives.",
        minimum=0,
        maximum=1,
        reaches=reaches_in("ejection-registers"),
    )
    links: str = option(
        "full-duplex",
        "Kind of the lanes between routers.",
        choices=LANES,
        follows=links_needed,
        reaches=reaches_in(
            "", channels="lane-feed lane-output allocator", side_by_side="lane-feed lane-output allocator"
        ),
    )
    turn_round: int = option(
        1,
        "Idle cycles between flits of opposite directions on a half-duplex lane.",
        minimum=0,
        maximum=255,
        reaches={"half-duplex": "lanes"},
    )
    switching: str = option(
        "wormhole",
        "Condition for a header to leave a router.",
        choices=SWITCHING,
        follows=switching_needed,
        reaches=reaches_in("inputs", copies="inputs allocator", channels="allocator entries", side_by_side="allocator"),
    )
    setup_retry: int = option(
        0,
        "Cycles after which a blocked circuit set-up is released and tried again; 0: never.",
        minimum=0,
        maximum=MOST_RETRY,
        reaches={"circuits": "lane-feed inputs lane-output allocator"},
    )
    longest_packet: int = option(
        0,
        "The most flits of a packet; 0: any number.",
        minimum=0,
        maximum=4096,
        follows=longest_packet_needed,
        reaches=reaches_in(
            "inputs", circuits="processor-input", channels="lane-output entries", side_by_side="lane-output entries"
        ),
    )
    stop_timeout: int = option(
        0,
        "Cycles, without those of backpressure, after which a packet whose sender stalls is ended; 0: never.",
        minimum=0,
        maximum=65536,
        reaches=reaches_in("processor-input", channels="entries", side_by_side="entries"),
    )
    virtual_channels: int = option(
        1,
        "Virtual channels of each lane.",
        minimum=1,
        maximum=MOST_CHANNELS,
        follows=channels_needed,
        reaches=dict.fromkeys(("channels", "side by side"), "lane-feed inputs lane-output allocator"),
    )
    channel_classes: int = option(
        1,
        "Classes of virtual channels; the route selects one for each lane.",
        minimum=1,
        maximum=MOST_CHANNELS,
        reaches=dict.fromkeys(("channels", "side by side"), "inputs allocator"),
    )
    injection_channels: int = option(
        1,
        "Packets that can wait in parallel at each input from a processor; above 1, needs several virtual channels per class.",
        minimum=1,
        maximum=MOST_CHANNELS,
        follows=side_by_side_needed,
        reaches={"side by side": "processor-feed processor-input"},
    )
    ejection_channels: int = option(
        1,
        "Packets that can arrive in parallel at each output to a processor; above 1, needs several virtual channels per class.",
        minimum=1,
        maximum=MOST_CHANNELS,
        follows=side_by_side_needed,
        reaches={"side by side": "inputs processor-output allocator"},
    )
    hops: int = option(
        1,
        "Maximum number of links that a packet crosses.",
        minimum=1,
        maximum=64,
        announced=False,
        reaches=reaches_in("inputs allocator", copies="inputs allocator lane-output"),
    )
    turns: str = option(
        "used",
        "Turns in the crossbar: those that routes use, all except U-turns, or all.",
        choices=("used", "forward", "all"),
        reaches=reaches_in("inputs allocator", copies=None),
    )
    arbiter: str = option(
        "round-robin", "Arbiter of each output.", choices=ARBITERS, reaches=reaches_in("allocator", copies=None)
    )

    @property
    def answers(self) -> int:
        """The kinds of answers on a lane, as of :class:`fatcube.rtl.lanes.lane.AnswerLayout`; 0 without circuits."""
        if self.switching != "circuit":
            return 0
        return 2 if self.setup_retry else 1

    @property
    def copies(self) -> bool:
        """``True`` if routers copy packets."""
        return self.ports.copies

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of routers and lanes, by which options are declared to reach units: see :data:`~fatcube.rtl.option_checks.KINDS`."""
        if self.copies:
            router = "copies"
        elif self.answers:
            router = "circuits"
        elif max(self.injection_channels, self.ejection_channels) > 1:
            router = "side by side"
        else:
            router = "channels" if max(self.virtual_channels, self.channel_classes) > 1 else "packets"
        return (router, "half-duplex") if self.shared_lanes else (router,)

    @property
    def shared_lanes(self) -> bool:
        """``True`` if the two directions of a lane wait for each other."""
        kind = LANES[self.links]
        return kind is not None and kind.shares

    @property
    def links_held(self) -> bool:
        """``True`` if a packet that waits holds both directions of the lanes that it is on."""
        return self.shared_lanes and not self.whole_packets and not self.setup_retry

    @property
    def whole_packets(self) -> bool:
        """``True`` if a buffer has to hold a whole packet."""
        return self.switching in WHOLE_PACKETS

    @property
    def lane_port(self) -> wiring.Signature:
        """The signature of a lane in both directions, as a router sees it."""
        return LanePort(self.width, self.virtual_channels, self.answers, self.shared_lanes)

    def for_packets(self, flits: int) -> Self:
        """Return the options for packets of ``flits`` flits, headers included. Where switching needs a longest packet and
        none is given, the longest packet is at least ``flits``.

        Raises
        ------
        ParameterError
            If routers with the given options would cut such packets.
        """
        if 0 < self.longest_packet < flits and "longest_packet" not in self.given:
            if "buffer_depth" in self.given and flits > self.buffer_depth:
                raise ParameterError(
                    f"buffer depth must be at least {flits} for packets of {flits} flits, headers among them, with "
                    f"{self.switching} switching, not {self.buffer_depth}"
                )
            return self.needing(longest_packet=flits)
        self.check_packet(flits)
        return self

    def check_packet(self, flits: int) -> None:
        """Raise :class:`ParameterError` for packets of ``flits`` flits, headers included, which routers would cut."""
        if self.longest_packet and flits > self.longest_packet:
            raise ParameterError(
                f"packets must have at most {self.longest_packet} flits, headers among them, which is the longest packet "
                f"of the network, not {flits}"
            )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_together(self)

"""The rules that set options of a router that are not given, from the others: to the least value that these need, or with
which they perform well.

Where the others do not need a value, an option has its default. A given option is never changed: if it contradicts other
options, :class:`fatcube.rtl.router_options.RouterOptions` refuses it.
"""

from fatcube.groundwork.options import Values
from fatcube.rtl.lanes import LANES
from fatcube.rtl.switching import CIRCUIT_DEPTH, WHOLE_PACKETS

__all__ = [
    "buffer_depth_needed",
    "channels_needed",
    "credit_depth",
    "links_needed",
    "longest_packet_needed",
    "side_by_side_needed",
    "switching_needed",
]


_LONGEST_PACKET = 8  # flits, its header among them
_DEPTH = 2  # flits: the least that takes a flit in every cycle
_DEPTH_OF_MEMORY = 3  # flits: below, a buffer has no memory


def credit_depth(link_stages: int, pipeline: int) -> int:
    """The buffer depth of a virtual channel, in flits, with which a lone packet moves a flit per cycle: the credit round
    trip in cycles."""
    return 2 + pipeline + 2 * link_stages


def links_needed(values: Values) -> str:
    """Half-duplex links if ``turn_round`` is given, else full-duplex links."""
    return "half-duplex" if "turn_round" in values.given else "full-duplex"


def switching_needed(values: Values) -> str:
    """Circuit switching for set-ups that are retried, and virtual cut-through for copies that continue from lane to lane and
    for several virtual channels on lanes whose directions wait for each other."""
    if values.setup_retry and not values.ports.copies:
        return "circuit"
    kind = LANES[values.links]
    if kind is not None and kind.shares:
        # The channels follow from the switching, where they are not given.
        given = values.virtual_channels if "virtual_channels" in values.given else 1
        if max(given, values.channel_classes, _side_by_side_given(values)) > 1:
            return "virtual-cut-through"
    return "virtual-cut-through" if values.ports.copies and values.hops > 1 else "wormhole"


def channels_needed(values: Values) -> int:
    """A virtual channel for each class, two for each where packets pass each other at the ports of processors, and two for
    virtual cut-through over registers, which counts on credits."""
    if values.switching == "circuit" or values.ports.copies:
        return 1
    each = 2 if _side_by_side_given(values) > 1 else 1
    least = 2 if values.switching == "virtual-cut-through" and values.link_stages else 1
    return max(each * values.channel_classes, least)


def _side_by_side_given(values: Values) -> int:
    """The most packets that are to pass each other at a port of a processor, where that is given; otherwise it follows from the
    virtual channels."""
    return max(
        getattr(values, name) if name in values.given else 1 for name in ("injection_channels", "ejection_channels")
    )


def side_by_side_needed(values: Values) -> int:
    """The number of packets side by side at a port of a processor: the virtual channels of a class, as on a lane. With fewer,
    more virtual channels carry less, as packets wait at the ports. A class with one channel keeps its packets in order, and
    so do the ports."""
    return max(1, values.virtual_channels // values.channel_classes)


def longest_packet_needed(values: Values) -> int:
    """Eight flits where a buffer has to hold a whole packet, or the depth of the buffer if a smaller one is given."""
    if values.switching not in WHOLE_PACKETS:
        return 0
    return min(_LONGEST_PACKET, values.buffer_depth) if "buffer_depth" in values.given else _LONGEST_PACKET


def buffer_depth_needed(values: Values) -> int:
    """The depth that covers the credit round trip, a whole packet, and the least depth of a memory."""
    if values.switching == "circuit":
        return CIRCUIT_DEPTH
    return max(
        _DEPTH,
        credit_depth(values.link_stages, values.pipeline) if values.virtual_channels > 1 else 0,
        values.longest_packet if values.switching in WHOLE_PACKETS else 0,
        _DEPTH_OF_MEMORY if values.buffer_memory in ("distributed", "block") else 0,
    )

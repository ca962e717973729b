"""The latency of a packet in a network without load, as a formula that the hardware meets exactly, and its longest wait under load."""

from collections.abc import Iterable
from typing import assert_never

from fatcube.rtl.protocols.axi_stream import CROSSING_CYCLES
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.rtl.switching import Switching
from fatcube.rtl.units.channel_units import patience

__all__ = [
    "delivery",
    "formula_of",
    "interface_formulas",
    "interface_latency",
    "latency_without_load",
    "permission",
    "turning",
    "turning_formula",
    "waiting",
    "waiting_formula",
]


def latency_without_load(options: RouterOptions, routers: int, flits: int) -> int:
    """The latency, in cycles, of a packet that is never blocked, over lanes that face it: :func:`turning` has
    the cycles that others add.

    It is counted from the cycle in which the first router takes the header to the cycle in which the tail flit is taken
    from the last router. Source: DESIGN, section 4.

    Parameters
    ----------
    routers : :class:`int`
        Routers on its route, H, one more than hops.
    flits : :class:`int`
        Flits of the packet, header included, L.
    """
    on_links, last = (routers - 1) * options.link_stages, delivery(options)
    switching = Switching(options.switching)
    match switching:
        case Switching.STORE_AND_FORWARD:
            return routers * (options.pipeline + flits - 1) + flits - 1 + on_links + last
        case Switching.CIRCUIT if flits > 1:
            # The header goes there, the answer returns, and the payload follows.
            return routers * (options.pipeline + 2) + flits - 2 + 3 * on_links + last
        case Switching.WORMHOLE | Switching.VIRTUAL_CUT_THROUGH | Switching.CIRCUIT:
            return routers * options.pipeline + flits - 1 + on_links + last
        case _:
            assert_never(switching)


def permission(options: RouterOptions) -> int:
    """The cycles that a header waits at a half-duplex lane of several virtual channels that has to turn, from when it has come.

    A request passes the registers of the lane to it, permission to begin is taken back over those of the other side and given
    over those of this side. The router decides meanwhile, and with store-and-forward the other flits come.
    """
    return 4 + 4 * options.link_stages


def turning(options: RouterOptions, flits: int) -> int:
    """The cycles that each lane adds that has to turn for a packet, and has been idle for ``turn_round`` cycles before.

    With one virtual channel the lane turns in the cycle after the header could have left. With several, :func:`permission` is
    requested when the header comes.

    Parameters
    ----------
    flits : :class:`int`
        Flits of the packet, header included, L.
    """
    if not options.shared_lanes:
        return 0
    return 1 if options.virtual_channels == 1 else max(0, permission(options) - _waits(options, flits))


def turning_formula(options: RouterOptions) -> str:
    """:func:`turning` as a formula, for a packet of L flits; empty without half-duplex lanes."""
    if not options.shared_lanes:
        return ""
    if options.virtual_channels > 1 and options.switching == Switching.STORE_AND_FORWARD:
        return f"max(0, {permission(options) - _waits(options, 0)} - L)"
    return str(turning(options, 1))


def _waits(options: RouterOptions, flits: int) -> int:
    """The cycles that a header waits in each router in any case."""
    return options.pipeline - 1 + (flits - 1 if options.switching == Switching.STORE_AND_FORWARD else 0)


def delivery(options: RouterOptions) -> int:
    """The cycles of a flit from the last router's crossbar to the processor: one in an ejection buffer, where there are several
    ejection channels, and one in each register."""
    return int(options.ejection_channels > 1) + options.ejection_stages


def formula_of(options: RouterOptions) -> str:
    """:func:`latency_without_load` as a formula: a packet has L flits, header included, and H routers on its route."""
    r = options.pipeline
    registers = f" + {options.link_stages} (H - 1)" if options.link_stages else ""
    registers += f" + {delivery(options)}" if delivery(options) else ""
    switching = Switching(options.switching)
    match switching:
        case Switching.WORMHOLE | Switching.VIRTUAL_CUT_THROUGH:
            return f"{f'{r} ' if r > 1 else ''}H + L - 1{registers}"
        case Switching.STORE_AND_FORWARD:
            return f"H (L{f' + {r - 1}' if r > 1 else ''}) + L - 1{registers}"
        case Switching.CIRCUIT:
            registers = f" + {3 * options.link_stages} (H - 1)" if options.link_stages else ""
            registers += f" + {delivery(options)}" if delivery(options) else ""
            return f"{r + 2} H + L - 2{registers} (L > 1)"
        case _:
            assert_never(switching)


def interface_latency(options: RouterOptions, beats: int, *, crossing: bool, stored: bool = False) -> tuple[int, int]:
    """The cycles that network interfaces add at injection and at ejection to a packet that is never blocked.

    Injection is counted from the first cycle in which the first beat is offered on ``s_axis`` to the cycle in which the
    first router takes the header; ejection, from the cycle in which the tail flit is taken from the last router to the
    cycle in which the last beat is taken on ``m_axis``.

    Parameters
    ----------
    beats : :class:`int`
        Beats of the packet, F, which are offered without a gap. It has F + 1 flits.
    crossing : :class:`bool`
        True if ports have clocks of their own, here with the frequency and phase of the network's clock.
    stored : :class:`bool`
        True if ports store packets to send them whole, as they do with a longest packet.
    """
    crossed = CROSSING_CYCLES * crossing
    # The header of a stored packet waits for the last beat.
    return (beats + 2 if options.longest_packet or stored else 1) + crossed, 1 + crossed


def interface_formulas(options: RouterOptions, *, crossing: bool, stored: bool = False) -> tuple[str, str]:
    """The formulas of :func:`interface_latency`, for a packet of F beats."""
    into, out = interface_latency(options, 0, crossing=crossing, stored=stored)
    return f"F + {into}" if options.longest_packet or stored else str(into), str(out)


def waiting(router: RouterParameters) -> tuple[int, int] | None:
    """The most cycles that a header waits in front of its buffer, as the factor of L and the rest, while outputs take flits.

    L is the most flits of a packet. With one virtual channel, one packet of each other input is served first. With several,
    other headers go before it until the watch has found it (:class:`~fatcube.rtl.inputs.channel_watch.ChannelWatch`), then
    the bidding headers, one of each input, and then at most one of each other channel that was found. Flits on the other
    channels of the output take turns with those of each of these packets, and an input may have to wait for its turn.

    Parameters
    ----------
    router : :class:`RouterParameters`

    Returns
    -------
    tuple or ``None``
        The largest of each over all outputs. ``None`` if none is known: with circuits, copies, half-duplex lanes, or the deficit
        arbiter.
    """
    options = router.options
    if Switching(options.switching) is Switching.CIRCUIT or router.header.copies or options.shared_lanes:
        return None
    if options.virtual_channels == 1 and options.arbiter == "deficit":
        return None
    waits = []
    for output in router.outputs:
        inputs = [number for number in range(router.crossbar_ports) if output in router.reach(number)]
        if options.virtual_channels == 1:
            waits.append((len(inputs) - 1, 2))
            continue
        packets = len(inputs) + sum(map(router.input_units, inputs))
        channels = options.ejection_channels if output < router.processor_ports else options.virtual_channels
        waits.append((packets * channels, packets * (len(inputs) + 3) + 2 * patience(options) + 2))
    factors, rests = zip(*waits, strict=True)
    return max(factors), max(rests)


def waiting_formula(routers: Iterable[RouterParameters]) -> str:
    """:func:`waiting` of the routers of a network, the largest, as a formula in L; empty if none is known."""
    waits = [waiting(router) for router in routers]
    known = [wait for wait in waits if wait is not None]
    if len(known) < len(waits):
        return ""
    factor, rest = (max(of) for of in zip(*known, strict=True))
    return f"{factor}·L + {rest}" if factor else str(rest)

"""The latency of a packet in a network without load, as a formula that the hardware meets exactly."""

from typing import assert_never

from rtl.router_options import RouterOptions
from rtl.switching import Switching

__all__ = ["formula_of", "interface_formulas", "interface_latency", "latency_without_load", "turning"]


_CROSSING = 4  # cycles, if both clocks are the same


def latency_without_load(options: RouterOptions, routers: int, flits: int) -> int:
    """The cycles of a packet that nothing holds up, over lanes that face it: :func:`turning` has those of others.

    From the cycle in which the first router takes its first flit to the cycle in which its last flit is taken from the last
    router. Source: DESIGN, section 4.

    Parameters
    ----------
    routers : :class:`int`
        Routers on its way, H, one more than hops.
    flits : :class:`int`
        Flits of the packet, its header among them, L.
    """
    registers = (routers - 1) * options.link_stages + _delivery(options)
    switching = Switching(options.switching)
    match switching:
        case Switching.STORE_AND_FORWARD:
            return routers * (options.pipeline + flits - 1) + flits - 1 + registers
        case Switching.CIRCUIT if flits > 1:
            # The header there, the answer back, the payload there.
            return routers * (options.pipeline + 2) + flits - 2 + 3 * registers
        case Switching.WORMHOLE | Switching.VIRTUAL_CUT_THROUGH | Switching.CIRCUIT:
            return routers * options.pipeline + flits - 1 + registers
        case _:
            assert_never(switching)


def turning(options: RouterOptions) -> int:
    """The cycles that each lane adds that has to turn for a packet, and has been idle for ``turn_round`` cycles before.

    With one virtual channel the lane turns in the cycle after the header has arrived. With several, a request passes the
    registers of the lane to it, permission to begin is taken back over those of the other side and given over those of this
    side.
    """
    if not options.shared_lanes:
        return 0
    return 1 if options.virtual_channels == 1 else 4 + 4 * options.link_stages


def _delivery(options: RouterOptions) -> int:
    """The cycle in the buffer of a channel to the processor, if there are several."""
    return int(options.ejection_channels > 1)


def formula_of(options: RouterOptions) -> str:
    """The same in words, for a packet of L flits, its header among them, with H routers on its way."""
    r = options.pipeline
    registers = f" + {options.link_stages} (H - 1)" if options.link_stages else ""
    registers += f" + {_delivery(options)}" if _delivery(options) else ""
    registers += f" + {turning(options)} for each lane that must turn" if turning(options) else ""
    switching = Switching(options.switching)
    match switching:
        case Switching.WORMHOLE | Switching.VIRTUAL_CUT_THROUGH:
            return f"{f'{r} ' if r > 1 else ''}H + L - 1{registers}"
        case Switching.STORE_AND_FORWARD:
            return f"H (L{f' + {r - 1}' if r > 1 else ''}) + L - 1{registers}"
        case Switching.CIRCUIT:
            registers = f" + {3 * options.link_stages} (H - 1)" if options.link_stages else ""
            registers += f" + {turning(options)} for each lane that must turn" if turning(options) else ""
            return f"{r + 2} H + L - 2{registers} (L > 1)"
        case _:
            assert_never(switching)


def interface_latency(options: RouterOptions, beats: int, *, crossing: bool) -> tuple[int, int]:
    """The cycles that the network interfaces add to a packet that nothing holds up, on its way in and on its way out.

    In: from the first cycle in which the first beat is offered on ``s_axis`` to the cycle in which the first router takes the
    header. Out: from the cycle in which the last flit is taken from the last router to the cycle in which the last beat is
    taken on ``m_axis``.

    Parameters
    ----------
    beats : :class:`int`
        Beats of the packet, F, which are offered without a gap. It has F + 1 flits.
    crossing : :class:`bool`
        Ports have clocks of their own; of the same frequency and phase as that of the network.
    """
    crossed = _CROSSING * crossing
    # With a longest packet, the header waits for the last beat.
    return (beats + 2 if options.longest_packet else 1) + crossed, 1 + crossed


def interface_formulas(options: RouterOptions, *, crossing: bool) -> tuple[str, str]:
    """The same in words, for a packet of F beats."""
    into, out = interface_latency(options, 0, crossing=crossing)
    return f"F + {into}" if options.longest_packet else str(into), str(out)

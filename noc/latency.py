"""The latency of a packet in a network without load, as a formula that the hardware meets exactly."""

from rtl.router_options import RouterOptions

__all__ = ["formula_of", "latency_without_load"]


def latency_without_load(options: RouterOptions, routers: int, flits: int) -> int:
    """The cycles of a packet that nothing holds up.

    From the cycle in which its first flit goes into the first router to that in which its last flit goes out of the last
    one. Source: DESIGN, section 4.

    Parameters
    ----------
    routers : :class:`int`
        Routers on its way, H, one more than hops.
    flits : :class:`int`
        Flits of the packet, its header among them, L.
    """
    registers = (routers - 1) * options.link_stages + _delivery(options)
    if options.switching == "store-and-forward":
        return routers * (options.pipeline + flits - 1) + flits - 1 + registers
    if options.switching == "circuit" and flits > 1:
        # The header there, the answer back, the payload there.
        return routers * (options.pipeline + 2) + flits - 2 + 3 * registers
    return routers * options.pipeline + flits - 1 + registers


def _delivery(options: RouterOptions) -> int:
    """The cycle in the buffer of a channel to the processor, if there are several."""
    return int(options.ejection_channels > 1)


def formula_of(options: RouterOptions) -> str:
    """The same in words, for a packet of L flits, its header among them, with H routers on its way."""
    r = options.pipeline
    registers = f" + {options.link_stages} (H - 1)" if options.link_stages else ""
    registers += f" + {_delivery(options)}" if _delivery(options) else ""
    if options.switching == "circuit":
        registers = f" + {3 * options.link_stages} (H - 1)" if options.link_stages else ""
        return f"{r + 2} H + L - 2{registers} (L > 1)"
    if options.switching == "store-and-forward":
        return f"H (L{f' + {r - 1}' if r > 1 else ''}) + L - 1{registers}"
    return f"{f'{r} ' if r > 1 else ''}H + L - 1{registers}"

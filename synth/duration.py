"""Roughly how long synthesis takes, from the size of the work, before it is begun."""

from fatcube.noc.network import Network

__all__ = ["router_seconds"]


def router_seconds(network: Network, *, placements: int) -> float:
    """Seconds of processor time to synthesize the router of a network, and to place it ``placements`` times.

    Synthesis alone takes some 2 s a port. With it, a placement takes some 36 s for 8 ports, 300 s for 16, so it grows with
    the cube of the ports; and with timing-driven rip-up about twice as long.
    """
    ports = network.router().crossbar_ports
    return 36 * (ports / 8) ** 3 * 2 * placements if placements else 2 * ports

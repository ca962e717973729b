"""Roughly how long synthesis takes, from the size of the work, before it is begun."""

from fatcube.noc.network import Network

__all__ = ["router_seconds"]


def router_seconds(network: Network, *, placements: int) -> float:
    """Seconds of processor time to synthesize the router of a network, and to place it so many times.

    A placement takes some 36 s for 8 ports, 300 s for 16, so it grows with the cube of the ports; and with timing-driven rip-up
    about twice as long.
    """
    return 36 * (network.router().crossbar_ports / 8) ** 3 * max(1, 2 * placements)

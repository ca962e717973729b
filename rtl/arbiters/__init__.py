"""The arbiters of a router's outputs: a file each, and its entry in :data:`ARBITERS`.

Never here: an arbiter that knows of flits. It sees requests and grants.
"""

from collections.abc import Mapping

from amaranth.lib import wiring

from rtl.arbiters.round_robin import RoundRobinArbiter

__all__ = ["ARBITERS"]


ARBITERS: Mapping[str, type[wiring.Component]] = {"round-robin": RoundRobinArbiter}
"""Every arbiter by its name. It is made with the number of requesters and has the ports of :class:`RoundRobinArbiter`."""

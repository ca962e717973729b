"""The arbiters of a router's outputs: one file each, with an entry in :data:`ARBITERS`; the ports are in `arbiter.py`.

Never here: an arbiter that looks into flits. It sees the requests, and which requester's flit leaves.
"""

from collections.abc import Mapping

from fatcube.rtl.arbiters.arbiter import Arbiter
from fatcube.rtl.arbiters.deficit import DeficitArbiter
from fatcube.rtl.arbiters.least_recent import LeastRecentArbiter
from fatcube.rtl.arbiters.round_robin import RoundRobinArbiter

__all__ = ["ARBITERS"]


ARBITERS: Mapping[str, type[Arbiter]] = {
    "round-robin": RoundRobinArbiter,
    "least-recent": LeastRecentArbiter,
    "deficit": DeficitArbiter,
}
"""Every arbiter by its name."""

"""The lanes between routers: their signals, their kinds, the registers on them, and the terminations of absent ones.

A kind of lane that is more than wires is a file with a :class:`~fatcube.rtl.lanes.lane_base.Lane`, and its entry in
:data:`LANES`.
Never here: a buffer of a router, or a count of the room in it.
"""

from collections.abc import Mapping

from fatcube.rtl.lanes.half_duplex import HalfDuplexLane
from fatcube.rtl.lanes.lane_base import Lane

__all__ = ["LANES"]


LANES: Mapping[str, type[Lane] | None] = {
    "full-duplex": None,
    "half-duplex": HalfDuplexLane,
}
"""Every kind of lane by its name; ``None`` is wires, a set for each direction."""

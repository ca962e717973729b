"""Algorithm A2 in its best order of left and right, which the cube-connected cycles paper leaves open."""

from functools import cache

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.schedules.collective import Move
from fatcube.schedules.constructions.ccc import broadcast

__all__ = ["EFFORT", "best_broadcast"]


EFFORT = 6_000
"""Orders that are tried, times N."""


@cache
def best_broadcast(topology: CubeConnectedCycles, ports: str, every: bool = True, root: int = 0) -> list[Move]:
    """The moves of A2 that bring the message to most, soonest: it leaves open whether left or right is first.

    With ``every``, a node may act on each receipt, and not on its first one only.
    """
    orders = range(max(1, EFFORT // topology.nodes))
    ways = [broadcast(topology, ports, root, every=False, seed=seed) for seed in orders]
    if every:  # a second receipt may also come when all have the message
        ways += [broadcast(topology, ports, root, seed=seed) for seed in orders]
    return min(ways, key=_missed_and_steps)


def _missed_and_steps(moves: list[Move]) -> tuple[int, int]:
    return -len({move.dst for move in moves}), moves[-1].step

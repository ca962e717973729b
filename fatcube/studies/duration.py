"""Roughly how long the points of a sweep take, from the size of the work, before any is begun."""

from collections.abc import Mapping, Sequence

from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.sim.duration import build_seconds, load_seconds
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.synth.duration import router_seconds

__all__ = ["points_seconds"]


_SCHEDULE = 2  # seconds to find the schedule of a collective and to run it, on a network of the size that studies have


def points_seconds(points: Sequence[Point | LoadedNetwork], machines: Mapping[Network, Machine]) -> float:
    """Seconds of processor time to measure these points; what several of them need is counted once.

    Parameters
    ----------
    points : list of :class:`~fatcube.studies.point.Point` and :class:`~fatcube.studies.point.LoadedNetwork`
    machines : dict
        The machine of each network that collectives run on.
    """
    machines_of = {point.network: machines[point.network] for point in points if isinstance(point, Point)}
    routers = {
        (point.network, point.family): router_seconds(point.network, placements=len(point.seeds) * bool(point.fmax))
        for point in points
        if point.family is not None
    }
    runs = (load_seconds(point.test) if isinstance(point, LoadedNetwork) else _SCHEDULE for point in points)
    return sum(routers.values()) + sum(map(build_seconds, machines_of.values())) + sum(runs)

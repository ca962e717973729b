"""The load curve of a network: the saturation load, measured by a search on the RTL, and points around it."""

from collections.abc import Iterable, Mapping
import dataclasses
from typing import Any

from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.limit import Cause, Fullest, cause_of, sentence_of
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_point import LAST_BIN, LaneFigures, LoadPoint, PairFigures

__all__ = ["SEARCHED", "SHOWN", "LoadCurve", "around", "measure", "saturation"]


_COARSE, _FINE = 16, 8  # loads among which saturation is looked for, twice
SEARCHED = _COARSE + _FINE - 1
"""The number of loads measured in the search for saturation."""
SHOWN = 12
"""The loads of a curve for which none are given."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadCurve:
    """The measurements of a network under a pattern.

    Attributes
    ----------
    latency_without_load : :class:`float`
        The mean latency of packets that are never blocked, in cycles.
    bound : :class:`float`
        The upper bound on the load that channels and receivers can take.
    saturation : :class:`float` or ``None``
        The least load at which the network is saturated; ``None`` if it was not searched for, or not found.
    points : tuple of :class:`LoadPoint`
    """

    latency_without_load: float
    bound: float
    saturation: float | None
    points: tuple[LoadPoint, ...]

    @property
    def throughput(self) -> float:
        """The highest accepted load of all points, in flits per cycle and processor port."""
        return max((point.accepted for point in self.points), default=0.0)

    @property
    def least(self) -> float | None:
        """The most that was accepted from every processor at any load, in the same unit; ``None`` if it is not known."""
        return max((point.least for point in self.points if point.least is not None), default=None)

    @property
    def saturated(self) -> str:
        """The loads from which on the network is saturated, as a clause: what was looked for, or is known of its points."""
        if self.saturation is not None:
            return f"saturated from a load of {self.saturation:.3f} on"
        points = sorted(self.points, key=lambda point: point.load)
        above = next((number for number, point in enumerate(points) if point.saturated), None)
        if above is None:
            return f"not saturated at a load of {points[-1].load:g}" if points else "no load was measured"
        if not above:
            return f"saturated at a load of {points[0].load:g}, the lowest of these"
        return f"saturated at a load of {points[above].load:g}, but not at {points[above - 1].load:g}"

    @property
    def limiting(self) -> LoadPoint | None:
        """The point that shows what limits the network: of those at which it is saturated the one at which most is accepted, or
        else the highest load; ``None`` if none is known to the last, as in records of earlier versions."""
        known = [point for point in self.points if point.fullest is not None]
        saturated = [point for point in known if point.saturated]
        if saturated:
            return max(saturated, key=lambda point: point.accepted)
        return max(known, key=lambda point: point.load, default=None)

    def cause(self, options: RouterOptions) -> Cause | None:
        """The reason why the network accepts no more, see :func:`fatcube.sim.traffic.limit.cause_of`; ``None`` if it is not known."""
        point = self.limiting
        if point is None or point.fullest is None:
            return None
        return cause_of(point.fullest, options, saturated=point.saturated)

    def limit(self, options: RouterOptions, packet: int) -> str:
        """The limit as a sentence; empty if it is not known."""
        point = self.limiting
        if point is None or point.fullest is None:
            return ""
        return sentence_of(point.fullest, options, packet, load=point.load, saturated=point.saturated)

    @property
    def failures(self) -> list[str]:
        """All faults of packets, each with the load at which it occurred."""
        return [f"load {point.load:g}: {failure}" for point in self.points for failure in point.failures]

    @classmethod
    def from_json(cls, measured: Any) -> "LoadCurve":
        """The curve in a record."""
        made = {
            "histogram": lambda rows: tuple(map(tuple, rows)),
            "failures": tuple,
            "pairs": lambda rows: tuple(PairFigures(*row) for row in rows),
            "lanes": lambda rows: tuple(LaneFigures(*row) for row in rows),
            "fullest": lambda figures: figures and Fullest(*figures),
        }
        points = [
            LoadPoint(**{name: made[name](value) if name in made else value for name, value in _known(point).items()})
            for point in measured["points"]
        ]
        return cls(
            latency_without_load=measured["latency_without_load"],
            bound=measured["bound"],
            saturation=measured["saturation"],
            points=tuple(points),
        )

    def to_json(self) -> dict[str, Any]:
        """The measurements, as in a record."""
        return {
            "latency_without_load": self.latency_without_load,
            "bound": self.bound,
            "saturation": self.saturation,
            "points": [dataclasses.asdict(point) for point in self.points],
        }


def _known(point: Mapping[str, Any]) -> dict[str, Any]:
    """A point whose quantiles are known: earlier versions wrote the last bin for one that is in it, and not which that is."""
    last_bin = point.get("last_bin", LAST_BIN)
    quantiles = {name: point[name] for name in ("median", "percentile_99")}
    return {**point, **{name: None if value == last_bin else value for name, value in quantiles.items()}}


def measure(test: LoadTest) -> LoadCurve:
    """The curve at the loads that the options name, at that of given flows, or at 12 around saturation."""
    saturated = None if test.loads else saturation(test)
    return curve(test, test.loads or around(saturated), saturated)


def curve(test: LoadTest, loads: Iterable[float], saturated: float | None) -> LoadCurve:
    """The curve at these loads, with a given saturation load."""
    return LoadCurve(
        latency_without_load=test.latency_without_load,
        bound=test.bound,
        saturation=saturated,
        points=tuple(test.points(loads)),
    )


def saturation(test: LoadTest) -> float | None:
    """The least load, in steps of 1/128, at which the network is saturated; ``None`` if it is not saturated at load 1.

    It is searched for among 16 loads, then among 8 between two of these, with one run each.
    """
    coarse = test.points([number / _COARSE for number in range(1, _COARSE + 1)], repeats=1)
    found = next((number for number, point in enumerate(coarse) if point.saturated), None)
    if found is None:
        return None
    steps = [(found + number / _FINE) / _COARSE for number in range(1, _FINE)]
    fine = test.points(steps, repeats=1)
    return next((point.load for point in fine if point.saturated), coarse[found].load)


def around(saturated: float | None, number: int = SHOWN) -> list[float]:
    """A list of ``number`` loads, two of them above the load at which a network is saturated, and the last of these 1."""
    if saturated is None:
        return [round((step + 1) / number, 4) for step in range(number)]
    below = [round(saturated * (step + 1) / (number - 2), 4) for step in range(number - 2)]
    return [*below, round((saturated + 1) / 2, 4), 1.0]

"""The curve of a network under load: the load of saturation, looked for on the hardware, and the points around it."""

from collections.abc import Iterable
import dataclasses
from typing import Any

from sim.traffic.load import LoadTest
from sim.traffic.load_point import LaneFigures, LoadPoint, PairFigures

__all__ = ["LoadCurve", "around", "measure", "saturation"]


_COARSE, _FINE = 16, 8  # loads among which saturation is looked for, twice


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadCurve:
    """What was measured of a network under a pattern.

    Attributes
    ----------
    latency_without_load : :class:`float`
        The mean latency of packets that nothing holds up, in cycles.
    bound : :class:`float`
        The load that channels and receivers can take.
    saturation : :class:`float` or ``None``
        The load from which on the network is saturated, if that was looked for and found.
    points : tuple of :class:`LoadPoint`
    """

    latency_without_load: float
    bound: float
    saturation: float | None
    points: tuple[LoadPoint, ...]

    @property
    def throughput(self) -> float:
        """The most that was accepted at any load, in flits per cycle and port of a processor."""
        return max((point.accepted for point in self.points), default=0.0)

    @property
    def failures(self) -> list[str]:
        """Everything that went wrong with a packet, with the load at which it did."""
        return [f"load {point.load:g}: {failure}" for point in self.points for failure in point.failures]

    @classmethod
    def from_json(cls, measured: Any) -> "LoadCurve":
        """The curve that stands in a record."""
        made = {
            "histogram": lambda rows: tuple(map(tuple, rows)),
            "failures": tuple,
            "pairs": lambda rows: tuple(PairFigures(*row) for row in rows),
            "lanes": lambda rows: tuple(LaneFigures(*row) for row in rows),
        }
        points = [
            LoadPoint(**{name: made[name](value) if name in made else value for name, value in point.items()})
            for point in measured["points"]
        ]
        return cls(
            latency_without_load=measured["latency_without_load"],
            bound=measured["bound"],
            saturation=measured["saturation"],
            points=tuple(points),
        )

    def to_json(self) -> dict[str, Any]:
        """What was measured, as it stands in a record."""
        return {
            "latency_without_load": self.latency_without_load,
            "bound": self.bound,
            "saturation": self.saturation,
            "points": [dataclasses.asdict(point) for point in self.points],
        }


def measure(test: LoadTest) -> LoadCurve:
    """The curve at the loads that the options name, or at 12 around saturation."""
    saturated = None if test.options.loads else saturation(test)
    return curve(test, test.options.loads or around(saturated), saturated)


def curve(test: LoadTest, loads: Iterable[float], saturated: float | None) -> LoadCurve:
    """The curve at these loads."""
    return LoadCurve(
        latency_without_load=test.latency_without_load,
        bound=test.bound,
        saturation=saturated,
        points=tuple(test.points(loads)),
    )


def saturation(test: LoadTest) -> float | None:
    """The least load, in steps of 1/128, at which the network is saturated; ``None`` if it is not even with load 1.

    It is looked for among 16 loads, then among 8 between two of these, with one run each.
    """
    coarse = test.points([number / _COARSE for number in range(1, _COARSE + 1)], repeats=1)
    found = next((number for number, point in enumerate(coarse) if point.saturated), None)
    if found is None:
        return None
    steps = [(found + number / _FINE) / _COARSE for number in range(1, _FINE)]
    fine = test.points(steps, repeats=1)
    return next((point.load for point in fine if point.saturated), coarse[found].load)


def around(saturated: float | None, number: int = 12) -> list[float]:
    """So many loads, two of them above the load at which a network is saturated, and the last of these 1."""
    if saturated is None:
        return [round((step + 1) / number, 4) for step in range(number)]
    below = [round(saturated * (step + 1) / (number - 2), 4) for step in range(number - 2)]
    return [*below, round((saturated + 1) / 2, 4), 1.0]

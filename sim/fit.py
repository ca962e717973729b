"""Start-up and transfer time, fitted from runs of several lengths (spanning-graphs paper: τ and t_c)."""

from collections.abc import Sequence
import dataclasses

__all__ = ["Fit", "fit"]


@dataclasses.dataclass(frozen=True)
class Fit:
    """cycles = steps (startup + per_flit F), for packets of F payload flits.

    Attributes
    ----------
    startup : :class:`float`
        τ, cycles per step.
    per_flit : :class:`float`
        t_c, cycles per payload flit and step.
    worst : :class:`float`
        The largest distance of a point from the line, in cycles.
    """

    startup: float
    per_flit: float
    worst: float


def fit(points: Sequence[tuple[int, int]], steps: int) -> Fit:
    """The least-squares :class:`Fit` of ``(payload flits, cycles)`` points; at least two lengths."""
    count = len(points)
    mean_flits = sum(flits for flits, _ in points) / count
    mean_cycles = sum(cycles for _, cycles in points) / count
    spread = sum((flits - mean_flits) ** 2 for flits, _ in points)
    slope = sum((flits - mean_flits) * (cycles - mean_cycles) for flits, cycles in points) / spread
    start = mean_cycles - slope * mean_flits
    worst = max(abs(start + slope * flits - cycles) for flits, cycles in points)
    return Fit(startup=start / steps, per_flit=slope / steps, worst=worst)

"""Results of a measurement under load, for tests that need none."""

__all__ = ["POINT"]


POINT = {
    "load": 1.0,
    "offered": 1.0,
    "latency": 50.0,
    "confidence": None,
    "median": 40,
    "percentile_99": 90,
    "longest": 99,
    "histogram": [],
    "conflicts": 0,
    "saturated": True,
    "failures": [],
}
"""A point of a curve, but for what was accepted there."""

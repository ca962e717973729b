"""Values chosen by one-hot signals."""

from collections.abc import Iterable
import functools
import operator

from amaranth.hdl import Cat, Const, Value
from amaranth.utils import ceil_log2

__all__ = ["encoded", "either", "first_after", "pick"]


def either(values: Iterable[Value]) -> Value:
    """The OR of values, bit by bit."""
    return functools.reduce(operator.or_, values)


def pick(select: Iterable[Value], values: Iterable[Value]) -> Value:
    """The value of the one bit that is set, or zero."""
    return either(value & bit.replicate(len(value)) for bit, value in zip(select, values, strict=True))


def encoded(select: Value) -> Value:
    """The number of the one bit that is set, in ``ceil_log2(len(select))`` bits."""
    numbers = range(len(select))
    return Cat(
        Cat(select[number] for number in numbers if number >> bit & 1).any() for bit in range(ceil_log2(len(select)))
    )


def first_after(candidates: Value, place: Value) -> Value:
    """The first of the candidates behind a place, counting around, one-hot or zero; the place itself comes last.

    It takes look-up tables in the square of the candidates, and no carry chain.

    Parameters
    ----------
    candidates : :class:`Value`
        A bit for each.
    place : :class:`Value`
        One-hot.
    """
    count = len(candidates)
    chosen: list[Value] = []
    for number in range(count):
        # Another candidate wins if the place lies from this candidate up to just before the other one.
        beaten = [
            candidates[other]
            & Cat(place[(other - back) % count] for back in range(1, (other - number) % count + 1)).any()
            for other in range(count)
            if other != number
        ]
        chosen.append(candidates[number] & ~(Cat(beaten).any() if beaten else Const(0)))
    return Cat(chosen)

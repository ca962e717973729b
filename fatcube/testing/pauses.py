"""When a source or a sink pauses: generators of one value per cycle, ``True`` for a pause.

They are what ``set_pause_generator`` of every source and sink takes, here and in cocotbext-axi.
"""

from collections.abc import Iterable, Iterator
import random

from fatcube.groundwork.validation import check_boolean, check_integer, check_number

__all__ = ["listed_pauses", "periodic_pauses", "random_pauses"]


def random_pauses(probability: float = 0.3, *, seed: object = 0) -> Iterator[bool]:
    """Pause in each cycle with that probability; the same cycles for the same seed.

    Parameters
    ----------
    probability : :class:`float`
        From 0 to 1.
    seed
        Any value: its text counts.

    Raises
    ------
    ParameterError
        If the probability is out of range.
    """
    check_number("probability", probability, minimum=0, maximum=1)
    return _random(random.Random(f"pauses {seed}"), probability)


def _random(pick: random.Random, probability: float) -> Iterator[bool]:
    while True:
        yield pick.random() < probability


def periodic_pauses(moving: int, paused: int) -> Iterator[bool]:
    """Move for ``moving`` cycles, pause for ``paused`` cycles, and repeat.

    Raises
    ------
    ParameterError
        If one of them is less than 1.
    """
    for name, cycles in (("moving", moving), ("paused", paused)):
        check_integer(name, cycles, minimum=1)
    return _periodic([False] * moving + [True] * paused)


def _periodic(period: list[bool]) -> Iterator[bool]:
    while True:
        yield from period


def listed_pauses(cycles: Iterable[bool]) -> Iterator[bool]:
    """Pause in the cycles that are ``True``, one value per cycle; after the last of them, never.

    Raises
    ------
    ParameterError
        If a value is neither ``True`` nor ``False``.
    """
    return iter([check_boolean("pause", value) for value in cycles])

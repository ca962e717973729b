"""Checks of every parameter of fatcube, with a phrase for the values that may be given and the one that was."""

from collections.abc import Collection
import math
import reprlib

__all__ = ["ParameterError", "check_boolean", "check_choice", "check_count", "check_integer", "check_number", "shown"]


class ParameterError(ValueError):
    """A parameter is not one that fatcube can build from.

    The message is one line: the parameter, what it may be, and what was given.
    """


def check_integer(name: str, value: object, *, minimum: int, maximum: int | None = None, why: str = "") -> int:
    """Return ``value`` if it is an integer from ``minimum`` to ``maximum`` (no limit if ``None``).

    ``name`` says whose parameter it is, as in ``"FatCube d"``; ``why`` is appended to the message
    where the limit needs a reason.

    Raises
    ------
    ParameterError
        If it is anything else. ``True`` and ``False`` are not taken for integers.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if value >= minimum and (maximum is None or value <= maximum):
            return value
    limits = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    allowed = minimum if minimum == maximum else f"an integer {limits}"
    raise ParameterError(f"{name} must be {allowed}{why}, not {shown(value)}")


def check_count(name: str, count: int, *, maximum: int, what: str) -> int:
    """Return ``count`` if it is at most ``maximum``; ``what`` is its purpose, as in ``"for AAS on hypercube(d=16)"``.

    Raises
    ------
    ParameterError
        If it is more.
    """
    if count <= maximum:
        return count
    raise ParameterError(f"{name} must be at most {maximum:,} {what}, not {count:,}")


def check_number(
    name: str, value: float, *, minimum: float = -math.inf, maximum: float = math.inf, above: float = -math.inf
) -> float:
    """Return ``value`` if it is a finite number from ``minimum`` to ``maximum``, and higher than ``above``.

    Raises
    ------
    ParameterError
        If it is anything else, infinite or not a number among them. ``True`` and ``False`` are not taken for numbers.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if math.isfinite(value) and minimum <= value <= maximum and value > above:
            return value
    all_limits = ("above", above), ("of at least", minimum), ("at most", maximum)
    limits = [f"{words} {limit:g}" for words, limit in all_limits if math.isfinite(limit)]
    raise ParameterError(
        " ".join([f"{name} must be a finite number", " and ".join(limits)]).rstrip() + f", not {shown(value)}"
    )


def check_boolean(name: str, value: object) -> bool:
    """Return ``value`` if it is ``True`` or ``False``.

    Raises
    ------
    ParameterError
        If it is anything else.
    """
    if isinstance(value, bool):
        return value
    raise ParameterError(f"{name} must be true or false, not {shown(value)}")


def shown(value: object) -> str:
    """Return ``value`` for a message of one line: of what is long only the ends."""
    return _short.repr(value)


def check_choice(name: str, value: object, choices: Collection[str]) -> str:
    """Return ``value`` if it is one of ``choices``.

    Raises
    ------
    ParameterError
        If it is none of them; the message lists them.
    """
    if isinstance(value, str) and value in choices:
        return value
    raise ParameterError(f"{name} must be one of {', '.join(choices)}, not {shown(value)}")


_short = reprlib.Repr()
_short.maxstring = _short.maxother = 200
_short.maxlong = 60

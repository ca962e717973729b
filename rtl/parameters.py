"""How every parameter of fatcube is checked: one phrase that says what it got and what it may be."""

__all__ = ["ParameterError", "check_integer", "check_choice"]


class ParameterError(ValueError):
    """A parameter is not one that fatcube can build from.

    The message is one line: the parameter, what it may be, and what was given.
    """


def check_integer(name, value, *, minimum, maximum=None, why=""):
    """Returns ``value`` if it is an integer from ``minimum`` to ``maximum`` (no limit if ``None``).

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
    raise ParameterError(f"{name} must be an integer {limits}{why}, not {value!r}")


def check_choice(name, value, choices):
    """Returns ``value`` if it is one of ``choices``.

    Raises
    ------
    ParameterError
        If it is none of them; the message lists them.
    """
    if isinstance(value, str) and value in choices:
        return value
    raise ParameterError(f"{name} must be one of {', '.join(choices)}, not {value!r}")

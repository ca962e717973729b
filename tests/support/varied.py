"""Every option of a class of options changed, one at a time, also those that are added later."""

import dataclasses

from groundwork.options import Option
from groundwork.validation import ParameterError

__all__ = ["ROUTERS", "varied"]


#: What router options are changed from: plain ones, and others that go together with what plain ones exclude.
ROUTERS = (
    {},
    {"buffer_depth": 8, "longest_packet": 8},
    {"switching": "circuit"},
    {"virtual_channels": 4, "buffer_depth": 8, "longest_packet": 8},
)


def _values(field):
    """Values of an option that may differ from those it has."""
    option = Option.of(field)
    if option.choices:
        return list(option.choices)
    if option.several is not None:
        return [(1,), (8, 9), (0.25,), (0.25, 0.5)]
    if option.minimum is None:
        return [False, True]
    return [field.default + 1, field.default + 2, field.default + 8, option.minimum]


def varied(options, make, bases=({},), *, without=()):
    """What ``make`` makes of options that differ in one of them: for each name, a pair.

    Parameters
    ----------
    options : type
        A class of options.
    make : callable
        Makes something of options; raises ``ParameterError`` if it cannot.
    bases : iterable of dict
        Values of other options, tried in turn until there are two with which the option may differ.
    without : collection of str
        Names of options that have to be as they are.

    Raises
    ------
    AssertionError
        If an option can have one value only with each of them.
    """
    found = {}
    for field in dataclasses.fields(options):
        if field.name in without:
            continue
        for base in bases:
            made = []
            for value in [base.get(field.name, field.default), *_values(field)]:
                try:
                    whole = options(**{**base, field.name: value})
                    one = make(whole)
                except ParameterError:
                    continue
                if one not in made:
                    made.append(one)
            if len(made) > 1:
                found[field.name] = made[0], made[1]
                break
        else:
            raise AssertionError(f"{field.name} must have two values with one of the bases; give another base")
    return found

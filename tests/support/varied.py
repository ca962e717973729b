"""Every option of a class of options changed, one at a time, also those that are added later."""

import dataclasses

from fatcube.groundwork.options import Option
from fatcube.groundwork.validation import ParameterError

__all__ = ["ROUTERS", "varied"]


#: What router options are changed from: plain ones, and others that go together with what plain ones exclude.
ROUTERS = (
    {},
    {"buffer_depth": 8, "longest_packet": 8},
    {"switching": "circuit"},
    {"virtual_channels": 4, "buffer_depth": 8, "longest_packet": 8},
)


def _values(field, given):
    """Values of an option that may differ from the one that is given, if it is not given itself."""
    option = Option.of(field)
    if option.choices:
        return list(option.choices)
    if option.several is not None:
        return [(1,), (8, 9), (0.25,), (0.25, 0.5)]
    if option.parse is not None:
        return {"hotspot": ["1:0.25"], "traffic": ["0,1,0.25"]}[field.name]
    if option.minimum is None:
        return [False, True]
    return [given + 1, given + 2, given + 8, given + 64, option.minimum]


def varied(options, make, bases=({},), *, without=()):
    """The results of ``make`` with options that differ in one of them: for each name, a pair.

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
            # An option that is not given takes the value that the others need.
            given = getattr(options(**base), field.name)
            for value in [given, *_values(field, given)]:
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

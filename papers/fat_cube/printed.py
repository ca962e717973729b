"""The values that the fat-cube paper prints, to be held against computed and measured ones. Nothing is derived from it."""

from collections.abc import Sequence

__all__ = ["TABLE_1", "TABLE_2", "TABLE_4", "TABLE_5", "TABLE_6", "dimensions_in_words"]


TABLE_6 = {
    "1": {"OAB": (3, 3), "OAS": (7, 7), "AAB": (7, 7), "AAS": (12, 9)},
    "b": {"OAB": (3, 2), "OAS": (7, 7), "AAB": (7, 7), "AAS": (12, 9)},
    "d": {"OAB": (3, 2), "OAS": (3, 4), "AAB": (3, 4), "AAS": (4, 8)},
    "*": {"OAB": (3, 2), "OAS": (3, 3), "AAB": (3, 4), "AAS": (4, 8)},
}
"""Table 6: steps on the hypercube of 8 processors and on the fat cube d = m = 2, f = 1, by router model."""


TABLE_1 = {
    "1": ("m + d f", "d + 1"),
    "b": ("m + d f", "d + 1"),
    "d": ("d (m + f)", "2 d"),
    "*": ("d (m + f) + m (m - 1)", "2 d"),
}
"""Table 1: a = b of a router of the fat cube and of the hypercube, by router model."""


TABLE_2 = {
    (1, 2): {"1": "every d", "d": "d <= 16", "*": "d <= 4"},
    (1, 4): {"1": "every d", "d": "d <= 8", "*": "never"},
    (1, 8): {"1": "every d", "d": "d <= 5", "*": "never"},
    (2, 2): {"1": "d = 1", "d": "d <= 2", "*": "never"},
    (2, 4): {"1": "every d", "d": "d <= 6", "*": "never"},
    (2, 8): {"1": "every d", "d": "d <= 3", "*": "never"},
}
"""Table 2: for which d a fat cube's routers are no dearer than the hypercube's, by (f, m) and router model."""


_TABLE_4 = {
    "d": {1: (2, 3, 4), 2: (2, 4, 5), 3: (3, 3, 3), 4: (4, 4, 4)},
    "*": {1: (2, 3, 4), 2: (2, 2, 2), 3: (3, 3, 3), 4: (4, 4, 4)},
}
"""By router model and d, for m = 2, 4 and 8."""

TABLE_4 = {
    model: {(d, m): steps for d, row in rows.items() for m, steps in zip((2, 4, 8), row)}
    for model, rows in _TABLE_4.items()
}
"""Table 4: lower bounds of OAB by router model (b is printed with d) and (d, m)."""


TABLE_5 = {
    1: ((2, 5), (6, 8), (7, 4), (3,)),
    2: ((1, 3), (4, 7), (8, 6), (5,)),
    3: ((4, 2), (1, 6), (5, 7), (8,)),
    4: ((3, 8), (7, 5), (6, 1), (2,)),
    5: ((6, 1), (2, 4), (3, 8), (7,)),
    6: ((5, 7), (8, 3), (4, 2), (1,)),
    7: ((8, 6), (5, 2), (1, 3), (4,)),
    8: ((7, 4), (3, 1), (2, 5), (6,)),
}
"""Table 5: for each message the processors that it reaches in steps 1 to 4, in the paper's numbers 1 to 8."""


def dimensions_in_words(dimensions: Sequence[int], most: int) -> str:
    """Dimensions from 1 to ``most`` as a cell of Table 2 prints them."""
    if not dimensions:
        return "never"
    if len(dimensions) == most:
        return "every d"
    if list(dimensions) == list(range(1, dimensions[-1] + 1)):
        return f"d {'<=' if dimensions[-1] > 1 else '='} {dimensions[-1]}"
    return "d in " + ", ".join(map(str, dimensions))

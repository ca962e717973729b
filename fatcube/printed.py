"""What the fat-cube paper prints, to be held against what is computed and measured. Nothing is derived from it."""

__all__ = ["TABLE_2", "TABLE_6"]


TABLE_6 = {
    "1": {"OAB": (3, 3), "OAS": (7, 7), "AAB": (7, 7), "AAS": (12, 9)},
    "b": {"OAB": (3, 2), "OAS": (7, 7), "AAB": (7, 7), "AAS": (12, 9)},
    "d": {"OAB": (3, 2), "OAS": (3, 4), "AAB": (3, 4), "AAS": (4, 8)},
    "*": {"OAB": (3, 2), "OAS": (3, 3), "AAB": (3, 4), "AAS": (4, 8)},
}
"""Table 6: steps on the hypercube of 8 processors and on the fat cube d = m = 2, f = 1, by router model."""


TABLE_2 = {
    (1, 2): {"1": "every d", "d": "d <= 16", "*": "d <= 4"},
    (1, 4): {"1": "every d", "d": "d <= 8", "*": "never"},
    (1, 8): {"1": "every d", "d": "d <= 5", "*": "never"},
    (2, 2): {"1": "d <= 1", "d": "d <= 2", "*": "never"},
    (2, 4): {"1": "every d", "d": "d <= 6", "*": "never"},
    (2, 8): {"1": "every d", "d": "d <= 3", "*": "never"},
}
"""Table 2: for which d a fat cube's routers are no dearer than the hypercube's, by (f, m) and router model."""

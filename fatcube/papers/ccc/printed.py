"""What the cube-connected cycles paper (Kambhatla) prints, to be held against what is computed.

A formula is printed text and a function of n, the dimensions, and N, the nodes of the network that it is about.
"""

__all__ = ["AVERAGE_DISTANCE", "TABLE_1", "TABLE_2"]


TABLE_1 = {
    "OAB": {"1": ("2 n", lambda n, N: 2 * n), "d": ("2 n", lambda n, N: 2 * n)},
    "AAB": {"1": ("N - 1", lambda n, N: N - 1), "d": ("(N - 1) / 3", lambda n, N: (N - 1) / 3)},
    "OAS": {"1": ("N - 1", lambda n, N: N - 1), "d": ("(N - 1) / 3", lambda n, N: (N - 1) / 3)},
    "AAS": {"d": ("N n / 2", lambda n, N: N * n / 2)},
}
"""Table 1: lower bounds on CCC by collective and I/O: single is router model 1, multiple is router model d."""


TABLE_2 = {
    "links": (3, 1),
    "nodes": (("1", lambda n: 1), ("n", lambda n: n)),
    "bisection": (("N / 2", lambda n, N: N / 2), ("N / (2 n)", lambda n, N: N / (2 * n))),
    "diameter": (("n", lambda n, N: n), ("2 n", lambda n, N: 2 * n)),
    "paths": (("n", lambda n, N: n), ("3", lambda n, N: 3)),
    "OAB": (("n - 1", lambda n, N: n - 1), ("2 n", lambda n, N: 2 * n)),
    "AAB": (("(N - 1) / n", lambda n, N: (N - 1) / n), ("(N - 1) / 3", lambda n, N: (N - 1) / 3)),
    "OAS": (("(N - 1) / n", lambda n, N: (N - 1) / n), ("(N - 1) / 3", lambda n, N: (N - 1) / 3)),
    "AAS": (("N / 2", lambda n, N: N / 2), ("n N / 2", lambda n, N: n * N / 2)),
}
"""Table 2: the hypercube, then CCC; collectives with multiple I/O. "links" is what is printed as a ratio of the two."""


AVERAGE_DISTANCE = {"3-cube": "1.9", "4-cube": "2", "CCC(3,3)": "3.25"}
"""Section 3 and Table 2."""

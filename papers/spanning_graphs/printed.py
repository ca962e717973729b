"""The tables of the spanning-graphs paper (Johnsson and Ho) as they are printed, to be held against what is executed.

Every formula is a text that :func:`fatcube.papers.spanning_graphs.formula.value` evaluates. Nothing is put right here.
"""

from typing import NamedTuple

__all__ = [
    "CODES",
    "OPTIMA",
    "PACKETS_APART",
    "PROPAGATION",
    "RATIOS",
    "ROOTS",
    "ROWS_OF_TABLE_1",
    "STARTUPS_6",
    "SUMMARY",
    "TABLE_1",
    "Optimum",
    "Root",
    "T",
    "Time",
]


class Time(NamedTuple):
    """A printed T: its start-ups and the elements transferred; ``about`` if it is printed as an approximation."""

    startups: str
    elements: str
    about: bool = False


class Optimum(NamedTuple):
    """A printed B_opt, and T_min as its start-ups and elements; empty if it is no number.

    ``about`` is whether B_opt is an approximation, and ``at_most`` whether T_min is a bound.
    """

    packet: str
    startups: str
    elements: str
    about: bool = False
    at_most: bool = False


class Root(NamedTuple):
    """B_opt and T_min of a pipelined broadcast, which depend on tau and t_c; empty if it is not printed."""

    packet: str
    least: str


_SPREAD = {  # nRSBT and SBnT
    "Ew": "(N - 1)/n",
    "ew": "C(n, l + 1)/n",
    "sw": "sum(C(n, i) for i in span(l + 1, n))/n",
    "rw": "sum(C(n, i) for i in span(l + 1, n))/n",
}

TABLE_1 = {
    "BRG": {
        "Ew": "2**(n - d - 1)",
        "ew": "1 if d == t else 0",
        "sw": "N - l - 1 if d == t else 0",
        "rw": "N/2**(d + 1) - ceil((l - 2**d + 1)/2**(d + 1))",
    },
    "nRBRG": {"Ew": "(N - 1)/n", "ew": "1/n", "sw": "(N - l - 1)/n", "rw": "(N - l - 1)/n"},
    "SBT": {"Ew": "2**d", "ew": "C(d, l)", "sw": "C(d, l)*2**(n - d - 1)", "rw": "C(n - d - 1, l)*2**d"},
    "nRSBT": _SPREAD,
    "nESBT": {
        "Ew": "(N - 1)/n",
        "ew": "C(n, l)/n if l >= 2 else (1/n if l == 0 else (n - 1)/n)",
        "sw": "sum(C(n, i) for i in span(l, n))/n if l >= 2 else (N - 1 - l)/n",
        "rw": "sum(C(n, i) for i in span(l, n))/n if l >= 2 else (N - 1 - l)/n",
    },
    "SBnT": _SPREAD,
}
"""Table 1 with the lemmas that it is from, for levels l from 0 to the height less 1; t is the rightmost 0 of l."""

ROWS_OF_TABLE_1 = {
    "BRG": "2^(n-d-1) | 0 or 1 | 0 or N - l - 1 | N/2^(d+1) - ceil((l - 2^d + 1)/2^(d+1))",
    "nRBRG": "(N - 1)/n | 1/n | (N - l - 1)/n | (N - l - 1)/n",
    "SBT": "2^d | C(d, l) | C(d, l) 2^(n-d-1) | C(n-d-1, l) 2^d",
    "nRSBT": "(N - 1)/n | C(n, l+1)/n | sum of C(n, i)/n, i = l + 1 to n | the same",
    "nESBT": "(N - 1)/n | C(n, l)/n, l >= 2 | sum of C(n, i)/n, i = l to n, l >= 2 | the same",
    "SBnT": "(N - 1)/n | C(n, l+1)/n | sum of C(n, i)/n, i = l + 1 to n | the same",
}
"""The rows of Table 1 as they are printed: Ew_d, ew_ld, sw_ld, rw_ld."""


def _by_ports(rows: dict[str, tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The cells of a table by graph and ports, from its rows, one-port and n-port."""
    return {(graph, ports): text for graph, row in rows.items() for ports, text in zip(("one-port", "n-port"), row)}


PROPAGATION = _by_ports(
    {
        "BRG": ("N - 1", "N - 1"),
        "SBT": ("n", "n"),
        "nRSBT": ("n", "n"),
        "TCBT": ("2*n - 2", "n"),
        "nESBT": ("n + 1", "n + 1"),
    }
)
"""Table 2: propagation delays, in cycles."""

PACKETS_APART = _by_ports(
    {"BRG": ("2", "1"), "SBT": ("n", "1"), "nRSBT": ("n", "1"), "TCBT": ("3", "1"), "nESBT": ("1", "1/n")}
)
"""Table 3: cycles per distinct packet."""


_PIPELINED_N_PORT = Time("ceil(M/B) + n - 1", "M + (n - 1)*B")
_SBNT_N_PORT = Time("sum(ceil(C(n, i)*M/(n*B)) for i in span(0, n - 1))", "(N - 1)*M/n")
_ALL_N_PORT = Time("sum(ceil(C(n, i)*M/(n*B)) for i in span(1, n))", "(N - 1)*M/n")

T = {
    4: {
        "BRG": Time("2*ceil(M/B) + N - 3", "2*M + (N - 3)*B"),
        "SBT": Time("ceil(M/B)*n", "M*n"),
        "nRSBT": Time("2*sum(ceil(M*i/(n*B)) for i in span(1, n - 1)) + ceil(M/B)", "n*M"),
        "TCBT": Time("3*ceil(M/B) + 2*n - 5", "3*M + (2*n - 5)*B"),
        "nESBT": Time("ceil(M/B) + n", "M + n*B"),
    },
    5: {
        "nRBRG": Time("ceil(M/(n*B))*(N - 1)", "M*(N - 1)/n"),
        "SBT": _PIPELINED_N_PORT,
        "nRSBT": Time("ceil(M/(n*B))*n", "M"),
        "TCBT": _PIPELINED_N_PORT,
        "nESBT": Time("ceil(M/(B*n)) + n", "M/n + n*B"),
    },
    7: {
        "BRG, one-port": Time("max(2*ceil((N - 1)*M/B) - floor(M/B), 2*N - 3)", "(2*N - 3)*M"),
        "SBT, one-port": Time("sum(ceil(2**i*M/B) for i in span(0, n - 1))", "(N - 1)*M"),
        "nRSBT, one-port": Time(
            "sum(ceil(M*(N - 2**i)/(n*B)) for i in span(1, n - 1)) + sum(ceil(M*(2**i - 1)/(n*B)) for i in span(1, n))",
            "M*(N - 1)",
        ),
        "TCBT, one-port": Time("2*sum(ceil((2**i - 1)*M/B) for i in span(1, n - 1))", "(2*N - 2*n - 1)*M", about=True),
        "SBnT, one-port": Time("n*ceil(N*M/(n*B)) + ceil(2*N*log2(n)*M/(n*B))", "N*(1 + 2*log2(n)/n)*M", about=True),
        "nRBRG, n-port": Time("sum(ceil(i*M/(n*B)) for i in span(1, N - 1))", "N*(N - 1)*M/(2*n)"),
        "SBT, n-port": Time("sum(ceil(C(n - 1, i)*M/B) for i in span(0, n - 1))", "N*M/2"),
        "nRSBT, n-port": _SBNT_N_PORT,
        "TCBT, n-port": Time(
            "ceil(N*M/(4*B)) + sum(ceil(N*M/(2**i*B)) for i in span(2, n))", "(3*N/4 - 1)*M", about=True
        ),
        "SBnT, n-port": _SBNT_N_PORT,
    },
    11: {
        "BRG": Time("ceil(M/B)*(N - 1)", "(N - 1)*M"),
        "SBT": Time("sum(ceil(2**i*M/B) for i in span(0, n - 1))", "(N - 1)*M"),
        "nRSBT": Time(
            "sum(ceil((2**(i + 1) - 1)*M/(n*B)) for i in span(0, n - 1))"
            " + sum(ceil((N - 2**(i - n + 1))*M/(n*B)) for i in span(n, 2*n - 2))",
            "(N - 1)*M",
        ),
        "nESBT": Time(
            "sum(ceil(2**i*M/(n*B)) for i in span(0, n - 1))"
            " + sum(ceil((N - 1 - 2**(i - n))*M/(n*B)) for i in span(n, 2*n - 1))",
            "(N - 1)*M",
        ),
        "SBnT": Time("max(2*n - 1, (N - 1)*M/B)", "(N - 1)*M", about=True),
    },
    13: {
        "nRBRG": Time("ceil(M/(n*B))*(N - 1)", "(N - 1)*M/n"),
        "SBT": Time("sum(ceil(C(n - 1, i)*M/B) for i in span(0, n - 1))", "N*M/2"),
        "nRSBT": _ALL_N_PORT,
        "nESBT": Time(
            "sum(ceil(C(n, i)*M/(n*B)) for i in span(2, n)) + ceil(M/(n*B)) + ceil((n - 1)*M/(n*B))", "(N - 1)*M/n"
        ),
        "SBnT": _ALL_N_PORT,
    },
    15: {
        "BRG": Time("sum(ceil(i*M/B) for i in span(1, N - 1))", "(N - 1)*N*M/2"),
        "SBT": Time("ceil(N*M/(2*B))*n", "n*N*M/2"),
        "nRSBT": Time(
            "sum(ceil((i + 1)*N*M/(2*n*B)) for i in span(0, n - 1))"
            " + sum(ceil((2*n - i - 1)*N*M/(2*n*B)) for i in span(n, 2*n - 2))",
            "n*N*M/2",
        ),
        "nESBT": Time(
            "sum(ceil(((i + 2)*N/2 - 1)*M/(n*B)) for i in span(0, n - 1))"
            " + sum(ceil((i*N/2 - 1)*M/(n*B)) for i in span(1, n))",
            "(N/(2*n) + N - 2)*M",
        ),
        "SBnT": Time("max(2*n - 1, n*N*M/(2*B))", "n*N*M/2", about=True),
    },
    17: {
        "nRBRG": Time("sum(ceil(i*M/(n*B)) for i in span(1, N - 1))", "(N - 1)*N*M/(2*n)"),
        "SBT": Time(
            "sum(ceil(C(2*l, l)*2**(n - 2*l - 1)*M/B) for l in span(0, floor((n - 1)/2)))"
            " + sum(ceil(C(n - 1, l)*M/B) for l in span(floor((n + 1)/2), n - 1))",
            "(sum(C(2*l, l)*2**(n - 2*l - 1) for l in span(0, floor((n - 1)/2)))"
            " + sum(C(n - 1, l) for l in span(floor((n + 1)/2), n - 1)))*M",
        ),
        "nRSBT": Time("ceil(N*M/(2*n*B))*n", "N*M/2"),
        "nESBT": Time(
            "sum(ceil(sum(C(n, j) for j in span(i, n))*M/(n*B)) for i in span(2, n))"
            " + ceil((N - 2)*M/(n*B)) + ceil((N - 1)*M/(n*B))",
            "(N/2 + (N - 2)/n)*M",
        ),
        "SBnT": Time("sum(ceil(sum(C(n, j) for j in span(i, n))*M/(n*B)) for i in span(1, n))", "N*M/2"),
    },
}
"""T of the tables, by routing: one-to-all broadcasting one-port (4) and n-port (5), one-to-all personalized (7),
all-to-all broadcasting one-port (11) and n-port (13), all-to-all personalized one-port (15) and n-port (17)."""


ROOTS = {
    ("Table 4", "BRG"): Root("sqrt(2*M*tau/((N - 3)*t_c))", "(sqrt(2*M*t_c) + sqrt((N - 3)*tau))**2"),
    ("Table 4", "TCBT"): Root("sqrt(3*M*tau/((2*n - 5)*t_c))", "(sqrt(3*M*t_c) + sqrt((2*n - 5)*tau))**2"),
    ("Table 4", "nESBT"): Root("sqrt(M*tau/(n*t_c))", "(sqrt(M*t_c) + sqrt(n*tau))**2"),
    ("Table 5", "SBT"): Root("sqrt(M*tau/((n - 1)*t_c))", "(sqrt(M*t_c) + sqrt((n - 1)*tau))**2"),
    ("Table 5", "TCBT"): Root("sqrt(M*tau/((n - 1)*t_c))", "(sqrt(M*t_c) + sqrt((n - 1)*tau))**2"),
    ("Table 5", "nESBT"): Root("sqrt(M*tau/t_c)/n", "(sqrt(M*t_c/n) + sqrt(n*tau))**2"),
    ("section 4.1.1", "BRG"): Root("sqrt(M*tau/((N - 2)*t_c))", "(sqrt(M*t_c) + sqrt((N - 2)*tau))**2"),
    ("section 4.1.3", "TCBT"): Root("sqrt(M*tau/((n - 2)*t_c))", "(sqrt(2*M*t_c) + sqrt((2*n - 4)*tau))**2"),
    ("section 4.1.5", "nESBT"): Root("", "(sqrt(2*M*t_c) + sqrt((n - 1)*tau))**2"),
}
"""B_opt and T_min of the pipelined broadcasts. Those of sections 4.1.1 and 4.1.3 are for one send and one receive at a
time, that of section 4.1.5 is for one send or one receive."""


# The transcription has the root over the whole fraction in these cells.
_MIDDLE = "sqrt(2/pi*N*M/n**(3/2))"
_SBT_MIDDLE = "N*M/sqrt(2*pi*(n - 1))"

OPTIMA = {
    4: {"SBT": Optimum("M", "n", "n*M"), "nRSBT": Optimum("M", "2*n - 1", "n*M")},
    5: {"nRBRG": Optimum("M/n", "N - 1", "(N - 1)*M/n"), "nRSBT": Optimum("M/n", "n", "M")},
    8: {
        "BRG, one-port": Optimum("M", "2*N - 3", "(2*N - 3)*M"),
        "SBT, one-port": Optimum("N*M/2", "n", "(N - 1)*M"),
        "TCBT, one-port": Optimum("N*M/2", "2*n - 2", "(2*N - 2*n - 1)*M", at_most=True),
        "nRSBT, one-port": Optimum("(N - 1)*M/n", "2*n - 1", "(N - 1)*M"),
        "SBnT, one-port": Optimum("(N - 1)*M/n", "2*n - 2", "N*(1 + 2*log2(n)/n)*M", at_most=True),
    },
    9: {
        "nRBRG, n-port": Optimum("(N - 1)*M/n", "N - 1", "N*(N - 1)*M/(2*n)"),
        "SBT, n-port": Optimum(_SBT_MIDDLE, "n", "N*M/2", about=True),
        "TCBT, n-port": Optimum("N*M/4", "n", "(3*N/4 - 1)*M"),
        "nRSBT, n-port": Optimum(_MIDDLE, "n", "(N - 1)*M/n", about=True),
        "SBnT, n-port": Optimum(_MIDDLE, "n", "(N - 1)*M/n", about=True),
    },
    12: {
        "BRG": Optimum("M", "N - 1", "(N - 1)*M"),
        "SBT": Optimum("N*M/2", "n", "(N - 1)*M"),
        "nRSBT": Optimum("(N - 1)*M/n", "2*n - 1", "(N - 1)*M"),
        "nESBT": Optimum("(N - 2)*M/n", "2*n", "(N - 1)*M"),
        "SBnT": Optimum("(N - 1)*M/n", "2*n - 1", "(N - 1)*M"),
    },
    14: {
        "nRBRG": Optimum("M/n", "N - 1", "(N - 1)*M/n"),
        "SBT": Optimum(_SBT_MIDDLE, "n", "N*M/2", about=True),
        "nRSBT": Optimum(_MIDDLE, "n", "(N - 1)*M/n", about=True),
        "nESBT": Optimum(_MIDDLE, "n + 1", "(N - 1)*M/n", about=True),
        "SBnT": Optimum(_MIDDLE, "n", "(N - 1)*M/n", about=True),
    },
    16: {
        "BRG": Optimum("(N - 1)*M", "N - 1", "(N - 1)*N*M/2"),
        "SBT": Optimum("N*M/2", "n", "n*N*M/2"),
        "nRSBT": Optimum("N*M/2", "2*n - 1", "n*N*M/2"),
        "nESBT": Optimum("M/n*(N*(n - 1)/2 - 1)", "2*n", "(n*N/2 + N - 2)*M"),
        "SBnT": Optimum("N*M/2", "2*n - 1", "n*N*M/2"),
    },
    18: {
        "nRBRG": Optimum("(N - 1)*M/n", "N - 1", "(N - 1)*N*M/(2*n)"),
        "SBT": Optimum("N*M/2", "", ""),  # its T_min is an O(): a claim of its own
        "nRSBT": Optimum("N*M/(2*n)", "n", "N*M/2"),
        "nESBT": Optimum("(N - 1)*M/n", "n + 1", "(N/2 + (N - 2)/n)*M"),
        "SBnT": Optimum("(N - 1)*M/n", "n", "N*M/2"),
    },
}
"""B_opt and T_min, by table and routing, where neither depends on tau and t_c."""


_RATIOS = {
    "one packet": (("n/(n + 1)", "n/(n + 1)", "(2*n - 2)/(n + 1)"), "n/(n + 1)"),
    "many packets": (("n", "n", "3"), "n"),
    "large tau": (("1", "1", "2"), "1"),
    "small tau": (("n", "n", "3"), "n"),
}
"""By column: one-port SBT, nRSBT and TCBT; n-port, where the three are the same."""

RATIOS = {
    (ports, name, column): text
    for column, (one, many) in _RATIOS.items()
    for ports, texts in (("one-port", one), ("n-port", (many,) * 3))
    for name, text in zip(("SBT", "nRSBT", "TCBT"), texts)
}
"""Table 6: how much more time than nESBT, by ports, routing and column. Its columns are: one packet; M / B >> n;
B = B_opt, tau n >> M t_c; and B = B_opt, tau n << M t_c, which n-port is tau n^2 << M t_c."""

STARTUPS_6 = {"BRG": "N - 1", "SBT": "n", "nESBT": "2*n", "nRSBT": "2*n - 1", "SBnT": "2*n - 1", "TCBT": "2*n - 2"}
"""Table 10: the minimum number of start-ups in one-port all-to-all broadcasting; of TCBT it is a lower bound."""

_SUMMARY_MIDDLE = Optimum("sqrt(2*N*M/(pi*n**(3/2)))", "n", "(N - 1)*M/n", about=True)
_SUMMARY_HALF = Optimum("N*M/2", "n", "(N - 1)*M")

SUMMARY = {
    ("one-to-all personalized", "one-port", "SBT"): _SUMMARY_HALF,
    ("one-to-all personalized", "n-port", "SBnT"): _SUMMARY_MIDDLE,
    ("one-to-all personalized", "n-port", "nRSBT"): _SUMMARY_MIDDLE,
    ("all-to-all broadcasting", "one-port", "SBT"): _SUMMARY_HALF,
    ("all-to-all broadcasting", "n-port", "SBnT"): _SUMMARY_MIDDLE,
    ("all-to-all broadcasting", "n-port", "nRSBT"): _SUMMARY_MIDDLE,
    ("all-to-all personalized", "one-port", "SBT"): Optimum("N*M/2", "n", "n*N*M/2"),
    ("all-to-all personalized", "n-port", "SBnT"): Optimum("(N - 1)*M/n", "n", "N*M/2"),
    ("all-to-all personalized", "n-port", "nESBT"): Optimum("N*M/(2*n)", "n", "N*M/2"),
}
"""Table 19 without its broadcasts from one source, by problem, ports and routing."""

CODES = {"SBT": (3, 4), "children": (5, 6)}
"""The pseudo-codes of section 6.1: how many loops are opened in each, and how many ends of loops there are."""

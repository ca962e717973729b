"""What the spanning-graphs paper (Johnsson and Ho) prints, to be held against what is counted and executed.

A formula is printed text and a function. Those of Table 1 are of n, N, l and d; a T (Tables 4, 5, 7, 11, 13, 15, 17) is
two of them, the start-ups and the elements transferred, of n, N, M and B; B_opt and T_min are of n, N, M, tau and t_c,
and T_min of start-ups and elements. Nothing is put right here.
"""

from fractions import Fraction
from math import comb, log2, pi, sqrt

__all__ = ["OPTIMA", "PACKETS_APART", "PROPAGATION", "RATIOS", "ROOTS", "STARTUPS_6", "SUMMARY", "T", "TABLE_1"]


def _up(amount, rate=1):
    return -(-amount // rate)


def _rest(n, l):
    return Fraction(sum(comb(n, i) for i in range(l, n + 1)), n)


def _rightmost_zero(l):
    return (~l & l + 1).bit_length() - 1


_SPREAD = {  # nRSBT and SBnT
    "Ew_d": ("(N - 1) / n", lambda n, N, l, d: Fraction(N - 1, n)),
    "ew_ld": ("C(n, l + 1) / n", lambda n, N, l, d: Fraction(comb(n, l + 1), n)),
    "sw_ld": ("sum of C(n, i), i = l + 1 to n, / n", lambda n, N, l, d: _rest(n, l + 1)),
    "rw_ld": ("sum of C(n, i), i = l + 1 to n, / n", lambda n, N, l, d: _rest(n, l + 1)),
}

TABLE_1 = {
    "BRG": {
        "Ew_d": ("2^(n-d-1)", lambda n, N, l, d: 2 ** (n - d - 1)),
        "ew_ld": ("0 or 1: 1 if d is the rightmost 0 of l", lambda n, N, l, d: int(d == _rightmost_zero(l))),
        "sw_ld": ("0 or N - l - 1", lambda n, N, l, d: N - l - 1 if d == _rightmost_zero(l) else 0),
        "rw_ld": ("N / 2^(d+1) - ceil((l - 2^d + 1) / 2^(d+1))",
                  lambda n, N, l, d: N // 2 ** (d + 1) - _up(l - 2 ** d + 1, 2 ** (d + 1))),
    },
    "nRBRG": {
        "Ew_d": ("(N - 1) / n", lambda n, N, l, d: Fraction(N - 1, n)),
        "ew_ld": ("1 / n", lambda n, N, l, d: Fraction(1, n)),
        "sw_ld": ("(N - l - 1) / n", lambda n, N, l, d: Fraction(N - l - 1, n)),
        "rw_ld": ("(N - l - 1) / n", lambda n, N, l, d: Fraction(N - l - 1, n)),
    },
    "SBT": {
        "Ew_d": ("2^d", lambda n, N, l, d: 2 ** d),
        "ew_ld": ("C(d, l)", lambda n, N, l, d: comb(d, l)),
        "sw_ld": ("C(d, l) 2^(n-d-1)", lambda n, N, l, d: comb(d, l) * 2 ** (n - d - 1)),
        "rw_ld": ("C(n - d - 1, l) 2^d", lambda n, N, l, d: comb(n - d - 1, l) * 2 ** d),
    },
    "nRSBT": _SPREAD,
    "nESBT": {  # for l >= 2; lemmas 3.24 and 3.25 have l = 0 and 1
        "Ew_d": ("(N - 1) / n", lambda n, N, l, d: Fraction(N - 1, n)),
        "ew_ld": ("C(n, l) / n, l >= 2; 1 / n, l = 0; (n - 1) / n, l = 1",
                  lambda n, N, l, d: Fraction(1 if l == 0 else n - 1 if l == 1 else comb(n, l), n)),
        "sw_ld": ("sum of C(n, i), i = l to n, / n, l >= 2; (N - 1) / n, l = 0; (N - 2) / n, l = 1",
                  lambda n, N, l, d: Fraction(N - 1 - l, n) if l < 2 else _rest(n, l)),
        "rw_ld": ("sum of C(n, i), i = l to n, / n, l >= 2; (N - 1) / n, l = 0; (N - 2) / n, l = 1",
                  lambda n, N, l, d: Fraction(N - 1 - l, n) if l < 2 else _rest(n, l)),
    },
    "SBnT": _SPREAD,
}
"""Table 1 with the lemmas that it is from, for levels l from 0 to the height less 1."""


PROPAGATION = {
    "BRG": {"one-port": ("N - 1", lambda n: 2 ** n - 1), "n-port": ("N - 1", lambda n: 2 ** n - 1)},
    "SBT": {"one-port": ("n", lambda n: n), "n-port": ("n", lambda n: n)},
    "nRSBT": {"one-port": ("n", lambda n: n), "n-port": ("n", lambda n: n)},
    "TCBT": {"one-port": ("2n - 2", lambda n: 2 * n - 2), "n-port": ("n", lambda n: n)},
    "nESBT": {"one-port": ("n + 1", lambda n: n + 1), "n-port": ("n + 1", lambda n: n + 1)},
}
"""Table 2: propagation delays, in cycles."""

PACKETS_APART = {
    "BRG": {"one-port": ("2", lambda n: 2), "n-port": ("1", lambda n: 1)},
    "SBT": {"one-port": ("n", lambda n: n), "n-port": ("1", lambda n: 1)},
    "nRSBT": {"one-port": ("n", lambda n: n), "n-port": ("1", lambda n: 1)},
    "TCBT": {"one-port": ("3", lambda n: 3), "n-port": ("1", lambda n: 1)},
    "nESBT": {"one-port": ("1", lambda n: 1), "n-port": ("1 / n", lambda n: Fraction(1, n))},
}
"""Table 3: cycles per distinct packet."""


_PIPELINED_N_PORT = {
    "start-ups": ("ceil(M / B) + n - 1", lambda n, N, M, B: _up(M, B) + n - 1),
    "elements": ("M + (n - 1) B", lambda n, N, M, B: M + (n - 1) * B),
}
_SBNT_N_PORT = {
    "start-ups": ("sum of ceil(C(n, i) M / (n B)), i = 0 to n - 1",
                  lambda n, N, M, B: sum(_up(comb(n, i) * M, n * B) for i in range(n))),
    "elements": ("(N - 1) M / n", lambda n, N, M, B: Fraction((N - 1) * M, n)),
}
_ALL_N_PORT = {
    "start-ups": ("sum of ceil(C(n, i) M / (n B)), i = 1 to n",
                  lambda n, N, M, B: sum(_up(comb(n, i) * M, n * B) for i in range(1, n + 1))),
    "elements": ("(N - 1) M / n", lambda n, N, M, B: Fraction((N - 1) * M, n)),
}

T = {
    4: {
        "BRG": {"start-ups": ("2 ceil(M / B) + N - 3", lambda n, N, M, B: 2 * _up(M, B) + N - 3),
                "elements": ("2 M + (N - 3) B", lambda n, N, M, B: 2 * M + (N - 3) * B)},
        "SBT": {"start-ups": ("ceil(M / B) n", lambda n, N, M, B: _up(M, B) * n),
                "elements": ("M n", lambda n, N, M, B: M * n)},
        "nRSBT": {"start-ups": ("2 sum of ceil(M i / (n B)), i = 1 to n - 1, + ceil(M / B)",
                                lambda n, N, M, B: 2 * sum(_up(M * i, n * B) for i in range(1, n)) + _up(M, B)),
                  "elements": ("n M", lambda n, N, M, B: n * M)},
        "TCBT": {"start-ups": ("3 ceil(M / B) + 2n - 5", lambda n, N, M, B: 3 * _up(M, B) + 2 * n - 5),
                 "elements": ("3 M + (2n - 5) B", lambda n, N, M, B: 3 * M + (2 * n - 5) * B)},
        "nESBT": {"start-ups": ("ceil(M / B) + n", lambda n, N, M, B: _up(M, B) + n),
                  "elements": ("M + n B", lambda n, N, M, B: M + n * B)},
    },
    5: {
        "nRBRG": {"start-ups": ("ceil(M / (n B)) (N - 1)", lambda n, N, M, B: _up(M, n * B) * (N - 1)),
                  "elements": ("M (N - 1) / n", lambda n, N, M, B: Fraction(M * (N - 1), n))},
        "SBT": _PIPELINED_N_PORT,
        "nRSBT": {"start-ups": ("ceil(M / (n B)) n", lambda n, N, M, B: _up(M, n * B) * n),
                  "elements": ("M", lambda n, N, M, B: M)},
        "TCBT": _PIPELINED_N_PORT,
        "nESBT": {"start-ups": ("ceil(M / (B n)) + n", lambda n, N, M, B: _up(M, n * B) + n),
                  "elements": ("M / n + n B", lambda n, N, M, B: Fraction(M, n) + n * B)},
    },
    7: {
        "BRG, one-port": {
            "start-ups": ("max(2 ceil((N - 1) M / B) - floor(M / B), 2N - 3)",
                          lambda n, N, M, B: max(2 * _up((N - 1) * M, B) - M // B, 2 * N - 3)),
            "elements": ("(2N - 3) M", lambda n, N, M, B: (2 * N - 3) * M)},
        "SBT, one-port": {
            "start-ups": ("sum of ceil(2^i M / B), i = 0 to n - 1",
                          lambda n, N, M, B: sum(_up(2 ** i * M, B) for i in range(n))),
            "elements": ("(N - 1) M", lambda n, N, M, B: (N - 1) * M)},
        "nRSBT, one-port": {
            "start-ups": ("sum of ceil(M (N - 2^i) / (n B)), i = 1 to n - 1, + sum of ceil(M (2^i - 1) / (n B)), i = 1 "
                          "to n", lambda n, N, M, B: sum(_up(M * (N - 2 ** i), n * B) for i in range(1, n))
                          + sum(_up(M * (2 ** i - 1), n * B) for i in range(1, n + 1))),
            "elements": ("M (N - 1)", lambda n, N, M, B: M * (N - 1))},
        "TCBT, one-port": {
            "start-ups": ("about 2 sum of ceil((2^i - 1) M / B), i = 1 to n - 1",
                          lambda n, N, M, B: 2 * sum(_up((2 ** i - 1) * M, B) for i in range(1, n))),
            "elements": ("about (2N - 2n - 1) M", lambda n, N, M, B: (2 * N - 2 * n - 1) * M)},
        "SBnT, one-port": {
            "start-ups": ("about n ceil(N M / (n B)) + ceil(2 N log n M / (n B))",
                          lambda n, N, M, B: n * _up(N * M, n * B) + _up(2 * N * log2(n) * M, n * B)),
            "elements": ("about N (1 + 2 log n / n) M", lambda n, N, M, B: N * (1 + 2 * log2(n) / n) * M)},
        "nRBRG, n-port": {
            "start-ups": ("sum of ceil(i M / (n B)), i = 1 to N - 1",
                          lambda n, N, M, B: sum(_up(i * M, n * B) for i in range(1, N))),
            "elements": ("N (N - 1) M / (2n)", lambda n, N, M, B: Fraction(N * (N - 1) * M, 2 * n))},
        "SBT, n-port": {
            "start-ups": ("sum of ceil(C(n - 1, i) M / B), i = 0 to n - 1",
                          lambda n, N, M, B: sum(_up(comb(n - 1, i) * M, B) for i in range(n))),
            "elements": ("N M / 2", lambda n, N, M, B: N * M // 2)},
        "nRSBT, n-port": _SBNT_N_PORT,
        "TCBT, n-port": {
            "start-ups": ("about ceil(N M / (4 B)) + sum of ceil(N M / (2^i B)), i = 2 to n",
                          lambda n, N, M, B: _up(N * M, 4 * B) + sum(_up(N * M, 2 ** i * B) for i in range(2, n + 1))),
            "elements": ("about (3 N / 4 - 1) M", lambda n, N, M, B: (3 * N // 4 - 1) * M)},
        "SBnT, n-port": _SBNT_N_PORT,
    },
    11: {
        "BRG": {"start-ups": ("ceil(M / B) (N - 1)", lambda n, N, M, B: _up(M, B) * (N - 1)),
                "elements": ("(N - 1) M", lambda n, N, M, B: (N - 1) * M)},
        "SBT": {"start-ups": ("sum of ceil(2^i M / B), i = 0 to n - 1",
                              lambda n, N, M, B: sum(_up(2 ** i * M, B) for i in range(n))),
                "elements": ("(N - 1) M", lambda n, N, M, B: (N - 1) * M)},
        "nRSBT": {"start-ups": ("sum of ceil((2^(i+1) - 1) M / (n B)), i = 0 to n - 1, + sum of "
                                "ceil((N - 2^(i-n+1)) M / (n B)), i = n to 2n - 2",
                                lambda n, N, M, B: sum(_up((2 ** (i + 1) - 1) * M, n * B) for i in range(n))
                                + sum(_up((N - 2 ** (i - n + 1)) * M, n * B) for i in range(n, 2 * n - 1))),
                  "elements": ("(N - 1) M", lambda n, N, M, B: (N - 1) * M)},
        "nESBT": {"start-ups": ("sum of ceil(2^i M / (n B)), i = 0 to n - 1, + sum of ceil((N - 1 - 2^(i-n)) M / (n B))"
                                ", i = n to 2n - 1",
                                lambda n, N, M, B: sum(_up(2 ** i * M, n * B) for i in range(n))
                                + sum(_up((N - 1 - 2 ** (i - n)) * M, n * B) for i in range(n, 2 * n))),
                  "elements": ("(N - 1) M", lambda n, N, M, B: (N - 1) * M)},
        "SBnT": {"start-ups": ("about max(2n - 1, (N - 1) M / B)",
                               lambda n, N, M, B: max(2 * n - 1, Fraction((N - 1) * M, B))),
                 "elements": ("about (N - 1) M", lambda n, N, M, B: (N - 1) * M)},
    },
    13: {
        "nRBRG": {"start-ups": ("ceil(M / (n B)) (N - 1)", lambda n, N, M, B: _up(M, n * B) * (N - 1)),
                  "elements": ("(N - 1) M / n", lambda n, N, M, B: Fraction((N - 1) * M, n))},
        "SBT": {"start-ups": ("sum of ceil(C(n - 1, i) M / B), i = 0 to n - 1",
                              lambda n, N, M, B: sum(_up(comb(n - 1, i) * M, B) for i in range(n))),
                "elements": ("N M / 2", lambda n, N, M, B: N * M // 2)},
        "nRSBT": _ALL_N_PORT,
        "nESBT": {"start-ups": ("sum of ceil(C(n, i) M / (n B)), i = 2 to n, + ceil(M / (n B)) + "
                                "ceil((n - 1) M / (n B))",
                                lambda n, N, M, B: sum(_up(comb(n, i) * M, n * B) for i in range(2, n + 1))
                                + _up(M, n * B) + _up((n - 1) * M, n * B)),
                  "elements": ("(N - 1) M / n", lambda n, N, M, B: Fraction((N - 1) * M, n))},
        "SBnT": _ALL_N_PORT,
    },
    15: {
        "BRG": {"start-ups": ("sum of ceil(i M / B), i = 1 to N - 1",
                              lambda n, N, M, B: sum(_up(i * M, B) for i in range(1, N))),
                "elements": ("(N - 1) N M / 2", lambda n, N, M, B: (N - 1) * N * M // 2)},
        "SBT": {"start-ups": ("ceil(N M / (2 B)) n", lambda n, N, M, B: _up(N * M, 2 * B) * n),
                "elements": ("n N M / 2", lambda n, N, M, B: n * N * M // 2)},
        "nRSBT": {"start-ups": ("sum of ceil((i + 1) N M / (2 n B)), i = 0 to n - 1, + sum of "
                                "ceil((2n - i - 1) N M / (2 n B)), i = n to 2n - 2",
                                lambda n, N, M, B: sum(_up((i + 1) * N * M, 2 * n * B) for i in range(n))
                                + sum(_up((2 * n - i - 1) * N * M, 2 * n * B) for i in range(n, 2 * n - 1))),
                  "elements": ("n N M / 2", lambda n, N, M, B: n * N * M // 2)},
        "nESBT": {"start-ups": ("sum of ceil(((i + 2) N / 2 - 1) M / (n B)), i = 0 to n - 1, + sum of "
                                "ceil((i N / 2 - 1) M / (n B)), i = 1 to n",
                                lambda n, N, M, B: sum(_up(((i + 2) * N // 2 - 1) * M, n * B) for i in range(n))
                                + sum(_up((i * N // 2 - 1) * M, n * B) for i in range(1, n + 1))),
                  "elements": ("(N / (2n) + N - 2) M", lambda n, N, M, B: (Fraction(N, 2 * n) + N - 2) * M)},
        "SBnT": {"start-ups": ("about max(2n - 1, n N M / (2 B))",
                               lambda n, N, M, B: max(2 * n - 1, Fraction(n * N * M, 2 * B))),
                 "elements": ("about n N M / 2", lambda n, N, M, B: n * N * M // 2)},
    },
    17: {
        "nRBRG": {"start-ups": ("sum of ceil(i M / (n B)), i = 1 to N - 1",
                                lambda n, N, M, B: sum(_up(i * M, n * B) for i in range(1, N))),
                  "elements": ("(N - 1) N M / (2n)", lambda n, N, M, B: Fraction((N - 1) * N * M, 2 * n))},
        "SBT": {"start-ups": ("sum of ceil(C(2l, l) 2^(n-2l-1) M / B), l = 0 to floor((n - 1) / 2), + sum of "
                              "ceil(C(n - 1, l) M / B), l = floor((n + 1) / 2) to n - 1",
                              lambda n, N, M, B: sum(_up(comb(2 * l, l) * 2 ** (n - 2 * l - 1) * M, B)
                                                     for l in range((n - 1) // 2 + 1))
                              + sum(_up(comb(n - 1, l) * M, B) for l in range((n + 1) // 2, n))),
                "elements": ("(sum of C(2l, l) 2^(n-2l-1), l = 0 to floor((n - 1) / 2), + sum of C(n - 1, l), "
                             "l = floor((n + 1) / 2) to n - 1) M",
                             lambda n, N, M, B: (sum(comb(2 * l, l) * 2 ** (n - 2 * l - 1)
                                                     for l in range((n - 1) // 2 + 1))
                                                 + sum(comb(n - 1, l) for l in range((n + 1) // 2, n))) * M)},
        "nRSBT": {"start-ups": ("ceil(N M / (2 n B)) n", lambda n, N, M, B: _up(N * M, 2 * n * B) * n),
                  "elements": ("N M / 2", lambda n, N, M, B: N * M // 2)},
        "nESBT": {"start-ups": ("sum over i = 2 to n of ceil(sum of C(n, j), j = i to n, M / (n B)) + "
                                "ceil((N - 2) M / (n B)) + ceil((N - 1) M / (n B))",
                                lambda n, N, M, B: sum(_up(sum(comb(n, j) for j in range(i, n + 1)) * M, n * B)
                                                       for i in range(2, n + 1))
                                + _up((N - 2) * M, n * B) + _up((N - 1) * M, n * B)),
                  "elements": ("(N / 2 + (N - 2) / n) M",
                               lambda n, N, M, B: (Fraction(N, 2) + Fraction(N - 2, n)) * M)},
        "SBnT": {"start-ups": ("sum over i = 1 to n of ceil(sum of C(n, j), j = i to n, M / (n B))",
                               lambda n, N, M, B: sum(_up(sum(comb(n, j) for j in range(i, n + 1)) * M, n * B)
                                                      for i in range(1, n + 1))),
                 "elements": ("N M / 2", lambda n, N, M, B: N * M // 2)},
    },
}
"""T of the tables, by routing: one-to-all broadcasting one-port (4) and n-port (5), one-to-all personalized (7),
all-to-all broadcasting one-port (11) and n-port (13), all-to-all personalized one-port (15) and n-port (17)."""


def _root(parts, square):
    """B_opt = sqrt(square(n, N, M) tau / t_c); T_min = (sqrt(a t_c) + sqrt(b tau))^2 with (a, b) = parts(n, N, M)."""
    def T_min(n, N, M, tau, t_c):
        a, b = parts(n, N, M)
        return (sqrt(a * t_c) + sqrt(b * tau)) ** 2
    return {"square": square, "B_opt": lambda n, N, M, tau, t_c: sqrt(square(n, N, M) * tau / t_c), "T_min": T_min}


ROOTS = {
    ("Table 4", "BRG"): ("sqrt(2 M tau / ((N - 3) t_c))", "(sqrt(2 M t_c) + sqrt((N - 3) tau))^2",
                         _root(lambda n, N, M: (2 * M, N - 3), lambda n, N, M: Fraction(2 * M, N - 3))),
    ("Table 4", "TCBT"): ("sqrt(3 M tau / ((2n - 5) t_c))", "(sqrt(3 M t_c) + sqrt((2n - 5) tau))^2",
                          _root(lambda n, N, M: (3 * M, 2 * n - 5), lambda n, N, M: Fraction(3 * M, 2 * n - 5))),
    ("Table 4", "nESBT"): ("sqrt(M tau / (n t_c))", "(sqrt(M t_c) + sqrt(n tau))^2",
                           _root(lambda n, N, M: (M, n), lambda n, N, M: Fraction(M, n))),
    ("Table 5", "SBT"): ("sqrt(M tau / ((n - 1) t_c))", "(sqrt(M t_c) + sqrt((n - 1) tau))^2",
                         _root(lambda n, N, M: (M, n - 1), lambda n, N, M: Fraction(M, n - 1))),
    ("Table 5", "TCBT"): ("sqrt(M tau / ((n - 1) t_c))", "(sqrt(M t_c) + sqrt((n - 1) tau))^2",
                          _root(lambda n, N, M: (M, n - 1), lambda n, N, M: Fraction(M, n - 1))),
    ("Table 5", "nESBT"): ("sqrt(M tau / t_c) / n", "(sqrt(M t_c / n) + sqrt(n tau))^2",
                           _root(lambda n, N, M: (Fraction(M, n), n), lambda n, N, M: Fraction(M, n * n))),
    ("section 4.1.1", "BRG, one send and one receive"): (
        "sqrt(M tau / ((N - 2) t_c))", "(sqrt(M t_c) + sqrt((N - 2) tau))^2",
        _root(lambda n, N, M: (M, N - 2), lambda n, N, M: Fraction(M, N - 2))),
    ("section 4.1.3", "TCBT, one send and one receive"): (
        "sqrt(M tau / ((n - 2) t_c))", "(sqrt(2 M t_c) + sqrt((2n - 4) tau))^2",
        _root(lambda n, N, M: (2 * M, 2 * n - 4), lambda n, N, M: Fraction(M, n - 2))),
    ("section 4.1.5", "nESBT, one send or one receive"): (
        "-", "(sqrt(2 M t_c) + sqrt((n - 1) tau))^2",
        _root(lambda n, N, M: (2 * M, n - 1), lambda n, N, M: Fraction(2 * M, n - 1))),
}
"""B_opt and T_min of the pipelined broadcasts, as ((where, routing): texts and functions). The B_opt of the last is not
printed; it is what its T leads to."""


_MIDDLE = ("about sqrt(2 / pi) N M / n^(3/2)", lambda n, N, M: sqrt(2 / pi) * N * M / n ** 1.5)
_SBT_MIDDLE = ("about N M / sqrt(2 pi (n - 1))", lambda n, N, M: N * M / sqrt(2 * pi * (n - 1)))
_PART = ("(N - 1) M / n", lambda n, N, M: Fraction((N - 1) * M, n))
_HALF = ("N M / 2", lambda n, N, M: N * M // 2)
_ONE = ("M", lambda n, N, M: M)
_MIN = {  # elements of T_min that several have
    "(N - 1) M": lambda n, N, M: (N - 1) * M,
    "(N - 1) M / n": lambda n, N, M: Fraction((N - 1) * M, n),
    "N M / 2": lambda n, N, M: N * M // 2,
    "n N M / 2": lambda n, N, M: n * N * M // 2,
}


def _min(elements, text, startups, function=None):
    """T_min as texts and functions of its elements and its start-ups."""
    return (elements, function or _MIN[elements]), (text, startups)


OPTIMA = {
    4: {"SBT": (_ONE, _min("n M", "n", lambda n, N: n, lambda n, N, M: n * M)),
        "nRSBT": (_ONE, _min("n M", "2n - 1", lambda n, N: 2 * n - 1, lambda n, N, M: n * M))},
    5: {"nRBRG": (("M / n", lambda n, N, M: Fraction(M, n)), _min("(N - 1) M / n", "N - 1", lambda n, N: N - 1)),
        "nRSBT": (("M / n", lambda n, N, M: Fraction(M, n)),
                  _min("M", "n", lambda n, N: n, lambda n, N, M: M))},
    8: {"BRG, one-port": (_ONE, _min("(2N - 3) M", "2N - 3", lambda n, N: 2 * N - 3,
                                     lambda n, N, M: (2 * N - 3) * M)),
        "SBT, one-port": (_HALF, _min("(N - 1) M", "n", lambda n, N: n)),
        "TCBT, one-port": (_HALF, _min("<= (2N - 2n - 1) M", "2n - 2", lambda n, N: 2 * n - 2,
                                       lambda n, N, M: (2 * N - 2 * n - 1) * M)),
        "nRSBT, one-port": (_PART, _min("(N - 1) M", "2n - 1", lambda n, N: 2 * n - 1)),
        "SBnT, one-port": (_PART, _min("<= N (1 + 2 log n / n) M", "2n - 2", lambda n, N: 2 * n - 2,
                                       lambda n, N, M: N * (1 + 2 * log2(n) / n) * M))},
    9: {"nRBRG, n-port": (_PART, _min("N (N - 1) M / (2n)", "N - 1", lambda n, N: N - 1,
                                      lambda n, N, M: Fraction(N * (N - 1) * M, 2 * n))),
        "SBT, n-port": (_SBT_MIDDLE, _min("N M / 2", "n", lambda n, N: n)),
        "TCBT, n-port": (("N M / 4", lambda n, N, M: N * M // 4),
                         _min("(3 N / 4 - 1) M", "n", lambda n, N: n, lambda n, N, M: (3 * N // 4 - 1) * M)),
        "nRSBT, n-port": (_MIDDLE, _min("(N - 1) M / n", "n", lambda n, N: n)),
        "SBnT, n-port": (_MIDDLE, _min("(N - 1) M / n", "n", lambda n, N: n))},
    12: {"BRG": (_ONE, _min("(N - 1) M", "N - 1", lambda n, N: N - 1)),
         "SBT": (_HALF, _min("(N - 1) M", "n", lambda n, N: n)),
         "nRSBT": (_PART, _min("(N - 1) M", "2n - 1", lambda n, N: 2 * n - 1)),
         "nESBT": (("(N - 2) M / n", lambda n, N, M: Fraction((N - 2) * M, n)),
                   _min("(N - 1) M", "2n", lambda n, N: 2 * n)),
         "SBnT": (_PART, _min("(N - 1) M", "2n - 1", lambda n, N: 2 * n - 1))},
    14: {"nRBRG": (("M / n", lambda n, N, M: Fraction(M, n)), _min("(N - 1) M / n", "N - 1", lambda n, N: N - 1)),
         "SBT": (_SBT_MIDDLE, _min("N M / 2", "n", lambda n, N: n)),
         "nRSBT": (_MIDDLE, _min("(N - 1) M / n", "n", lambda n, N: n)),
         "nESBT": (_MIDDLE, _min("(N - 1) M / n", "n + 1", lambda n, N: n + 1)),
         "SBnT": (_MIDDLE, _min("(N - 1) M / n", "n", lambda n, N: n))},
    16: {"BRG": (("(N - 1) M", lambda n, N, M: (N - 1) * M),
                 _min("(N - 1) N M / 2", "N - 1", lambda n, N: N - 1, lambda n, N, M: (N - 1) * N * M // 2)),
         "SBT": (_HALF, _min("n N M / 2", "n", lambda n, N: n)),
         "nRSBT": (_HALF, _min("n N M / 2", "2n - 1", lambda n, N: 2 * n - 1)),
         "nESBT": (("(N (n - 1) / 2 - 1) M / n", lambda n, N, M: Fraction(N * (n - 1) - 2, 2 * n) * M),
                   _min("(n N / 2 + N - 2) M", "2n", lambda n, N: 2 * n, lambda n, N, M: (n * N // 2 + N - 2) * M)),
         "SBnT": (_HALF, _min("n N M / 2", "2n - 1", lambda n, N: 2 * n - 1))},
    18: {"nRBRG": (_PART, _min("(N - 1) N M / (2n)", "N - 1", lambda n, N: N - 1,
                               lambda n, N, M: Fraction((N - 1) * N * M, 2 * n))),
         "SBT": (_HALF, None),  # its T_min is an O(): a row of its own
         "nRSBT": (("N M / (2n)", lambda n, N, M: Fraction(N * M, 2 * n)), _min("N M / 2", "n", lambda n, N: n)),
         "nESBT": (_PART, _min("(N / 2 + (N - 2) / n) M", "n + 1", lambda n, N: n + 1,
                               lambda n, N, M: (Fraction(N, 2) + Fraction(N - 2, n)) * M)),
         "SBnT": (_PART, _min("N M / 2", "n", lambda n, N: n))},
}
"""B_opt, and T_min as (elements, start-ups), where neither depends on tau and t_c."""


RATIOS = {
    ("one-port", "SBT", "one packet"): ("n / (n + 1)", lambda n: Fraction(n, n + 1)),
    ("one-port", "nRSBT", "one packet"): ("n / (n + 1)", lambda n: Fraction(n, n + 1)),
    ("one-port", "TCBT", "one packet"): ("(2n - 2) / (n + 1)", lambda n: Fraction(2 * n - 2, n + 1)),
    ("n-port", "SBT", "one packet"): ("n / (n + 1)", lambda n: Fraction(n, n + 1)),
    ("n-port", "nRSBT", "one packet"): ("n / (n + 1)", lambda n: Fraction(n, n + 1)),
    ("n-port", "TCBT", "one packet"): ("n / (n + 1)", lambda n: Fraction(n, n + 1)),
    ("one-port", "SBT", "M / B >> n"): ("n", lambda n: n),
    ("one-port", "nRSBT", "M / B >> n"): ("n", lambda n: n),
    ("one-port", "TCBT", "M / B >> n"): ("3", lambda n: 3),
    ("n-port", "SBT", "M / B >> n"): ("n", lambda n: n),
    ("n-port", "nRSBT", "M / B >> n"): ("n", lambda n: n),
    ("n-port", "TCBT", "M / B >> n"): ("n", lambda n: n),
    ("one-port", "SBT", "B_opt, tau n >> M t_c"): ("1", lambda n: 1),
    ("one-port", "nRSBT", "B_opt, tau n >> M t_c"): ("1", lambda n: 1),
    ("one-port", "TCBT", "B_opt, tau n >> M t_c"): ("2", lambda n: 2),
    ("n-port", "SBT", "B_opt, tau n >> M t_c"): ("1", lambda n: 1),
    ("n-port", "nRSBT", "B_opt, tau n >> M t_c"): ("1", lambda n: 1),
    ("n-port", "TCBT", "B_opt, tau n >> M t_c"): ("1", lambda n: 1),
    ("one-port", "SBT", "B_opt, tau n << M t_c"): ("n", lambda n: n),
    ("one-port", "nRSBT", "B_opt, tau n << M t_c"): ("n", lambda n: n),
    ("one-port", "TCBT", "B_opt, tau n << M t_c"): ("3", lambda n: 3),
    ("n-port", "SBT", "B_opt, tau n << M t_c"): ("n", lambda n: n),
    ("n-port", "nRSBT", "B_opt, tau n << M t_c"): ("n", lambda n: n),
    ("n-port", "TCBT", "B_opt, tau n << M t_c"): ("n", lambda n: n),
}
"""Table 6: how much more time than nESBT, by ports, routing and column; the last one n-port is for tau n^2 << M t_c."""

STARTUPS_6 = {
    "BRG": ("N - 1", lambda n: 2 ** n - 1), "SBT": ("n", lambda n: n), "nESBT": ("2n", lambda n: 2 * n),
    "nRSBT": ("2n - 1", lambda n: 2 * n - 1), "SBnT": ("2n - 1", lambda n: 2 * n - 1),
    "TCBT": (">= 2n - 2", lambda n: 2 * n - 2),
}
"""Table 10: the minimum number of start-ups in one-port all-to-all broadcasting."""

SUMMARY = {
    ("one-to-all personalized", "one-port", "SBT"): (_HALF, _min("(N - 1) M", "n", lambda n, N: n)),
    ("one-to-all personalized", "n-port", "SBnT"): (
        ("sqrt(2 N M / (pi n^(3/2)))", lambda n, N, M: sqrt(2 * N * M / (pi * n ** 1.5))),
        _min("(N - 1) M / n", "n", lambda n, N: n)),
    ("one-to-all personalized", "n-port", "nRSBT"): (
        ("sqrt(2 N M / (pi n^(3/2)))", lambda n, N, M: sqrt(2 * N * M / (pi * n ** 1.5))),
        _min("(N - 1) M / n", "n", lambda n, N: n)),
    ("all-to-all broadcasting", "one-port", "SBT"): (_HALF, _min("(N - 1) M", "n", lambda n, N: n)),
    ("all-to-all broadcasting", "n-port", "SBnT"): (
        ("sqrt(2 N M / (pi n^(3/2)))", lambda n, N, M: sqrt(2 * N * M / (pi * n ** 1.5))),
        _min("(N - 1) M / n", "n", lambda n, N: n)),
    ("all-to-all broadcasting", "n-port", "nRSBT"): (
        ("sqrt(2 N M / (pi n^(3/2)))", lambda n, N, M: sqrt(2 * N * M / (pi * n ** 1.5))),
        _min("(N - 1) M / n", "n", lambda n, N: n)),
    ("all-to-all personalized", "one-port", "SBT"): (_HALF, _min("n N M / 2", "n", lambda n, N: n)),
    ("all-to-all personalized", "n-port", "SBnT"): (_PART, _min("N M / 2", "n", lambda n, N: n)),
    ("all-to-all personalized", "n-port", "nESBT"): (
        ("N M / (2n)", lambda n, N, M: Fraction(N * M, 2 * n)), _min("N M / 2", "n", lambda n, N: n)),
}
"""Table 19 without its broadcasts from one source, which repeat section 4: B_opt and T_min by problem and routing."""

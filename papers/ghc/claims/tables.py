"""Section 3 and Tables 1 to 3: optimal times and transmissions, and how the tables hang together."""

import itertools

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.optima import COUNTED, Size, cells, fewest_steps, fewest_transmissions
from fatcube.papers.ghc.networks import SIZES, powers
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case

claim = PAPER.claim


NUMBERS = {"dense": 1, "sparse": 2, "binary": 3}
NAMES = {"CB": "complete broadcast", "SNS": "single-node scatter", "TE": "total exchange"}


def _sizes(kind: str) -> list[Size]:
    """The sizes that a table is of: Table 2 is for w > 2."""
    return [(w, d) for w, d in SIZES if kind == "dense" or (w > 2) == (kind == "sparse")]


def _cells(measure: str) -> list[dict[str, str | int]]:
    """The cells of a column of the three tables."""
    return [
        {
            "kind": kind,
            "network": "binary hypercube" if kind == "binary" else f"{kind} BGHC",
            "number": number,
            "pattern": pattern,
            "name": name,
            "text": printed.TABLES[kind][pattern][measure].text,
            "show": "d == 3" if kind == "binary" else "w == 3 and d == 2",
        }
        for kind, number in NUMBERS.items()
        for pattern, name in NAMES.items()
    ]


@claim("table {number}", "{text}", name="{pattern}_time_{kind}", parameters=_cells("time"))
@said(
    conditions=["w == 2", "w == 2 or d == 1"],
    evidence="a schedule of so many steps, and a proof that none has fewer",
)
def time(evidence: Evidence, kind: str, pattern: str, show: str) -> Cases:
    """The optimal time of the {name} on the {network} is that of Table {number}."""
    return fewest_steps(evidence, cells(kind, pattern, _sizes(kind), printed.TABLES[kind][pattern]["time"]), show)


@claim("table {number}", "{text}", name="{pattern}_transmissions_{kind}", parameters=_cells("transmissions"))
@said(conditions=["w == 2", "w == 2 or d == 1"], evidence=COUNTED)
def transmissions(evidence: Evidence, kind: str, pattern: str, show: str) -> Cases:
    """The optimal number of transmissions of the {name} on the {network} is that of Table {number}."""
    cell = printed.TABLES[kind][pattern]["transmissions"]
    return fewest_transmissions(evidence, cells(kind, pattern, _sizes(kind), cell), show)


_MEASURES = ("time", "transmissions")
_BOTH = columns("kind number", [("dense", 1), ("sparse", 2)])


@claim(
    "section 3",
    "w^d as N, d as log N / log w",
    name="table_{number}_rewritten",
    parameters=_BOTH,
    over=columns("w d pattern measure", [(*size, name, one) for size in SIZES for name in NAMES for one in _MEASURES]),
    evidence="printed formulas of the table and of the section compared",
)
def table_rewritten(kind: str, w: int, d: int, pattern: str, measure: str) -> Case:
    """Table {number} is what section 3 derives, with w^d expressed as N and d as log N / log w."""
    cell, derived = (table[kind][pattern][measure] for table in (printed.TABLES, printed.SECTION_3))
    return case(cell.value(w, d), derived.value(w, d))


@claim(
    "section 3",
    "by setting w = 2",
    name="table_{number}_reduces",
    parameters=_BOTH,
    over=each(d=range(1, 17), pattern=NAMES, measure=_MEASURES),
    evidence="printed formulas compared",
)
def table_reduces(kind: str, d: int, pattern: str, measure: str) -> Case:
    """Table {number} reduces to Table 3 by setting w = 2."""
    cell, binary = (printed.TABLES[one][pattern][measure] for one in (kind, "binary"))
    return case(cell.value(2, d), binary.value(2, d))


_CHANGES = [
    {"kind": kind, "number": number, "measure": measure, "word": word, "many": many}
    for kind, number, word in (("dense", 1, "decrease"), ("sparse", 2, "increase"))
    for measure, many in (("time", "times"), ("transmissions", "numbers of transmissions"))
]


@claim("section 3", "{word}", name="table_{number}_{measure}_{word}", parameters=_CHANGES)
@said(
    conditions=["pattern != 'CB'"],
    evidence="printed formulas, over all w of which N is a power",
    reading="N is fixed, as the paper's reason (more or less bandwidth) requires; strictly. Complexities are the times and "
    "the transmissions of the table: if only times are meant, the claim is that of the times",
)
def changes(kind: str, measure: str, word: str) -> Cases:
    """In Table {number} the {many} {word} as w is increased."""
    sign = -1 if word == "decrease" else 1
    for N in range(4, 1025):
        found = powers(N, 3 if kind == "sparse" else 2)
        if len(found) > 1:
            for pattern in NAMES:
                values = [printed.TABLES[kind][pattern][measure].value(w, d) for w, d in found]
                good = all(sign * (more - less) > 0 for less, more in itertools.pairwise(values))
                shown = f"the values {word}" if good else f"not all values {word}"
                yield case(shown, f"the values {word}", N=N, pattern=pattern)

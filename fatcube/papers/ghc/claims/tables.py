"""Section 3 and Tables 1 to 3: optimal times and transmissions, and how the tables hang together."""

import itertools

from fatcube.papers.claim import Cases, columns, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.optima import COUNTED, Size, cells, fewest_steps, fewest_transmissions
from fatcube.papers.ghc.networks import SIZES, powers
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import case

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
            "low": pattern.lower(),
            "name": name,
            "text": printed.TABLES[kind][pattern][measure].text,
            "show": "d == 3" if kind == "binary" else "w == 3 and d == 2",
        }
        for kind, number in NUMBERS.items()
        for pattern, name in NAMES.items()
    ]


@claim("table {number}", "{text}", name="{low}_time_{kind}", parameters=_cells("time"))
@said(
    conditions=["w == 2", "w == 2 or d == 1"],
    evidence="a schedule of so many steps, and a proof that none has fewer",
    show="{show}",
)
def time(evidence: Evidence, kind: str, pattern: str, show: str, **texts: str | int) -> Cases:
    """The optimal time of the {name} on the {network} is that of Table {number}."""
    cell = printed.TABLES[kind][pattern]["time"]
    claimed = cells(kind, pattern, _sizes(kind), cell)
    yield from fewest_steps(evidence, claimed, show)


@claim("table {number}", "{text}", name="{low}_transmissions_{kind}", parameters=_cells("transmissions"))
@said(conditions=["w == 2", "w == 2 or d == 1"], evidence=COUNTED, show="{show}")
def transmissions(evidence: Evidence, kind: str, pattern: str, show: str, **texts: str | int) -> Cases:
    """The optimal number of transmissions of the {name} on the {network} is that of Table {number}."""
    cell = printed.TABLES[kind][pattern]["transmissions"]
    claimed = cells(kind, pattern, _sizes(kind), cell)
    yield from fewest_transmissions(evidence, claimed, show)


CELLS = list(itertools.product(NAMES, ("time", "transmissions")))


@claim(
    "section 3",
    "w^d as N, d as log N / log w",
    name="table_{number}_rewritten",
    parameters=columns("kind number", [("dense", 1), ("sparse", 2)]),
)
@said(evidence="printed formulas of the table and of the section compared")
def table_rewritten(kind: str) -> Cases:
    """Table {number} is what section 3 derives, with w^d expressed as N and d as log N / log w."""
    for w, d in SIZES:
        for pattern, measure in CELLS:
            derived = printed.SECTION_3[kind][pattern][measure].value(w, d)
            cell = printed.TABLES[kind][pattern][measure]
            yield case(cell.value(w, d), derived, w=w, d=d, pattern=pattern, measure=measure)


@claim(
    "section 3",
    "by setting w = 2",
    name="table_{number}_reduces",
    parameters=columns("kind number", [("dense", 1), ("sparse", 2)]),
)
@said(evidence="printed formulas compared")
def table_reduces(kind: str) -> Cases:
    """Table {number} reduces to Table 3 by setting w = 2."""
    for d in range(1, 17):
        for pattern, measure in CELLS:
            binary = printed.TABLES["binary"][pattern][measure].value(2, d)
            yield case(
                printed.TABLES[kind][pattern][measure].value(2, d), binary, d=d, pattern=pattern, measure=measure
            )


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
                yield case(
                    f"the values {word}" if good else f"not all values {word}",
                    f"the values {word}",
                    N=N,
                    pattern=pattern,
                )

"""Table 1 with results 4, 7, 12 and 13: lower bounds of collectives, and whether they are met."""

from functools import partial

from fatcube.papers.ccc import printed
from fatcube.papers.ccc.graphs import DOUBLE_LINK, EITHER_LINK, ccc
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import NAMES, bounded, scheduled
from fatcube.papers.claim import columns, each, said
from fatcube.papers.evidence import Evidence, Instance
from fatcube.papers.verdict import Case, case

claim = partial(PAPER.claim, graph=DOUBLE_LINK, over=each(n=range(1, 8)))


_RESULTS = {"OAB": "result 4", "AAB": "result 7", "OAS": "result 12", "AAS": "result 13"}
_AT_ITS_WORD = (
    ' In a step a node sends one message and receives one. Taken literally ("send or receive at most one"), a message '
    "uses a step of its sender and a step of its receiver, so that a multinode broadcast takes 2 (N - 1) steps or more."
)
_PROOFS = (
    "n = 5: no schedule of 10 steps, proofs/OAB-ccc-n5-one-10.json; n = 6: one of 13 steps, "
    "schedules/OAB-ccc-n6-one.json, and none of fewer, since the diameter is 13"
)
_STATED = {
    ("AAB", "1"): "n 2^n - 1",
    ("AAB", "d"): "(n 2^n - 1) / 3",
    ("OAS", "1"): "n - 1 (in Table 1 N - 1)",
    ("OAS", "d"): "(n - 1) / 3 (in Table 1 (N - 1) / 3)",
}
"""What a result prints where it is not what Table 1 has."""
_CELLS = [
    {
        "collective": collective,
        "ports": ports,
        "task": NAMES[collective],
        "io": PAPER.words[ports],
        "result": _RESULTS[collective],
        "text": text,
        "stated": _STATED.get((collective, ports), text),
        "proofs": _PROOFS if (collective, ports) == ("OAB", "1") else "",
        "more": _AT_ITS_WORD if (collective, ports) == ("AAB", "1") else "",
    }
    for collective, cells in printed.TABLE_1.items()
    for ports, (text, _) in cells.items()
]


@claim("Table 1", "{text}", name="{collective}_bound_{io}", parameters=_CELLS, over=scheduled)
@said(evidence="", show="n == 3")
def bound(evidence: Evidence, collective: str, ports: str, n: int) -> Case:
    """{task} on CCC with {io} I/O takes at least {text} steps."""
    value = printed.TABLE_1[collective][ports].value(n, n << n)
    return bounded(evidence, Instance(ccc(n), ports, collective), value)


@claim("{result}", "{stated}", name="{collective}_fewest_{io}", parameters=_CELLS, over=scheduled)
@said(
    conditions=["n <= 3", "n <= 5", "n >= 3"],
    evidence="{proofs}",
    show="n == 3",
    reading="The paper states a lower bound, which is tried at Table 1. Here it is read as what can be reached, rounded "
    "up; the paper claims that only of the single-node broadcast (results 5 and 6). Every node has three links for n = 2 too.{more}",
)
def fewest(evidence: Evidence, collective: str, ports: str, n: int) -> Case:
    """{task} on CCC with {io} I/O can be done in {text} steps, the lower bound."""
    value = printed.TABLE_1[collective][ports].value(n, n << n)
    return evidence.reached(Instance(ccc(n), ports, collective), -int(-value // 1))


@claim(
    "result 12",
    "{text}",
    parameters=columns("io text links", [("single", "n - 1", 1), ("multiple", "(n - 1) / 3", 3)]),
    over=each(n=range(2, 8)),
)
@said(evidence="counted: every node but the source needs a message", misprint="N must be meant for n, as in Table 1")
def scatter_messages(links: int, n: int) -> Case:
    """The lower bound for scattering with {io} I/O is {text}, for the messages that the source sends."""
    return case(f"{ccc(n).nodes - 1} / {links}", f"{n - 1} / {links}")


@claim("result 13", "(n 2^(n-1)) * 2")
@said(
    evidence="counted one way: n 2^(n-1) processors on a side have n 2^(n-1) messages each for the other",
    misprint="(n 2^(n-1)) ** 2 must be meant, with ** for powers as elsewhere in the paper; an asterisk is lost in the "
    "print or in its transcription",
    graph=EITHER_LINK,
)
def messages_across(n: int) -> Case:
    """The number of messages that cross the cut is (n 2^(n-1)) * 2."""
    return case(_across(n), 2 * (n << n - 1))


@claim("result 13", "2^(n-1) (n * 2)")
@said(
    evidence="the messages that cross one way, counted, over the 2^(n-1) links of the dimension",
    misprint="2^(n-1) (n ** 2) must be meant, with ** for powers as elsewhere in the paper",
    graph=EITHER_LINK,
)
def steps_across(n: int) -> Case:
    """The cut implies a lower bound of 2^(n-1) (n * 2) steps."""
    return case(_across(n) >> n - 1, (1 << n - 1) * n * 2)


@claim("result 13", "(n N) / 2")
@said(evidence="the messages that cross one way, counted, over the 2^(n-1) links of the dimension", graph=EITHER_LINK)
def steps_across_squared(n: int) -> Case:
    """The lower bound that the cut implies is n N / 2."""
    return case(_across(n) >> n - 1, n * (n << n) // 2)


def _across(n: int) -> int:
    """Pairs of a node below and a node above in the top dimension."""
    above = sum(node // n >> n - 1 for node in range(n << n))
    return above * ((n << n) - above)

"""Auditing a paper: every claim printed, recomputed, held against proofs, with its verdict and its evidence.

A claim about many cases is decided case by case, and the verdict follows from the cases: it ``holds`` in all of
them, or it ``holds only if`` a condition (the first of those offered that leaves only cases in which it holds
and none outside), or it is ``wrong``, with the smallest case in which it fails. Nothing about the verdict is
written by hand; whoever states a claim offers conditions that might explain it.
"""

from collections import Counter
import dataclasses
import hashlib
import json
from pathlib import Path

from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import table_page
from groundwork.files import write_text
from groundwork.validation import ParameterError
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.bounds import Bound
from schedules.checker import ScheduleError, check
from schedules.collective import Collective
from schedules.construct import construct
from schedules.schedule_file import read_schedule, write_schedule
from schedules.search import Outcome, search
from schedules.symmetry import Symmetry

__all__ = [
    "Case",
    "Evidence",
    "Row",
    "arithmetic",
    "ceil_div",
    "ceil_log",
    "counted",
    "formula",
    "judge",
    "optimal",
    "reachable",
    "verdicts",
    "write_audit",
]


WRITTEN_OUT = 2_000  # transfers; larger symmetric schedules are kept as they are stored


@dataclasses.dataclass(frozen=True)
class Row:
    """One claim of a paper.

    Attributes
    ----------
    where : :class:`str`
        Where it is printed.
    claim : :class:`str`
        What is claimed.
    printed, recomputed, optimum : :class:`str`
        What is printed, what comes out when it is computed again, and the proven optimum where one is known.
    verdict : :class:`str`
        ``holds``, ``holds only if ...``, ``wrong`` or ``not decided``, with a reason.
    evidence : :class:`str`
        What shows it: schedule files that ``fatcube check`` accepts, bounds, infeasibility proofs, arithmetic.
    """

    where: str
    claim: str
    printed: str
    recomputed: str
    verdict: str
    evidence: str
    optimum: str = "-"


@dataclasses.dataclass(frozen=True)
class Case:
    """A collective on a topology with a router model.

    Its text and :attr:`name` must tell it from all other cases of the same audit.
    """

    topology: Topology
    ports: str
    collective: str

    @property
    def P(self):  # the papers' letter
        """Number of processors."""
        return self.topology.processors

    @property
    def k(self):
        """Ports of a processor."""
        return PortModel.parse(self.ports).processor_ports(self.topology.degree, self.topology.m)

    @property
    def place(self):
        """The topology as part of a file name, one processor a node and one lane a link not mentioned."""
        return self.topology.kind + "".join(
            f"-{name}{value}"
            for name, value in self.topology.parameters.items()
            if (name, value) not in (("m", 1), ("f", 1))
        )

    @property
    def name(self):
        """The case as part of a file name."""
        return f"{self.collective}-{self.place}-{PortModel.parse(self.ports).word}"

    def __str__(self):
        return f"{self.collective} on {self.place} model {self.ports}"


class Evidence:
    """Schedules and infeasibility proofs, kept as files, so that what was found once is only checked again.

    Parameters
    ----------
    folder : :class:`pathlib.Path`
        Where the files are.
    time_limit : :class:`float`
        Seconds for one search.
    progress : callable, optional
        Is told, in a few words, what is looked at.
    searched : callable, optional
        Says of a :class:`Case` whether it is worth searching, where its construction does not meet its lower bound.
    """

    def __init__(self, folder, *, time_limit=60.0, progress=None, searched=None):
        self.folder = Path(folder)
        self.time_limit = time_limit
        self.searched = searched or (lambda case: case.P <= 16 and case.collective in ("OAB", "AAB"))
        self._progress = progress or (lambda text: None)
        self._known = {}

    def known(self, case):
        """The proven lower :class:`Bound` of a case, and the steps of the best schedule that is known."""
        if case not in self._known:
            self._progress(str(case))
            constructed = construct(case.topology, case.ports, case.collective)
            bound, steps = constructed.bound, constructed.steps
            if self.searched(case):
                while bound.steps < steps and self.impossible(case, bound.steps):
                    bound = Bound(bound.steps + 1, self.proof(case, bound.steps))
                if bound.steps < steps and self._kept(case, bound.steps):
                    steps = bound.steps
            self._known[case] = bound, steps
        return self._known[case]

    def optimum(self, case):
        """The proven number of steps, or ``None``."""
        bound, steps = self.known(case)
        return steps if bound.steps == steps else None

    def text(self, case):
        """The optimum as it stands in a table, or the range that it lies in."""
        bound, steps = self.known(case)
        return str(steps) if bound.steps == steps else f"{bound.steps} to {steps}"

    def schedule(self, case):
        """The file of the best schedule of a case: a checked one, made if it is not there."""
        _, steps = self.known(case)
        if not self._kept(case, steps):
            self.keep(case.name, construct(case.topology, case.ports, case.collective).schedule)
        return f"schedules/{case.name}.json"

    def keep(self, name, schedule):
        """Writes a schedule that passes the checker to the file of this name, which is returned."""
        check(schedule)
        path = self.folder / f"schedules/{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_schedule(schedule.expanded() if schedule.size <= WRITTEN_OUT else schedule, path)
        return f"schedules/{name}.json"

    def _kept(self, case, steps):
        """Whether the file of a case is a valid schedule of so many steps."""
        try:
            found = read_schedule(self.folder / f"schedules/{case.name}.json")
            return (found.topology, found.ports.value, found.collective.value) == (
                case.topology,
                case.ports,
                case.collective,
            ) and check(found).steps == steps
        except (OSError, ParameterError, ScheduleError):
            return False

    def impossible(self, case, steps):
        """Whether a search proves that there is no schedule of ``steps`` steps; the proof's record is kept.

        So is the schedule, if one is found. Where there are schedules that are the same seen from every node, these
        are searched first: that is much faster, but proves nothing if there are none.
        """
        path = self.folder / f"proofs/{case.name}-{steps}.json"
        question = {
            "topology": case.topology.to_json(),
            "ports": case.ports,
            "collective": case.collective,
            "steps": steps,
            "model": _model_hash(),
        }
        try:
            record = json.loads(path.read_text())
            if record["question"] == question and record["outcome"] in {outcome.value for outcome in Outcome}:
                if record["outcome"] != Outcome.FOUND.value or self._kept(case, steps):  # else the schedule is lost
                    return record["outcome"] == Outcome.IMPOSSIBLE.value
        except (OSError, ValueError, KeyError, TypeError):
            pass
        self._progress(f"searching {case} in {steps} steps")
        symmetric = not Symmetry.of(case.topology, Collective.parse(case.collective)).trivial
        for only_symmetric in (True, False) if symmetric else (False,):
            found = search(
                case.topology,
                case.ports,
                case.collective,
                steps=steps,
                time_limit=self.time_limit,
                symmetric=only_symmetric,
            )
            if found.outcome is Outcome.FOUND:
                self.keep(case.name, found.schedule)
                break
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(
            path,
            json.dumps(
                {
                    "question": question,
                    "outcome": found.outcome.value,
                    "seconds": round(found.seconds, 2),
                    "solver": "OR-tools CP-SAT",
                },
                indent=1,
            )
            + "\n",
        )
        return found.outcome is Outcome.IMPOSSIBLE

    def proof(self, case, steps):
        """The file of the search for a schedule of so many steps, and what it says if that is no proof."""
        proved = self.impossible(case, steps)
        return f"proofs/{case.name}-{steps}.json" + ("" if proved else " (not decided)")


def _model_hash():
    """Of what a proof rests on: the search and what it is made from."""
    folder = Path(__file__).resolve().parents[2] / "schedules"
    digest = hashlib.sha256()
    for name in ("search.py", "formulation.py", "symmetry.py", "constructions/reversal.py", "collective.py"):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]


def judge(cases, holds, conditions=()):
    """The verdict on a claim about many cases, and the smallest case in which it fails (or ``None``).

    Parameters
    ----------
    cases : list
        All cases looked at, the smallest first.
    holds : callable
        Whether it holds in a case: ``True``, ``False`` or ``None`` where that is not known.
    conditions : list of (text, callable)
        Conditions on a case that might explain where it holds, the best explanation first.
    """
    results = [(case, holds(case)) for case in cases]
    failing = [case for case, result in results if result is False]
    if not failing:
        unknown = sum(result is None for _, result in results)
        return ("holds" if not unknown else f"holds in {len(results) - unknown} cases, {unknown} not decided"), None
    for text, condition in conditions:
        inside = [result for case, result in results if condition(case)]
        outside = [result for case, result in results if not condition(case)]
        if inside and all(inside) and not any(outside):
            return f"holds only if {text}", failing[0]
    for text, condition in conditions:
        inside = [result for case, result in results if condition(case)]
        if inside and all(inside):
            also = sum(result is True for case, result in results if not condition(case))
            return f"holds if {text}, and in {also} of the other {len(results) - len(inside)} cases", failing[0]
    good = sum(result is True for _, result in results)
    return f"wrong: fails in {len(failing)} of {len(results)} cases, holds in {good}", failing[0]


def reachable(evidence, value):
    """Whether a schedule of ``value(case)`` steps exists; ``None`` if that is not known."""

    def holds(case):
        bound, steps = evidence.known(case)
        return True if value(case) >= steps else False if value(case) < bound.steps else None

    return holds


def optimal(evidence, value):
    """Whether ``value(case)`` is the fewest steps; ``None`` if that is not known."""

    def holds(case):
        bound, steps = evidence.known(case)
        if value(case) == steps == bound.steps:
            return True
        return False if value(case) < bound.steps or value(case) > steps or bound.steps == steps else None

    return holds


def formula(evidence, where, claim, printed, cases, value, holds, conditions=(), *, sizes="", show=lambda case: False):
    """The row of a formula that is claimed for many cases.

    It shows the smallest case in which the formula fails, otherwise the first that ``show`` picks, otherwise the
    first. ``sizes`` says in words which cases they are.
    """
    verdict, failing = judge(cases, holds, conditions)
    best = sum(evidence.optimum(case) == value(case) for case in cases)
    shown = failing or next(filter(show, cases), cases[0])
    bound, _ = evidence.known(shown)
    return Row(
        where,
        claim,
        printed,
        f"{shown}: {value(shown)}; {len(cases)} cases{sizes and ' ' + sizes}, the optimum in {best}",
        verdict,
        f"{evidence.schedule(shown)}; no fewer: {bound.reason}",
        evidence.text(shown),
    )


def arithmetic(where, claim, printed, values, holds, conditions=(), evidence="computed", show=str):
    """The row of a claim that needs no schedule: ``values`` are the cases."""
    verdict, failing = judge(values, holds, conditions)
    recomputed = f"{len(values)} cases" if failing is None else f"fails for {show(failing)}"
    return Row(where, claim, printed, recomputed, verdict, evidence)


def counted(
    where,
    claim,
    printed,
    values,
    found,
    expected,
    conditions=(),
    evidence="counted on the graph",
    *,
    show=lambda value: f"n = {value}",
):
    """The row of a claim about a number: ``found(value)`` is shown, and held against ``expected(value)``, for all values."""
    results = {value: found(value) for value in values}
    verdict, _ = judge(values, lambda value: results[value] == expected(value), conditions)
    return Row(
        where,
        claim,
        printed,
        "; ".join(f"{show(value)}: {result}" for value, result in results.items()),
        verdict,
        evidence,
    )


def verdicts(rows):
    """How many claims hold, hold only if something, are wrong, or are not decided, in words."""
    counts = Counter(
        "hold"
        if row.verdict == "holds"
        else "are wrong"
        if row.verdict.startswith("wrong")
        else "hold under a condition"
        for row in rows
    )
    return ", ".join(f"{count} {text}" for text, count in sorted(counts.items(), key=lambda item: -item[1]))


def write_audit(rows, folder, name, title, note):  # evidence is in the folder ``name`` beside them
    """Writes ``name``.md, .json and .html into ``folder``; returns the three paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    columns = ["where", "claim", "printed", "recomputed", "proven optimum", "verdict", "evidence"]
    cells = [
        [row.where, row.claim, row.printed, row.recomputed, row.optimum, row.verdict, row.evidence] for row in rows
    ]
    paths = [folder / f"{name}.{ending}" for ending in ("md", "json", "html")]
    write_text(paths[0], "\n".join([f"# {title}", "", note, "", *markdown_table(columns, cells), ""]))
    write_text(paths[1], json.dumps([dataclasses.asdict(row) for row in rows], indent=1, ensure_ascii=False) + "\n")
    write_text(paths[2], table_page(title, note, columns, cells, name))
    return paths


def ceil_div(amount, rate):
    """The papers' ceil(amount / rate)."""
    return -(-amount // rate)


def ceil_log(base, number):
    """The papers' ceil(log number) to a base of at least 2, exactly."""
    exponent, power = 0, 1
    while power < number:
        exponent, power = exponent + 1, power * base
    return exponent

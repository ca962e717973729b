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

from fatcube.record import write_text
from noc.cubes import FatCube
from rtl.parameters import ParameterError
from rtl.port_model import PortModel
from schedules.bounds import Bound, lower_bound
from schedules.checker import ScheduleError, check
from schedules.collective import Collective
from schedules.construct import construct
from schedules.schedule import Schedule
from schedules.search import Outcome, search

__all__ = ["Case", "Evidence", "Row", "ceil_div", "ceil_log", "judge", "verdicts", "write_audit"]


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


@dataclasses.dataclass(frozen=True, order=True)
class Case:
    """A collective on a fat cube with a router model."""

    d: int
    m: int
    f: int
    ports: str
    collective: str

    @property
    def P(self):  # the papers' letter
        """Number of processors."""
        return self.m << self.d

    @property
    def topology(self):
        """The fat cube."""
        return FatCube(self.d, self.m, self.f)

    @property
    def k(self):
        """Ports of a processor."""
        return PortModel.parse(self.ports).processor_ports(self.d, self.m)

    def __str__(self):
        return f"{self.collective} on (d={self.d}, m={self.m}, f={self.f}) model {self.ports}"


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
    """

    def __init__(self, folder, *, time_limit=60.0, progress=None):
        self.folder = Path(folder)
        self.time_limit = time_limit
        self._progress = progress or (lambda text: None)
        self._known = {}

    def known(self, case):
        """The proven lower :class:`Bound` of a case, and the steps of the best schedule that is known."""
        if case not in self._known:
            self._progress(str(case))
            bound = lower_bound(case.topology, case.ports, case.collective)
            steps = construct(case.topology, case.ports, case.collective).steps
            if bound.steps < steps and case.P <= 16 and case.collective in ("OAB", "AAB"):
                while bound.steps < steps and self.impossible(case, bound.steps):
                    bound = Bound(bound.steps + 1, self.proof(case, bound.steps))
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
        name = f"schedules/{self._name(case)}.json"
        path = self.folder / name
        _, steps = self.known(case)
        try:
            found = Schedule.read(path)
            if (found.topology, found.ports.value, found.collective.value) == (
                    case.topology, case.ports, case.collective) and check(found).steps == steps:
                return name
        except (OSError, ParameterError, ScheduleError):
            pass
        schedule = construct(case.topology, case.ports, case.collective).expanded()
        check(schedule)
        path.parent.mkdir(parents=True, exist_ok=True)
        schedule.write(path)
        return name

    def impossible(self, case, steps):
        """Whether a search proves that there is no schedule of ``steps`` steps; the proof's record is kept."""
        path = self.folder / f"proofs/{self._name(case)}-{steps}.json"
        question = {"topology": case.topology.to_json(), "ports": case.ports, "collective": case.collective,
                    "steps": steps, "model": _model_hash()}
        try:
            record = json.loads(path.read_text())
            if record["question"] == question and record["outcome"] in {outcome.value for outcome in Outcome}:
                return record["outcome"] == Outcome.IMPOSSIBLE.value
        except (OSError, ValueError, KeyError, TypeError):
            pass
        self._progress(f"searching {case} in {steps} steps")
        found = search(case.topology, case.ports, case.collective, steps=steps, time_limit=self.time_limit)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps({"question": question, "outcome": found.outcome.value,
                                     "seconds": round(found.seconds, 2), "solver": "OR-tools CP-SAT"}, indent=1) + "\n")
        return found.outcome is Outcome.IMPOSSIBLE

    def proof(self, case, steps):
        """The file of the search for a schedule of so many steps, and what it says if that is no proof."""
        proved = self.impossible(case, steps)
        return f"proofs/{self._name(case)}-{steps}.json" + ("" if proved else " (not decided)")

    def _name(self, case):
        return f"{case.collective}-d{case.d}-m{case.m}-f{case.f}-{PortModel.parse(case.ports).word}"


def _model_hash():
    """Of what a proof rests on: the search and what it is made from."""
    folder = Path(__file__).resolve().parent.parent / "schedules"
    digest = hashlib.sha256()
    for name in ("search.py", "symmetry.py", "reversal.py", "collective.py"):
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


def verdicts(rows):
    """How many claims hold, hold only if something, are wrong, or are not decided, in words."""
    counts = Counter("hold" if row.verdict == "holds" else "are wrong" if row.verdict.startswith("wrong")
                     else "hold under a condition" for row in rows)
    return ", ".join(f"{count} {text}" for text, count in sorted(counts.items(), key=lambda item: -item[1]))


def write_audit(rows, folder, name, title, note):  # evidence is in the folder ``name`` beside them
    """Writes ``name``.md, .json and .html into ``folder``; returns the three paths."""
    from fatcube.page import table_page
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    columns = ["where", "claim", "printed", "recomputed", "proven optimum", "verdict", "evidence"]
    cells = [[row.where, row.claim, row.printed, row.recomputed, row.optimum, row.verdict, row.evidence] for row in rows]
    escaped = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in cells]
    paths = [folder / f"{name}.{ending}" for ending in ("md", "json", "html")]
    write_text(paths[0], "\n".join([f"# {title}", "", note, "", "| " + " | ".join(columns) + " |",
                                    "|" + "---|" * len(columns), *escaped, ""]))
    write_text(paths[1], json.dumps([dataclasses.asdict(row) for row in rows], indent=1, ensure_ascii=False) + "\n")
    write_text(paths[2], table_page(title, note, columns, cells))
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

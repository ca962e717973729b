"""A paper as a list of claims, each of them a function, and the row of an audit that is made of one.

A claim is named for what is claimed; its docstring is the claim, in the paper's words as far as they are clear. It makes
a :class:`case <fatcube.papers.verdict.Case>` for each of those that it is tried ``over``. What most claims of a file
have in common is declared once at its head; what else a row says stands in the decorator, or below it in another::

    claim = partial(PAPER.claim, over=each(n=range(1, 8)), evidence="counted on the graph")

    @claim("section 2", "n 2^n")
    @said(evidence="the definition, pair by pair of addresses", reading="Section 2 is read literally.")
    def processors(n: int) -> Case:
        '''A CCC of size n has n 2^n processors.'''
        return case(len(defined(n)), n << n)

Where the cases depend on each other, or on a parameter, the claim is a generator of all of them. One that rests on
schedules and proofs takes the ``evidence`` that keeps them.

A claim that a paper makes many times, for each model or each cell of a table, is one function with parameters; the
docstring and all texts have them in braces, and the function takes those that it needs. The name of each is that of the
function followed by the first of the parameters, as in ``oab_bound_broadcast``, unless ``name`` says another one::

    @claim("Table 4", "...", parameters=each(model=("b", "d")))
    def oab_bound(evidence: Evidence, model: str) -> Cases:
        '''The lower bound of OAB in model {model}.'''
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
import dataclasses
import functools
import inspect
import itertools
import re
from typing import Any, TypeAlias, TypedDict, TypeVar, Unpack

from fatcube.groundwork.validation import ParameterError
from fatcube.papers.evidence import Evidence, Instance
from fatcube.papers.verdict import ACHIEVED, Case, Kind, Verdict, judge, sizes

__all__ = ["Cases", "Claim", "Paper", "Place", "Row", "columns", "each", "said"]


Cases: TypeAlias = Iterator[Case]
Given: TypeAlias = Mapping[str, Any]
Over: TypeAlias = Iterable[Given | Instance] | Callable[..., Iterable[Given | Instance]]
Function = TypeVar("Function", bound=Callable[..., Case | Cases])


def each(**ranges: Iterable[Any]) -> list[dict[str, Any]]:
    """Every combination of a value from each range, by the letters of the ranges; the last changes first."""
    return [dict(zip(ranges, values, strict=True)) for values in itertools.product(*ranges.values())]


def columns(letters: str, rows: Iterable[Iterable[Any]]) -> list[dict[str, Any]]:
    """The rows of a table, by the letters of its columns, as in ``columns("w d", [(2, 3), (3, 2)])``."""
    return [dict(zip(letters.split(), row, strict=True)) for row in rows]


class Said(TypedDict, total=False):
    """Further fields of :class:`Claim` that the row of a claim shows, beside its place and the printed text."""

    conditions: Iterable[str]
    evidence: str
    reading: str
    misprint: str
    show: str
    words: str | tuple[str, str]
    graph: str


def said(**more: Unpack[Said]) -> Callable[[Function], Function]:
    """Add fields to the row of the decorated claim where its own decorator would be long; placed below that one."""

    def add(function: Function) -> Function:
        vars(function)["said"] = more
        return function

    return add


@dataclasses.dataclass(frozen=True)
class Place:
    """A place of a paper that claims something: a section, a table, an equation, a theorem, a pseudo-code.

    Attributes
    ----------
    name : :class:`str`
        As in ``"Theorem 2"``.
    says : :class:`str`
        The claim there, in a few words.
    untested : :class:`str`
        Why no claim of it is tried; empty if there is one.
    """

    name: str
    says: str
    untested: str = ""


@dataclasses.dataclass(frozen=True)
class Row:
    """One claim of a paper, tried.

    Attributes
    ----------
    name : :class:`str`
        The claim's name, by which it is run alone.
    where, claim, printed : :class:`str`
        Where it is printed, what is claimed, and what is printed for it.
    recomputed : :class:`str`
        The computed value: in the first case that fails, or else in the first that is not shown optimal, or in the first.
    cases : :class:`str`
        How many there are, over which sizes, and on which of two graphs of one size.
    verdict : :class:`str`
        The text of a :class:`~fatcube.papers.verdict.Verdict`, or ``not tested``, with the reason.
    kind : :data:`~fatcube.papers.verdict.Kind`
        ``holds``, ``condition``, ``approximate``, ``wrong``, ``achieved``, ``open``, ``misprint`` or ``untested``.
    failing : :class:`str`
        The first case that fails; empty if none does.
    evidence : :class:`str`
        The evidence: schedule files that ``fatcube check`` accepts, bounds, infeasibility proofs, counts, arithmetic.
    reading : :class:`str`
        The reading of the text that is judged, and what follows under the other; empty where there is only one.
    optimum : :class:`str`
        The proven fewest steps of the case shown, or the range they lie in; ``-`` where the claim is of something else.
    """

    name: str
    where: str
    claim: str
    printed: str
    recomputed: str
    cases: str
    verdict: str
    kind: Kind
    failing: str
    evidence: str
    reading: str
    optimum: str


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim of a paper.

    Attributes
    ----------
    name : :class:`str`
        An identifier, the name of its function unless it is one of many.
    where : :class:`str`
        The name of its :class:`Place`.
    text : :class:`str`
        The claim.
    cases : callable
        From an :class:`~fatcube.papers.evidence.Evidence` to the cases, the smallest first.
    printed : :class:`str`
        The printed formula, value or sentence.
    conditions : tuple of :class:`str`
        Conditions that may explain where it holds: see :meth:`fatcube.papers.verdict.Case.satisfies`.
    evidence : :class:`str`
        The evidence for all cases; evidence for one is in the case.
    reading : :class:`str`
        The reading that is judged, if the text has two, and what follows under the other.
    misprint : :class:`str`
        The meaning that must be intended, where the printed one cannot be: the claim is then a misprint unless it holds.
    show : :class:`str`
        A condition for the case that is shown where none fails; the first case if it is empty.
    words : :class:`str` or pair of :class:`str`
        How a value of a case is shown: a text with a ``%s`` for it, or for each number of a tuple; for a truth what is
        shown if it is true, and if it is not. Texts are shown as they are.
    graph : :class:`str`
        Which graph a case is of, where a paper has two of one size; shown behind the cases.
    """

    name: str
    where: str
    text: str
    cases: Callable[[Evidence], Iterable[Case]]
    printed: str
    conditions: tuple[str, ...] = ()
    evidence: str = "computed"
    reading: str = ""
    misprint: str = ""
    show: str = ""
    words: str | tuple[str, str] = ""
    graph: str = ""

    def in_words(self, value: object) -> str:
        """A value that is printed or found in a case, as it is shown."""
        if isinstance(value, bool) and isinstance(self.words, tuple):
            return self.words[not value]
        if isinstance(self.words, str) and self.words and not isinstance(value, str):
            values = value if isinstance(value, tuple) else (value,)
            return self.words % tuple(map(_listed, values))
        return _listed(value)

    def table(self, evidence: Evidence) -> list[list[str]]:
        """Every case as a line: given, printed, found, whether it holds, and what shows it."""
        answers = {True: "yes", False: "no", None: "not decided"}
        return [
            [
                str(one),
                self.in_words(one.printed),
                self.in_words(one.found),
                ACHIEVED if one.achieved else answers[one.holds],
                "; ".join(dict.fromkeys(filter(None, (one.shown_by, self.evidence)))),
            ]
            for one in self.cases(evidence)
        ]

    def row(self, evidence: Evidence) -> Row:
        """Try the claim."""
        cases = list(self.cases(evidence))
        verdict = judge(cases, self.conditions)
        shown = verdict.failing or next((one for one in cases if self._is_shown(one, verdict)), cases[0])
        kind, text = verdict.kind, verdict.text
        if self.misprint and kind != "holds":
            kind, text = "misprint", f"misprint: {self.misprint}"
        return Row(
            name=self.name,
            where=self.where,
            claim=self.text,
            printed=self.printed,
            recomputed=self._recomputed(shown, cases, verdict),
            cases="; ".join(filter(None, (sizes(cases), self.graph))),
            verdict=text,
            kind=kind,
            failing="" if verdict.failing is None else str(verdict.failing),
            evidence="; ".join(dict.fromkeys(filter(None, (shown.shown_by, self.evidence)))),
            reading=self.reading,
            optimum=shown.optimum or "-",
        )

    def _is_shown(self, one: Case, verdict: Verdict) -> bool:
        """Whether a case is one to show where none fails: not shown optimal, or else as :attr:`show` says."""
        return one.achieved if verdict.kind == "achieved" else bool(self.show) and one.satisfies(self.show)

    def _recomputed(self, shown: Case, cases: Sequence[Case], verdict: Verdict) -> str:
        """The computed value in the case that is shown; in all of them, where there are few and the values are short."""
        found = [self.in_words(one.found) for one in cases]
        if verdict.failing is None and 1 < len(cases) <= 8 and all(len(text) <= 12 for text in found):
            return "; ".join(f"{one}: {text}" for one, text in zip(cases, found, strict=True))
        where = f"{shown}: " if shown.given else ""
        printed = f", printed {self.in_words(shown.printed)}" if verdict.failing is not None else ""
        return f"{where}{self.in_words(shown.found)}{printed}"


def _listed(value: object) -> str:
    """A value as text, the members of a collection one after the other."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_listed, value))
    if isinstance(value, (set, frozenset)):
        return ", ".join(map(str, sorted(value)))
    return str(value)


class Paper:
    """A paper: its places in their order, and the claims that are registered for them.

    Parameters
    ----------
    name : :class:`str`
        As on the command line.
    title, note : :class:`str`
        Of the page of its audit.
    places : list of :class:`Place`
        Every place that claims something, in the order of the paper.
    words : mapping, optional
        The words for values of parameters in the names of claims, as in ``{"*": "all-port"}``; any other value is its
        own word.
    """

    def __init__(
        self, name: str, title: str, note: str, places: Sequence[Place], *, words: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.title = title
        self.note = note
        self.places = {place.name: place for place in places}
        assert len(self.places) == len(places), "a place stands there once"
        self.words = words or {}
        self._claims: dict[str, Claim] = {}

    @property
    def claims(self) -> list[Claim]:
        """All claims, in the order of their places; those of one place in the order of their definition."""
        order = list(self.places)
        return sorted(self._claims.values(), key=lambda claim: order.index(claim.where))

    def find(self, name: str) -> Claim:
        """The claim with this name.

        Raises
        ------
        ParameterError
            If there is none.
        """
        close = [known for known in self._claims if name and (name in known or known in name)] or list(self._claims)[:5]
        if name not in self._claims:
            raise ParameterError(f"claim must be one of {self.name}'s, as in {', '.join(close[:5])}, not {name!r}")
        return self._claims[name]

    def rows(self, evidence: Evidence, only: str = "", *, advance: Callable[[], None] = lambda: None) -> list[Row]:
        """The rows of all claims, and of places that have none, in the order of the paper; or those of ``only`` one place."""
        rows, claims = [], itertools.groupby(self.claims, key=lambda claim: claim.where)
        tried = {where: list(group) for where, group in claims}
        for place in [self.places[only]] if only else self.places.values():
            if place.untested:
                rows.append(_untested(place))
            for claim in tried.get(place.name, ()):
                rows.append(claim.row(evidence))
                advance()
        return rows

    def claim(
        self,
        where: str,
        printed: str,
        *,
        name: str = "",
        parameters: Iterable[Given] = ({},),
        over: Over = ({},),
        **more: Unpack[Said],
    ) -> Callable[[Function], Function]:
        """Register the decorated function as a claim, or as one for each of ``parameters``.

        Parameters
        ----------
        where, printed : :class:`str`
            As in :class:`Claim`; ``more`` are other fields of it, as in :func:`said`. All these texts, ``name`` and
            the docstring have the parameters in braces, as in :meth:`str.format`.
        name : :class:`str`
            The name of the function, followed by the first of its parameters if there are any, if it is empty. The
            value of a parameter stands in a name as one of the paper's ``words``, with ``_`` for what is no letter.
        parameters : list of mappings
            By their names. The function takes those that it names, and ``evidence`` if it names it. A parameter with
            the name ``reading``, ``misprint`` or ``show`` is that field of the claim, if nothing else is.
        over : list of mappings or of :class:`~fatcube.papers.evidence.Instance`, or a function that returns one
            The letters of each case, for a function whose return type is :class:`Case`: it takes those that it names,
            ``instance`` too where there is one, and makes one case, to which the letters are added. A function that
            makes all cases itself is not concerned. If the cases depend on parameters, ``over`` is a function of these.
        """

        def register(function: Function) -> Function:
            text = " ".join((inspect.getdoc(function) or "").split())
            data = {"where": where, "text": text, "printed": printed, **more, **vars(function).get("said", {})}
            for given in parameters:
                first = [f"{{{key}}}" for key in itertools.islice(given, 1)]
                own = {key: given[key] for key in ("reading", "misprint", "show") if key in given}
                filled = own | {key: _filled(value, given) for key, value in data.items()}
                cases = functools.partial(_cases, function, given, over)
                self._add(self._named(name or "_".join([function.__name__, *first]), given), cases=cases, **filled)
            return function

        return register

    def _named(self, name: str, given: Given) -> str:
        """The name of a claim with the parameters as words in place of its braces."""
        words = {key: self.words.get(value, value) if isinstance(value, str) else value for key, value in given.items()}
        return re.sub(r"\W+", "_", _filled(name, words))

    def _add(self, name: str, *, where: str, text: str, conditions: Iterable[str] = (), **data: Any) -> None:
        assert where in self.places, f"{where} is no place of {self.name}"
        assert name.isidentifier() and name not in self._claims, f"{name} must be an identifier, and there once"
        assert text, f"{name} has no docstring, which is the claim"
        self._claims[name] = Claim(name, where, text.rstrip("."), conditions=tuple(conditions), **data)


def _cases(function: Callable[..., Case | Cases], given: Given, over: Over, evidence: Evidence) -> Cases:
    """The cases that the function of a claim makes, all of them or one for each of ``over``."""
    signature = inspect.signature(function)
    if signature.return_annotation is not Case:
        over = ({},)
    elif callable(over):
        over = over(**_taken(inspect.signature(over), given))
    for one in over:
        letters, instance = (one.given, {"instance": one}) if isinstance(one, Instance) else (one, {})
        made = function(**_taken(signature, {**given, **letters, **instance, "evidence": evidence}))
        if isinstance(made, Case):
            yield dataclasses.replace(made, given={**letters, **made.given})
        else:
            yield from made


def _taken(signature: inspect.Signature, values: Given) -> Given:
    """The arguments for a function among ``values``: those that it names, or all but the evidence."""
    takes = signature.parameters
    rest = any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes.values())
    return {name: value for name, value in values.items() if name in takes or rest and name != "evidence"}


def _filled(value: Any, given: Given) -> Any:
    """A text with the parameters that are given in place of its braces, and anything else as it is."""
    return value.format(**given) if given and isinstance(value, str) else value


def _untested(place: Place) -> Row:
    empty = dict.fromkeys(("printed", "recomputed", "cases", "evidence", "optimum"), "-")
    verdict, kind = f"not tested: {place.untested}", "untested"
    return Row(name="", where=place.name, claim=place.says, verdict=verdict, kind=kind, failing="", reading="", **empty)

"""Claims as functions: their verdicts follow from their cases, and what is printed is what was evaluated."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.papers.claim import Paper, Place, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.fat_case import cases as fat_cubes
from fatcube.papers.verdict import KIND_NAMES, Case, about, case, deviation, judge, judged, sizes


def cases(*truths, **more):
    return [
        case(truth, True, n=number, **more) if truth is not None else undecided(number)
        for number, truth in enumerate(truths, 1)
    ]


def undecided(number):
    return type(case(0, 0))({"n": number}, True, "unknown", None)


@pytest.mark.parametrize(
    ("truths", "conditions", "text", "kind", "failing"),
    [
        ((True, True), [], "holds", "holds", None),
        ((True, None), [], "holds in 1 of 2 cases, the others not decided", "open", None),
        ((None, None), [], "not decided", "open", None),
        ((True, True, False), ["n < 2", "n <= 2"], "holds only if n <= 2: fails in 1 of 3 cases", "condition", 3),
        ((True, True, False), ["n < 2"], "holds if n < 2, and in 1 of the other 2 cases", "condition", 3),
        ((False, True, False), ["n < 2"], "wrong: fails in 2 of 3 cases", "wrong", 1),
        ((None, False), ["n == 1"], "wrong: fails in 1 of 2 cases", "wrong", 2),
        ((True, False), ["n == 1 or n > 9"], "holds only if n == 1 or n > 9: fails in 1 of 2 cases", "condition", 2),
        ((False,), [], "wrong", "wrong", 1),
    ],
)
def test_judge(truths, conditions, text, kind, failing):
    verdict = judge(cases(*truths), conditions)
    assert (verdict.text, verdict.kind) == (text, kind)
    assert (verdict.failing and verdict.failing.given["n"]) == failing


@pytest.mark.parametrize(
    ("truths", "text", "kind"),
    [
        ("aa", "achieved, not shown optimal", "achieved"),
        ("haa", "achieved, not shown optimal in 2 of 3 cases, and optimal in the others", "achieved"),
        ("ha?", "holds in 1 of 3 cases, the others not decided", "open"),
        ("a?", "not decided", "open"),
        ("hafa", "wrong: fails in 1 of 4 cases, in 2 others achieved, not shown optimal", "wrong"),
    ],
)
def test_an_optimum_that_is_achieved_and_not_proven(truths, text, kind):
    """a: achieved, the bound is below; h: holds; f: fails; ?: not decided."""
    cases = [
        Case({"n": n}, 1, 1, {"h": True, "f": False}.get(truth), achieved=truth == "a")
        for n, truth in enumerate(truths)
    ]
    verdict = judge(cases)
    assert (verdict.text, verdict.kind) == (text, kind)


def test_what_is_decided_is_not_only_achieved():
    for holds in (True, False):
        with pytest.raises(AssertionError):
            Case({}, 1, 1, holds, achieved=True)


def test_the_first_case_that_is_not_shown_optimal_is_shown(tmp_path):
    made = Paper("test", "A paper", "A note", [Place("section 1", "numbers")])

    @made.claim("section 1", "n", show="n == 1")
    def optimum(evidence):
        """The least is n."""
        for n in range(1, 12):
            yield Case({"n": n}, n, n, None if n > 2 else True, f"bound {min(n, 2)}", achieved=n > 2)

    [row] = made.rows(Evidence(tmp_path))
    assert (row.recomputed, row.evidence, row.kind) == ("n = 3: 3", "bound 2; computed", "achieved")
    assert [line[3] for line in made.find("optimum").table(Evidence(tmp_path))][1:3] == [
        "yes",
        "achieved, not shown optimal",
    ]


@pytest.mark.parametrize(
    ("found", "printed", "near"),
    [
        (9, 10, True),
        (11, 10, True),
        (110, 100, True),
        (9.1, 10.12, False),
        (10, 9, False),
        (-11, -10, True),
        (8.9, 10, False),
    ],
)
def test_about_is_of_the_printed_value(found, printed, near):
    """10 for a printed 9 is 11 % off; of the found value it would be 10 %."""
    assert about(found, printed) == near


def approximations(*found):
    return [Case({"n": n}, 10, value, about(value, 10), off=deviation(value, 10)) for n, value in enumerate(found, 1)]


@pytest.mark.parametrize(
    ("found", "text", "kind"),
    [
        ((10, 11), "holds", "holds"),
        ((15, 11, 10.5), "approximate: more than 10 % off in 1 of 3 cases, at most 50 %", "approximate"),
        ((15, 10), "approximate: more than 10 % off in 1 of 2 cases, at most 50 %", "approximate"),
        ((15, 5, 10), "wrong: more than 10 % off in 2 of 3 cases, at most 50 %", "wrong"),
        ((15, 5), "wrong: more than 10 % off in 2 of 2 cases, at most 50 %", "wrong"),
        ((15,), "wrong", "wrong"),
    ],
)
def test_an_approximation_has_no_condition(found, text, kind):
    """From which size on it is near enough is not a condition of the claim."""
    verdict = judge(approximations(*found), ["n >= 2"])
    assert (verdict.text, verdict.kind) == (text, kind)


def test_values_are_shown_in_words():
    claim = paper().find("four")
    named = dataclasses.replace(claim, words="%s nodes of degree %s")
    assert named.in_words((8, {3})) == "8 nodes of degree 3"
    assert named.in_words("as it is") == "as it is"
    truth = dataclasses.replace(claim, words=("cheaper", "dearer"))
    assert (truth.in_words(True), truth.in_words(False), truth.in_words(7)) == ("cheaper", "dearer", "7")
    assert claim.in_words([1, (2, 3)]) == "1, 2, 3"


def test_every_case_is_in_the_table(tmp_path):
    made = paper()
    table = made.find("equal").table(Evidence(tmp_path))
    assert table == [[f"n = {n}", str(n), str(min(n, 2)), "yes" if n < 3 else "no", "counted"] for n in range(1, 5)]


def test_conditions_are_evaluated_as_they_are_printed():
    one = case(1, 1, d=3, m=4, model="d")
    assert one.satisfies("ceil(log2(m)) == 2 and model == 'd' and gcd(d, m) == 1")
    assert not one.satisfies("max(d, m) == d")
    with pytest.raises(NameError):
        one.satisfies("open('x')")
    with pytest.raises(NameError):
        one.satisfies("k == 1")


def test_no_case_is_no_claim():
    with pytest.raises(ValueError, match="^a claim must have a case$"):
        judge([])


def test_kinds_in_their_order():
    """Findings first, as the rows of an audit are sorted."""
    assert KIND_NAMES == ("wrong", "condition", "approximate", "misprint", "open", "achieved", "untested", "holds")


def test_sizes():
    assert sizes([case(0, 0, n=n) for n in (3, 4, 5)]) == "3 cases: n = 3 to 5"
    assert sizes([case(0, 0, n=n) for n in (3, 4)]) == "2 cases: n = 3, 4"
    assert sizes([case(0, 0, n=n) for n in (3, 4, 6)]) == "3 cases: n = 3, 4, 6"
    assert sizes([case(0, 0, n=n, model=model) for n in (3, 5) for model in "1d"]) == "4 cases: n = 3, 5; model = 1, d"
    assert sizes([case(0, 0)]) == "1 case"
    assert sizes([case(0, 0, N=1 << n) for n in range(12)]) == "12 cases: N = 1, 2, ... 2048 (12 values)"


def paper():
    made = Paper(
        "test",
        "A paper",
        "A note",
        [Place("section 1", "numbers"), Place("section 2", "taste", "no way to try it"), Place("Table 1", "cells")],
    )

    @made.claim("Table 1", "{number}", name="cell_{number}", parameters=each(number=(1, 2)))
    @said(reading="as printed")
    def cell(number):
        """Cell {number} is {number}."""
        yield case(number if number == 1 else 7, number, evidence=f"schedules/{number}.json")

    @made.claim("section 1", "n", conditions=["n <= 2"], evidence="counted")
    def equal():
        """Every number
        is itself."""
        for n in range(1, 5):
            yield case(min(n, 2), n, n=n)

    @made.claim("section 1", "3", misprint="4 must be meant")
    def four(evidence):
        """Two and two are three."""
        yield case(4, 3)

    return made


def test_rows(tmp_path):
    done = []
    rows = paper().rows(Evidence(tmp_path), advance=lambda: done.append(1))
    assert [(row.name, row.where, row.verdict, row.kind) for row in rows] == [
        ("equal", "section 1", "holds only if n <= 2: fails in 2 of 4 cases", "condition"),
        ("four", "section 1", "misprint: 4 must be meant", "misprint"),
        ("", "section 2", "not tested: no way to try it", "untested"),
        ("cell_1", "Table 1", "holds", "holds"),
        ("cell_2", "Table 1", "wrong", "wrong"),
    ]
    assert len(done) == 4
    equal, four, taste, one, two = rows
    assert (equal.claim, equal.failing, equal.recomputed) == ("Every number is itself", "n = 3", "n = 3: 2, printed 3")
    assert (equal.cases, equal.evidence, equal.optimum) == ("4 cases: n = 1 to 4", "counted", "-")
    assert (one.claim, one.printed, one.reading, one.evidence) == (
        "Cell 1 is 1",
        "1",
        "as printed",
        "schedules/1.json; computed",
    )
    assert two.recomputed == "7, printed 2"


def test_evidence_is_asked_for_the_case_that_is_shown_only(tmp_path):
    made, asked = Paper("test", "A paper", "A note", [Place("section 1", "numbers")]), []

    @made.claim("section 1", "n")
    def equal(evidence):
        """Every number is itself."""
        for n in range(1, 5):
            yield case(n, n if n < 3 else 0, evidence=lambda n=n: asked.append(n) or f"schedules/{n}.json", n=n)

    [row] = made.rows(Evidence(tmp_path))
    assert (row.evidence, asked) == ("schedules/3.json; computed", [3])


def test_a_case_for_each_of_what_a_claim_is_tried_over(tmp_path):
    """The letters stand before those that the case adds; what the function does not name it does not get."""
    made = Paper("test", "A paper", "A note", [Place("section 1", "numbers")])
    over = each(n=(1, 2), model="1d")

    @made.claim("section 1", "n", over=over, evidence="counted")
    @said(evidence="added", conditions=["n == 1"])
    def product(n: int) -> Case:
        """A function of one case."""
        return judged(n, 1, n == 1, N=1 << n)

    @made.claim("section 1", "{text}", name="{text}_times", parameters=each(text=("two", "three")), over=over)
    def given(evidence: Evidence, text: str, **letters: int) -> Case:
        """{text} times, with all letters and parameters."""
        assert evidence.folder == tmp_path
        return case(sorted(letters), ["model", "n"], text=text)

    @made.claim("section 1", "n", over=over)
    def itself():
        """A function of all cases is not called for each."""
        yield case(1, 1)

    found, two, three, whole = (list(claim.cases(Evidence(tmp_path))) for claim in made.claims)
    assert [str(one) for one in found] == [
        f"n = {n}, model = {model}, N = {1 << n}" for n, model in ((1, "1"), (1, "d"), (2, "1"), (2, "d"))
    ]
    assert [one.holds for one in found] == [True, True, False, False]
    assert all(one.holds for one in two + three) and (len(two), two[0].given["text"]) == (4, "two")
    assert [str(one) for one in whole] == [""]
    claim = made.find("product")
    assert (claim.evidence, claim.conditions, claim.text) == ("added", ("n == 1",), "A function of one case")


def test_cases_of_instances_that_depend_on_a_parameter(tmp_path):
    """The letters of an instance are those of the case; a claim is named for its function and its first parameter."""
    made = Paper("test", "A paper", "A note", [Place("section 1", "steps")], words={"*": "all-port"})

    def over(model, d):
        return fat_cubes([(d, 3, 1)], model, "OAB")

    @made.claim("section 1", "d", parameters=each(model=("1", "*"), d=(2,)), over=over)
    def steps(instance, model: str, m: int) -> Case:
        """In model {model} there are three processors in a node."""
        return case((instance.ports, instance.m, m), (model, 3, 3), k=1)

    assert [claim.name for claim in made.claims] == ["steps_1", "steps_all_port"]
    [found] = made.find("steps_all_port").cases(Evidence(tmp_path))
    assert (str(found), found.holds) == ("d = 2, m = 3, f = 1, P = 12, k = 1", True)


def test_a_parameter_with_the_name_of_a_field_is_that_field(tmp_path):
    """It is taken as it is, braces and all; what the claim's own decorator says comes before it."""
    made = Paper("test", "A paper", "A note", [Place("section 1", "numbers")])
    parameters = columns("of reading misprint show", [("a", "l in {2, n}", "", "n == 1"), ("b", "", "2", "n == 2")])

    @made.claim("section 1", "n", parameters=parameters, show="n == 3", over=each(n=(1, 2, 3)))
    def numbers(n: int) -> Case:
        """{of}."""
        return case(n, n)

    assert [(claim.reading, claim.misprint, claim.show) for claim in made.claims] == [
        ("l in {2, n}", "", "n == 3"),
        ("", "2", "n == 3"),
    ]


def test_the_rows_of_a_table_have_its_letters():
    assert columns("w d", [(2, 3), (3, 2)]) == [{"w": 2, "d": 3}, {"w": 3, "d": 2}]
    with pytest.raises(ValueError):
        columns("w d", [(2, 3, 4)])


def test_find():
    assert paper().find("four").printed == "3"
    with pytest.raises(ParameterError, match="^claim must be one of test's, as in cell_1, cell_2, not 'cell'$"):
        paper().find("cell")


def test_what_cannot_be_registered():
    made = paper()

    def nameless(evidence):
        yield case(1, 1)

    def equal(evidence):
        """A name that is there."""
        yield case(1, 1)

    with pytest.raises(AssertionError, match="no docstring"):
        made.claim("section 1", "")(nameless)
    with pytest.raises(AssertionError, match="there once"):
        made.claim("section 1", "")(equal)
    with pytest.raises(AssertionError, match="no place"):
        made.claim("section 9", "")(equal)

"""The errors of a b that the report prints: derived from the stored records by hand, with formulas of the paper and least squares of NumPy."""

import json
import math
from pathlib import Path
import re

import numpy
import pytest

from fatcube.papers.fat_cube.against_silicon import against_silicon
from fatcube.papers.fat_cube.silicon import tables_1_and_2
from fatcube.studies.results import read_records
from fatcube.studies.study import Study, committed_all_turns
from tests.support.stored import small

REPORTS = Path(__file__).parents[2] / "synth_reports"
ALL = json.loads((REPORTS / "turns.json").read_text())
USED = [json.loads(line) for line in (REPORTS / "study.jsonl").read_text().splitlines()[1:]]


@pytest.fixture(scope="module")
def study():
    return Study(read_records(REPORTS / "study.jsonl"), "ecp5", all_turns=ALL)


def shape(one):
    """A fat cube's d, m and f, and the number of its nodes; a hypercube is one with m = f = 1."""
    topology = one["parameters"]["topology"]
    d, m, f = (topology.get(name, 1) for name in "dmf")
    return d, m, f, 1 << d


def inputs(one):
    """Table 1 of the paper."""
    d, m, f, _ = shape(one)
    return {"1": m + d * f, "d": d * (m + f), "*": d * (m + f) + m * (m - 1)}[one["parameters"]["ports"]]


def luts(one):
    return one["measured"]["comb_equivalents"]


def different(records):
    """One of each hardware, which are told apart by what was measured, too."""
    found = {}
    for one in sorted(records, key=lambda one: one["key"]):
        parameters, measured = one["parameters"], one["measured"]
        if parameters["ports"] != "b" and parameters["family"] == "ecp5":
            what = inputs(one), parameters["width"], parameters["buffer_depth"]
            found.setdefault((*what, *(measured[name] for name in ("comb_equivalents", "ff"))), one)
    return [*found.values()]


def plain(records):
    return [one for one in records if (one["parameters"]["width"], one["parameters"]["buffer_depth"]) == (32, 2)]


def errors(terms, measured):
    """Of the least squares of relative errors, without signs."""
    relative = numpy.array(terms, float).reshape(len(measured), -1) / numpy.array(measured, float)[:, None]
    found, *_ = numpy.linalg.lstsq(relative, numpy.ones(len(measured)), rcond=None)
    return numpy.abs(relative @ found - 1)


def multiplexer(sources):
    """LUTs of four inputs per bit: two for each four inputs, whose outputs and the others with their selects are ORed in threes."""
    return 2 * (sources // 4) + math.ceil((sources // 4 + 2 * (sources % 4) - 1) / 3)


def table(study):
    return {tuple(line[:2]): line[2:] for line in against_silicon(study).tables[0].rows}


def assert_row(row, found, samples=0):
    """Routers whose hardware differs in nothing that was measured may count twice, so their number may differ by one or two."""
    assert abs(int(row[0]) - len(found)) <= samples
    assert float(row[2][:-1]) == pytest.approx(100 * found.mean(), abs=0.05 + 0.2 * (samples > 0))
    assert float(row[3][:-1]) == pytest.approx(100 * found.max(), abs=0.05 + 0.5 * (samples > 0))


def test_routers_with_all_turns(study):
    found, at_depth = table(study), [one for one in different(ALL) if one["parameters"]["buffer_depth"] == 2]
    some = plain(at_depth)
    assert_row(
        found["router with all turns, LUTs", "a b alone"],
        errors([inputs(one) ** 2 for one in some], [*map(luts, some)]),
        2,
    )
    assert_row(
        found["router with all turns, LUTs", "a b W, of several widths"],
        errors([inputs(one) ** 2 * one["parameters"]["width"] for one in at_depth], [*map(luts, at_depth)]),
        2,
    )
    every = different(ALL)
    terms = []
    for one in every:
        a, W, D = inputs(one), one["parameters"]["width"], one["parameters"]["buffer_depth"]
        terms.append([a * W, a * multiplexer(a) * W, a * a, a, a * W * (D > 2), a * math.log2(D) * (D > 2)])
        terms[-1][0] *= D != 1
    assert_row(found["router with all turns, LUTs", "fuller"], errors(terms, [*map(luts, every)]), 2)


def test_routers_with_the_turns_used(study):
    some = plain(different(USED))
    row = table(study)["router with the turns used, LUTs", "a b alone"]
    assert_row(row, errors([inputs(one) ** 2 for one in some], [*map(luts, some)]))
    text = " ".join(against_silicon(study).paragraphs)
    assert f"a b alone misses the LUTs of {row[0]} by {row[2]} on average and by {row[3]} at worst" in text
    assert float(row[3][:-1]) > 60 > 10 > float(table(study)["router with all turns, LUTs", "a b alone"][3][:-1])


def test_crossbars(study):
    areas = {}
    for one in USED:
        if one["parameters"]["ports"] != "b":
            areas[inputs(one), one["parameters"]["width"]] = one["measured"]["crossbar_comb_equivalents"]
    some = {a: area for (a, width), area in areas.items() if width == 32}
    found = table(study)
    assert_row(found["crossbar alone, LUTs", "a b alone"], errors([a * a for a in some], [*some.values()]))
    terms = [a * a * (width + 1) for a, width in areas]
    assert_row(found["crossbar alone, LUTs", "a b (W + 1), of several widths"], errors(terms, [*areas.values()]))


def test_both_sides_of_table_2(study):
    """Verdicts and means over its pairs, from the areas alone."""
    areas = {}
    for name, records in (("all", ALL), ("used", USED)):
        for one in plain(records):
            if one["parameters"]["family"] == "ecp5":
                areas[(*shape(one)[:3], one["parameters"]["ports"], name)] = luts(one)
    agree, less = {"all": 0, "used": 0}, []
    for d, m, f, ports, name in areas:
        thin = d + int(math.log2(m))
        if m == 1 or name != "all" or ports == "b" or (thin, 1, 1, ports, "all") not in areas:
            continue
        price = {"1": (m + d * f, thin + 1), "d": (d * (m + f), 2 * thin)}
        price["*"] = d * (m + f) + m * (m - 1), 2 * thin
        by_ab = price[ports][0] ** 2 << d <= price[ports][1] ** 2 << thin
        for which in agree:
            fat, cube = areas[d, m, f, ports, which] << d, areas[thin, 1, 1, ports, which] << thin
            agree[which] += (fat <= cube) == by_ab
        less.append([1 - areas[*one, ports, "used"] / areas[*one, ports, "all"] for one in ((d, m, f), (thin, 1, 1))])
    first, second = tables_1_and_2(study).paragraphs
    assert (
        f"{agree['all']} of {len(less)} pairs in LUTs, all turns; {agree['used']} of {len(less)} pairs in LUTs" in first
    )
    fat, cube = (sum(one[place] for one in less) / len(less) for place in (0, 1))
    assert second.endswith(f"makes the hypercube's routers {cube:.0%} smaller and the fat cube's {fat:.0%}.")


def test_what_is_printed_is_what_is_stored(study):
    text = (REPORTS / "report.md").read_text(encoding="utf-8")
    for section in (against_silicon(study), tables_1_and_2(study)):
        for paragraph in section.paragraphs:
            assert paragraph.replace("*", r"\*") in text
        for one in section.tables:
            for line in one.rows:
                assert f"| {' | '.join(map(str, line))} |".replace("*", r"\*") in text, line


def test_routers_that_the_fit_has_not_seen(study):
    """All-turn routers that are ten times as large change what is said of them, and nothing of those with the turns used."""
    large = [
        {**one, "measured": {**one["measured"], "comb_equivalents": 10 * luts(one)}} for one in committed_all_turns()
    ]
    before, after = (
        " ".join(against_silicon(one).paragraphs)
        for one in (study, Study(read_records(REPORTS / "study.jsonl"), "ecp5", all_turns=large))
    )
    held_out = re.compile(r"fitted to no router with all turns, predicts the LUTs of 50 with them within (.*?)% on")
    [[small_error], [large_error]] = held_out.findall(before), held_out.findall(after)
    assert float(small_error) < 2 < 80 < float(large_error)
    assert re.findall("within 10 % for .*? always", before) == re.findall("within 10 % for .*? always", after) != []


def test_a_study_without_routers_with_all_turns():
    given = Study(read_records(small()), "ecp5")
    assert given.whole == {}
    assert not any(
        "routers that have all turns" in text or "The paper's price" in text
        for text in against_silicon(given).paragraphs
    )
    columns = tables_1_and_2(given).tables[0].columns
    assert {line[columns.index("router LUTs, all turns")] for line in tables_1_and_2(given).tables[0].rows} == {"-"}

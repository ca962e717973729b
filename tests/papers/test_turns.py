"""The page on routers with all turns: what it prints, derived from the stored records in another way."""

import json
from pathlib import Path
import re

import pytest

from fatcube.noc.topologies import topology_from_json
from fatcube.papers.fat_cube.silicon import verdicts
from fatcube.papers.fat_cube.turns import measure, page
from fatcube.studies.result_record import network_of
from fatcube.studies.results import read_records
from fatcube.studies.study import Study

REPORTS = Path(__file__).parents[2] / "synth_reports"
STORED = json.loads((REPORTS / "turns.json").read_text())


@pytest.fixture(scope="module")
def study():
    return of(STORED)


def of(all_turns):
    return Study(read_records(REPORTS / "study.jsonl"), "ecp5", all_turns=all_turns)


def test_the_page_is_that_of_the_records(study):
    assert page(study, STORED) == (REPORTS / "turns.md").read_text()


def test_every_router_of_the_study_that_can_have_all_turns_is_there(study):
    found = {network_of(one["parameters"]).with_options(turns="used") for one in STORED}
    assert found == {one for one in study.routers if one.options.ports.value != "b"}
    assert {one["parameters"]["turns"] for one in STORED} == {"all"}


def test_errors_by_hand(study):
    """With one term x per router, in units of what was measured, the least squares of 1 - c x has c = sum x / sum x²."""
    rows = dict(re.findall(r"^\| (.*?) \| (.*) \|$", page(study, STORED).split("## Gates")[0], re.MULTILINE))
    routers = {}
    for one in STORED:
        parameters, measured = one["parameters"], one["measured"]
        if (parameters["width"], parameters["buffer_depth"], parameters["family"]) == (32, 2, "ecp5"):
            network = network_of(parameters)
            topology, router = topology_from_json(parameters["topology"]), network.router()
            d, m, f = (getattr(topology, name, 1) for name in "dmf")
            # Table 1 of the paper; on a hypercube, models d and * have 2 d.
            a = {"1": m + d * f, "d": d * (m + f), "*": d * (m + f) + m * (m - 1)}[parameters["ports"]]
            routers.setdefault((a, router.processor_ports), measured["comb_equivalents"])
    assert {a for a, _ in routers} >= {4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 17, 18, 20, 22}
    for name, most in (("router with all turns, 32 bits", 22), ("the same, of at most 14 inputs", 14)):
        samples, per_ab, mean, worst = rows[name].split(" | ")
        x = [a * a / luts for (a, _), luts in routers.items() if a <= most]
        c = sum(x) / sum(one * one for one in x)
        errors = [abs(c * one - 1) for one in x]
        assert int(samples) == len(x) and float(per_ab) == pytest.approx(c, rel=0.01)
        assert float(mean[:-1]) == pytest.approx(100 * sum(errors) / len(errors), abs=0.3)
        assert float(worst[:-1]) == pytest.approx(100 * max(errors), abs=0.5)


def test_verdicts_follow_the_areas(study):
    """Fat cubes that are dear with all turns change that verdict alone."""
    dear = json.loads(json.dumps(STORED))
    for one in dear:
        if one["parameters"]["topology"]["type"] == "fat-cube":
            one["measured"]["comb_equivalents"] *= 10_000
    before, after = verdicts(study), verdicts(of(dear))
    assert [(one[0], one[2]) for one in before] == [(one[0], one[2]) for one in after]
    assert not any(one[1] for one in after) and any(one[1] for one in before)


def test_gates_by_hand(study):
    """Area in NAND2 equivalents is that in µm² over 24 µm², the smallest NAND of two inputs of osu018, and a b fits it as is printed."""
    text = page(study, STORED)
    rows = dict(
        re.findall(r"^\| (.*?) \| (.*) \|$", text.partition("## Gates")[2].partition("## Table 2")[0], re.MULTILINE)
    )
    luts = {}
    for one in STORED:
        if one["parameters"]["family"] == "ecp5":
            luts[network_of(one["parameters"])] = one["measured"]["comb_equivalents"]
    x = {name: {} for name in ("LUTs", "NAND2 equivalents", "NAND2 equivalents without registers")}
    for one in STORED:
        parameters, measured = one["parameters"], one["measured"]
        if parameters["family"] == "osu018":
            network = network_of(parameters)
            router = network.router()
            ab, kind = router.crossbar_ports**2, (router.crossbar_ports, router.processor_ports)
            assert measured["nand2_equivalents"] == pytest.approx(measured["um2"] / 24)
            x["LUTs"].setdefault(kind, ab / luts[network])
            x["NAND2 equivalents"].setdefault(kind, ab / (measured["um2"] / 24))
            x["NAND2 equivalents without registers"].setdefault(
                kind, ab / ((measured["um2"] - measured["register_um2"]) / 24)
            )
    for name, some in x.items():
        samples, _, mean, worst = rows[name].split(" | ")
        values = [*some.values()]
        c = sum(values) / sum(one * one for one in values)
        errors = [abs(c * one - 1) for one in values]
        assert int(samples) == len(values) >= 20
        assert float(mean[:-1]) == pytest.approx(100 * sum(errors) / len(errors), abs=0.3)
        assert float(worst[:-1]) == pytest.approx(100 * max(errors), abs=0.5)
    better = float(rows["NAND2 equivalents"].split(" | ")[2][:-1]) < float(rows["LUTs"].split(" | ")[2][:-1])
    assert f"a b fits {'better' if better else 'worse'}, within" in text


def test_the_manual_has_these_errors(study):
    """Of gates and of LUTs, as the page of records has them."""
    manual = " ".join((REPORTS.parent / "docs" / "results" / "published.md").read_text(encoding="utf-8").split())
    rows = re.findall(
        r"^\| (LUTs|NAND2.*?) \| (\d+) \| .*? \| ([\d.]+)% \| ([\d.]+)% \|$", page(study, STORED), re.MULTILINE
    )
    (_, samples, mean, worst), (_, _, *of_gates), (_, _, *without) = rows
    assert f"Of {samples} routers with all turns (models 1, d and \\*, a from 4 to 12, 32 bits)" in manual
    assert (
        f"a mean error of {mean} % and {worst} % at worst, and NAND2 equivalents with {' and '.join(of_gates)} %"
        in manual
    )
    assert f"without registers with {' and '.join(without)} %" in manual


def test_clocks_are_those_of_three_seeds(study):
    """Of eight routers of model 1, each the median of its seeds, and slower than that with the turns used or within 9 % of it."""
    placed = [one for one in STORED if "fmax_mhz" in one["measured"]]
    assert len(placed) == 8 and {one["parameters"]["ports"] for one in placed} == {"1"}
    for one in placed:
        measured, used = one["measured"], study.routers[network_of(one["parameters"]).with_options(turns="used")]
        assert measured["fmax_mhz"] == sorted(mhz for _, mhz in measured["seeds_mhz"])[1]
        assert measured["fmax_mhz"] < 1.09 * used.mhz
        assert f"| {measured['fmax_mhz']:.1f} | {used.mhz:.1f} |" in page(study, STORED)


def test_measured_as_stored():
    """The smallest of them, from the sources of today."""
    some = [one for one in STORED if one["parameters"]["family"] == "ecp5" and "fmax_mhz" not in one["measured"]]
    one = min(some, key=lambda one: one["measured"]["comb_equivalents"])
    assert measure(network_of(one["parameters"]))["measured"] == one["measured"]

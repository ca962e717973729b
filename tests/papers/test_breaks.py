"""Where a b breaks: one option at a time, and errors worked out from the stored areas by hand."""

import json
from pathlib import Path
import re

import pytest

from fatcube.papers.fat_cube.breaks import FACTORS, SIZES, figure, measure, page
from fatcube.studies.result_record import network_of
from fatcube.studies.results import read_records
from fatcube.studies.study import Study

REPORTS = Path(__file__).parents[2] / "synth_reports"
STORED = json.loads((REPORTS / "breaks.json").read_text())
INPUTS = (4, 5, 6, 8)


@pytest.fixture(scope="module")
def text():
    return page(STORED, Study(read_records(REPORTS / "study.jsonl"), "ecp5"))


def areas():
    """The areas of each option, in the order of the file, which has one option after the other."""
    luts = [one["measured"]["comb_equivalents"] for one in STORED]
    return {name: luts[place : place + 4] for name, place in zip(FACTORS, range(0, len(luts), 4), strict=True)}


def fitted(luts):
    """The price of a crosspoint with the least squares of relative errors, and the errors: one term x has sum x / sum x²."""
    x = [a * a / one for a, one in zip(INPUTS, luts, strict=True)]
    price = sum(x) / sum(one * one for one in x)
    return price, [abs(price * one - 1) for one in x]


def test_the_page_is_that_of_the_records(text):
    assert text == (REPORTS / "breaks.md").read_text(encoding="utf-8")
    assert (REPORTS / "breaks.png").read_bytes().startswith(b"\x89PNG")


def test_one_option_at_a_time():
    """Of what is stored: each line differs from the first in one option, but for copies, which have no router with all turns."""
    first = STORED[: len(SIZES)]
    assert len(STORED) == len(SIZES) * len(FACTORS)
    assert [network_of(one["parameters"]).router().crossbar_ports for one in first] == [*INPUTS]
    changed = []
    for place, one in enumerate(STORED[len(SIZES) :]):
        base = first[place % len(SIZES)]["parameters"]
        options = {name for name, value in one["parameters"].items() if value != base[name]} - {"long_hops"}
        changed.append(options)
    kinds = [changed[place : place + 4] for place in range(0, len(changed), 4)]
    assert all(same == [same[0]] * 4 for same in kinds)
    for (first, *_), name in zip(kinds, [*FACTORS][1:], strict=True):
        option = name.partition(":")[0].replace(" ", "_")
        assert first >= {"ports" if "copies" in name else option}, (first, name)


def test_errors_by_hand(text):
    rows = dict(re.findall(r"^\| (.*?) \| (.*) \|$", text, re.MULTILINE))
    base, _ = fitted(areas()["all turns, 32 bits, buffers of 2"])
    for name, luts in areas().items():
        shown, change, price, alone, others, _ = rows[name].split(" | ")
        against = areas()["turns: those used" if "copies" in name else "all turns, 32 bits, buffers of 2"]
        changes = [one / other - 1 for one, other in zip(luts, against, strict=True)]
        assert change == f"{min(changes):+.0%} to {max(changes):+.0%}"
        assert shown == " / ".join(f"{one:,}" for one in luts)
        expected, errors = fitted(luts)
        assert float(price) == pytest.approx(expected, abs=0.06)
        mean, worst = (float(one) for one in re.findall(r"([\d.]+)%", alone))
        assert mean == pytest.approx(100 * sum(errors) / 4, abs=0.06) and worst == pytest.approx(
            100 * max(errors), abs=0.06
        )
        errors = [abs(base * a * a / one - 1) for a, one in zip(INPUTS, luts, strict=True)]
        mean, worst = (float(one) for one in re.findall(r"([\d.]+)%", others))
        assert mean == pytest.approx(100 * sum(errors) / 4, abs=0.6) and worst == pytest.approx(
            100 * max(errors), abs=0.6
        )


def test_what_is_said_follows(text):
    """Options that break the fit, and only these, have more than twice the error of the first line."""
    worst = {name: max(fitted(luts)[1]) for name, luts in areas().items()}
    limit = 2 * worst["all turns, 32 bits, buffers of 2"]
    broken = re.search(r"whatever a crosspoint costs, with: (.*?)\. The price", text)[1]
    for name, error in worst.items():
        assert (name in broken) == (error > limit), name
    assert "turns: those used" in broken


def test_a_level_line_follows_a_b():
    """The figure has a line for each option, with the area over a b."""
    found = {one.name: one for one in figure(STORED).series}
    assert [*found] == [*FACTORS]
    for name, luts in areas().items():
        assert [(one.x, one.y) for one in found[name].points] == [
            (a * a, pytest.approx(one / a / a)) for a, one in zip(INPUTS, luts, strict=True)
        ]


def test_measured_as_stored():
    """The smallest router of the first line and one with another option, from the sources of today."""
    for place in (0, len(SIZES) * 2):
        assert measure(network_of(STORED[place]["parameters"]))["measured"] == STORED[place]["measured"]

"""The page of buffer depths follows from the stored records, and its figures from those by another way."""

import json
import re

import pytest

from experiments.depth import EXPERIMENT, figure, gains, kept, rows_of
from experiments.experiment import read_stored
from fatcube.noc.topologies import topology_from_json
from fatcube.studies.load_record import check_load_record
from fatcube.studies.sweep_file import read_points
from tests.support.experiments import REPORTS, markdown


@pytest.fixture(scope="module")
def stored():
    return read_stored(EXPERIMENT, REPORTS)


@pytest.fixture(scope="module")
def loads(stored):
    """The records of networks under load."""
    return [one for one in stored if "points" in one["measured"]]


def test_records_are_those_that_the_sweep_file_asks_for(loads):
    """Exactly the points of the study, each with the parameters that it would be measured with today."""

    def without_case(record):
        return {name: value for name, value in record.items() if name != "case"}

    def line(parameters):
        return json.dumps(
            {name: value for name, value in parameters.items() if name != "placement_seeds"}, sort_keys=True
        )

    asked = [line(point.parameters) for point in read_points(REPORTS / "depth.toml")]
    assert sorted(line(check_load_record(without_case(record))["parameters"]) for record in loads) == sorted(asked)


def test_figures_of_the_page_by_hand(loads):
    """From the cells of the page alone: throughput per COMB, its part of the shallowest, and the means in the text."""
    text = (REPORTS / "depth.md").read_text(encoding="utf-8")
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]
    assert len(cells) == len(loads)
    shallowest, products = {}, {}
    for row in cells:
        network, depth, comb, accepted, each = row[0], *(float(row[column]) for column in (3, 4, 8, 11))
        assert each == pytest.approx(1000 * accepted / comb, rel=0.005)  # as many processors as routers
        first = shallowest.setdefault(network, (accepted, each))
        assert float(row[12].rstrip("%")) == pytest.approx(100 * each / first[1], abs=0.8)
        products.setdefault(int(depth), []).append((accepted / first[0], each / first[1]))
    said = {
        int(depth): (int(one), int(other)) for depth, one, other in re.findall(r"(\d+) flits (\d+)% and (\d+)%", text)
    }
    assert len(said) >= 5
    for depth, parts in said.items():
        for column in (0, 1):
            mean = 1.0
            for one in products[depth]:
                mean *= one[column] ** (1 / len(products[depth]))
            assert parts[column] == pytest.approx(100 * mean, abs=1.0)


def test_a_wrong_figure_changes_the_page(stored):
    planted = json.loads(json.dumps(stored))
    planted[0]["measured"]["comb_equivalents"] += 50
    assert markdown(EXPERIMENT, planted) != markdown(EXPERIMENT, stored)
    assert gains(rows_of(planted)) != gains(rows_of(stored))


def test_the_fullest_lane_is_kept(loads):
    record = json.loads(json.dumps(loads[0]))
    for point in record["measured"]["points"]:
        point["lanes"] = [[0, 1, 0, 0.1, 0.2], [1, 2, 0, 0.7, 0.9], [2, 1, 0, 0.3, 0.9]]
        point["pairs"] = [[0, 1, 2, 9.0, 11]]
    found = kept(record)["measured"]["points"]
    assert all(point["lanes"] == [[1, 2, 0, 0.7, 0.9]] and "pairs" not in point for point in found)


def test_throughput_per_transistor_by_hand():
    """From the page: accepted by transistors, of the two depths of the network that the sentence names."""
    text = (REPORTS / "depth.md").read_text(encoding="utf-8")
    few, shallow, many, deep, part = re.search(
        r"has ([\d,]+) transistors with (\d+) flits and ([\d,]+) with (\d+), with which throughput per transistor is (\d+)%",
        text,
    ).groups()
    accepted = [
        float(re.search(rf"\| 4 × 4 mesh \| 16 \| 1 \| {depth} \|(?: [^|]+ \|){{4}} ([\d.]+) \|", text)[1])
        for depth in (shallow, deep)
    ]
    areas = [int(number.replace(",", "")) for number in (few, many)]
    assert accepted[1] / accepted[0] * areas[0] / areas[1] == pytest.approx(int(part) / 100, abs=0.006)


def test_a_line_for_each_network(loads):
    names = {topology_from_json(record["parameters"]["topology"]).name for record in loads}
    drawn = figure(rows_of(loads))
    assert {series.name for series in drawn.series} == names
    assert sum(len(series.points) for series in drawn.series if series.mark == "line") == len(loads)

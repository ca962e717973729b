"""Networks that are compared and are not alike: the clause before the tables and on the pages."""

import dataclasses
import re

import pytest

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.compare import compare, compare_given
from fatcube.studies.comparing.differences import differences, measured_through
from fatcube.studies.comparing.pages import write_page
from fatcube.studies.comparison import GivenNetwork, UnderLoad
from tests.support.commands import run

LOAD = UnderLoad(pattern="uniform", latency_without_load=9.0, saturation=0.5, accepted=0.5, bound=1.0, failures=[])


def given(topology, load=None, **options):
    network = RoutedNetwork(topology, RouterOptions(**options))
    [row] = compare_given([GivenNetwork("soc.toml", network)])
    return dataclasses.replace(row, load=load)


def test_what_differs_is_named_with_its_values():
    square = given(Mesh(w=(2, 2)), width=64, buffer_depth=2)
    alike = given(Hypercube(2), width=64, buffer_depth=2)
    other = given(FatCube(1, 3), width=32, buffer_depth=4)
    assert differences([square, alike], None) == ""
    assert differences([square, alike, other], None) == (
        "the networks differ in processors (4 and 6), width (64 and 32 bits), buffers (2 and 4 flits)"
    )
    assert "processors" not in differences([square, other], 5)
    assert differences([square, *compare([Hypercube(2)], "1")], None).endswith("buffers (2 and 4 flits)")


def test_virtual_channels_differ_where_traffic_is_measured():
    one, two = ({"buffer_depth": 4, "virtual_channels": number} for number in (1, 2))
    assert differences([given(Hypercube(2), **one), given(Hypercube(2), **two)], None) == ""
    loaded = [given(Hypercube(2), LOAD, **options) for options in (one, two)]
    assert differences(loaded, None) == "the networks differ in virtual channels (1 and 2)"


@pytest.mark.parametrize(
    ("options", "others", "said"),
    [
        ([{"buffer_depth": 4}], 0, "buffers of 4, with 1 virtual channel,"),
        (
            [{"buffer_depth": 2}, {"buffer_depth": 8, "virtual_channels": 3}],
            0,
            "buffers of 2 and 8, with 1 and 3 virtual channels,",
        ),
        ([], 1, "buffers of 4, with as many virtual channels as the default routing takes,"),
        (
            [{"buffer_depth": 2}],
            1,
            "buffers of 2 and 4, with 1 virtual channel or as many virtual channels as the default routing takes,",
        ),
    ],
)
def test_the_page_says_through_what_was_measured(tmp_path, options, others, said):
    rows = [given(Hypercube(2), LOAD, **some) for some in options]
    rows += [dataclasses.replace(row, load=LOAD) for row in compare([Hypercube(2)] * others, "1")]
    for name in ("page.md", "page.html"):
        write_page(rows, tmp_path / name, None, "1", files=["soc.toml"] * len(options))
        text = re.sub("<[^>]*>", "", (tmp_path / name).read_text())
        assert f"through {said} on the RTL" in " ".join(text.split())
    assert f"{measured_through(rows)}," == said


def test_compare_says_it_before_the_tables_and_on_the_page(monkeypatch, capsys, tmp_path):
    page = tmp_path / "page.md"
    status, out, _ = run(monkeypatch, capsys, "compare", "mesh:2x2", "fat-cube:1,3", "--page", page)
    assert status == 0 and out.startswith("the networks differ in processors (4 and 6)\n")
    assert "The networks differ in processors (4 and 6). Counted on the graph" in page.read_text()


@pytest.mark.parametrize("option", ["--width", "--buffer-depth", "--virtual-channels"])
def test_options_of_routers_are_those_of_files(monkeypatch, capsys, option):
    status, out, err = run(monkeypatch, capsys, "compare", "mesh:2x2", option, "2")
    wanted = (
        f"No such option: {option}; generate each network with {option}, and give its description (.json) to compare"
    )
    assert (status, out, err) == (2, "", f"fatcube: {wanted}\n")

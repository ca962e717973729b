"""The experiment of boards: its networks, its records and its pictures."""

import json
from xml.etree import ElementTree

from experiments.boards import CASES, EXPERIMENT, picture
from experiments.experiment import read_stored
from fatcube.noc.boards import find_board
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.synth.bitstream import Build
from fatcube.synth.place_and_route import Routed, Use
from tests.support.experiments import REPORTS


def test_the_networks_are_those_that_are_wanted():
    """Sixteen processors and eight on an ULX3S-85F, as many as there is room for on an iCEBreaker, and traffic."""
    networks = {case.name: (case.board, case.machine.network) for case in CASES}
    wanted = {
        name: (board, network.topology.processors, network.options.ports.value, network.options.width)
        for name, (board, network) in networks.items()
    }
    assert wanted == {
        "icebreaker-4": ("icebreaker", 4, "1", 8),
        "ulx3s-8": ("ulx3s-85f", 8, "d", 16),
        "ulx3s-16": ("ulx3s-85f", 16, "1", 16),
        "ulx3s-16-wide": ("ulx3s-85f", 16, "1", 32),
        "ulx3s-traffic": ("ulx3s-85f", 4, "1", 16),
    }
    for case in CASES:
        assert case.request.placement and (case.name == "ulx3s-traffic") == isinstance(case.machine, TrafficMachine)


def test_what_is_stored_holds_together():
    for record in read_stored(EXPERIMENT, REPORTS):
        measured = record["measured"]
        asked, reached = measured["routes_mhz"][-1]
        assert asked == measured["clock_mhz"] and reached >= asked * 1.05
        assert all(cells["used"] <= cells["available"] for cells in measured["utilisation"].values())
        assert (REPORTS / f"boards-{record['case']}.svg").is_file()


def test_a_picture_shows_every_place(tmp_path):
    cells = {
        "board.bridge_a": {"attributes": {"NEXTPNR_BEL": "X3/Y1/lc0"}},
        "board.bridge_b": {"attributes": {"NEXTPNR_BEL": "X2/Y1/lc0"}},
        "board.system.node0.router.a": {"attributes": {"NEXTPNR_BEL": "X0/Y0/lc0"}},
    }
    (tmp_path / "placed.json").write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    request = CASES[0].request
    routed = Routed(tmp_path, 20.0, 10.0, {"ICESTORM_LC": Use(1, 2)}, {})
    made = Build(request, find_board("icebreaker").nearest(12), (), {}, {}, {}, "key", routed)
    picture(made, tmp_path / "picture.svg")
    tree = ElementTree.parse(tmp_path / "picture.svg").getroot()
    svg = "{http://www.w3.org/2000/svg}"
    # Four columns of 124 pixels and two rows of 200, the lower one row 0; neighbours of one part are one rectangle.
    assert [path.get("d") for path in tree.iter(f"{svg}path")] == [
        "M48.0 234.0h124.0v200.0h-124.0z", "", "M296.0 34.0h248.0v200.0h-248.0z", ""
    ]  # fmt: skip
    assert tree.findtext(f"{svg}title") == "fat cube d = 2 on the iCEBreaker, Lattice iCE40UP5K"
    assert [text.text for text in tree.iter(f"{svg}text")][1:5] == ["routers", "processors", "serial link", "the rest"]

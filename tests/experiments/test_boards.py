"""The experiment of boards: its networks, its records and its pictures."""

import json

import pytest

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
        assert (REPORTS / f"boards-{record['case']}.png").is_file()


def test_a_picture_has_a_pixel_for_every_place(tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    cells = {"board.bridge_a": {"attributes": {"NEXTPNR_BEL": "X5/Y7/lc0"}}}
    (tmp_path / "placed.json").write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    request = CASES[0].request
    routed = Routed(tmp_path, 20.0, 10.0, {"ICESTORM_LC": Use(1, 2)}, {})
    made = Build(request, find_board("icebreaker").nearest(12), (), {}, {}, {}, "key", routed)
    picture(made, tmp_path / "picture.png")
    image = pyplot.imread(tmp_path / "picture.png")
    # The colour of the serial link is there, at a place and in the legend.
    assert ((image[..., :3] * 255).round() == (0xED, 0xAE, 0x49)).all(axis=-1).sum() > 100
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".png"] == ["picture.png"]

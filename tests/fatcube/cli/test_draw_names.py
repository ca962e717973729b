"""`fatcube draw --route` with the names of nodes of a topology file."""

import json
from pathlib import Path

import pytest

from tests.support.commands import run

SOC = {
    "format": "fatcube.topology/1",
    "nodes": [
        *({"name": "cpu", "processors": 2}, {"name": "crossbar", "processors": 0}),
        *({"name": "usb", "processors": 1}, {"name": "ddr", "processors": 1}),
    ],
    "links": [["cpu", "crossbar"], ["usb", "crossbar"], ["crossbar", "ddr"]],
}


@pytest.fixture
def drawn(monkeypatch, capsys, tmp_path):
    """Draws a route on the network of a file."""
    monkeypatch.chdir(tmp_path)
    Path("soc.json").write_text(json.dumps(SOC))

    def draw(*route, more=()):
        return run(
            monkeypatch, capsys, "draw", "--topology-file", "soc.json", "--route", *route, *more, "-o", "net.svg"
        )

    return draw


@pytest.mark.parametrize("failed", [(), ("--failed", "processor:0")])
def test_names_and_numbers_are_the_same_route(drawn, failed):
    """Also in a network with failures, which keeps its names."""
    pictures = []
    for route in (("usb", "ddr"), ("2", "3"), ("usb", "3")):
        assert drawn(*route, more=failed)[::2] == (0, "")
        pictures.append(Path("net.svg").read_text())
    assert len(set(pictures)) == 1


@pytest.mark.parametrize(
    ("route", "message"),
    [
        (
            ("usb", "gpu"),
            "target of the route must be a processor's number or the name of a node with one processor, not 'gpu'",
        ),
        (
            ("cpu", "usb"),
            "source of the route must be a node with one processor or a processor's number, not 'cpu', which has "
            "processors 0 to 1",
        ),
        (
            ("usb", "crossbar"),
            "target of the route must be a node with one processor or a processor's number, not 'crossbar', which has "
            "no processor",
        ),
        (("usb", "-1"), "target of the route must be an integer from 0 to 3, not -1"),
    ],
)
def test_refused(drawn, route, message):
    assert drawn(*route) == (2, "", f"fatcube: {message}\n")
    assert not Path("net.svg").exists()

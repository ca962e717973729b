"""The page of whole networks, from figures made by hand."""

import json
from pathlib import Path

from fatcube.studies.load import plain_network
from fatcube.studies.whole import page
from noc.topologies.cubes import Hypercube
from noc.topologies.grids import Mesh


def made(topology, *, comb, ff, mhz):
    """A record as a measurement would give it; of each pair the first is the router's."""
    router, whole = (
        {"comb_equivalents": one, "ff": two, "fmax_mhz": three} for one, two, three in zip(comb, ff, mhz, strict=True)
    )
    return {
        "parameters": {**plain_network(topology).to_json(), "family": "ecp5"},
        "measured": {"nodes": topology.nodes, "router": router, "whole": whole},
        "how": {"seed": [1, 2, 3]},
    }


def test_figures_by_hand():
    records = [
        made(Hypercube(2), comb=(100, 300), ff=(50, 200), mhz=(200.0, 150.0)),
        made(Mesh(3, 2), comb=(200, 1710), ff=(60, 540), mhz=(160.0, 144.0)),
    ]
    text = page(records)
    assert "| hypercube(d=2) | 4 | 400 | 300 | 75% | 200 | 200 | 200.0 | 150.0 | 75% |" in text
    assert "| 9 | 1,800 | 1,710 | 95% | 540 | 540 | 160.0 | 144.0 | 90% |" in text
    assert "at 75% to 90% of the clock of the router alone, and take 75% to 95% of its LUTs" in text
    assert "the median of 3 placements" in text


def test_the_page_follows_from_the_stored_records():
    reports = Path(__file__).parents[3] / "synth_reports"
    assert page(json.loads((reports / "whole.json").read_text())) == (reports / "whole.md").read_text()

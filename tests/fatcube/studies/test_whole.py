"""The page of whole networks, from figures made by hand."""

import json
from pathlib import Path

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.studies.load import plain_network
from fatcube.studies.whole import page


def made(topology, *, comb, ff, mhz, cycles=(1, 0), start="device.node0.q$7_TRELLIS_FF_Q_1.Q"):
    """A record as a measurement would give it; of each pair the first is the router's."""
    router, whole = (
        {"comb_equivalents": one, "ff": two, "fmax_mhz": three} for one, two, three in zip(comb, ff, mhz, strict=True)
    )
    path = {
        "pins": [start, "device.node1.lut.F", "device.node1.d_TRELLIS_FF_Q.CE"],
        "logic_ns": 1.75,
        "routing_ns": 4.25,
    }
    in_router, on_lane = cycles
    parameters = {**plain_network(topology).to_json(), "family": "ecp5", "pipeline": in_router, "link_stages": on_lane}
    return {
        "parameters": parameters,
        "measured": {"nodes": topology.nodes, "router": router, "whole": whole, "path": path},
        "how": {"seed": [1, 2, 3]},
    }


def test_figures_by_hand():
    records = [
        made(Hypercube(2), comb=(100, 300), ff=(50, 200), mhz=(200.0, 150.0)),
        made(Hypercube(2), comb=(90, 330), ff=(70, 290), mhz=(200.0, 180.0), cycles=(2, 1), start="device.node1.e.Q"),
        made(Mesh(w=3, d=2), comb=(200, 1710), ff=(60, 540), mhz=(160.0, 144.0)),
    ]
    text = page(records)
    assert "| hypercube(d=2) | 4 | 400 | 300 | 75% | 200 | 200 | 200.0 | 150.0 | 75% |" in text
    assert "| 9 | 1,800 | 1,710 | 95% | 540 | 540 | 160.0 | 144.0 | 90% |" in text
    # Networks with more cycles per hop are in the second table only, in which the others are too.
    assert "at 75% to 90% of the clock of the router alone, and take 75% to 95% of its LUTs" in text
    assert (
        "| hypercube(d=2) | 1 | 0 | 300 | 200 | 150.0 | 75% | 1.00 | 6.7 | 1.8 + 4.2 | `node0.q` | `node1.d` |" in text
    )
    assert (
        "| hypercube(d=2) | 2 | 1 | 330 | 290 | 180.0 | 90% | 1.20 | 16.7 | 1.8 + 4.2 | `node1.e.Q` | `node1.d` |"
        in text
    )
    assert "| 1 | 0 | 1,710 | 540 | 144.0 | 90% | 1.00 | 6.9 |" in text
    assert "the median of 3 placements" in text


def test_the_page_follows_from_the_stored_records():
    reports = Path(__file__).parents[3] / "synth_reports"
    assert page(json.loads((reports / "whole.json").read_text())) == (reports / "whole.md").read_text()

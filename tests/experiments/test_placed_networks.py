"""The page of placed networks, from figures made by hand."""

from experiments.placed_networks import EXPERIMENT
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.studies.load import plain_network
from tests.support.experiments import markdown


def made(topology, *, comb, ff, mhz, cycles=(1, 0, 0), start="device.node0.q$7_TRELLIS_FF_Q_1.Q", commands=()):
    """A record as a measurement would give it; of each pair the first is the router's."""
    router, whole = (
        {"comb_equivalents": one, "ff": two, "fmax_mhz": three} for one, two, three in zip(comb, ff, mhz, strict=True)
    )
    path = {
        "pins": [start, "device.node1.lut.F", "device.node1.d_TRELLIS_FF_Q.CE"],
        "logic_ns": 1.75,
        "routing_ns": 4.25,
    }
    names = ("pipeline", "link_stages", "ejection_stages")
    parameters = {**plain_network(topology).to_json(), "family": "ecp5", **dict(zip(names, cycles, strict=True))}
    whole["commands"] = list(commands)
    return {
        "parameters": parameters,
        "measured": {"nodes": topology.nodes, "router": router, "whole": whole, "path": path},
        "how": {"seed": [1, 2, 3]},
    }


def test_figures_by_hand():
    records = [
        made(Hypercube(2), comb=(100, 300), ff=(50, 200), mhz=(200.0, 150.0)),
        made(
            Hypercube(2), comb=(90, 330), ff=(70, 290), mhz=(200.0, 180.0), cycles=(2, 1, 0), start="device.node1.e.Q"
        ),
        made(
            Hypercube(2), comb=(90, 340), ff=(70, 300), mhz=(200.0, 190.0), cycles=(1, 1, 1), commands=["p --tmg-ripup"]
        ),
        made(Mesh(w=3, d=2), comb=(200, 1710), ff=(60, 540), mhz=(160.0, 144.0)),
    ]
    text = markdown(EXPERIMENT, records)
    assert "| hypercube of 4 nodes | 4 | no | 400 | 300 | 75% | 200 | 200 | 200.0 | 150.0 | 75% |" in text
    assert "| 9 | no | 1,800 | 1,710 | 95% | 540 | 540 | 160.0 | 144.0 | 90% |" in text
    # Networks with more cycles per hop are in the second table only, in which the others are too.
    assert "at 75% to 90% of the clock of the router alone, and take 75% to 95% of its LUTs" in text
    assert (
        "| hypercube of 4 nodes | 1 | 0 | 0 | no | 300 | 200 | 150.0 | 75% | 1.00 | 6.7 | 1.8 + 4.2 | `node0.q` | `node1.d` |"
        in text
    )
    assert (
        "| hypercube of 4 nodes | 2 | 1 | 0 | no | 330 | 290 | 180.0 | 90% | 1.20 | 16.7 | 1.8 + 4.2 | `node1.e.Q` | `node1.d` |"
        in text
    )
    # Of another flow than the row with one cycle per hop, so there is nothing that it is so many times of.
    assert "| hypercube of 4 nodes | 1 | 1 | 1 | yes | 340 | 300 | 190.0 | 95% | - | 10.5 |" in text
    assert "| 1 | 0 | 0 | no | 1,710 | 540 | 144.0 | 90% | 1.00 | 6.9 |" in text
    assert "the median of 3 placements" in text

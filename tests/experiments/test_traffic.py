"""The page of networks under anyone's traffic, from figures made by hand."""

import pytest

from experiments.experiment import read_stored
from experiments.traffic import EXPERIMENT, rows_of
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.sim.traffic.load import LoadTest
from fatcube.studies.load import plain_network
from tests.support.experiments import REPORTS, markdown
from tests.support.loads import POINT


def made(topology, *, accepted, luts, mhz, steps):
    """A record as a measurement would give it."""
    network = RoutedNetwork(topology)
    measured = {
        "latency_without_load": 12.0,
        "bound": 1.0,
        "saturation": 0.4,
        "points": [{**POINT, "accepted": accepted}],
        "router_comb_equivalents": luts,
        "router_ff": 100,
        "fmax_mhz": mhz,
        "nodes": topology.nodes,
        "crossbar_ports": network.router().crossbar_ports,
        "aas_steps": steps,
    }
    return {"parameters": LoadTest(network).parameters, "measured": measured}


def test_figures_by_hand():
    """Half a flit of 32 bits a cycle at 100 MHz is 1.6 Gbit/s; of 8 processors, on 8 routers of 200 LUTs, 8 per 1,000."""
    [row] = rows_of([made(Hypercube(3), accepted=0.5, luts=200, mhz=100.0, steps=12)])
    assert row.gigabits == pytest.approx(1.6)
    assert row.luts == 1600
    assert row.gigabits_per_1000 == pytest.approx(8.0)
    assert row.nanoseconds == pytest.approx(120)


def test_sentences_follow_from_the_figures():
    text = markdown(
        EXPERIMENT,
        [
            made(Hypercube(3), accepted=0.5, luts=200, mhz=100.0, steps=12),
            made(FatCube(2, 2), accepted=0.4, luts=300, mhz=120.0, steps=16),
            made(Mesh(w=3, d=2), accepted=0.45, luts=250, mhz=110.0, steps=20),
        ],
    )
    assert "steps of an all-to-all, fewest first: hypercube of 8 nodes; fat cube d = 2, m = 2; 3 × 3 mesh." in text
    assert "accepted load, highest first: hypercube of 8 nodes; 3 × 3 mesh; fat cube d = 2, m = 2." in text
    assert "Of 3 pairs of networks, 2 have the same order" in text
    assert "| hypercube of 8 nodes | 1 | 4 | 1,600 | 100 | 12.00 | 120 |" in text


def test_the_page_says_what_limits_a_network():
    """From its own point; nothing is said of one whose record has no such figures."""
    known, unknown = (
        made(topology, accepted=0.5, luts=200, mhz=100.0, steps=12) for topology in (Hypercube(3), FatCube(2, 2))
    )
    known["measured"]["points"][0]["fullest"] = [0.95, 0.5, 0.5, 0.0, 0.3]
    text = markdown(EXPERIMENT, [known, unknown])
    sentence = "Limited by channels: at a load of 1.000 the fullest lane moves 0.95 flits per cycle, of at most 1."
    assert text.endswith(f"## What limits the networks\n\nhypercube of 8 nodes: {sentence}\n")
    known["measured"]["points"][0]["fullest"][0] = 0.7
    assert "hypercube of 8 nodes: Limited by blocking" in markdown(EXPERIMENT, [known])
    assert "What limits" not in markdown(EXPERIMENT, [unknown])


@pytest.mark.parametrize(
    ("topology", "channels"),
    [(Hypercube(6), 1), (Torus(w=8, d=2), 2), (Mesh(w=8, d=2), 1), (CubeConnectedCycles(4), 3)],
)
def test_as_few_channels_as_the_routing_takes(topology, channels):
    assert plain_network(topology).options.virtual_channels == channels


def test_the_summary_says_what_the_page_says():
    """Catches prose that still quotes an earlier measurement."""
    rows = {row.network: row for row in rows_of(read_stored(EXPERIMENT, REPORTS))}
    per_lut = {name: f"{row.gigabits_per_1000:.2f}" for name, row in rows.items()}
    each = {name: f"{row.gigabits:.2f}" for name, row in rows.items()}
    cube, mesh = "hypercube(d=6) ports=1", "mesh(w=8, d=2, m=1, f=1) ports=1"
    best = max(rows, key=lambda name: float(per_lut[name]))
    assert best == "fat-cube(d=4, m=4, f=1) ports=1"
    text = " ".join((REPORTS / "README.md").read_text().split())
    assert (
        f"{per_lut[best]} Gbit/s per 1,000 COMB, ahead of the hypercube ({per_lut[cube]}) and the mesh ({per_lut[mesh]})"
        in text
    )
    assert f"({each[best]} and {each[cube]} Gbit/s)" in text

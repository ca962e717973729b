"""Whole networks, placed and routed as one design, beside their router alone.

    python -m fatcube.studies.whole -o synth_reports

writes whole.md and whole.json into synth_reports: how much of the router's clock is left when its neighbours stand around
it and lanes are wires, and how much of its area when synthesis sees them together.
"""

import argparse
from collections.abc import Sequence
import json
from pathlib import Path
from typing import Any

from fatcube.reports.markdown import markdown_table
from fatcube.studies.load import DEPTH, plain_network
from groundwork.files import write_text
from groundwork.progress import tracked
from groundwork.record import record
from noc.topologies import topology_from_json
from noc.topologies.cubes import Hypercube
from noc.topologies.grids import Mesh
from noc.topology import Topology
from synth.silicon import network_silicon, router_silicon

__all__ = ["NETWORKS", "measure", "page"]


NETWORKS: tuple[Topology, ...] = (Hypercube(2), Hypercube(3), Hypercube(4), Mesh(4, 2))
"""Of 4, 8 and 16 nodes, and one of 16 that is drawn without crossing wires."""


def measure(topology: Topology, *, seeds: Sequence[int] = (1, 2, 3), family: str = "ecp5") -> dict[str, Any]:
    """The record of a network: area and Fmax of its router alone, and of the whole."""
    network = plain_network(topology)
    router, whole = (
        silicon(network, seeds=seeds, wide=False, family=family, jobs=2)
        for silicon in (router_silicon, network_silicon)
    )
    return record(
        {**network.to_json(), "family": family},
        {"nodes": topology.nodes, "router": router.to_json(), "whole": whole.to_json()},
        seed=list(seeds),
        command="python -m fatcube.studies.whole",
    )


def page(records: Sequence[dict[str, Any]]) -> str:
    """The page in Markdown, written from the records."""
    rows, clocks, areas = [], [], []
    for one in records:
        nodes, router, whole = (one["measured"][name] for name in ("nodes", "router", "whole"))
        alone = router["comb_equivalents"] * nodes
        clocks.append(whole["fmax_mhz"] / router["fmax_mhz"])
        areas.append(whole["comb_equivalents"] / alone)
        rows.append(
            [
                topology_from_json(one["parameters"]["topology"]),
                nodes,
                f"{alone:,}",
                f"{whole['comb_equivalents']:,}",
                f"{areas[-1]:.0%}",
                f"{router['ff'] * nodes:,}",
                f"{whole['ff']:,}",
                f"{router['fmax_mhz']:.1f}",
                f"{whole['fmax_mhz']:.1f}",
                f"{clocks[-1]:.0%}",
            ]
        )
    parameters = records[0]["parameters"]
    return "\n".join(
        [
            "# Whole networks, placed and routed",
            "",
            f"Networks of routers of model {parameters['ports']} with flits of {parameters['width']} bits and buffers of {DEPTH} "
            "flits, on ECP5 of speed grade 6: the router alone between registers, as many times as there are nodes, and all "
            "routers as one flat design, with the wires of their lanes between them. MHz: the median of "
            f"{len(records[0]['how']['seed'])} placements. Written by `python -m fatcube.studies.whole`; all figures in "
            "whole.json.",
            "",
            *markdown_table(
                [
                    *("network", "nodes", "COMB of all routers", "COMB together", "of it"),
                    *("FF of all routers", "FF together", "MHz of the router", "MHz together", "of it"),
                ],
                rows,
            ),
            "",
            f"Together they run at {min(clocks):.0%} to {max(clocks):.0%} of the clock of the router alone, and take "
            f"{min(areas):.0%} to {max(areas):.0%} of its LUTs.",
            "",
        ]
    )


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="of the placements")
    given = parser.parse_args()
    records = [
        measure(topology, seeds=given.seeds)
        for topology in tracked(NETWORKS, "placing and routing networks", len(NETWORKS))
    ]
    write_text(given.o / "whole.json", json.dumps(records, indent=1) + "\n")
    write_text(given.o / "whole.md", page(records))


if __name__ == "__main__":
    main()

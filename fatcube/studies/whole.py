"""Whole networks, placed and routed as one design, beside their router alone.

    python -m fatcube.studies.whole -o synth_reports

writes whole.md and whole.json into synth_reports: how much of the router's clock is left when its neighbours stand around
it and lanes are wires, and how much of its area when synthesis sees them together.
"""

import argparse
from collections.abc import Mapping, Sequence
import dataclasses
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


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Whole:
    """A network beside its router.

    Members
    -------
    topology : :class:`Topology`
    alone, together : :class:`int`
        COMB equivalents of all routers, each synthesized alone, and of the whole.
    ff_alone, ff_together : :class:`int`
        Flip-flops.
    mhz_alone, mhz_together : :class:`float`
        Fmax of the router, and of the whole.
    """

    topology: Topology
    alone: int
    together: int
    ff_alone: int
    ff_together: int
    mhz_alone: float
    mhz_together: float

    @classmethod
    def of(cls, one: Mapping[str, Any]) -> "_Whole":
        """The network of a record."""
        nodes, router, whole = (one["measured"][name] for name in ("nodes", "router", "whole"))
        return cls(
            topology=topology_from_json(one["parameters"]["topology"]),
            alone=router["comb_equivalents"] * nodes,
            together=whole["comb_equivalents"],
            ff_alone=router["ff"] * nodes,
            ff_together=whole["ff"],
            mhz_alone=router["fmax_mhz"],
            mhz_together=whole["fmax_mhz"],
        )

    @property
    def area(self) -> float:
        """The area together, as a part of that alone."""
        return self.together / self.alone

    @property
    def clock(self) -> float:
        """The clock together, as a part of that alone."""
        return self.mhz_together / self.mhz_alone

    @property
    def cells(self) -> list[object]:
        """Its row of the table."""
        return [
            self.topology,
            self.topology.nodes,
            f"{self.alone:,}",
            f"{self.together:,}",
            f"{self.area:.0%}",
            f"{self.ff_alone:,}",
            f"{self.ff_together:,}",
            f"{self.mhz_alone:.1f}",
            f"{self.mhz_together:.1f}",
            f"{self.clock:.0%}",
        ]


def page(records: Sequence[Mapping[str, Any]]) -> str:
    """The page in Markdown, written from the records."""
    networks = [_Whole.of(one) for one in records]
    clocks, areas = [one.clock for one in networks], [one.area for one in networks]
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
                [one.cells for one in networks],
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

"""Whole networks, placed and routed as one design, beside their router alone.

    python -m fatcube.studies.whole -o synth_reports

writes whole.md and whole.json into synth_reports: the share of the router's clock that remains when its neighbours are
around it and lanes are wires, the share of its area when synthesis sees them together, and the gain from a second cycle
per hop, in the router or on lanes.
"""

import argparse
from collections.abc import Mapping, Sequence
import dataclasses
import itertools
import json
from pathlib import Path
import re
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.record import record
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topology import Topology
from fatcube.reports.markdown import markdown_table
from fatcube.studies.load import DEPTH, plain_network
from fatcube.synth.critical_path import CriticalPath
from fatcube.synth.nextpnr import RIP_UP
from fatcube.synth.silicon import network_silicon, router_silicon

__all__ = ["CASES", "measure", "page"]


_CYCLES = ((1, 0, 0), (2, 0, 0), (1, 1, 0), (2, 1, 0), (1, 1, 1))

CASES: tuple[tuple[Topology, tuple[int, int, int]], ...] = (
    *itertools.product((Hypercube(2), Hypercube(3), Hypercube(4)), _CYCLES),
    (Mesh(w=4, d=2), (1, 0, 0)),
)
"""Cubes of 4, 8 and 16 nodes, and a mesh of 16 that is drawn without crossing wires; each with the cycles of a hop in the router,
those on registers of the lane, and those in registers at the ports on which processors receive."""


def measure(
    topology: Topology,
    *,
    cycles: tuple[int, int, int] = (1, 0, 0),
    seeds: Sequence[int] = (1, 2, 3),
    family: str = "ecp5",
    jobs: int = 2,
) -> dict[str, Any]:
    """The record of a network: area and Fmax of its router alone, and of the whole, with the longest path."""
    plain = plain_network(topology)
    pipeline, link_stages, ejection_stages = cycles
    options = dataclasses.replace(
        plain.options, pipeline=pipeline, link_stages=link_stages, ejection_stages=ejection_stages
    )
    network = RoutedNetwork(topology, options, routing=plain.routing)
    router, whole = (
        silicon(network, seeds=seeds, wide=False, family=family, jobs=jobs)
        for silicon in (router_silicon, network_silicon)
    )
    timing = whole.timing
    assert timing is not None
    middle = min(seeds, key=lambda seed: abs(timing.seeds_mhz[seed] - timing.fmax_mhz))
    return record(
        {**network.to_json(), "family": family},
        {
            "nodes": topology.nodes,
            "router": router.to_json(),
            "whole": whole.to_json(),
            "path": dataclasses.asdict(CriticalPath.of(timing.logs[middle])),
        },
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
    pipeline, link_stages, ejection_stages : :class:`int`
        The cycles of a hop in the router, on registers of the lane, and in those at the ports on which processors receive.
    ripped_up : :class:`bool`
        Whether it was placed with timing-driven rip-up.
    path : mapping
        The :class:`CriticalPath` of the whole.
    """

    topology: Topology
    alone: int
    together: int
    ff_alone: int
    ff_together: int
    mhz_alone: float
    mhz_together: float
    pipeline: int
    link_stages: int
    ejection_stages: int
    ripped_up: bool
    path: Mapping[str, Any]

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
            pipeline=one["parameters"]["pipeline"],
            link_stages=one["parameters"]["link_stages"],
            ejection_stages=one["parameters"].get("ejection_stages", 0),
            ripped_up=any(RIP_UP in command for command in whole.get("commands", ())),
            path=one["measured"]["path"],
        )

    @property
    def area(self) -> float:
        """The area together, relative to the area alone."""
        return self.together / self.alone

    @property
    def clock(self) -> float:
        """The clock together, relative to the clock alone."""
        return self.mhz_together / self.mhz_alone

    @property
    def cells(self) -> list[object]:
        """Its row of the table."""
        return [
            self.topology,
            self.topology.nodes,
            "yes" if self.ripped_up else "no",
            f"{self.alone:,}",
            f"{self.together:,}",
            f"{self.area:.0%}",
            f"{self.ff_alone:,}",
            f"{self.ff_together:,}",
            f"{self.mhz_alone:.1f}",
            f"{self.mhz_together:.1f}",
            f"{self.clock:.0%}",
        ]

    def paces(self, first: "_Whole | None") -> list[object]:
        """Its row of the table of cycles per hop; ``first`` is the same network with one, placed likewise, if that was measured."""
        cycles = self.pipeline + self.link_stages
        return [
            self.topology,
            self.pipeline,
            self.link_stages,
            self.ejection_stages,
            "yes" if self.ripped_up else "no",
            f"{self.together:,}",
            f"{self.ff_together:,}",
            f"{self.mhz_together:.1f}",
            f"{self.clock:.0%}",
            f"{self.mhz_together / first.mhz_together:.2f}" if first else "-",
            f"{1000 * cycles / self.mhz_together:.1f}",
            f"{self.path['logic_ns']:.1f} + {self.path['routing_ns']:.1f}",
            *(f"`{_register(self.path['pins'][end])}`" for end in (0, -1)),
        ]


def _register(pin: str) -> str:
    """The name of the register of a pin."""
    return re.sub(r"^device\.|_TRELLIS_FF_Q.*|\$\d+", "", pin)


def page(records: Sequence[Mapping[str, Any]]) -> str:
    """The page in Markdown, written from the records."""
    every = [_Whole.of(one) for one in records]
    networks = [one for one in every if one.pipeline + one.link_stages + one.ejection_stages == 1]
    firsts = {(str(one.topology), one.ripped_up): one for one in networks}
    clocks, areas = [one.clock for one in networks], [one.area for one in networks]
    parameters = records[0]["parameters"]
    return "\n".join(
        [
            "# Whole networks, placed and routed",
            "",
            f"Networks of routers of model {parameters['ports']} with flits of {parameters['width']} bits and buffers of {DEPTH} "
            "flits, on ECP5 of speed grade 6: the router alone between registers, as many times as there are nodes, and all "
            "routers as one flat design, with the wires of their lanes between them. MHz: the median of "
            f"{len(records[0]['how']['seed'])} placements, with timing-driven rip-up (nextpnr's {RIP_UP}) or, in older rows, without. Written by `python -m fatcube.studies.whole`; all figures in "
            "whole.json.",
            "",
            *markdown_table(
                [
                    *("network", "nodes", "rip-up", "COMB of all routers", "COMB together", "of it"),
                    *("FF of all routers", "FF together", "MHz of the router", "MHz together", "of it"),
                ],
                [one.cells for one in networks],
            ),
            "",
            f"Together they run at {min(clocks):.0%} to {max(clocks):.0%} of the clock of the router alone, and take "
            f"{min(areas):.0%} to {max(areas):.0%} of its LUTs.",
            "",
            "## More cycles per hop",
            "",
            "A second cycle is in the router (`--pipeline 2`) or on the lane (`--link-stages 1`); one more, once on the way of a packet, "
            "is at the port on which a processor receives (`--ejection-stages 1`). A lane carries a flit per cycle, "
            "so as many million flits per second as the clock has MHz. Of the longest path: the time in registers and LUTs, that "
            "on wires, and the registers that it begins and ends at. Synthesis names these after the nets that they drive: the "
            "register on a lane can have the name of the router behind it.",
            "",
            *markdown_table(
                [
                    *("network", "cycles in the router", "on the lane", "at a port", "rip-up", "COMB", "FF", "MHz"),
                    *(
                        "of the router",
                        "flits/s, of those with one cycle",
                        "ns per hop",
                        "longest path, ns",
                        "from",
                        "to",
                    ),
                ],
                [one.paces(firsts.get((str(one.topology), one.ripped_up))) for one in every],
            ),
            "",
        ]
    )


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="of the placements")
    parser.add_argument(
        "--only",
        type=int,
        nargs="+",
        metavar="CASE",
        choices=range(len(CASES)),
        help="the cases with these numbers, behind the rows that whole.json has",
    )
    given = parser.parse_args()
    path = given.o / "whole.json"
    records = json.loads(path.read_text()) if given.only and path.exists() else []
    cases = [CASES[number] for number in given.only] if given.only else CASES
    for topology, cycles in tracked(cases, "placing and routing networks", len(cases)):
        records.append(measure(topology, cycles=cycles, seeds=given.seeds))
        write_text(path, json.dumps(records, indent=1) + "\n")
        write_text(given.o / "whole.md", page(records))


if __name__ == "__main__":
    main()

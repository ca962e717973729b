"""Where a fat cube is cheaper or faster than a hypercube with as many processors, from the rows that are stored.

    python -m fatcube.papers.fat_cube.worth -o synth_reports

writes worth.md, with a line for each network, and the beginning of README.md, with the better one of each size and model.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
import dataclasses
from pathlib import Path

from fatcube.groundwork.files import write_text
from fatcube.noc.cost import Price, price
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.fat_cube.silicon import is_plain
from fatcube.papers.fat_cube.turns import gates
from fatcube.reports.markdown import markdown_table
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import STANDARD
from fatcube.studies.explore_steps import Work, work_of
from fatcube.studies.results import read_records
from fatcube.studies.study import Router, Study, committed_all_turns, committed_study

__all__ = ["begin", "page"]


_SIZES = (8, 16, 32, 64)
_PAYLOAD_FLITS = 16
_COLLECTIVES = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)
_BEGIN, _END = "<!-- python -m fatcube.papers.fat_cube.worth -->", "<!-- end -->"


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Line:
    """A network with its figures, of all its routers together; what was not measured is ``None``.

    Members
    -------
    used, whole : :class:`Router`
        With the turns that one-hop schedules use, and with all turns.
    nand2 : :class:`float` or ``None``
        NAND2 equivalents of a router with all turns.
    works : dict of :class:`Work`
        Steps and cycles in lockstep of each collective, of 16 payload flits.
    """

    used: Router
    whole: Router | None
    nand2: float | None
    works: dict[Collective, Work]

    @property
    def name(self) -> str:
        """The network in few words."""
        one = self.used.network.topology
        return f"fat cube ({one.d}, {one.m}, {one.f})" if isinstance(one, FatCube) else "hypercube"

    @property
    def cost(self) -> Price:
        """The papers' price."""
        return price(self.used.network.topology, self.used.network.options.ports)

    def ns(self, collective: Collective) -> float | None:
        """The time of a collective at the clock of the router with the turns used."""
        return None if self.used.mhz is None else 1000 * self.works[collective].cycles / self.used.mhz

    @property
    def throughput(self) -> float | None:
        """Payload that an all-to-all delivers, Gbit/s for each 1,000 LUTs with the turns used."""
        time, processors = self.ns(Collective.AAS), self.used.network.topology.processors
        bits = processors * (processors - 1) * _PAYLOAD_FLITS * self.used.network.options.width
        return None if time is None else 1000 * bits / time / (self.used.luts * self.cost.routers)


_Value = Callable[[_Line], float | None]

_LESS: dict[str, _Value] = {
    "a b": lambda one: one.cost.router_cost,
    "LUTs, all turns": lambda one: one.whole and one.whole.luts * one.cost.routers,
    "LUTs, turns used": lambda one: one.used.luts * one.cost.routers,
    "NAND2, all turns": lambda one: one.nand2 and one.nand2 * one.cost.routers,
    **{f"ns, {one.value}": (lambda line, one=one: line.ns(one)) for one in _COLLECTIVES},
}
"""The figures of which less is better."""
_MORE: dict[str, _Value] = {"Fmax": lambda one: one.used.mhz, "AAS per LUT": lambda one: one.throughput}


def _lines(study: Study, nand2: dict[Network, float]) -> dict[tuple[int, str], list[_Line]]:
    """The networks of each size and model, the hypercube first."""
    found: dict[tuple[int, str], list[_Line]] = {(size, ports): [] for size in _SIZES for ports in "1bd*"}
    for network, used in study.routers.items():
        topology, key = network.topology, (network.topology.processors, network.options.ports.value)
        if key in found and is_plain(network) and isinstance(topology, (FatCube, Hypercube)):
            works = {one: work_of(network, one, STANDARD, _PAYLOAD_FLITS) for one in _COLLECTIVES}
            found[key].append(_Line(used=used, whole=study.whole.get(network), nand2=nand2.get(network), works=works))
    for some in found.values():
        some.sort(key=lambda one: (isinstance(one.used.network.topology, FatCube), one.cost.router_cost, one.name))
    return {key: some for key, some in found.items() if len(some) > 1 and some[0].name == "hypercube"}


def _best(lines: Sequence[_Line], of: _Value, *, more: bool = False) -> tuple[str, float] | None:
    """The fat cube that is best against the hypercube in one figure, and the ratio; ``None`` where nothing was measured."""
    cube, *fat = lines
    base, values = of(cube), [(value, one.name) for one in fat if (value := of(one)) is not None]
    if base is None or not values:
        return None
    value, name = (max if more else min)(values, key=lambda one: one[0])
    return name, value / base


def _verdicts(lines: Sequence[_Line]) -> list[str]:
    """For each figure the best fat cube with its ratio to the hypercube, in bold where it is better."""
    cells = []
    for figures, more in ((_LESS, False), (_MORE, True)):
        for of in figures.values():
            if (best := _best(lines, of, more=more)) is None:
                cells.append("-")
                continue
            name, ratio = best
            text = f"{ratio:.2f} {name.removeprefix('fat cube ')}"
            cells.append(f"**{text}**" if (ratio > 1) == more and ratio != 1 else text)
    return cells


def _said(found: dict[tuple[int, str], list[_Line]]) -> list[str]:
    """How often some fat cube is better, as sentences."""

    figures = {name: of for name, of in _LESS.items() if any(_best(lines, of) for lines in found.values())}

    def often(name: str, of: _Value, more: bool = False) -> str:
        ratios = [best[1] for lines in found.values() if (best := _best(lines, of, more=more)) is not None]
        return f"{name} ({sum(one != 1 and (one > 1) == more for one in ratios)} of {len(ratios)})"

    cheaper = [often(name, of) for name, of in figures.items() if not name.startswith("ns")]
    faster = [often(name.removeprefix("ns, "), of) for name, of in figures.items() if name.startswith("ns")]
    return [
        f"For {len(found)} pairings of a size ({', '.join(map(str, _SIZES))} processors) and a router model, with the number of pairings "
        f"measured in brackets: some fat cube is cheaper than the hypercube in {'; '.join(cheaper)}. It is faster, in ns at the clock of its own "
        f"router, in {'; '.join(faster)}. It is better in {often('clock of the router', _MORE['Fmax'], more=True)} and in "
        f"{often('all-to-all throughput per LUT', _MORE['AAS per LUT'], more=True)}."
    ]


def begin(study: Study, nand2: dict[Network, float]) -> str:
    """The beginning of the results: the answer, and the best fat cube of each size and model."""
    found = _lines(study, nand2)
    return "\n".join(
        [
            _BEGIN,
            "## When is a fat cube cheaper or faster than a hypercube?",
            "",
            *_said(found),
            "",
            "Each cell has the best fat cube (d, m, f) of that size and model in one figure, as a ratio to the hypercube, bold where it is "
            "better: less, and for Fmax and AAS per LUT more. Prices and areas are of all routers together, with 32-bit flits and buffers "
            f"of two; times are cycles in lockstep with {_PAYLOAD_FLITS} payload flits at the Fmax of the router with the turns used, without "
            "wires between routers. All figures are in [worth.md](worth.md).",
            "",
            *_bold(markdown_table(["processors", "model", *_LESS, *_MORE], _rows(found))),
            "",
            _END,
        ]
    )


def _rows(found: dict[tuple[int, str], list[_Line]]) -> list[list[object]]:
    return [[size, ports, *_verdicts(lines)] for (size, ports), lines in found.items()]


def _bold(lines: Iterable[str]) -> list[str]:
    """Lines of a table in which bold cells are bold."""
    return [line.replace(r"\*\*", "**") for line in lines]


def page(study: Study, nand2: dict[Network, float]) -> str:
    """The page in Markdown: a line for each network."""
    rows = []
    for (size, ports), lines in _lines(study, nand2).items():
        for one in lines:
            routers = one.cost.routers
            per_lut = one.throughput
            rows.append(
                [
                    *(size, ports, one.name, one.cost.a, one.cost.ab, f"{one.cost.router_cost:,}", one.cost.links),
                    "-" if one.whole is None else f"{one.whole.luts * routers:,}",
                    f"{one.used.luts * routers:,}",
                    "-" if one.nand2 is None else f"{one.nand2 * routers:,.0f}",
                    "-" if one.whole is None or one.whole.mhz is None else f"{one.whole.mhz:.1f}",
                    "-" if one.used.mhz is None else f"{one.used.mhz:.1f}",
                    " / ".join(str(work.steps) for work in one.works.values()),
                    " / ".join(str(work.cycles) for work in one.works.values()),
                    "-" if one.used.mhz is None else " / ".join(f"{one.ns(each):.0f}" for each in _COLLECTIVES),
                    "-" if per_lut is None else f"{per_lut:.2f}",
                ]
            )
    return "\n".join(
        [
            "# Fat cubes and hypercubes with as many processors",
            "",
            "Written by `python -m fatcube.papers.fat_cube.worth -o synth_reports` from [study.jsonl](study.jsonl), [turns.json](turns.json) and "
            "the steps that `explore` has. N is the number of routers; LUTs are COMB equivalents on ECP5, NAND2 those of the cells of osu018. "
            f"Steps, cycles and ns are of {', '.join(one.value for one in _COLLECTIVES)} with {_PAYLOAD_FLITS} payload flits, in lockstep, and ns "
            "at the Fmax of the router with the turns used, without wires between routers; AAS per LUT is the payload that an all-to-all "
            "delivers, in Gbit/s for each 1,000 LUTs with the turns used. Networks that were not placed have no Fmax and no ns; model b has "
            f"no router with all turns. {study.flow_note}".rstrip(),
            "",
            *markdown_table(
                [
                    *("processors", "model", "network", "a", "a b", "N a b", "links"),
                    *("LUTs, all turns", "LUTs, turns used", "NAND2, all turns", "MHz, all turns", "MHz, turns used"),
                    *("steps", "cycles", "ns", "AAS per LUT"),
                ],
                rows,
            ),
            "",
        ]
    )


def main() -> None:
    """Write the page, and the beginning of the README."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to, with the README.md")
    folder = parser.parse_args().o
    every = committed_all_turns()
    study = Study(read_records(committed_study()), "ecp5", all_turns=every)
    write_text(folder / "worth.md", page(study, gates(every)))
    before, _, rest = (folder / "README.md").read_text(encoding="utf-8").partition(_BEGIN)
    write_text(folder / "README.md", before + begin(study, gates(every)) + rest.partition(_END)[2])


if __name__ == "__main__":
    main()

"""Tables 1 and 2 of the fat-cube paper against silicon: the sentences of a study."""

from collections.abc import Iterator, Sequence
import dataclasses
from statistics import mean

from fatcube.noc.cost import cheaper_dimensions, price
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.fat_cube.printed import TABLE_1, TABLE_2, dimensions_in_words
from fatcube.reports.table import Section, TitledTable
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.study import Router, Study
from fatcube.synth.silicon import turns_of

__all__ = ["is_plain", "tables_1_and_2", "verdicts"]


_TITLE = "Tables 1 and 2 of the paper on fat cubes"
_WHAT = ("a b", "LUTs, all turns", "LUTs, turns used", "crossbar LUTs", "FFs, turns used", "links")


_TABLE_1 = {
    "network": "{topology.name}",
    "model": "{model}",
    "printed a = b": "{text} = {value}",
    "computed a": "{ports}",
    "a b": "{cost.ab}",
    "C_R": "{cost.router_cost:,}",
    "C_L": "{cost.links}",
    "turns used": "{turns}",
    "crossbar LUTs": "{crossbar}",
    "router LUTs, all turns": "{whole_luts}",
    "router LUTs, turns used": "{router.luts:,}",
    "router FFs, turns used": "{router.ff}",
    "LUTs of all routers, all turns": "{all_whole}",
    "LUTs of all routers, turns used": "{all_luts:,}",
    "Fmax MHz, all turns": "{whole_mhz}",
    "Fmax MHz, turns used": "{mhz}",
    "record": "{router.key}",
}
"""The columns of the first table, and their contents."""


def is_plain(network: Network) -> bool:
    """Whether flits and buffers are those of the study's tables: of 32 bits, and of two flits."""
    return network == Network(network.topology, RouterOptions(ports=network.options.ports))


def tables_1_and_2(study: Study) -> Section:
    """The tables beside what was synthesized, and how often a b and silicon agree; nothing where no cube was measured."""
    plain = {network: router for network, router in study.routers.items() if is_plain(network)}
    cells = []
    for network, router in sorted(
        plain.items(),
        key=lambda item: (item[0].topology.processors, str(item[0].topology), item[0].options.ports.value),
    ):
        topology, cost = network.topology, price(network.topology, network.options.ports)
        if not isinstance(topology, (FatCube, Hypercube)):
            continue
        text = TABLE_1[network.options.ports.value][isinstance(topology, Hypercube)]
        whole = study.whole.get(network)
        found = {
            "topology": topology,
            "model": network.options.ports.value,
            "text": text,
            "value": _value(text, topology),
            "ports": network.router().crossbar_ports,
            "cost": cost,
            "router": router,
            "crossbar": "-" if router.crossbar is None else f"{router.crossbar:,}",
            "turns": turns_of(network.router()),
            "whole_luts": "-" if whole is None else f"{whole.luts:,}",
            "all_whole": "-" if whole is None else f"{whole.luts * cost.routers:,}",
            "all_luts": router.luts * cost.routers,
            "mhz": _mhz(router),
            "whole_mhz": _mhz(whole),
        }
        cells.append([cell.format(**found) for cell in _TABLE_1.values()])
    if not cells:
        return Section(_TITLE, [], [])
    first = TitledTable(
        "Table 1 as printed, as computed, as synthesized",
        "For the fat cubes and hypercubes of this study: a = b as the paper prints it, and counted on the router that is "
        "generated; 32-bit flits, buffers of two. With all turns a router has all a b crosspoints, which the paper prices; with the turns "
        "used it has those of schedules whose packets cross one link. Fmax is the median of the placement seeds, with their spread.",
        list(_TABLE_1),
        cells,
    )
    words = {True: "yes", False: "no", None: "-"}
    lines, every = [], []
    for f, m, ports, text in _conditions():
        pairs = _pairs(study, f, m, ports)
        found = [pair.verdicts for pair in pairs.values()]
        computed = dimensions_in_words(cheaper_dimensions(ports, m, f, most=100), 100)
        measured = ", ".join(map(str, pairs)) or "none"
        said = (", ".join(words[one[index]] for one in found) or "-" for index in range(len(_WHAT)))
        lines.append([str(f), str(m), ports, text, computed, measured, *said])
        every += pairs.values()
    second = TitledTable(
        "Table 2 as printed, as computed, as synthesized",
        "For which d a fat cube's routers cost no more than those of the hypercube with as many processors. "
        "Synthesized: yes or no for each d of which both networks were measured, in the same order.",
        ["f", "m", "model", "printed", "computed", "measured d", *(f"in {name}" for name in _WHAT)],
        lines,
    )
    return Section(_TITLE, _said(every), [first, second])


def _mhz(router: Router | None) -> str:
    if router is None or router.mhz is None:
        return "-"
    return f"{router.mhz:.1f}" + (f" ({min(router.seeds):.1f} to {max(router.seeds):.1f})" if router.seeds else "")


def _said(pairs: Sequence["_Pair"]) -> list[str]:
    """How many verdicts are those of a b, and why those in LUTs of the turns used are others."""
    found = [pair.verdicts for pair in pairs]
    text = []
    for index, name in enumerate(_WHAT[1:], 1):
        both = [one for one in found if one[index] is not None]
        if both:
            text.append(f"{sum(one[0] == one[index] for one in both)} of {len(both)} pairs in {name}")
    said = (
        [f"The verdict of a b (the fat cube is no dearer, or it is) is also that of {'; '.join(text)}."] if text else []
    )
    compared = [pair for pair in pairs if pair.whole is not None]
    if compared:
        left_out, less = (
            [mean(of(pair, place) for pair in compared) for place in (0, 1)]
            for of in (lambda pair, place: pair.left_out[place], lambda pair, place: pair.less[place])
        )
        said.append(
            "LUTs with all turns and with the turns used differ because schedules whose packets cross one link leave out more of a "
            f"hypercube's crosspoints than of a fat cube's: on average over the {len(compared)} pairs {left_out[1]:.0%} and "
            f"{left_out[0]:.0%} of them, which makes the hypercube's routers {less[1]:.0%} smaller and the fat cube's {less[0]:.0%}."
        )
    return said


def _value(text: str, topology: FatCube | Hypercube) -> int:
    """The value of a formula of Table 1."""
    d, m, f = topology.d, topology.m, topology.f
    return {
        "m + d f": m + d * f,
        "d + 1": d + 1,
        "d (m + f)": d * (m + f),
        "2 d": 2 * d,
        "d (m + f) + m (m - 1)": d * (m + f) + m * (m - 1),
    }[text]


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Pair:
    """A fat cube and the hypercube with as many processors.

    Members
    -------
    routers : pair of :class:`Router`
        With the turns used: that of the fat cube, and that of the hypercube.
    whole : pair of :class:`Router` or ``None``
        With all turns, if both were measured.
    """

    routers: tuple[Router, Router]
    whole: tuple[Router, Router] | None

    @property
    def verdicts(self) -> list[bool | None]:
        """Whether the fat cube is no dearer, in each of :data:`_WHAT`; ``None`` where it was not measured."""
        costs = [price(router.network.topology, router.network.options.ports) for router in self.routers]
        values = [
            [
                cost.router_cost,
                self.whole and self.whole[place].luts * cost.routers,
                router.luts * cost.routers,
                None if router.crossbar is None else router.crossbar * cost.routers,
                router.ff * cost.routers,
                cost.links,
            ]
            for place, (router, cost) in enumerate(zip(self.routers, costs))
        ]
        return [None if None in two else two[0] <= two[1] for two in zip(*values)]

    @property
    def left_out(self) -> list[float]:
        """The part of all crosspoints that each router does not have with the turns used."""
        return [
            1 - turns_of(one) / one.crossbar_ports**2 for one in (router.network.router() for router in self.routers)
        ]

    @property
    def less(self) -> list[float]:
        """The part of the LUTs with all turns that each router does not need with the turns used."""
        return [1 - used.luts / whole.luts for used, whole in zip(self.routers, self.whole or self.routers)]


def _conditions() -> Iterator[tuple[int, int, str, str]]:
    """f, m, the model and the printed condition of each cell of Table 2."""
    for (f, m), printed in TABLE_2.items():
        for ports, text in printed.items():
            yield f, m, ports, text


def _pairs(study: Study, f: int, m: int, ports: str) -> dict[int, _Pair]:
    """The pairs of one cell of Table 2 that were measured, by d."""
    plain = {
        network.topology: network
        for network in study.routers
        if is_plain(network) and network.options.ports.value == ports
    }
    found = {}
    for d in range(1, 9):
        both = [FatCube(d, m, f), Hypercube(d + m.bit_length() - 1)]
        if plain.keys() >= set(both):
            fat, thin = (plain[topology] for topology in both)
            whole = (study.whole[fat], study.whole[thin]) if study.whole.keys() >= {fat, thin} else None
            found[d] = _Pair(routers=(study.routers[fat], study.routers[thin]), whole=whole)
    return found


def verdicts(study: Study) -> list[tuple[bool | None, bool | None, bool | None]]:
    """For each pair of Table 2 that was measured, whether the fat cube is no dearer: in a b, in LUTs of routers with all
    turns, and in LUTs of routers with the turns used."""
    found = (pair.verdicts for f, m, ports, _ in _conditions() for pair in _pairs(study, f, m, ports).values())
    return [(one[0], one[1], one[2]) for one in found]

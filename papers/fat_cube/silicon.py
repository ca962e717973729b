"""Tables 1 and 2 of the fat-cube paper against silicon: what a study says of them."""

from collections.abc import Mapping

from fatcube.noc.cost import cheaper_dimensions, price
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.papers.fat_cube.printed import TABLE_1, TABLE_2, dimensions_in_words
from fatcube.reports.table import Section, TitledTable
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.study import Router, Study

__all__ = ["condition", "is_plain", "tables_1_and_2"]


_TITLE = "Tables 1 and 2 of the paper on fat cubes"
_WHAT = ("LUTs", "crossbar LUTs", "FFs", "links")


_TABLE_1 = {
    "network": "{topology}",
    "model": "{model}",
    "printed a = b": "{text} = {value}",
    "computed a": "{ports}",
    "a b": "{cost.ab}",
    "C_R": "{cost.router_cost:,}",
    "C_L": "{cost.links}",
    "crossbar LUTs": "{crossbar}",
    "router LUTs": "{router.luts:,}",
    "router FFs": "{router.ff}",
    "LUTs per a b W": "{per_bit:.2f}",
    "LUTs of all routers": "{all_luts:,}",
    "Fmax MHz": "{mhz}",
    "record": "{router.key}",
}
"""The columns of the first table, and what stands in each of them."""


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
        spread = f" ({min(router.seeds):.1f} to {max(router.seeds):.1f})" if router.seeds else ""
        found = {
            "topology": topology,
            "model": network.options.ports.value,
            "text": text,
            "value": _value(text, topology),
            "ports": network.router().crossbar_ports,
            "cost": cost,
            "router": router,
            "crossbar": "-" if router.crossbar is None else f"{router.crossbar:,}",
            "per_bit": router.luts / cost.ab / network.options.width,
            "all_luts": router.luts * cost.routers,
            "mhz": "-" if router.mhz is None else f"{router.mhz:.1f}{spread}",
        }
        cells.append([cell.format(**found) for cell in _TABLE_1.values()])
    if not cells:
        return Section(_TITLE, [], [])
    first = TitledTable(
        "Table 1 as printed, as computed, as synthesized",
        "For the fat cubes and hypercubes of this study: a = b as the paper prints it, and counted on the router that is "
        "generated; 32-bit flits, buffers of two. "
        "Fmax is the median of the placement seeds, with their spread.",
        list(_TABLE_1),
        cells,
    )
    by_name = {(network.topology, network.options.ports.value): router for network, router in plain.items()}
    cells, verdicts = [], []
    for (f, m), printed in TABLE_2.items():
        for ports, text in printed.items():
            line, agree = condition(by_name, f, m, ports)
            computed = dimensions_in_words(cheaper_dimensions(ports, m, f, most=100), 100)
            cells.append([str(f), str(m), ports, text, computed, *line])
            verdicts += agree
    second = TitledTable(
        "Table 2 as printed, as computed, as synthesized",
        "For which d a fat cube's routers cost no more than those of the hypercube with as many processors. "
        "Synthesized: yes or no for each d of which both networks were measured, in the same order.",
        ["f", "m", "model", "printed", "computed", "measured d", "in a b", *(f"in {name}" for name in _WHAT)],
        cells,
    )
    text = []
    for index, name in enumerate(_WHAT):
        both = [one for one in verdicts if one[index + 1] is not None]
        if both:
            text.append(f"{sum(one[0] == one[index + 1] for one in both)} of {len(both)} pairs in {name}")
    said = f"The verdict of a b (the fat cube is no dearer, or it is) is also that of {', '.join(text)}."
    return Section(_TITLE, [said] if text else [], [first, second])


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


def condition(
    routers: Mapping[tuple[Topology, str], Router], f: int, m: int, ports: str
) -> tuple[list[str], list[list[bool | None]]]:
    """The cells of one row of Table 2, and for each pair whether the fat cube is no dearer in a b and on silicon."""
    measured, verdicts = [], []
    for d in range(1, 9):
        both = [(FatCube(d, m, f), ports), (Hypercube(d + m.bit_length() - 1), ports)]
        if not routers.keys() >= set(both):
            continue
        pair = [routers[one] for one in both]
        costs = [price(router.network.topology, ports) for router in pair]
        values = [
            [
                cost.router_cost,
                router.luts * cost.routers,
                None if router.crossbar is None else router.crossbar * cost.routers,
                router.ff * cost.routers,
                cost.links,
            ]
            for router, cost in zip(pair, costs)
        ]
        measured.append(d)
        verdicts.append([None if None in two else two[0] <= two[1] for two in zip(*values)])
    words = {True: "yes", False: "no", None: "-"}
    return (
        [
            ", ".join(map(str, measured)) or "none",
            *(", ".join(words[one[index]] for one in verdicts) or "-" for index in range(len(_WHAT) + 1)),
        ],
        verdicts,
    )

"""The answers of the page: in how many cases something pays, where the most, and what it costs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
import dataclasses
import itertools

from experiments.machine_costs.network import (
    ALL,
    COMBINING,
    DIRECT,
    DIRECT_COMBINING,
    NO_COPIES,
    SINGLE,
    Change,
    Network,
    percent,
    quickest,
)
from experiments.machine_costs.offers import Way
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import Links, Transfers
from fatcube.studies.comparison import COLLECTIVES

__all__ = ["COMBINING_TO_DIRECT", "DIRECT_TO_COMBINING", "TO_COMBINING", "TO_DIRECT", "answers"]


# The ways before, and those that are allowed besides.
TO_DIRECT = [SINGLE], [DIRECT]
TO_COMBINING = [SINGLE], [COMBINING]
DIRECT_TO_COMBINING = [SINGLE, DIRECT], [COMBINING, DIRECT_COMBINING]
COMBINING_TO_DIRECT = [SINGLE, COMBINING], [DIRECT, DIRECT_COMBINING]


def _cases(
    networks: Iterable[Network], links: Links, ways: tuple[Sequence[Way], Sequence[Way]], ports: Sequence[PortModel]
) -> Iterator[tuple[Network, PortModel, Collective, Change]]:
    for network, model, collective in itertools.product(networks, ports, COLLECTIVES):
        change = Change(network.offers(links, model, collective), *ways)
        if change.there:
            yield network, model, collective, change


def _saves(networks: Sequence[Network], ways: tuple[Sequence[Way], Sequence[Way]], ports: Sequence[PortModel]) -> str:
    """In how many cases cycles are saved, where, and how many."""
    found = list(_cases(networks, Links.FULL_DUPLEX, ways, ports))
    saved = [one for one in found if one[3].part < 1]
    if not saved:
        return f"none of {len(found)} cases"
    best = min(saved, key=lambda one: one[3].part)
    network, model, collective, change = best
    by_collective = ", ".join(
        f"{collective.value} {sum(one[2] is collective for one in saved)}"
        for collective in COLLECTIVES
        if any(one[2] is collective for one in saved)
    )
    return (
        f"{len(saved)} of {len(found)} cases ({by_collective}), the most in {collective.value} with model "
        f"{model.value} on the {network.topology.name}: {change}"
    )


def answers(networks: Sequence[Network]) -> list[str]:
    """The answers, a paragraph each."""
    fat = [one for one in networks if not isinstance(one.topology, Hypercube)]
    cubes = [one for one in networks if isinstance(one.topology, Hypercube)]
    others, copying = (list(_luts(networks, copying=copies)) for copies in (False, True))
    halves = list(_halves(networks, Links.HALF_DUPLEX, [SINGLE]))
    thin = list(_halves(networks, Links.SIMPLEX, [SINGLE]))
    return [
        "Direct transfers save cycles on the fat cubes in " + _saves(fat, TO_DIRECT, ALL) + ". "
        "On the hypercube: "
        + _saves(cubes, TO_DIRECT, ALL)
        + ". Their routers pass packets from lane to lane, which takes "
        f"{_range(others, percent)} LUTs, and in model b, where it needs buffers for whole packets, {_range(copying, percent)}. "
        + _per_lut(networks),
        "Combining with adjacent transfers saves cycles in " + _saves(networks, TO_COMBINING, NO_COPIES) + ". "
        "It takes no LUT in a router: only processors differ.",
        "Combining with direct transfers saves cycles against single messages, adjacent or direct, in "
        + _saves(networks, DIRECT_TO_COMBINING, NO_COPIES)
        + ". Direct transfers save cycles where packets are combined already in "
        + _saves(networks, COMBINING_TO_DIRECT, NO_COPIES)
        + ".",
        "Half-duplex links take "
        f"{_range([one.wires for one in halves], _times)} times the wires of full-duplex ones, "
        f"{_range([one.luts for one in halves], _times)} times the LUTs, and, with single messages "
        f"and adjacent transfers, {_range([one.cycles for one in halves], _times)} times the "
        f"cycles. Wires times cycles fall in {sum(one.wires * one.cycles < 1 for one in halves)} of {len(halves)} cases: "
        + _which_pay(halves)
        + ".",
        "Simplex links, counted in the same way, take "
        f"{_range([one.wires for one in thin], _times)} times the wires and "
        f"{_range([one.cycles for one in thin], _times)} times the cycles; wires times cycles fall "
        f"in {sum(one.wires * one.cycles < 1 for one in thin)} of {len(thin)} cases: {_which_pay(thin)}.",
    ]


def _luts(networks: Iterable[Network], *, copying: bool) -> Iterator[float]:
    """The LUTs of machines with direct transfers, as parts of those with adjacent ones."""
    for network, model in itertools.product(networks, PortModel):
        pair = [network.machine(transfers, Links.FULL_DUPLEX, model) for transfers in Transfers]
        if pair[0] and pair[1] and model.copies == copying:
            yield pair[1].luts / pair[0].luts


def _per_lut(networks: Iterable[Network]) -> str:
    """Where direct transfers save more cycles than they cost LUTs."""
    saved, paid = 0, []
    for network, model, collective, change in _cases(networks, Links.FULL_DUPLEX, TO_DIRECT, ALL):
        pair = [network.machine(transfers, Links.FULL_DUPLEX, model) for transfers in Transfers]
        if change.part < 1 and pair[0] and pair[1]:
            saved += 1
            if change.part * pair[1].luts < pair[0].luts:
                paid.append(f"{collective.value} with model {model.value} on the {network.topology.name}")
    return f"LUTs times cycles fall in {len(paid)} of the {saved} cases that save cycles" + (
        f": {', '.join(paid)}." if paid else "."
    )


def _range(values: Sequence[float], shown: Callable[[float], str]) -> str:
    """The least and the largest value, once if they look alike."""
    return " to ".join(dict.fromkeys((shown(min(values)), shown(max(values)))))


def _times(part: float) -> str:
    return f"{part:.2f}"


@dataclasses.dataclass(frozen=True)
class _Half:
    """The steps and messages of other links, relative to full-duplex links."""

    collective: Collective
    cycles: float
    wires: float
    luts: float


def _halves(networks: Iterable[Network], links: Links, ways: Sequence[Way]) -> Iterator[_Half]:
    for network, model, collective in itertools.product(networks, PortModel, COLLECTIVES):
        full, other = (
            quickest(network.offers(one, model, collective, with_pairs=False), *ways)
            for one in (Links.FULL_DUPLEX, links)
        )
        wires, others = (network.machine(Transfers.ADJACENT, one, model) for one in (Links.FULL_DUPLEX, links))
        if full and other and wires and others:
            yield _Half(collective, other.cycles / full.cycles, others.wires / wires.wires, others.luts / wires.luts)


def _which_pay(halves: Sequence[_Half]) -> str:
    counts = []
    for collective in COLLECTIVES:
        those = [one for one in halves if one.collective is collective]
        counts.append(f"{collective.value} in {sum(one.wires * one.cycles < 1 for one in those)} of {len(those)}")
    return ", ".join(counts)

"""The page that says when direct transfers, combining and half-duplex links pay, written from the figures alone."""

from collections.abc import Callable, Iterable, Iterator, Sequence
import dataclasses
from functools import cached_property
import itertools

from fatcube.reports.markdown import titled_table
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.model_cells import PAYLOAD_FLITS, Result
from fatcube.studies.pays.hardware import Hardware
from fatcube.studies.pays.offers import WAYS, Offer, Sector, Way, offers_of, sectors
from noc.topologies.cubes import Hypercube
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Collective
from schedules.step_model import Links, Transfers

__all__ = ["Network", "page", "plane_cases"]


@dataclasses.dataclass(frozen=True)
class Network:
    """A network, all of its machine models as they ran, and their hardware."""

    topology: Topology
    results: Sequence[Result]
    hardware: Sequence[Hardware]

    def offers(self, links: Links, ports: PortModel, collective: Collective) -> list[Offer]:
        """The offers for a collective on one kind of links and router, of all ways; none where there are no such links."""
        return offers_of(
            one
            for one in self.results
            if (one.links, one.ports, one.collective) == (links.value, ports.value, collective.value)
        )

    def machine(self, transfers: Transfers, links: Links, ports: PortModel) -> Hardware | None:
        """The hardware of a machine, or ``None`` where there is none."""
        return self._machines.get((transfers.value, links.value, ports.value))

    @cached_property
    def _machines(self) -> dict[tuple[str, str, str], Hardware]:
        return {(one.transfers, one.links, one.ports): one for one in self.hardware}


TAU = 4
"""The start-up time of a step here, in cycles, where a flit takes one."""
SINGLE, COMBINING, DIRECT, DIRECT_COMBINING = WAYS


def quickest(offers: Iterable[Offer], *ways: Way) -> Offer | None:
    """The offer of these ways that took the fewest cycles on the RTL; of equal ones that of the first way."""
    return min((one for one in offers if one.way in ways), key=lambda one: one.cycles, default=None)


class _Change:
    """Cycles of one way, and of another one that is allowed too, which is never slower."""

    def __init__(self, offers: Sequence[Offer], before: Sequence[Way], after: Sequence[Way]) -> None:
        self.before, self.after = quickest(offers, *before), quickest(offers, *before, *after)

    @property
    def there(self) -> bool:
        """Whether both ways are there."""
        return self.before is not None and self.after is not None

    @property
    def part(self) -> float:
        """The cycles after, as a part of those before."""
        assert self.before is not None and self.after is not None
        return self.after.cycles / self.before.cycles

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            return "-"
        if self.before.cycles == self.after.cycles:
            return f"{self.before.cycles}"
        steps = f"{self.before.steps} to {self.after.steps} steps"
        return f"{self.before.cycles} to {self.after.cycles} ({_percent(self.part)}; {steps})"


def _percent(part: float) -> str:
    """A part as the change that it is, as in -25 %."""
    return f"{100 * (part - 1):+.0f} %"


def page(networks: Sequence[Network], *, figure: str) -> str:
    """The page in Markdown; ``figure`` is the name of the file with the plane."""
    parts = [_head(networks), *_answers(networks)]
    parts += [titled_table(*table) for table in _tables(networks)]
    parts.append(_plane(networks, figure))
    return "\n".join(parts)


_NOTE = (
    "Cycles are counted on the RTL in lockstep, with tau = 4 and t_c = 1 cycle and {flits} payload flits in a message; every "
    "run delivered all messages word by word, without a conflict. A cell has the cycles before and after, if they differ, "
    "with the change and the steps. Where more is allowed, a schedule that needs less of it may be taken, so nothing is ever "
    "slower. LUTs are COMB equivalents on ECP5 of all routers, each mapped by itself, and of what stands in the lanes. Schedules "
    "are those of `fatcube models`, whose tables beside this page say which steps are proved to be the fewest: they have "
    "the fewest steps that were found, and no search looked for the fewest messages in a row. Schedules with packets of up to two "
    "messages are tried as well."
)


def _head(networks: Sequence[Network]) -> str:
    names = ", ".join(str(one.topology) for one in networks)
    return (
        "# When do direct transfers, combining and half-duplex links pay?\n\n"
        "The fat-cube paper leaves this open (section 6). Measured on "
        f"{names}. {_NOTE.format(flits=PAYLOAD_FLITS)} Written by `python -m fatcube.studies.pays`; figures in models.json and "
        "in the files of `fatcube models` beside it.\n"
    )


def _cases(
    networks: Iterable[Network], links: Links, ways: tuple[Sequence[Way], Sequence[Way]], ports: Sequence[PortModel]
) -> Iterator[tuple[Network, PortModel, Collective, _Change]]:
    for network, model, collective in itertools.product(networks, ports, COLLECTIVES):
        change = _Change(network.offers(links, model, collective), *ways)
        if change.there:
            yield network, model, collective, change


_TO_DIRECT = [SINGLE], [DIRECT]
_TO_COMBINING = [SINGLE], [COMBINING]
_DIRECT_TO_COMBINING = [SINGLE, DIRECT], [COMBINING, DIRECT_COMBINING]
_COMBINING_TO_DIRECT = [SINGLE, COMBINING], [DIRECT, DIRECT_COMBINING]
_ALL = tuple(PortModel)
_NO_COPIES = tuple(model for model in PortModel if not model.multicast)


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
        f"{_shown(model)} on {network.topology}: {change}"
    )


def _answers(networks: Sequence[Network]) -> list[str]:
    fat = [one for one in networks if not isinstance(one.topology, Hypercube)]
    cubes = [one for one in networks if isinstance(one.topology, Hypercube)]
    others, copying = (list(_luts(networks, copying=copies)) for copies in (False, True))
    halves = list(_halves(networks, Links.HALF_DUPLEX, [SINGLE]))
    thin = list(_halves(networks, Links.SIMPLEX, [SINGLE]))
    lines = [
        "- **Direct transfers** save cycles on the fat cubes in " + _saves(fat, _TO_DIRECT, _ALL) + ". "
        "On the hypercube: "
        + _saves(cubes, _TO_DIRECT, _ALL)
        + ". Their routers pass packets from lane to lane, which takes "
        f"{_range(others, _percent)} LUTs, and in model b, where it needs buffers for whole packets, {_range(copying, _percent)}. "
        + _per_lut(networks),
        "- **Combining with adjacent transfers** saves cycles in " + _saves(networks, _TO_COMBINING, _NO_COPIES) + ". "
        "It takes no LUT in a router: only processors differ.",
        "- **Combining with direct transfers** saves cycles against single messages, adjacent or direct, in "
        + _saves(networks, _DIRECT_TO_COMBINING, _NO_COPIES)
        + ". Direct transfers save cycles where packets are combined already in "
        + _saves(networks, _COMBINING_TO_DIRECT, _NO_COPIES)
        + ".",
        "- **Half-duplex links** take "
        f"{_range([one.wires for one in halves], _times)} times the wires of full-duplex ones, "
        f"{_range([one.luts for one in halves], _times)} times the LUTs, and, with single messages "
        f"and adjacent transfers, {_range([one.cycles for one in halves], _times)} times the "
        f"cycles. Wires times cycles fall in {sum(one.wires * one.cycles < 1 for one in halves)} of {len(halves)} cases: "
        + _which_pay(halves)
        + ".",
    ]
    lines.append(
        "- **Simplex links**, counted in the same way, take "
        f"{_range([one.wires for one in thin], _times)} times the wires and "
        f"{_range([one.cycles for one in thin], _times)} times the cycles; wires times cycles fall "
        f"in {sum(one.wires * one.cycles < 1 for one in thin)} of {len(thin)} cases: {_which_pay(thin)}."
    )
    return ["\n".join(lines), ""]


def _luts(networks: Iterable[Network], *, copying: bool) -> Iterator[float]:
    """The LUTs of machines with direct transfers, as parts of those with adjacent ones."""
    for network, model in itertools.product(networks, PortModel):
        pair = [network.machine(transfers, Links.FULL_DUPLEX, model) for transfers in Transfers]
        if pair[0] and pair[1] and model.multicast == copying:
            yield pair[1].luts / pair[0].luts


def _per_lut(networks: Iterable[Network]) -> str:
    """Where direct transfers save more cycles than they cost LUTs."""
    saved, paid = 0, []
    for network, model, collective, change in _cases(networks, Links.FULL_DUPLEX, _TO_DIRECT, _ALL):
        pair = [network.machine(transfers, Links.FULL_DUPLEX, model) for transfers in Transfers]
        if change.part < 1 and pair[0] and pair[1]:
            saved += 1
            if change.part * pair[1].luts < pair[0].luts:
                paid.append(f"{collective.value} with model {_shown(model)} on {network.topology}")
    return f"LUTs times cycles fall in {len(paid)} of the {saved} cases that save cycles" + (
        f": {', '.join(paid)}." if paid else "."
    )


def _shown(model: PortModel) -> str:
    """A router model in text, where a star would be markup."""
    return model.value.replace("*", "\\*")


def _range(values: Sequence[float], shown: Callable[[float], str]) -> str:
    """The least and the largest value, once if they look alike."""
    return " to ".join(dict.fromkeys((shown(min(values)), shown(max(values)))))


def _times(part: float) -> str:
    return f"{part:.2f}"


@dataclasses.dataclass(frozen=True)
class _Half:
    """What other links take, as parts of what full-duplex links take."""

    collective: Collective
    cycles: float
    wires: float
    luts: float


def _halves(networks: Iterable[Network], links: Links, ways: Sequence[Way]) -> Iterator[_Half]:
    for network, model, collective in itertools.product(networks, PortModel, COLLECTIVES):
        full, other = (quickest(network.offers(one, model, collective), *ways) for one in (Links.FULL_DUPLEX, links))
        wires, others = (network.machine(Transfers.ADJACENT, one, model) for one in (Links.FULL_DUPLEX, links))
        if full and other and wires and others:
            yield _Half(collective, other.cycles / full.cycles, others.wires / wires.wires, others.luts / wires.luts)


def _which_pay(halves: Sequence[_Half]) -> str:
    counts = []
    for collective in COLLECTIVES:
        those = [one for one in halves if one.collective is collective]
        counts.append(f"{collective.value} in {sum(one.wires * one.cycles < 1 for one in those)} of {len(those)}")
    return ", ".join(counts)


_Cell = Callable[[Network, PortModel, Collective], object]


def _tables(networks: Sequence[Network]) -> Iterator[tuple[str, str, list[str], list[list[object]]]]:
    def change(ways: tuple[Sequence[Way], Sequence[Way]]) -> _Cell:
        return lambda network, model, collective: _Change(network.offers(Links.FULL_DUPLEX, model, collective), *ways)

    def links(other: Links, ways: Sequence[Way]) -> _Cell:
        def cell(network: Network, model: PortModel, collective: Collective) -> str:
            full, half = (quickest(network.offers(one, model, collective), *ways) for one in (Links.FULL_DUPLEX, other))
            if full is None or half is None:
                return "-"
            same = full.cycles == half.cycles
            return f"{full.cycles}" + ("" if same else f" to {half.cycles} ({_percent(half.cycles / full.cycles)})")

        return cell

    yield _table("Direct instead of adjacent transfers, one message per packet", networks, _ALL, change(_TO_DIRECT))
    yield _table("Combining with adjacent transfers", networks, _NO_COPIES, change(_TO_COMBINING))
    yield _table(
        "Combining with direct transfers, against single messages that are adjacent or direct",
        networks,
        _NO_COPIES,
        change(_DIRECT_TO_COMBINING),
    )
    yield _table(
        "Half-duplex links, single messages, adjacent transfers", networks, _ALL, links(Links.HALF_DUPLEX, [SINGLE])
    )
    yield _table("Half-duplex links, the quickest of all ways on both", networks, _ALL, links(Links.HALF_DUPLEX, WAYS))
    yield _table("Simplex links, the quickest of all ways on both", networks, _ALL, links(Links.SIMPLEX, WAYS))
    yield (
        "LUTs and wires",
        "LUTs of the routers, and of what stands in half-duplex lanes; wires of all lanes, control included. Routers have the "
        "turns that the schedules take. Inputs and turns are those of a router.",
        ["network", "model", "links", "transfers", "inputs", "turns", "LUTs", "of them in lanes", "FF", "wires"],
        [
            [
                network.topology,
                one.ports,
                one.links,
                one.transfers,
                one.inputs,
                one.turns,
                f"{one.luts:,}",
                f"{one.lane_luts:,}",
                f"{one.router_ff + one.lane_ff:,}",
                f"{one.wires:,}",
            ]
            for network in networks
            for one in sorted(network.hardware, key=lambda one: "1bd*".index(one.ports))
        ],
    )


def _table(
    title: str, networks: Sequence[Network], ports: Sequence[PortModel], cell: _Cell
) -> tuple[str, str, list[str], list[list[object]]]:
    rows: list[list[object]] = [
        [network.topology, model.value, *(cell(network, model, collective) for collective in COLLECTIVES)]
        for network, model in itertools.product(networks, ports)
    ]
    return title, "Cycles.", ["network", "model", *(one.value for one in COLLECTIVES)], rows


def plane_cases(networks: Iterable[Network]) -> Iterator[tuple[Network, PortModel, Collective, list[Sector]]]:
    """The sectors of the plane for each network, router model without copies, and collective of several messages."""
    several = [one for one in COLLECTIVES if one is not Collective.OAB]
    for network, model, collective in itertools.product(networks, _NO_COPIES, several):
        offers = network.offers(Links.FULL_DUPLEX, model, collective)
        if offers:
            yield network, model, collective, sectors(offers, PAYLOAD_FLITS)


def _plane(networks: Sequence[Network], figure: str) -> str:
    rows: list[list[object]] = []
    for network, model, collective, found in plane_cases(networks):
        offers = network.offers(Links.FULL_DUPLEX, model, collective)
        measured = quickest(offers, *WAYS)
        pairs = dict.fromkeys(f"{one.way}: {one.steps}, {one.messages}" for one in offers)
        rows.append(
            [
                network.topology,
                model.value,
                collective.value,
                "; ".join(pairs),
                "; ".join(_at_least(offers)),
                "; ".join(map(_in_words, found)),
                measured and f"{measured.way} ({measured.cycles})",
            ]
        )
    exact, more = _against_formula(networks)
    note = (
        "What is beyond our tau is computed, not measured: from the steps S and the messages M of each schedule (of each step "
        "the messages in its largest packet, added up), with the time S tau + (M (F + 1) - S) t_c, for full-duplex links and "
        f"F = {PAYLOAD_FLITS}. Which way wins depends on tau / t_c alone. With another F a limit x becomes "
        f"1 + (x - 1) (F + 1) / {PAYLOAD_FLITS + 1}: short messages pay to be combined earlier. Of ways that take the same "
        "time, the one that needs less is named. The last column has what won on the RTL at tau / t_c = 4, where the "
        f"formula gives exactly the cycles of the RTL in {exact[0]} of {exact[1]} cells with full-duplex links and adjacent transfers, "
        f"and with direct ones in {more[0]} of {more[1]}, where packets over several links take up to {more[2]} cycles more. "
        "At least: proven, as a step whose largest packet has n messages can be done in n steps of single messages; what meets "
        "both limits (met) cannot be beaten anywhere in the plane. "
        f"OAB moves one message, so that combining never changes it.\n\n![The plane of tau and t_c]({figure})"
    )
    columns = [
        "network",
        "model",
        "collective",
        "S, M of each way",
        "S, M at least",
        "fastest by tau / t_c",
        "measured at 4 (cycles)",
    ]
    return titled_table("The plane of tau and t_c", note, columns, rows)


def _against_formula(networks: Iterable[Network]) -> list[tuple[int, int, int]]:
    """For adjacent and direct transfers: cells in exactly the cycles of the formula, all of them, and the most cycles above."""
    found: dict[Transfers, list[int]] = {transfers: [] for transfers in Transfers}
    for network, model, collective in itertools.product(networks, PortModel, COLLECTIVES):
        for one in network.offers(Links.FULL_DUPLEX, model, collective):
            found[one.way.transfers].append(int(one.cycles - one.time(TAU, PAYLOAD_FLITS)))
    return [(off.count(0), len(off), max(off)) for off in found.values()]


def _at_least(offers: Sequence[Offer]) -> Iterator[str]:
    """For adjacent and direct transfers: the fewest steps with packets of any size, and those of single messages."""
    for transfers in Transfers:
        steps = min(one.bound for one in offers if one.way.transfers is transfers)
        messages = min(one.bound for one in offers if one.way == Way(transfers, combining=False))
        met = any((one.steps, one.messages) == (steps, messages) and one.way.transfers is transfers for one in offers)
        yield f"{transfers}: {steps}, {messages}{' (met)' if met else ''}"


def _in_words(sector: Sector) -> str:
    start, end, offer = sector
    if end is None:
        limits = "always" if start == 1 else f"above {float(start):.4g}"
    else:
        limits = f"up to {float(end):.4g}" if start == 1 else f"{float(start):.4g} to {float(end):.4g}"
    return f"{offer.way} {limits}"

"""The plane of start-up time and time per flit as a section of the page: computed, and beside it what was measured."""

from collections.abc import Iterable, Iterator, Sequence
import itertools

from experiments.machine_costs.network import NO_COPIES, Network, quickest
from experiments.machine_costs.offers import WAYS, Offer, Sector, Way, sectors
from fatcube.reports.table import Section, TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import Links, Transfers
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.model_cells import PAYLOAD_FLITS

__all__ = ["TAU", "plane_cases", "plane_section"]


TAU = 4
"""The start-up time of a step here, in cycles, where a flit takes one."""


def plane_cases(networks: Iterable[Network]) -> Iterator[tuple[Network, PortModel, Collective, list[Sector]]]:
    """The sectors of the plane for each network, router model without copies, and collective of several messages."""
    several = [one for one in COLLECTIVES if one is not Collective.OAB]
    for network, model, collective in itertools.product(networks, NO_COPIES, several):
        offers = network.offers(Links.FULL_DUPLEX, model, collective)
        if offers:
            yield network, model, collective, sectors(offers, PAYLOAD_FLITS)


def plane_section(networks: Sequence[Network], figure: str) -> Section:
    """The section; ``figure`` is the name of the file with the plane."""
    rows: list[list[object]] = []
    for network, model, collective, found in plane_cases(networks):
        offers = network.offers(Links.FULL_DUPLEX, model, collective)
        measured = quickest(offers, *WAYS)
        pairs = dict.fromkeys(f"{one.way}: {one.steps}, {one.messages}" for one in offers)
        rows.append(
            [
                network.topology.name,
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
        "Figures beyond our tau are computed, not measured: from the steps S and the messages M of each schedule (of each step "
        "the messages in its largest packet, added up), with the time S tau + (M (F + 1) - S) t_c, for full-duplex links and "
        f"F = {PAYLOAD_FLITS}. Which way wins depends on tau / t_c alone. With another F a limit x becomes "
        f"1 + (x - 1) (F + 1) / {PAYLOAD_FLITS + 1}: short messages pay to be combined earlier. Of ways that take the same "
        "time, the one that needs less is named. The last column has what won on the RTL at tau / t_c = 4, where the "
        f"formula gives exactly the cycles of the RTL in {exact[0]} of {exact[1]} cells with full-duplex links and adjacent transfers, "
        f"and with direct ones in {more[0]} of {more[1]}, where packets over several links take up to {more[2]} cycles more. "
        "At least: proven, as a step whose largest packet has n messages can be done in n steps of single messages; what meets "
        "both limits (met) cannot be beaten anywhere in the plane. "
        "OAB moves one message, so that combining never changes it."
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
    title = "The plane of tau and t_c"
    return Section(title, [note], [TitledTable("", "", columns, rows)], [(title, figure)])


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

"""The page that says when direct transfers, combining and half-duplex links pay, written from the figures alone."""

from collections.abc import Callable, Iterator, Sequence
import itertools

from experiments.experiment import table
from experiments.machine_costs.answers import DIRECT_TO_COMBINING, TO_COMBINING, TO_DIRECT, answers
from experiments.machine_costs.network import ALL, NO_COPIES, SINGLE, Change, Network, percent, quickest
from experiments.machine_costs.offers import WAYS, Way
from experiments.machine_costs.plane import plane_section
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import Links
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.model_cells import PAYLOAD_FLITS

__all__ = ["page"]


def page(networks: Sequence[Network], *, figure: str) -> Results:
    """The page; ``figure`` is the name of the file with the plane."""
    return Results(
        title="When do direct transfers, combining and half-duplex links pay?",
        note="The fat-cube paper leaves this open (section 6). Measured on "
        f"{'; '.join(one.topology.name for one in networks)}. {_NOTE.format(flits=PAYLOAD_FLITS)} Other figures are in the files of "
        "`fatcube models` beside it.",
        says=answers(networks),
        tables=list(_tables(networks)),
        sections=[plane_section(networks, figure)],
    )


_NOTE = (
    "Cycles are counted on the RTL in lockstep, with tau = 4 and t_c = 1 cycle and {flits} payload flits in a message; every "
    "run delivered all messages word by word, without a conflict. A cell has the cycles before and after, if they differ, "
    "with the change and the steps. Where more is allowed, a schedule that needs less of it may be taken, so nothing is ever "
    "slower. LUTs are COMB equivalents on ECP5 of all routers, each mapped by itself, and of the arbiters in the lanes. Schedules "
    "are those of `fatcube models`, whose tables beside this page say which steps are proved to be the fewest: they have "
    "the fewest steps that were found, and no search looked for the fewest messages in a row. On full-duplex links packets of up "
    "to two messages are tried as well as of four and of any number."
)


_Cell = Callable[[Network, PortModel, Collective], object]


def _tables(networks: Sequence[Network]) -> Iterator[TitledTable]:
    def change(ways: tuple[Sequence[Way], Sequence[Way]]) -> _Cell:
        return lambda network, model, collective: Change(network.offers(Links.FULL_DUPLEX, model, collective), *ways)

    def links(other: Links, ways: Sequence[Way]) -> _Cell:
        def cell(network: Network, model: PortModel, collective: Collective) -> str:
            full, half = (
                quickest(network.offers(one, model, collective, with_pairs=False), *ways)
                for one in (Links.FULL_DUPLEX, other)
            )
            if full is None or half is None:
                return "-"
            same = full.cycles == half.cycles
            return f"{full.cycles}" + ("" if same else f" to {half.cycles} ({percent(half.cycles / full.cycles)})")

        return cell

    yield _table("Direct instead of adjacent transfers, one message per packet", networks, ALL, change(TO_DIRECT))
    yield _table("Combining with adjacent transfers", networks, NO_COPIES, change(TO_COMBINING))
    yield _table(
        "Combining with direct transfers, against single messages that are adjacent or direct",
        networks,
        NO_COPIES,
        change(DIRECT_TO_COMBINING),
    )
    yield _table(
        "Half-duplex links, single messages, adjacent transfers", networks, ALL, links(Links.HALF_DUPLEX, [SINGLE])
    )
    yield _table(
        "Half-duplex links, the quickest way on both, without packets of up to two messages",
        networks,
        ALL,
        links(Links.HALF_DUPLEX, WAYS),
    )
    yield _table(
        "Simplex links, the quickest way on both, without packets of up to two messages",
        networks,
        ALL,
        links(Links.SIMPLEX, WAYS),
    )
    yield table(
        "LUTs and wires",
        "LUTs of the routers, and of the arbiters in half-duplex lanes; wires of all lanes, control included. Routers have the "
        "turns that the schedules take. Inputs and turns are those of a router.",
        {
            "network": lambda row: row[0].topology.name,
            "model": lambda row: row[1].ports,
            "links": lambda row: row[1].links,
            "transfers": lambda row: row[1].transfers,
            "inputs": lambda row: row[1].inputs,
            "turns": lambda row: row[1].turns,
            "LUTs": lambda row: f"{row[1].luts:,}",
            "of them in lanes": lambda row: f"{row[1].lane_luts:,}",
            "FF": lambda row: f"{row[1].router_ff + row[1].lane_ff:,}",
            "wires": lambda row: f"{row[1].wires:,}",
        },
        [
            (network, one)
            for network in networks
            for one in sorted(network.hardware, key=lambda one: "1bd*".index(one.ports))
        ],
    )


def _table(title: str, networks: Sequence[Network], ports: Sequence[PortModel], cell: _Cell) -> TitledTable:
    rows: list[list[object]] = [
        [network.topology.name, model.value, *(cell(network, model, collective) for collective in COLLECTIVES)]
        for network, model in itertools.product(networks, ports)
    ]
    return TitledTable(title, "Cycles.", ["network", "model", *(one.value for one in COLLECTIVES)], rows)

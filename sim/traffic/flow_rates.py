"""Given flows under load: the requested rates, the rates that sources can offer, and the accepted ones, flow by flow."""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from fatcube.sim.traffic.given import flows
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_point import LoadPoint

__all__ = ["FlowRates", "flow_rows", "realized", "said_of_flows"]


_MOST_ROWS = 16


class FlowRates(NamedTuple):
    """A flow at a load: its two processors, and the requested and the realized flits per cycle."""

    source: int
    destination: int
    asked: Fraction
    realized: Fraction


def realized(test: LoadTest, load: float) -> list[FlowRates]:
    """The flows of a test at a load of the busiest processor, in flits per cycle and port.

    Sources create packets with probabilities that are multiples of 1/65,536, and pick an entry of a table for each.
    """
    demand = test.demand
    assert demand.busiest is not None
    offered, tables = demand.realized(load, test.mean_flits), [Counter(table) for table in demand.destinations]
    return [
        FlowRates(
            flow.source,
            flow.destination,
            flow.rate * Fraction(load) / demand.busiest,
            offered[flow.source] * tables[flow.source][flow.destination] / tables[flow.source].total(),
        )
        for flow in flows(test.options.traffic)
    ]


def said_of_flows(test: LoadTest, load: float) -> str:
    """A sentence with the loads of given flows, and how exactly they are realized at a load."""
    demand = test.demand
    assert demand.rates is not None and demand.busiest is not None
    worst = max(realized(test, load), key=lambda flow: abs(flow.realized / flow.asked - 1))
    return (
        f"loads are those of processor {demand.rates.index(Fraction(1))}, the busiest, which sends {float(demand.busiest):.3f} "
        f"flits per cycle in the file, and the others send in proportion; at a load of {load:g} the largest difference between "
        f"a realized rate and its own is {float(abs(worst.realized / worst.asked - 1)):.2%}: {float(worst.realized):.5f} in place "
        f"of {float(worst.asked):.5f} flits per cycle from {worst.source} to {worst.destination}"
    )


def flow_rows(test: LoadTest, point: LoadPoint) -> tuple[str, list[str], list[list[object]]]:
    """Title, columns and rows of a table of the largest flows at a measured point, with details.

    The packets that were measured are those that arrived; their flits are counted at the mean length of a packet.
    """
    pairs = {(pair.source, pair.destination): pair for pair in point.pairs}
    cycles = test.options.measured * test.options.repeats * test.network.processor_ports
    rows: list[list[object]] = []
    for flow in sorted(realized(test, point.load), key=lambda flow: (-flow.asked, flow.source, flow.destination))[
        :_MOST_ROWS
    ]:
        pair = pairs.get((flow.source, flow.destination))
        arrived = 0.0 if pair is None else pair.packets * float(test.mean_flits) / cycles
        rows.append(
            [
                *(
                    flow.source,
                    flow.destination,
                    f"{float(flow.asked):.4f}",
                    f"{float(flow.realized):.4f}",
                    f"{arrived:.4f}",
                ),
                *(("-", "-") if pair is None else (f"{pair.latency:.1f}", pair.longest)),
            ]
        )
    title = f"flows at a load of {point.load:.3f}, in flits per cycle"
    return title, ["source", "destination", "asked", "realized", "arrived", "latency", "longest"], rows

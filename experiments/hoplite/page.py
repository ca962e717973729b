"""The page of Hoplite and our networks."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.experiment import table
from experiments.hoplite.measure import LOADS, NAMES, Row
from experiments.hoplite.torus import longest
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.synth.families import find_family

__all__ = ["page"]


_SIDE = 4
_WITHOUT = {
    "order": ("kept between two processors", "a packet that is deflected is overtaken"),
    "backpressure": ("a receiver may stop, and its packets wait", "a processor has to take a flit in every cycle"),
    "packets": (
        "of any number of flits",
        "of one flit; what is longer is divided and put together again by processors",
    ),
    "waiting to send": ("bounded by the arbiters", "without bound while others pass by"),
    "topology": ("any", "a torus of two dimensions with one-way rings"),
}


def page(records: Sequence[Mapping[str, Any]], folder: Path | None = None) -> Results:
    """The page, from the records alone."""
    rows = [Row.from_json(one["measured"]) for one in records]
    flow = find_family("ecp5").flow_note({"fmax_mhz": row.router_mhz, "commands": row.commands} for row in rows)
    return Results(
        title="Packets of one flit: Hoplite beside our networks",
        note="Hoplite (N. Kapre and J. Gray, FPL 2015) is a torus of one-way rings without buffers, in which a packet that cannot go "
        "where it should is deflected. The RTL that is measured here was written by us from the paper "
        "(`experiments/hoplite/torus.py`), with the rule of HopliteRT (2017) that a packet from the west is never "
        f"deflected. No packet is then in the network for more than {longest(_SIDE, _SIDE - 1, _SIDE - 1)} cycles, "
        "which is checked of every packet that these figures come from. 4 x 4 processors, flits of 32 bits, ECP5 of speed grade 6; MHz: "
        f"the median of {len(records[0]['how']['seed'])} placements, of the router between registers, and of all routers as one flat "
        "design. Uniform traffic, the sender among the destinations, as of `fatcube load --packet-flits 1`; accepted: flits per cycle and "
        f"processor, where all offer one in every cycle. Latencies in ns are at the clock of the whole network. {flow}".rstrip(),
        says=_compared(rows),
        tables=[
            table("Area and clock", "Of a router, and of the whole network.", _SILICON, rows),
            table("Traffic", "Throughput and latency.", _TRAFFIC, rows),
            TitledTable(
                "The difference",
                "Hoplite does without some of what our networks have.",
                ["", "our networks", "Hoplite"],
                [[what, ours, theirs] for what, (ours, theirs) in _WITHOUT.items()],
            ),
        ],
    )


def _compared(rows: Sequence[Row]) -> list[str]:
    """Sentences that compare it with our mesh, if both are there and were placed."""
    named = {row.name: row for row in rows}
    hoplite, mesh = (named.get(name) for name in NAMES[:2])
    if not (hoplite and mesh and hoplite.flits_per_second_and_comb and mesh.flits_per_second_and_comb):
        return []
    assert hoplite.flits_per_second and mesh.flits_per_second and hoplite.comb and mesh.comb
    times = hoplite.flits_per_second_and_comb / mesh.flits_per_second_and_comb
    return [
        f"For packets of one flit, a LUT of Hoplite carries {times:.1f} times as many flits per second as one of our mesh, and the network "
        f"takes {hoplite.comb / mesh.comb:.0%} of its LUTs. The mesh carries {mesh.flits_per_second / hoplite.flits_per_second:.1f} times as many "
        "flits per second in all."
    ]


def _megahertz(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _latency(row: Row, cycles: float) -> str:
    """A latency in cycles, and in ns where the clock is known."""
    return f"{cycles:.1f} cycles" + ("" if row.mhz is None else f", {cycles * 1000 / row.mhz:.0f} ns")


def _whole(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


_SILICON: dict[str, Callable[[Row], object]] = {
    "network": lambda row: row.name,
    "router COMB": lambda row: f"{row.router_comb:,}",
    "router FF": lambda row: f"{row.router_ff:,}",
    "router MHz": lambda row: _megahertz(row.router_mhz),
    "whole COMB": lambda row: _whole(row.comb),
    "whole FF": lambda row: _whole(row.ff),
    "whole MHz": lambda row: _megahertz(row.mhz),
    "flits": lambda row: row.settings,
}
_TRAFFIC: dict[str, Callable[[Row], object]] = {
    "network": lambda row: row.name,
    "accepted": lambda row: f"{row.accepted:.3f}",
    "million flits/s": lambda row: _whole(row.flits_per_second and row.flits_per_second / 1e6),
    "flits/s and COMB": lambda row: _whole(row.flits_per_second_and_comb),
    "latency without load": lambda row: _latency(row, row.unloaded),
    **{
        f"at a load of {load}": lambda row, index=index: _latency(row, row.points[index][2])
        for index, load in enumerate(LOADS[:-1])
    },
}

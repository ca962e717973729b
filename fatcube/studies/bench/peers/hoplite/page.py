"""The page of Hoplite and our networks."""

from collections.abc import Sequence

from fatcube.reports.markdown import markdown_table
from fatcube.studies.bench.peers.hoplite.measure import LOADS, NAMES, Row
from fatcube.studies.bench.peers.hoplite.torus import longest
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


def page(rows: Sequence[Row], seeds: Sequence[int]) -> str:
    """The page in Markdown, written from the rows alone."""
    return "\n".join(
        [
            "# Packets of one flit: Hoplite beside our networks",
            "",
            "Hoplite (N. Kapre and J. Gray, FPL 2015) is a torus of one-way rings without buffers, in which a packet is deflected "
            "if its output is taken. The RTL that is measured here was **written by us from the paper** "
            "(`fatcube/studies/bench/peers/hoplite/torus.py`), with the rule of HopliteRT (2017) that a packet from the west is never "
            f"deflected. No packet is then in the network for more than {longest(_SIDE, _SIDE - 1, _SIDE - 1)} cycles, "
            "which is checked of every packet that these figures come from.",
            "",
            f"4 x 4 processors, flits of 32 bits, ECP5 of speed grade 6; MHz: the median of {len(seeds)} placements, of the "
            "router between registers, and of all routers as one flat design. Uniform traffic, the sender among "
            "the destinations, as of `fatcube load --packet-flits 1`; accepted: flits per cycle and processor, where all offer "
            "one in every cycle. Latencies in ns are at the clock of the whole network. Written by `python -m "
            "fatcube.studies.bench.peers.hoplite`; all figures in hoplite.json.",
            *filter(
                None,
                [find_family("ecp5").flow_note({"fmax_mhz": row.router_mhz, "commands": row.commands} for row in rows)],
            ),
            "",
            *markdown_table(
                ["network", "router COMB", "FF", "MHz", "whole COMB", "FF", "MHz", "flits"],
                [
                    [
                        row.name,
                        f"{row.router_comb:,}",
                        f"{row.router_ff:,}",
                        _megahertz(row.router_mhz),
                        _number(row.comb),
                        _number(row.ff),
                        _megahertz(row.mhz),
                        row.settings,
                    ]
                    for row in rows
                ],
            ),
            "",
            *markdown_table(
                [
                    *("network", "accepted", "million flits/s", "flits/s and COMB", "latency without load"),
                    *(f"at a load of {load}" for load in LOADS[:-1]),
                ],
                [
                    [
                        row.name,
                        f"{row.accepted:.3f}",
                        "-" if row.flits_per_second is None else f"{row.flits_per_second / 1e6:,.0f}",
                        "-" if row.flits_per_second_and_comb is None else f"{row.flits_per_second_and_comb:,.0f}",
                        _latency(row, row.unloaded),
                        *(_latency(row, latency) for _, _, latency in row.points[:-1]),
                    ]
                    for row in rows
                ],
            ),
            "",
            *_compared(rows),
            *markdown_table(
                ["", "our networks", "Hoplite"], [[what, ours, theirs] for what, (ours, theirs) in _WITHOUT.items()]
            ),
            "",
        ]
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
        "flits per second in all. Hoplite lacks:",
        "",
    ]


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _megahertz(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _latency(row: Row, cycles: float) -> str:
    """A latency in cycles, and in ns where the clock is known."""
    return f"{cycles:.1f} cycles" + ("" if row.mhz is None else f", {cycles * 1000 / row.mhz:.0f} ns")

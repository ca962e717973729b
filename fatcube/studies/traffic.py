"""Networks of 64 processors under anyone's traffic, beside what their routers cost and what step counts say of them.

    python -m fatcube.studies.traffic -o synth_reports

writes traffic.md, .json and .html into synth_reports: latency and throughput of each network, measured on the RTL, in
cycles and, with the Fmax of its router, in nanoseconds and Gbit/s; LUTs of all routers; steps of an all-to-all.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
import concurrent.futures
import dataclasses
import functools
import json
from pathlib import Path
from typing import Any

from fatcube.reports.markdown import markdown_table
from fatcube.studies.load import DEPTH, Curve, load_page, plain_network
from groundwork.files import write_text
from groundwork.progress import tracked
from groundwork.record import record
from groundwork.validation import ParameterError
from noc.topologies import topology_from_json
from noc.topologies.ccc import CubeConnectedCycles
from noc.topologies.cubes import FatCube, Hypercube
from noc.topologies.generalized import DenseGHC
from noc.topologies.grids import Mesh, Torus
from noc.topology import Topology
from schedules.collective import Collective
from schedules.construct import construct
from schedules.size import check_size
from sim.traffic.load import LoadTest
from sim.traffic.saturation import saturation
from synth.silicon import router_silicon

__all__ = ["NETWORKS", "measure", "page", "rows_of"]


NETWORKS: tuple[Topology, ...] = (
    Hypercube(6),
    FatCube(4, 4),
    FatCube(3, 8),
    FatCube(3, 8, 2),
    CubeConnectedCycles(4),
    DenseGHC(4, 3),
    Mesh(8, 2),
    Torus(8, 2),
)
_FRACTIONS = (0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 1.0)  # of the load of saturation


def measure(topology: Topology, *, seeds: Sequence[int] = (1, 2, 3), jobs: int = 2) -> dict[str, Any]:
    """The record of a network: its curve under uniform traffic, and figures of its router and of all-to-all."""
    network = plain_network(topology)
    test = LoadTest(network)
    saturated = saturation(test)
    points = test.points([*(saturated * part for part in _FRACTIONS if saturated), 1.0])
    # Full queues have latencies of every length, which nobody draws.
    points = [dataclasses.replace(point, histogram=()) if point.saturated else point for point in points]
    silicon = router_silicon(network, seeds=seeds, wide=False, jobs=jobs)
    return record(
        test.parameters,
        {
            "latency_without_load": test.latency_without_load,
            "bound": test.bound,
            "saturation": saturated,
            "points": [dataclasses.asdict(point) for point in points],
            "router_comb_equivalents": silicon.area.comb_equivalents,
            "router_ff": silicon.area.ff,
            "fmax_mhz": silicon.fmax_mhz,
            "nodes": topology.nodes,
            "crossbar_ports": network.router().crossbar_ports,
            "placement_seeds": list(seeds),
            "aas_steps": _steps(topology),
        },
        seed=test.options.seed,
        command="python -m fatcube.studies.traffic",
    )


def _steps(topology: Topology) -> int | None:
    """Steps of an all-to-all in router model 1, if one that is known is built in about ten seconds."""
    try:
        if len(topology.translations) == 1:
            check_size(topology, "1", Collective.AAS)
        return construct(topology, "1", Collective.AAS).found.steps
    except ParameterError:
        return None


_COLUMNS = (
    "network",
    "channels",
    "a = b",
    "COMB of all routers",
    "MHz",
    "latency without load, cycles",
    "ns",
    "saturated from",
    "accepted",
    "Gbit/s per processor",
    "Gbit/s per 1,000 COMB",
    "AAS steps",
)


def rows_of(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row of figures for each record, by the columns of the page."""
    rows = []
    for one in records:
        parameters, measured = one["parameters"], one["measured"]
        luts = measured["router_comb_equivalents"] * measured["nodes"]
        accepted = max(point["accepted"] for point in measured["points"])
        bits = accepted * parameters["width"] * measured["fmax_mhz"] / 1000
        curve = Curve.of(one)
        values = (
            curve.network,
            parameters["virtual_channels"],
            measured["crossbar_ports"],
            luts,
            measured["fmax_mhz"],
            measured["latency_without_load"],
            measured["latency_without_load"] * 1000 / measured["fmax_mhz"],
            measured["saturation"],
            accepted,
            bits,
            bits * _processors(one) * 1000 / luts,
            measured["aas_steps"],
        )
        rows.append(dict(zip(_COLUMNS, values)))
    return rows


def _processors(one: dict[str, Any]) -> int:
    return topology_from_json(one["parameters"]["topology"]).processors


def _text(column: str, value: Any) -> str:
    if value is None:
        return "-"
    digits = {
        "MHz": 0,
        "latency without load, cycles": 2,
        "ns": 0,
        "saturated from": 3,
        "accepted": 3,
        "Gbit/s per processor": 2,
        "Gbit/s per 1,000 COMB": 2,
    }
    return (
        f"{value:,.{digits[column]}f}" if column in digits else f"{value:,}" if isinstance(value, int) else str(value)
    )


def page(rows: Sequence[dict[str, Any]]) -> str:
    """The page in Markdown, written from the figures."""
    lines = [
        "# Networks of 64 processors under general-purpose traffic",
        "",
        f"Uniform traffic, including the sender itself, packets of 8 flits of 32 bits including the header, router model 1, buffers of {DEPTH} "
        "flits, and as many virtual channels as the default routing needs. Latency and load are measured on the RTL; loads "
        "are flits per cycle and processor. COMB equivalents and MHz are those of the routers on ECP5; wires between routers are not placed. Headers carry the destination where "
        "the route does not fit. Saturated: mean latency above three times that without load, or less than 95 % of the "
        "offered load accepted. Accepted: the maximum over all loads. AAS steps: of an all-to-all in the papers' step model, one "
        "message each; - where no fast construction is known. Written by `python -m fatcube.studies.traffic`; curves in "
        "traffic.html, all figures in traffic.json.",
        "",
        *markdown_table(_COLUMNS, [[_text(column, row[column]) for column in _COLUMNS] for row in rows]),
        "",
        "## Step counts and throughput",
        "",
    ]
    lines += [f"- {sentence}" for sentence in _sentences(rows)]
    return "\n".join([*lines, ""])


def _order(rows: Sequence[dict[str, Any]], key: Callable[[dict[str, Any]], float]) -> str:
    return ", ".join(str(row["network"]).removesuffix(" ports=1") for row in sorted(rows, key=key))


def _sentences(rows: Sequence[dict[str, Any]]) -> list[str]:
    """What follows from the figures."""
    stepped = [row for row in rows if row["AAS steps"]]
    sentences = [
        f"Ordered by steps of an all-to-all, fewest first: {_order(stepped, lambda row: row['AAS steps'])}.",
        f"By accepted load, highest first: {_order(stepped, lambda row: -row['accepted'])}.",
    ]
    pairs = [(a, b) for number, a in enumerate(stepped) for b in stepped[:number] if a["AAS steps"] != b["AAS steps"]]
    agree = sum((a["AAS steps"] < b["AAS steps"]) == (a["accepted"] > b["accepted"]) for a, b in pairs)
    sentences += [
        f"Of {len(pairs)} pairs of networks, {agree} have the same order by steps of an all-to-all and by accepted load.",
        f"By Gbit/s per 1,000 COMB, highest first: {_order(rows, lambda row: -row['Gbit/s per 1,000 COMB'])}.",
        f"By zero-load latency in nanoseconds, lowest first: {_order(rows, lambda row: row['ns'])}.",
    ]
    return sentences


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="of the placements of each router")
    parser.add_argument("--jobs", type=int, default=2, help="networks that are measured at a time")
    given = parser.parse_args()
    measured = functools.partial(measure, seeds=given.seeds, jobs=1)
    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        records = list(tracked(pool.map(measured, NETWORKS), "measuring networks", len(NETWORKS)))
    rows = rows_of(records)
    write_text(given.o / "traffic.json", json.dumps({"rows": rows, "records": records}, indent=1) + "\n")
    write_text(given.o / "traffic.md", page(rows))
    write_text(given.o / "traffic.html", load_page([Curve.of(one) for one in records]))


if __name__ == "__main__":
    main()

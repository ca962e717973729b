"""Benchmarks: router figures, and the growth of time and memory with the network. Run by `make bench`; takes long.

Times are of this machine and noisy; the ratios to the smallest network, run beside the others, are what counts.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
import contextlib
import dataclasses
import itertools
import json
import os
from pathlib import Path
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

from fatcube.reports.markdown import titled_table
from groundwork.cache import cache_folder
from groundwork.files import write_text
from groundwork.record import record
from noc.network import Network
from noc.topologies.cubes import FatCube, Hypercube
from noc.topology import Topology
from noc.traffic_machine import TrafficMachine
from rtl.crossbar import Crossbar
from rtl.router import FatNodeRouter
from rtl.router_options import RouterOptions
from rtl.router_parameters import RouterParameters
from schedules.collective import Collective
from schedules.construct import construct
from sim.build import build
from sim.plan import Plan, compile_schedule
from sim.simulate import Run, fitting_machine, simulate_all
from sim.traffic import RATES, Traffic, run_traffic
from synth.measure import synthesize

__all__ = ["main"]


PUBLISHED = {5: (875, 115), 8: (2350, 112), 16: (7470, 73)}
"""The best published routers in the same flow: COMB equivalents and MHz, not of one and the same router."""

_ROUTERS = (
    RouterParameters(processors=3, channels=2),
    RouterParameters(processors=4, channels=4, options=RouterOptions(fast_buffers=True)),
    RouterParameters(processors=8, channels=4, lanes=2),
)
_GENERATED = [(4, 4), (5, 4), (6, 4), (7, 4), (8, 4)]
_SIMULATED = {
    "AAS, hypercube -d 6, model d": (64, "-c AAS --topology hypercube -d 6 --ports d"),
    "OAB, hypercube -d 8, model d": (256, "-c OAB --topology hypercube -d 8 --ports d"),
    "AAB, hypercube -d 8, model d": (256, "-c AAB --topology hypercube -d 8 --ports d"),
    "OAB, fat cube -d 8 -m 4, model 1": (1024, "-c OAB -d 8 -m 4 --ports 1"),
}
_MODES = (3, 4, 6)
_IDLE = 200_000  # cycles
_PACKET = 8  # flits
_SCHEDULED = [(4, 4), (6, 4), (8, 4), (10, 4)]


def routers() -> list[dict[str, Any]]:
    """The area and speed of routers of 5, 8 and 16 ports, 32 bits, buffers of two flits, one cycle per hop."""
    rows: list[dict[str, Any]] = []
    for parameters in _ROUTERS:
        ports = parameters.crossbar_ports
        crossbar = synthesize(
            Crossbar(33, ports, [range(ports)] * ports), name="crossbar", fmax=False, cache=cache_folder() / "synthesis"
        ).area
        for turns in ("used", "forward", "all"):
            options = dataclasses.replace(parameters.options, turns=turns)
            value = dataclasses.replace(parameters, options=options)
            result = synthesize(
                FatNodeRouter(value), name="router", fmax=turns == "forward", jobs=2, cache=cache_folder() / "synthesis"
            )
            rows.append(
                {
                    "ports": ports,
                    "turns": turns,
                    "lut4": result.area.lut4,
                    "ff": result.area.ff,
                    "comb_equivalents": result.area.comb_equivalents,
                    "fmax_mhz": result.fmax_mhz,
                    "fmax_wide_mhz": result.fmax_wide_mhz,
                    "cycles_per_hop": options.pipeline,
                    "seeds_mhz": result.to_json()["seeds_mhz"],
                    "published_comb_equivalents": PUBLISHED[ports][0],
                    "published_mhz": PUBLISHED[ports][1],
                    "crossbar_comb_per_crosspoint_bit": crossbar.comb_equivalents / (ports * ports * 33),
                }
            )
            print(rows[-1], flush=True)
    return rows


def generation() -> list[dict[str, Any]]:
    """The time and memory of `fatcube generate network`, model 1, from 64 processors up."""
    return [
        _command(
            f"-d {d} -m {m}",
            FatCube(d, m).processors,
            ["generate", "network", "-d", str(d), "-m", str(m), "--ports", "1"],
        )
        for d, m in _GENERATED
    ]


def scheduling() -> list[dict[str, Any]]:
    """The time and memory of `fatcube schedule`, with its check and its file, from 64 to 4,096 processors."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="fatcube-") as folder:
        for collective, ports in itertools.product(Collective, ("1", "d")):
            for d, m in _SCHEDULED:
                report = Path(folder) / "report.json"
                row = _command(
                    f"{collective.value}, model {ports}, -d {d} -m {m}",
                    FatCube(d, m).processors,
                    [
                        *["schedule", "-c", collective.value, "-d", str(d), "-m", str(m), "--ports", ports],
                        *["-o", str(Path(folder) / "schedule.json"), "--json", str(report), "--time-limit", "0"],
                    ],
                )
                measured = json.loads(report.read_text())["measured"]
                rows.append(
                    {
                        **row,
                        "collective": collective.value,
                        "ports": ports,
                        "steps": measured["steps"],
                        "lower_bound": measured["lower_bound"],
                        "transfers": measured["transfers"],
                    }
                )
    return rows


def simulation() -> list[dict[str, Any]]:
    """The time and memory of `fatcube simulate` with an empty cache, and again with the build in it."""
    rows = []
    for number, (name, (processors, arguments)) in enumerate(_SIMULATED.items()):
        command, fresh = ["simulate", *arguments.split()], f"bench-{number}"
        first = _command(f"{name}, from nothing", processors, command, fresh=fresh)
        again = _command(f"{name}, again", processors, command, fresh=fresh, keep=True)
        rows += [first | {"stages": _stages(first, fresh)}, again]
    return rows


def modes() -> list[dict[str, Any]]:
    """A network compiled node by node and as a whole: the processor seconds of each, and cycles per second when idle."""
    rows = []
    with _cache_of_its_own("bench-modes"):
        simulate_all(fitting_machine(Network(FatCube(1))), [_waiting(FatCube(1), 1)])  # so that the library is there
        for d in _MODES:
            network = Network(Hypercube(d), RouterOptions(ports="d", width=24))
            machine = fitting_machine(network)
            for simulator in ("verilator", "verilator-flat"):
                start = _processor_seconds()
                build(machine, simulator=simulator)
                compiled = _processor_seconds()
                run = _waiting(network.topology, _IDLE)
                # Nobody sends anything, so the run waits for as long as it may.
                [result] = simulate_all(machine, [run], plans=[_silent(run, network)], simulator=simulator)
                ended = _processor_seconds()
                rows.append(
                    {
                        "network": str(network),
                        "processors": network.topology.processors,
                        "simulator": simulator,
                        "build_seconds": compiled - start,
                        "cycles_per_second": result.cycles / (ended - compiled),
                    }
                )
                print(rows[-1], flush=True)
    return rows


def traffic() -> list[dict[str, Any]]:
    """Sources and sinks on 64 routers of 7 ports: cycles per processor second, by load, with the start of the process."""
    machine = TrafficMachine(network=Network(Hypercube(6), RouterOptions(width=40)))
    rows = []
    with _cache_of_its_own("bench-traffic"):
        start = _processor_seconds()
        build(machine)
        compiled = _processor_seconds()
        for load in (0.0, 0.1, 0.4, 0.8):
            began = _processor_seconds()
            run = Traffic(rate=round(load / _PACKET * RATES), packet_flits=_PACKET, measured=_IDLE)
            [result] = run_traffic(machine, [run])
            rows.append(
                {
                    "network": str(machine.network),
                    "build_seconds": compiled - start,
                    "offered": result.offered,
                    "delivered": result.delivered,
                    "packets": result.arrived,
                    "faults": sum(result.faults.values()),
                    "cycles": result.cycles,
                    "cycles_per_second": result.cycles / (_processor_seconds() - began),
                }
            )
            print(rows[-1], flush=True)
    return rows


def _waiting(topology: Topology, cycles: int) -> Run:
    """A broadcast that may stand still for this many cycles."""
    return Run(schedule=construct(topology, "d", "OAB").schedule, timeout=cycles)


def _silent(run: Run, network: Network) -> Plan:
    """The plan of a run in which no processor sends, and all that receive wait."""
    plan = compile_schedule(run.schedule, network, lockstep=run.lockstep)
    programs = [
        [[dataclasses.replace(entry, send=0) for entry in port] for port in processor] for processor in plan.programs
    ]
    return dataclasses.replace(plan, programs=programs)


def _processor_seconds() -> float:
    """Processor seconds of this process and of all its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


@contextlib.contextmanager
def _cache_of_its_own(name: str) -> Iterator[None]:
    """Within it, there is nothing in the cache."""
    folder, before = cache_folder() / name, os.environ.get("FATCUBE_CACHE")
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["FATCUBE_CACHE"] = str(folder)
    try:
        yield
    finally:
        del os.environ["FATCUBE_CACHE"]
        if before is not None:
            os.environ["FATCUBE_CACHE"] = before


_STAGES = {
    "Verilator's library": "library",
    "what stands around the nodes": "tops",
    "netlist of a node": "netlists",
    "C++ of a node": "nodes",
    "linking": "builds",
}


def _stages(row: dict[str, Any], fresh: str) -> dict[str, float]:
    """The seconds of each stage of a build and run, by the times at which its last file came into the cache."""
    kinds = [cache_folder() / fresh / kind for kind in _STAGES.values()]
    written = [max(path.stat().st_mtime for path in kind.iterdir()) for kind in kinds]
    ends = [row["began"], *written, row["began"] + row["seconds"]]
    return dict(
        zip([*_STAGES, "schedule, loading and runs"], (after - before for before, after in itertools.pairwise(ends)))
    )


def _command(
    name: str, processors: int, arguments: Sequence[str], *, fresh: str | None = None, keep: bool = False
) -> dict[str, Any]:
    """Run the command line in a child process; return its time and the memory of its largest process."""
    environment = dict(os.environ)
    if fresh is not None:
        folder = cache_folder() / fresh
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        environment["FATCUBE_CACHE"] = str(folder)
    code = (
        "import resource, subprocess, sys; "
        "subprocess.run([sys.executable, '-m', 'fatcube', *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    began, start = time.time(), time.monotonic()
    output = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, env=environment, capture_output=True, text=True
    ).stdout
    row = {
        "network": name,
        "processors": processors,
        "seconds": time.monotonic() - start,
        "began": began,
        "megabytes": int(output) / 1024,
    }
    print(row, flush=True)
    return row


_BENCHMARKS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "routers": routers,
    "generate": generation,
    "schedule": scheduling,
    "simulate": simulation,
    "modes": modes,
    "traffic": traffic,
}


def main() -> None:
    """Measure, and write Markdown and JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=Path, default=Path("synth_reports"))
    parser.add_argument("--only", choices=_BENCHMARKS, action="append")
    options = parser.parse_args()
    chosen = options.only or list(_BENCHMARKS)
    path = options.o / "benchmarks.json"
    results = json.loads(path.read_text())["measured"] if path.exists() else {}
    for name, measure in _BENCHMARKS.items():
        if name in chosen:
            results[name] = measure()
    options.o.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(record({"chosen": chosen}, results), indent=1) + "\n")
    write_text(options.o / "benchmarks.md", _markdown(results))


def _markdown(results: dict[str, list[dict[str, Any]]]) -> str:
    tables = []
    if "routers" in results:
        tables.append(
            titled_table(
                "Routers of 5, 8 and 16 ports",
                "32-bit flits, buffers of two flits, one cycle per hop; ECP5, `synth_ecp5 -nowidelut`, COMB equivalents = "
                "LUT4 + 2 per carry cell + 6 per distributed RAM cell; Fmax is the median of three placements between "
                "registers, of the same netlist and of the one with wide LUTs. Turns: `used` by a fat cube's routes, "
                "`forward` to every output but its own, `all`. The 8-port router has fast buffers. Published: the best "
                "area and the best speed found, which no single router has both.",
                [
                    "ports",
                    "turns",
                    "LUT4",
                    "COMB",
                    "FF",
                    "Fmax MHz",
                    "wide-LUT Fmax",
                    "published COMB",
                    "published MHz",
                    "crossbar COMB per a b W",
                ],
                [
                    [
                        str(row["ports"]),
                        row["turns"],
                        str(row["lut4"]),
                        str(row["comb_equivalents"]),
                        str(row["ff"]),
                        *("-" if row[key] is None else f"{row[key]:.1f}" for key in ("fmax_mhz", "fmax_wide_mhz")),
                        str(row["published_comb_equivalents"]),
                        str(row["published_mhz"]),
                        f"{row['crossbar_comb_per_crosspoint_bit']:.2f}",
                    ]
                    for row in results["routers"]
                ],
            )
        )
    for name, title in (
        ("generate", "`fatcube generate network`, model 1"),
        ("simulate", "`fatcube simulate`, 4, 8 and 16 payload flits, both modes: six runs"),
    ):
        if name in results:
            base = results[name][0]
            tables.append(
                titled_table(
                    title,
                    "Whole processes; ratios are to the first row, run beside the others.",
                    ["network", "processors", "seconds", "MB, largest process", "time ratio", "memory ratio"],
                    [
                        [
                            row["network"],
                            str(row["processors"]),
                            f"{row['seconds']:.1f}",
                            f"{row['megabytes']:.0f}",
                            f"{row['seconds'] / base['seconds']:.1f}",
                            f"{row['megabytes'] / base['megabytes']:.1f}",
                        ]
                        for row in results[name]
                    ],
                )
            )
            staged = [row for row in results[name] if "stages" in row]
            if staged:
                stages = list(staged[0]["stages"])
                tables.append(
                    titled_table(
                        "Where the time goes",
                        "Seconds of the runs above that build, and their part of the whole.",
                        ["network", "processors", *stages],
                        [
                            [
                                row["network"],
                                str(row["processors"]),
                                *(
                                    f"{row['stages'][stage]:.1f} ({row['stages'][stage] / row['seconds']:.0%})"
                                    for stage in stages
                                ),
                            ]
                            for row in staged
                        ],
                    )
                )
    if "modes" in results:
        pairs = list(zip(results["modes"][::2], results["modes"][1::2]))
        tables.append(
            titled_table(
                "Node by node, or the whole network as one program",
                "Processor seconds of compilation, and cycles per processor second while nothing moves, with all monitors, "
                "`verilator` and `verilator-flat`. The last column is the length of a run from which the second is "
                "faster, all told.",
                ["network", "build", "build, flat", "cycles/s", "cycles/s, flat", "flat pays from"],
                [
                    [
                        node["network"],
                        f"{node['build_seconds']:.1f}",
                        f"{flat['build_seconds']:.1f}",
                        f"{node['cycles_per_second']:,.0f}",
                        f"{flat['cycles_per_second']:,.0f}",
                        _crossover(node, flat),
                    ]
                    for node, flat in pairs
                ],
            )
        )
    if "traffic" in results:
        tables.append(
            titled_table(
                "Sources and sinks of traffic",
                "64 routers of 7 ports, packets of 8 flits of 40 bits to random neighbours, for 200,000 cycles; flits per "
                "cycle and source; cycles per processor second with the start and the end of the process.",
                ["network", "offered", "delivered", "packets", "faults", "cycles/s"],
                [
                    [
                        row["network"],
                        f"{row['offered']:.2f}",
                        f"{row['delivered']:.2f}",
                        f"{row['packets']:,}",
                        str(row["faults"]),
                        f"{row['cycles_per_second']:,.0f}",
                    ]
                    for row in results["traffic"]
                ],
            )
        )
    if "schedule" in results:
        base = {(row["collective"], row["ports"]): row for row in reversed(results["schedule"])}
        tables.append(
            titled_table(
                "`fatcube schedule`",
                "Whole processes, with the check and the file; ratios are to 64 processors.",
                [
                    "collective",
                    "model",
                    "processors",
                    "steps",
                    "lower bound",
                    "transfers",
                    "seconds",
                    "MB",
                    "time ratio",
                    "memory ratio",
                ],
                [
                    [
                        row["collective"],
                        row["ports"],
                        str(row["processors"]),
                        str(row["steps"]),
                        str(row["lower_bound"]),
                        f"{row['transfers']:,}",
                        f"{row['seconds']:.1f}",
                        f"{row['megabytes']:.0f}",
                        f"{row['seconds'] / first['seconds']:.1f}",
                        f"{row['megabytes'] / first['megabytes']:.1f}",
                    ]
                    for row in results["schedule"]
                    for first in [base[row["collective"], row["ports"]]]
                ],
            )
        )
    return "# fatcube benchmarks\n\n" + "\n".join(tables)


def _crossover(node: dict[str, Any], flat: dict[str, Any]) -> str:
    """The cycles of a run from which ``flat`` takes less time, compilation and run together."""
    gained = 1 / node["cycles_per_second"] - 1 / flat["cycles_per_second"]
    if gained <= 0:
        return "never"
    return f"{(flat['build_seconds'] - node['build_seconds']) / gained:,.0f} cycles"


if __name__ == "__main__":
    main()

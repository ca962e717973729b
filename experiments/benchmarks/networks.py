"""Routers, and the growth of generation and of schedules with the network."""

import dataclasses
import itertools
import json
from pathlib import Path
import tempfile

from experiments.benchmarks.commands import command
from experiments.benchmarks.rows import Command, RouterRow, Scheduling
from fatcube.groundwork.cache import cache_folder
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.crossbar import Crossbar
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.schedules.collective import Collective
from fatcube.synth.measure import synthesize

__all__ = ["generation", "routers", "scheduling"]


PUBLISHED = {5: (743, 143), 8: (2343, 114), 16: (7601, 82)}
"""The smallest and the fastest published router in the same flow: COMB equivalents and MHz; see :mod:`experiments.peers`."""

_ROUTERS = (
    RouterParameters(processors=3, channels=2),
    RouterParameters(processors=4, channels=4),
    RouterParameters(processors=8, channels=4, lanes=2),
)
_GENERATED = [(4, 4), (5, 4), (6, 4), (7, 4), (8, 4)]
_SCHEDULED = [(4, 4), (6, 4), (8, 4), (10, 4)]


_PLACED = tuple(
    {"turns": "forward", "pipeline": pipeline, "arbiter": arbiter}
    for pipeline in (1, 2)
    for arbiter in ("round-robin", "least-recent")
)
"""What full rate allows: a lone packet moves a flit per cycle through any of them."""


def routers() -> list[RouterRow]:
    """The area and speed of routers of 5, 8 and 16 ports, 32 bits, buffers of two flits."""
    rows: list[RouterRow] = []
    for parameters in _ROUTERS:
        ports = parameters.crossbar_ports
        crossbar = synthesize(
            Crossbar(33, ports, [range(ports)] * ports), name="crossbar", fmax=False, cache=cache_folder() / "synthesis"
        ).area
        # Placing one of 16 ports takes minutes, so there are two of them, without wide LUTs.
        placed = [one for one in _PLACED if ports < 16 or one["arbiter"] == "round-robin"]
        for given in ({"turns": "used"}, *placed, {"turns": "all"}):
            options = dataclasses.replace(parameters.options, **given)
            value = dataclasses.replace(parameters, options=options)
            result = synthesize(
                FatNodeRouter(value),
                name="router",
                wide=ports < 16,
                fmax=given in placed,
                jobs=2,
                cache=cache_folder() / "synthesis",
            )
            rows.append(
                RouterRow(
                    ports=ports,
                    turns=options.turns,
                    arbiter=options.arbiter,
                    lut4=result.area.lut4,
                    ff=result.area.ff,
                    comb_equivalents=result.area.comb_equivalents,
                    fmax_mhz=result.fmax_mhz,
                    fmax_wide_mhz=result.fmax_wide_mhz,
                    cycles_per_hop=options.pipeline,
                    seeds_mhz=result.to_json()["seeds_mhz"],
                    published_comb_equivalents=PUBLISHED[ports][0],
                    published_mhz=PUBLISHED[ports][1],
                    crossbar_comb_per_crosspoint_bit=crossbar.comb_equivalents / (ports * ports * 33),
                    commands=result.commands,
                )
            )
            print(rows[-1].to_json(), flush=True)
    return rows


def generation() -> list[Command]:
    """The time and memory of `fatcube generate network`, model 1, from 64 processors up."""
    return [
        command(
            f"-d {d} -m {m}",
            FatCube(d, m).processors,
            ["generate", "network", "-d", str(d), "-m", str(m), "--ports", "1"],
        )
        for d, m in _GENERATED
    ]


def scheduling() -> list[Scheduling]:
    """The time and memory of `fatcube schedule`, with its check and its file, from 64 to 4,096 processors."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="fatcube-") as folder:
        for collective, ports in itertools.product(Collective, ("1", "d")):
            for d, m in _SCHEDULED:
                report = Path(folder) / "report.json"
                row = command(
                    f"{collective.value}, model {ports}, -d {d} -m {m}",
                    FatCube(d, m).processors,
                    [
                        *["schedule", "-c", collective.value, "-d", str(d), "-m", str(m), "--ports", ports],
                        *["-o", str(Path(folder) / "schedule.json"), "--json", str(report), "--time-limit", "0"],
                    ],
                )
                measured = json.loads(report.read_text())["measured"]
                rows.append(
                    Scheduling(
                        **row.to_json(),
                        collective=collective.value,
                        ports=ports,
                        steps=measured["steps"],
                        lower_bound=measured["lower_bound"],
                        transfers=measured["transfers"],
                    )
                )
    return rows

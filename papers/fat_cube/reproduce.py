"""The main job: Table 6 of the fat-cube paper measured on RTL, Table 1 beside synthesised area, Table 2 computed."""

import functools
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import check_integer
from fatcube.groundwork.workers import in_processes
from fatcube.noc.cost import cheaper_dimensions, price
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.fat_cube.printed import TABLE_2, TABLE_6, dimensions_in_words
from fatcube.papers.fat_cube.reproduce_page import reproduced, reproduced_markdown, table_1, table_2, table_6
from fatcube.reports.page import write_results
from fatcube.reports.table import show
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.sim.fit import fit
from fatcube.studies.result_record import network_of
from fatcube.synth.silicon import crossbar_area, router_silicon, used_crossbar_area

__all__ = ["networks_of_table_6", "reproduce", "run_network"]


PAYLOAD_FLITS = 16
_LENGTHS = (4, 8, PAYLOAD_FLITS)
_COLLECTIVES = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)
_TOPOLOGIES = {"HC": Hypercube(3), "FC": FatCube(2, 2, 1)}
_SEED = 0
_PLACEMENT_SEEDS = (1, 2, 3)


def reproduce(
    folder: Path, *, jobs: int, console: Console, page: Path | None = None, json_file: Path | None = None
) -> list[str]:
    """Measure everything, print the tables, and write them to ``folder``.

    ``page``, which is Markdown if its name ends in ``.md`` and else HTML, and ``json_file`` are written as well.

    Returns
    -------
    list of :class:`str`
        Disagreements with the printed table, and failures on the hardware; empty if none.

    Raises
    ------
    ParameterError
        If ``jobs`` is not a positive integer.
    """
    check_integer("jobs", jobs, minimum=1)
    folder.mkdir(parents=True, exist_ok=True)
    networks = networks_of_table_6()
    cells, routers = _measure(networks, jobs)
    problems = [problem for cell in cells for problem in cell["problems"]]

    results = {
        "table_6": [
            record(
                networks[cell["network"], cell["ports"]].to_json() | {"collective": cell["collective"]},
                cell,
                seed=_SEED,
            )
            for cell in cells
        ],
        "table_1": [
            record(networks[row["network"], row["ports"]].to_json(), row, seed=list(_PLACEMENT_SEEDS))
            for row in routers
        ],
        "table_2": _table_2(),
    }
    tables = [table_6(cells, routers), table_1(routers), table_2(results["table_2"])]
    for table in tables:
        show(console, table.title, table.columns, table.rows, note=table.note)
    markdown = reproduced_markdown(tables, cells)
    if not _same(folder, markdown, results):
        write_text(folder / "reproduce.md", markdown)
        write_text(folder / "reproduce.json", json.dumps(results, indent=1) + "\n")
    write_results(reproduced(tables, cells, routers), folder / "reproduce.html")
    if page is not None and page.suffix == ".md":
        write_text(page, markdown)
    elif page is not None:
        write_results(reproduced(tables, cells, routers), page)
    if json_file is not None:
        write_text(json_file, json.dumps(results, indent=1) + "\n")
    others = "".join(f", {file}" for file in (page, json_file) if file is not None)
    delivered = sum(cell["delivered"] for cell in cells)
    console.print(
        f"{len(cells)} cells measured, {delivered} messages delivered and compared word by word; "
        f"{len(problems)} problems. Written: {folder}/reproduce.md, .json, .html{others}",
        highlight=False,
        soft_wrap=True,
    )
    return problems


def networks_of_table_6() -> dict[tuple[str, str], Network]:
    """The networks that Table 6 is about, by their names in it and their router models."""
    return {
        (name, ports): Network(topology, RouterOptions(ports=PortModel.parse(ports)))
        for name, topology in _TOPOLOGIES.items()
        for ports in TABLE_6
    }


def _same(folder: Path, markdown: str, results: dict[str, Any]) -> bool:
    """Whether the folder has these results already, measured by whatever revision and tools.

    Results that come out again are not written again, so that a checkout stays as it is.
    """
    try:
        before = json.loads((folder / "reproduce.json").read_text())
        return (folder / "reproduce.md").read_text() == markdown and _measured(before) == _measured(results)
    except (OSError, ValueError, AttributeError, TypeError):
        return False  # there are none, or they are damaged


def _measured(results: dict[str, Any]) -> dict[str, list[Any]]:
    """Results as they are read from a file, without what follows from the revision and the tools.

    Parameters have all options of today, as a file that was written before an option existed means its default.
    """
    found = {}
    for table, rows in results.items():
        found[table] = [json.loads(json.dumps({**row, "how": None, "key": None})) for row in rows]
        for row in found[table]:
            if "parameters" in row:
                row["parameters"] |= json.loads(json.dumps(network_of(row["parameters"]).to_json()))
    return found


def _measure(networks: dict[tuple[str, str], Network], jobs: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Every network's runs and every router's silicon, ``jobs`` at a time."""
    # Simulator builds and synthesis set up their surroundings by environment variables, so they get processes.
    # The largest routers are the last, and go first, so that no processor is left with one of them in the end.
    calls = [
        functools.partial(function, name, ports, network)
        for (name, ports), network in reversed(networks.items())
        for function in (_synthesise, run_network)
    ]
    found: dict[Any, list[dict[str, Any]]] = {run_network: [], _synthesise: []}
    for number, rows in tracked(in_processes(calls, jobs=jobs), "running networks and placing routers", len(calls)):
        found[calls[number].func] += rows
    order = list(networks)
    for rows in found.values():
        rows.sort(key=lambda row: order.index((row["network"], row["ports"])))
    return found[run_network], found[_synthesise]


def run_network(name: str, ports: str, network: Network, simulator: str = "verilator") -> list[dict[str, Any]]:
    """The cells of one network: all collectives, in lockstep and dataflow, with payloads of three lengths."""
    findings = []
    for collective in _COLLECTIVES:
        finding = best(Problem(network.topology, network.options.ports, collective, 0))
        assert finding.schedule is not None  # as every cube has a construction
        check(finding.schedule)
        findings.append(finding)
    runs = [
        Run(schedule=finding.schedule, payload_flits=length, lockstep=lockstep, seed=_SEED)
        for finding in findings
        for lockstep in (True, False)
        for length in _LENGTHS
    ]
    results = dict(zip(runs, simulate_all(fitting_machine(network), runs, simulator=simulator)))

    cells = []
    for finding in findings:
        collective = finding.schedule.collective
        printed = TABLE_6[ports][collective.value][list(_TOPOLOGIES).index(name)]
        mine = {
            (run.lockstep, run.payload_flits): result
            for run, result in results.items()
            if run.schedule is finding.schedule
        }
        lockstep, dataflow = mine[True, PAYLOAD_FLITS], mine[False, PAYLOAD_FLITS]
        fitted = fit([(length, mine[True, length].cycles) for length in _LENGTHS], finding.steps)
        where = f"Table 6, {name}, model {ports}, {collective.value}"
        problems = [f"{where}: {failure}" for result in mine.values() for failure in result.failures]
        steps = {result.steps for (is_lockstep, _), result in mine.items() if is_lockstep}
        if steps != {printed}:
            problems.append(f"{where}: printed {printed} steps, measured {', '.join(map(str, sorted(steps)))}")
        cells.append(
            {
                "network": name,
                "ports": ports,
                "collective": collective.value,
                "printed": printed,
                "steps": lockstep.steps,
                "lower_bound": finding.bound.steps,
                "proved_by": finding.bound.reason,
                "found_by": finding.by,
                "cycles": lockstep.cycles,
                "dataflow_cycles": dataflow.cycles,
                "conflicts": lockstep.conflicts,
                "dataflow_conflicts": dataflow.conflicts,
                "delivered": sum(result.delivered for result in mine.values()),
                "payload_flits": PAYLOAD_FLITS,
                "tau": fitted.startup,
                "t_c": fitted.per_flit,
                "lane_utilisation": lockstep.lane_utilisation,
                "problems": problems,
            }
        )
    return cells


def _synthesise(name: str, ports: str, network: Network) -> list[dict[str, Any]]:
    """One row of Table 1."""
    cost = price(network.topology, network.options.ports)
    used = router_silicon(network, seeds=_PLACEMENT_SEEDS, wide=False)
    every = router_silicon(network.with_options(turns="all"), fmax=False) if not network.options.ports.copies else None
    crossbar, of_turns = crossbar_area(network), used_crossbar_area(network)
    return [
        {
            "network": name,
            "ports": ports,
            "a": cost.a,
            "b": cost.b,
            "ab": cost.ab,
            "C_R": cost.router_cost,
            "C_L": cost.links,
            "lut4": used.area.lut4,
            "comb_equivalents": used.area.comb_equivalents,
            "ff": used.area.ff,
            "ram": used.area.ram,
            "all_turns_comb_equivalents": every and every.area.comb_equivalents,
            "crossbar_lut4": crossbar.lut4,
            "crossbar_comb_equivalents": crossbar.comb_equivalents,
            "used_crossbar_lut4": (of_turns or crossbar).lut4,
            "fmax_mhz": used.fmax_mhz,
            "seeds_mhz": used.to_json()["seeds_mhz"],
            "commands": list(used.commands),
        }
    ]


def _table_2() -> list[dict[str, Any]]:
    """The d for which the fat cube's routers are no dearer, printed and computed."""
    rows = []
    for (f, m), printed in TABLE_2.items():
        for ports, text in printed.items():
            rows.append(
                {
                    "f": f,
                    "m": m,
                    "ports": ports,
                    "printed": text,
                    "computed": dimensions_in_words(cheaper_dimensions(ports, m, f, most=100), 100),
                }
            )
    return rows

"""`fatcube generate system`: the Verilog of a network with processors, as it is simulated, and its description."""

from collections.abc import Mapping
import dataclasses
import functools
import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli.app import Panel, command, examples
from fatcube.cli.choices import choice
from fatcube.cli.flags import Flags, made_from_flags, network_flags, topology_flags
from fatcube.cli.generate.target import Target, target_flags
from fatcube.cli.schedules.building import build, schedule_of
from fatcube.cli.schedules.which import refuse_beside_file
from fatcube.noc.descriptions.description import describe
from fatcube.noc.descriptions.integration import cocotb_tests, integration_name, runs_name
from fatcube.noc.descriptions.system_file import system_json
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.system import System
from fatcube.noc.network import Network
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.step_model import Links
from fatcube.schedules.wiring import network_of
from fatcube.sim.collectives.plan import most_entries
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import fitting_machine, longest_packet_of
from fatcube.sim.collectives.written import written_run

__all__ = ["system"]


_PAYLOAD = 8  # flits of each message of a test
_COLLECTIVE = "all-gather"


def _network_of_flags() -> Flags:
    """The flags of a network; it is that of a schedule, which is made with it, where a file has one."""
    flags = network_flags()

    def make(given: Mapping[str, Any]) -> tuple[Network, Schedule | None]:
        if "schedule_file" not in given:
            return flags.make(given), None
        schedule = read_schedule(given["schedule_file"])
        check_schedule(schedule)
        options = RouterOptions(**{name: given[name] for name in RouterOptions.names() if name in {*given} - {"links"}})
        links = Links(given["links"]) if "links" in given else None
        return network_of(schedule, options, links=links), schedule

    return dataclasses.replace(flags, make=make, also=("schedule_file",))


@command(
    more="A system is a network with processors that run schedules. It also has the barrier and the monitors that "
    "simulations need. The description is written beside the file of the Verilog.",
    epilog=examples(
        "generate system -d 2 -m 2 --ports d -o system.v",
        "generate system -d 2 -m 2 --ports d --with cocotb -o system.v",
        "generate system --with cocotb --schedule mine.json -o system.v",
    ),
)
@made_from_flags(refuse_beside_file(topology_flags().names), target=target_flags(), wired=_network_of_flags())
def system(
    *,
    wired: tuple[Network, Schedule | None],
    schedule_file: Annotated[
        Optional[Path],
        typer.Option(
            "--schedule",
            help="Make a system that can run this schedule file, which defines topology and ports; the tests of --with cocotb "
            "run it, and an all-gather without it.",
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = None,
    target: Target,
    beside: Annotated[
        Optional[list[str]],
        choice(
            "--with",
            ("cocotb", "map"),
            name="the files beside the Verilog",
            help="Write beside the file tests in Python for cocotb and pytest (test_system.py), and their runs "
            "(system_runs.json), or the source of each module and signal, for `fatcube where` (system.map.json).",
            panel=Panel.RESULT,
        ),
    ] = None,
) -> None:
    wanted = tuple(dict.fromkeys(beside or ()))
    target.require_file(f"--with {one}" for one in wanted)
    target.refuse_json("system")
    network, schedule = wired
    if schedule is None and "cocotb" in wanted and not target.dry_run:
        schedule = _built(network)
    machine = fitting_machine(network) if schedule is None else _machine_for(network, schedule)
    shared = System(machine, name=target.name).shared()
    about = system_json(machine, shared)
    others = target.description(about)
    if target.file is not None and "cocotb" in wanted:
        others |= _tests(target.file, about, machine, schedule)
    comment = functools.partial(describe, machine.network, "system", machine=machine)
    target.write("system", machine.network, shared, comment, beside=others, mapped="map" in wanted)
    target.remark_no_description()


def _built(network: Network) -> Schedule:
    return schedule_of(build(Problem(network.topology, network.options.ports, _COLLECTIVE)))


def _machine_for(network: Network, schedule: Schedule) -> Machine:
    """The machine of ``fatcube simulate`` for a schedule."""
    return fitting_machine(
        network.for_packets(longest_packet_of(schedule, _PAYLOAD)),
        payload_flits=_PAYLOAD,
        steps=most_entries(schedule),
        messages=None if schedule.parts == 1 else len(schedule.messages),
        reductions=schedule.collective.reduction,
        combining=schedule.per_packet > 1,
    )


def _tests(file: Path, about: dict[str, Any], machine: Machine, schedule: Schedule | None) -> dict[Path, str]:
    """The tests and their runs; of a dry run, which builds no schedule, the names of the files count."""
    tests, runs = file.with_name(integration_name("cocotb", file.name)), file.with_name(runs_name(file.name))
    if schedule is None:
        return {tests: "", runs: ""}
    written = {
        mode: written_run(machine, Run(schedule=schedule, payload_flits=_PAYLOAD, lockstep=lockstep))
        for mode, lockstep in {"lockstep": True, "dataflow": False}.items()
    }
    told = f"{schedule.work} in {schedule.steps} steps"
    title = machine.network.name
    return {
        tests: cocotb_tests(about, verilog=file.name, title=title, schedule=told),
        runs: json.dumps({"format": "fatcube.runs/1", "schedule": told, "runs": written}) + "\n",
    }

"""`fatcube check`: checks a schedule file, whoever wrote it."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import app, console
from fatcube.cli.arguments import apart
from fatcube.cli.output import write_json
from groundwork.record import record
from schedules.checker import check as check_schedule
from schedules.schedule_file import read_schedule
from schedules.step_model import StepModel

__all__ = ["check"]


@app.command(
    rich_help_panel="Schedules",
    epilog="Examples: `fatcube check schedule.json`, `fatcube check schedule.json --half-duplex`",
)
def check(
    file: Annotated[Path, typer.Argument(help="A schedule file.")],
    half_duplex: options.HalfDuplex = False,
    one_partner: options.OnePartner = False,
    dedicated_ports: options.DedicatedPorts = False,
    json_file: options.JsonFile = None,
):
    """Checks a schedule file, whoever wrote it."""
    apart(file, json_file)
    given = read_schedule(file)
    checked = check_schedule(
        given, StepModel(half_duplex=half_duplex, one_partner=one_partner, dedicated_ports=dedicated_ports)
    )
    console.print(
        f"{file}: {given.collective.value} on {given.topology} ports={given.ports.value}: valid, "
        f"{checked.steps} steps, {checked.transfers} transfers",
        highlight=False,
        soft_wrap=True,
    )
    write_json(
        json_file,
        lambda: record(
            {
                "file": file.name,
                "topology": given.topology.to_json(),
                "ports": given.ports.value,
                "collective": given.collective.value,
                "root": given.root,
                "half_duplex": half_duplex,
                "one_partner": one_partner,
                "dedicated_ports": dedicated_ports,
            },
            {"steps": checked.steps, "transfers": checked.transfers},
        ),
    )

"""`fatcube import`: a schedule of another program, on a network, as a schedule file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, output_file
from fatcube.cli.choices import choice
from fatcube.cli.flags import Flags, made_from_flags, ports_flag, step_model_flags, topology_flags
from fatcube.cli.output import print_table, write_json
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import bound_of
from fatcube.schedules.formats.formats import FORMATS, read_foreign
from fatcube.schedules.schedule_file import write_schedule
from fatcube.schedules.size import check_transfers
from fatcube.schedules.step_model import StepModel

__all__ = ["import_schedule"]


_TOPOLOGY = topology_flags(otherwise="the links that the file uses")


def _topology_if_given(given: Mapping[str, Any]) -> Topology | None:
    return _TOPOLOGY.make(given) if given else None


@command(
    more="Without a topology, the network has the links that the file uses, one lane each. Trees are read as an "
    "all-gather if no collective is given; other formats name theirs.",
    epilog=examples(
        "import allgather.xml --ports d -o allgather.json",
        "import trees.xml -c all-reduce --topology-file dgx1.json --ports d -o all-reduce.json",
        "import mesh_4.json --ports d -o te-ccl.json",
        "import broadcast.xml --topology hypercube -d 3 --ports 1 -o broadcast.json",
    ),
)
@made_from_flags(topology=Flags(_TOPOLOGY.parameters, _topology_if_given), ports=ports_flag(), model=step_model_flags())
def import_schedule(
    file: Annotated[Path, typer.Argument(help="A schedule of another program.")],
    *,
    output: Annotated[
        Path,
        typer.Option("-o", callback=output_file, help="Write the schedule to this file.", rich_help_panel=Panel.RESULT),
    ],
    kind: Annotated[
        str,
        choice(
            "--format",
            ("auto", *FORMATS),
            name="format",
            help="Format of the file: msccl, MSCCL's XML; forestcoll, trees of ForestColl; te-ccl, JSON of TE-CCL; auto, "
            "as the beginning of the file suggests.",
            panel=Panel.SCHEDULE,
        ),
    ] = "auto",
    collective: options.CollectiveName = None,
    topology: Topology | None,
    ports: PortModel,
    model: StepModel,
    json_file: options.JsonFile = None,
) -> None:
    apart(file, output, json_file)
    found = read_foreign(file, kind, collective)
    check_transfers(len(found.packets), f"of {file}")
    try:
        schedule = found.schedule(topology, ports, model)
    except ParameterError as error:
        raise ParameterError(f"{file}: {error}") from None
    bound = bound_of(schedule)
    write_schedule(schedule, output)
    print_table(
        f"{file.name}: {schedule.work} ({schedule.collective.word}) on the {schedule.topology.name}{ports.suffix}"
        f"{', ' if str(model) else ''}{model}",
        ["", ""],
        [
            ["steps", schedule.steps],
            ["lower bound", f"{bound.steps}: {bound.reason}"],
            ["ratio", f"{schedule.steps / bound.steps:.2f}"],
            ["parts", schedule.parts],
            ["transfers", schedule.size],
        ],
    )
    write_json(
        json_file,
        lambda: record(
            {
                "file": file.name,
                "topology": schedule.topology.to_json(),
                "ports": ports.value,
                "collective": schedule.collective.value,
                "root": schedule.root,
                **schedule.among.to_file(),
                "parts": schedule.parts,
                **model.to_json(),
            },
            {
                "steps": schedule.steps,
                "lower_bound": bound.steps,
                "reason": bound.reason,
                "transfers": schedule.size,
            },
        ),
    )

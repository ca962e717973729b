"""`fatcube draw`: a drawing of a network as SVG."""

from collections.abc import Mapping
import dataclasses
from pathlib import Path
import re
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, check_suffix, output_file, refuse_given, require
from fatcube.cli.flags import NO_ROUTING, Flags, load_flags, made_from_flags, routed_network_flags
from fatcube.cli.network_files import ROUTES_OF_FILE
from fatcube.cli.output import remark, say, write_json
from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError, shown
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.topology import Topology
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.size import check_transfers
from fatcube.schedules.step_model import Links
from fatcube.sim.traffic.load_options import LoadOptions

if TYPE_CHECKING:
    from fatcube.reports.drawing import Drawing

__all__ = ["draw"]


def _network_flags() -> Flags:
    """The flags of a network, whose routes are followed only if the packets in it matter."""
    either, routed = (routed_network_flags(_check_size, schedules=schedules) for schedules in ({}, None))

    def make(given: Mapping[str, Any]) -> Network:
        network = {name: value for name, value in given.items() if name not in ("loads", "route")}
        if network != given:
            return routed.make(network)
        ways = {*RoutingOptions.names(), "routing_file", ROUTES_OF_FILE}  # of a network file
        return either.make({**{name: network[name] for name in network if name not in ways}, "routing": NO_ROUTING})

    return Flags(routed.parameters, make, also=("loads", "route", *routed.also))


def _check_size(topology: Topology) -> None:
    from fatcube.reports.limits import check_size

    check_size(topology)


_NETWORK, _PATTERN = _network_flags(), load_flags("pattern", "hotspot", "traffic")


def _check(context: typer.Context, given: Mapping[str, Any]) -> None:
    """Refuse what a schedule says, which is the network, and what nothing is shown of."""
    if given["schedule"] is None:
        require(context, "a schedule (--schedule)", "step")
    else:
        refuse_given(context, "with a schedule (--schedule), which has its network", *_NETWORK.names, "loads", "route")
    if not given["loads"]:
        require(context, "--loads", *_PATTERN.names)
        if given["route"] is None and given["schedule"] is None:
            require(context, "--loads or --route", "routing_file", *RoutingOptions.names())
    elif given["route"] is not None:
        refuse_given(context, "with --loads", "route")


@command(
    epilog=examples(
        "draw -d 3 -m 4 -f 2 -o fat-cube.svg",
        "draw --topology torus -w 4 -d 2 --loads --pattern tornado -o loads.svg",
        "draw --topology mesh -w 4 -d 2 --failed link:1-5,node:10 --route 4 15 -o detour.svg --json detour.json",
        "draw --topology-file network.graphml -o network.svg",
        "draw --schedule schedule.json --step 2 -o step.svg",
    )
)
@made_from_flags(_check, network=_NETWORK, traffic=_PATTERN)
def draw(
    *,
    network: Network,
    loads: Annotated[
        bool,
        typer.Option(
            "--loads",
            help="Show the load of each direction of each lane under a traffic pattern (--pattern, --hotspot, --traffic) and the network's routing.",
            rich_help_panel=Panel.RUN,
        ),
    ] = False,
    traffic: LoadOptions,
    route: Annotated[
        Optional[tuple[str, str]],
        typer.Option(
            "--route",
            help="Show the route of a packet from one processor to another under the network's routing. For a topology file, "
            "the name of a node may be given for its processor.",
            metavar="FROM TO",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    schedule: Annotated[
        Optional[Path],
        typer.Option(
            "--schedule",
            help="Show a step of the schedule in this file, on the network of the schedule.",
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = None,
    step: Annotated[
        int, typer.Option("--step", help="Step of the schedule, counted from 1.", rich_help_panel=Panel.SCHEDULE)
    ] = 1,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            callback=output_file,
            help="File for the SVG; standard output if not given.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.reports.drawing import Drawing
    from fatcube.reports.shown import loads_under, route_between

    apart(output, json_file)
    check_suffix(output, ".svg", "a drawing")
    if schedule is not None:
        drawing, parameters = _of_schedule(schedule, step)
    else:
        drawing = Drawing(network.topology, half_duplex=network.options.shared_lanes)
        parameters = network.to_json()
    if isinstance(network, RoutedNetwork):
        from fatcube.sim.traffic.load import LoadTest

        if loads:
            drawing = dataclasses.replace(drawing, loads=loads_under(LoadTest(network, traffic)))
            parameters |= {"pattern": traffic.pattern}
            parameters |= {name: text for name in ("hotspot", "traffic") if (text := getattr(traffic, name))}
        if route is not None:
            source, target = (
                _processor(network.topology, what, text) for what, text in zip(("source", "target"), route)
            )
            drawing = dataclasses.replace(drawing, route=route_between(network, source, target))
            parameters |= {"route": [source, target]}
    text = drawing.svg()
    for what in drawing.left_out:
        remark(f"no room for {what}")
    write_json(json_file, lambda: record(parameters, drawing.to_json()))
    if output is None:
        print(text, end="")
        return
    write_text(output, text)
    say(f"{output}: {drawing}")


def _processor(topology: Topology, what: str, text: str) -> int:
    """The processor that a number or the name of a node stands for."""
    if re.fullmatch(r"[+-]?\d+", text, re.ASCII):
        return int(text)
    node = topology.node_named(text)
    if node is None:
        raise ParameterError(
            f"{what} of the route must be a processor's number or the name of a node with one processor, not {shown(text)}"
        )
    processors = topology.processors_of(node)
    if len(processors) != 1:
        raise ParameterError(
            f"{what} of the route must be a node with one processor or a processor's number, not {shown(text)}, which has "
            + (f"processors {processors[0]} to {processors[-1]}" if processors else "no processor")
        )
    return processors[0]


def _of_schedule(file: Path, step: int) -> "tuple[Drawing, dict[str, Any]]":
    """The drawing of a step of the schedule in a file, which is checked first, and what it is of."""
    from fatcube.reports.drawing import Drawing
    from fatcube.reports.limits import check_size
    from fatcube.reports.shown import step_of

    given = read_schedule(file)
    check_size(given.topology)
    check_transfers(given.size, f"that is drawn, {given.collective.value} on the {given.topology.name}")
    check_schedule(given)
    drawing = Drawing(
        given.topology,
        half_duplex=given.model.links is Links.HALF_DUPLEX,
        simplex=given.model.links is Links.SIMPLEX,
        step=step_of(given, step),
    )
    return drawing, {"topology": given.topology.to_json(), "collective": given.collective.value, "step": step}

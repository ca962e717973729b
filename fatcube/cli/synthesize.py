"""`fatcube synthesize`: the area and Fmax of a network's router and of the whole network, and the area of its crossbar."""

from collections.abc import Sequence
import dataclasses
import functools
import operator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, integers, require
from fatcube.cli.choices import choice, completing
from fatcube.cli.flags import made_from_flags, stream_flags
from fatcube.cli.interface_areas import measure_interfaces
from fatcube.cli.interfaces import InterfaceName, PortClocks, axi_of, interface_network_flags, port_flags
from fatcube.cli.output import print_table, say, say_chosen, say_duration, stop_if, write_json, write_page
from fatcube.cli.router_areas import Priced, RouterAreas
from fatcube.cli.schedules.building import parts_along, rule_of
from fatcube.groundwork.progress import doing
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.cost import price
from fatcube.noc.descriptions.routing_description import purpose
from fatcube.noc.lanes import lane_wires
from fatcube.noc.machines.distributed import check_distributed
from fatcube.noc.network import Network
from fatcube.noc.network_files.ports import PortTable, names_of, protocol_of_tables
from fatcube.noc.streams.options import StreamOptions
from fatcube.reports.table import TitledTable
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.sim.collectives.distributed import check_computed, collective_of
from fatcube.synth.families import FAMILIES, find_family
from fatcube.synth.families.family import Family
from fatcube.synth.families.liberty import family_of_file

if TYPE_CHECKING:
    from fatcube.synth.measure import SynthesisResult
    from fatcube.synth.processors import ProcessorAreas

__all__ = ["synthesize"]


_JOBS = 2  # placements at a time
_ONE_ROUTER = (
    "Fmax is that of one router, without interfaces and without the wires between routers; --whole measures the network"
)
_CACHED = "its result is in the cache"


@command(
    more="The area of all routers is the area of each kind of router times the number of its nodes; --whole "
    "synthesizes, places and routes all nodes together. With --interface axi4-stream, the interfaces are "
    "measured as well: each kind as a module of its own, and the whole network with them as one flat design.",
    epilog=examples(
        "synthesize -d 2 -m 2 --ports d --family ecp5",
        "synthesize -d 2 -m 2 --family osu018",
        "synthesize --topology hypercube -d 3 --whole --seeds 1",
        "synthesize --topology hypercube -d 3 --ports d --along nesbt --parts 3 --no-fmax",
        "synthesize -d 2 --interface axi4-stream --byte-exact --port-widths 8,32,32,64 --no-fmax",
    ),
)
@made_from_flags(network=interface_network_flags({"graph": "--along"}), streams=stream_flags(), port=port_flags())
def synthesize(
    context: typer.Context,
    *,
    network: Network,
    streams: StreamOptions,
    port: Sequence[PortTable],
    interface: InterfaceName = "flits",
    port_clocks: PortClocks = False,
    family: Annotated[
        str,
        choice(
            "--family",
            FAMILIES,
            name="FPGA family",
            help=f"Target; {' and '.join(one.name for one in FAMILIES.values() if not one.timed)} for area only.",
            panel=Panel.RUN,
        ),
    ] = "ecp5",
    liberty: Annotated[
        Optional[Path],
        typer.Option(
            "--liberty",
            help="Target: the standard cells of a Liberty file, instead of --family.",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    seeds: options.Seeds = "1,2,3",
    fmax: Annotated[
        Optional[bool],
        typer.Option(
            help="Place and route for Fmax, or not; if not given, for all families that can be placed.",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole",
            help="Also measure the whole network as one design, with the wires between its routers, and its interfaces.",
            rich_help_panel=Panel.RUN,
        ),
    ] = False,
    graph: Annotated[
        Optional[str],
        typer.Option(
            "--along",
            metavar="|".join(Rule),
            help="Also measure a processor that computes its destinations along this spanning graph beside one with a program.",
            autocompletion=completing(Rule),
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = None,
    parts: Annotated[
        str,
        typer.Option(
            "--parts",
            help="Parts into which each message of these processors is divided.",
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = "1",
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.synth.duration import router_seconds
    from fatcube.synth.nextpnr import check_seeds
    from fatcube.synth.silicon import (
        all_turns_area,
        crossbar_area,
        measured_routers,
        network_silicon,
        router_silicon,
        turns_of,
        used_crossbar_area,
    )

    apart(page, json_file)
    protocol = protocol_of_tables(port, network, interface)
    names = names_of(port, network, protocol)
    axi = axi_of(network, streams, protocol=protocol, port_clocks=port_clocks, ports=port, names=names)
    number = parts_along(parts)
    rule = _rule(context, network, graph, number)
    seed_list = check_seeds(integers("seeds", seeds))
    target = _target(context, family, liberty)
    placed = _placed(target, fmax, several_clocks=whole and axi is not None and any(axi.crossing_depths))
    say_chosen(network.chosen)
    stop_if(dry_run, f"the router of the {network.name}, {purpose(network)}, can be synthesized for {target.title}")
    measured = measured_routers(network)
    routers = len(measured) + network.topology.nodes * whole
    say_duration(routers * router_seconds(network, placements=len(seed_list) if placed else 0) / _JOBS, _CACHED)
    with doing(f"synthesizing the router of the {network.name}"):
        kinds = [
            router_silicon(network, router, seeds=seed_list, fmax=fmax, family=target, jobs=_JOBS)
            for router, _ in measured
        ]
        crossbar = crossbar_area(network, family=target)
        priced = Priced(
            cost=price(network.topology, network.options.ports),
            turns=[turns_of(router) for router, _ in measured],
            crossbar=crossbar,
            used_crossbar=used_crossbar_area(network, family=target),
            all_turns=all_turns_area(network, family=target),
        )
    together: list[SynthesisResult] = []
    if whole and axi is None:
        with doing(f"synthesizing the {network.name}"):
            together.append(network_silicon(network, seeds=seed_list, fmax=fmax, family=target, jobs=_JOBS))
    everything = functools.reduce(operator.add, (one.area * len(nodes) for one, (_, nodes) in zip(kinds, measured)))
    processors = _processors(network, rule, parts=number, family=target)
    flow: dict[str, Any] = {"placed": whole and placed, "family": target, "seeds": seed_list, "jobs": _JOBS}
    interfaces = None if axi is None else measure_interfaces(axi, everything, **flow)
    routers_of = RouterAreas(network, target, measured, kinds, priced, everything, together)
    tables = [routers_of.table, *_processors_table(processors, network, rule, target)]
    tables += [interfaces.table(axi, target)] if interfaces is not None and axi is not None else []
    said = [*routers_of.paths, *([_ONE_ROUTER] if kinds[0].fmax_mhz and not whole else [])]
    for number, table in enumerate(tables):
        print_table(table.title, table.columns, table.rows)
        for line in () if number else said:
            say(line)
    write_page(
        page, lambda: routers_of.results(tables, interfaces.areas if interfaces else {}, seed_list if placed else ())
    )
    write_json(
        json_file,
        lambda: record(
            {
                **network.to_json(),
                "family": target.name,
                **({"along": rule.value, "parts": parts} if rule else {}),
                **(_of_ports(axi) if axi else {}),
            },
            {
                **kinds[0].to_json(),
                **({"routers": _routers(kinds, measured)} if len(kinds) > 1 else {}),
                **priced.to_json(),
                "network": everything.to_json(),
                **_to_json(processors),
                **({} if interfaces is None else {"axi": interfaces.to_json()}),
                **({"whole": {**together[0].to_json(), "lane_wires": lane_wires(network)}} if together else {}),
            },
            seed=seed_list,
        ),
    )


def _of_ports(axi: AxiNetwork) -> dict[str, Any]:
    """The AXI4-Streams of ports as in a result record."""
    kinds: dict[str, Any] = {"own_clocks": [depth > 0 for depth in axi.crossing_depths]} if axi.clocks_differ else {}
    if axi.flit_ports:
        kinds["port_interfaces"] = [axi.protocol.at(port).name for port in range(axi.network.endpoints)]
    return {"interface": AXI_STREAM.name, "port_clocks": axi.port_clocks, **kinds, **axi.streams.to_json()}


def _target(context: typer.Context, family: str, liberty: Path | None) -> Family:
    """The target that is named, or the user's own library; checked to be there."""
    if liberty is None:
        target = find_family(family)
        target.check_installed()
        return target
    source = context.get_parameter_source("family")
    if source is not None and source.name == "COMMANDLINE":
        raise ParameterError(f"--family must be left out with --liberty, not {family!r}")
    return family_of_file(liberty)


def _placed(family: Family, fmax: bool | None, *, several_clocks: bool) -> bool:
    """Whether designs are placed and routed, checked."""
    placed = family.timed if fmax is None else fmax
    if placed:
        family.check_place_and_route()
    if placed and several_clocks:
        raise ParameterError(
            "clocks of ports (--port-clocks) must be left out with --whole, or Fmax (--no-fmax), which is that of one clock"
        )
    return placed


def _routers(
    results: "Sequence[SynthesisResult]", measured: Sequence[tuple[RouterParameters, Sequence[int]]]
) -> list[dict[str, Any]]:
    """The result of each of several routers, with its nodes."""
    return [{"nodes": list(nodes), **one.to_json()} for one, (_, nodes) in zip(results, measured)]


def _rule(context: typer.Context, network: Network, graph: str | None, parts: int) -> Rule | None:
    """The rule of the spanning graph that processors are measured for, if they are."""
    if graph is None:
        require(context, "a spanning graph (--along)", "parts")
        return None
    rule = rule_of(graph)
    check_distributed(network, rule)
    check_integer("parts", parts, minimum=1)
    check_computed(rule, collective_of(rule), parts=parts)
    return rule


def _processors(network: Network, rule: Rule | None, *, parts: int, family: Family) -> "ProcessorAreas | None":
    """The areas of processors by a rule, if there is one."""
    if rule is None:
        return None
    from fatcube.synth.processors import processor_areas

    with doing(f"synthesizing processors of the {network.name}"):
        return processor_areas(network, rule, parts=parts, family=family)


def _to_json(areas: "ProcessorAreas | None") -> dict[str, Any]:
    return {} if areas is None else {"processors": dataclasses.asdict(areas)}


def _processors_table(
    areas: "ProcessorAreas | None", network: Network, rule: Rule | None, family: Family
) -> list[TitledTable]:
    if areas is None:
        return []
    from fatcube.synth.silicon import area_rows

    title = f"processor of the {network.name} along {rule} on {family.title}"
    return [
        TitledTable(
            f"{title}, with {areas.memory_words} words in each bank",
            "",
            ["", f"with programs of {areas.program_entries} entries", "distributed"],
            area_rows([areas.program, areas.distributed]),
        )
    ]

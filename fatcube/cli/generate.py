"""`fatcube generate`: the Verilog of a router, a network or a system."""

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.arguments import output_file
from fatcube.cli.flags import DEFAULT_ROUTING, NO_ROUTING, Flags, made_from_flags, routed_network_flags
from fatcube.cli.output import remark, say_chosen, stop_if
from groundwork.files import is_special, write_files
from groundwork.progress import doing
from groundwork.validation import ParameterError, check_choice
from noc.axi_network import AxiNetwork
from noc.descriptions.description import describe
from noc.descriptions.integration import BESIDE, integration, integration_name
from noc.descriptions.network_file import network_json
from noc.descriptions.paragraphs import count
from noc.fabric import Fabric, shared_router
from noc.machines.system import System
from noc.measures import reaches_all
from noc.network import Network
from noc.routed_network import RoutedNetwork
from noc.shared import check_identifier
from noc.verilog import to_verilog
from sim.collectives.simulate import fitting_machine
from synth.plain import SCRIPTS, script, script_name

__all__ = ["generate"]


_AXI = "axi4-stream"
_INTERFACES = ("flits", _AXI)
_COUNTERS = {"network": "", "system": ", which always has counters"}
_CROSSING = 8  # beats: as few as there can be


def _network_flags() -> Flags:
    """The flags of a network, which has a routing also if it has AXI4-Streams at its ports."""
    plain, routed = routed_network_flags(NO_ROUTING), routed_network_flags(DEFAULT_ROUTING)

    def make(given: Mapping[str, Any]) -> Network:
        network = {name: value for name, value in given.items() if name != "interface"}
        return (routed if given.get("interface") == _AXI else plain).make(network)

    return Flags(plain.parameters, make, also=("interface",))


@app.command(
    rich_help_panel="Hardware",
    epilog=examples(
        "generate router -d 2 -m 2 --ports d -o router.v",
        "generate router -d 2 -m 3 -o router.v --script ecp5",
        "generate network -d 4 -m 4 --ports one -o network.v",
        "generate network -d 4 --interface axi4-stream -o hypercube.v",
        "generate network -d 2 -m 2 --interface axi4-stream --with template --with testbench -o net.v",
        "generate network --topology torus -w 4 -d 2 --routing default --virtual-channels 2 --buffer-depth 4 -o torus.v",
        "generate network -d 2 --name left -o left.v",
        "generate network -d 2 --ports b --for-schedules-only -o b.v",
    ),
)
@made_from_flags(network=_network_flags())
def generate(
    what: Annotated[
        str,
        typer.Argument(
            help="A router, a network (all routers, connected), or a system (a network with processors, barrier and "
            "monitors, as it is simulated).",
            metavar="router|network|system",
        ),
    ] = "network",
    *,
    network: Network,
    counters: Annotated[bool, typer.Option("--counters", help="Count flits and conflicts (router only).")] = False,
    name: Annotated[
        Optional[str],
        typer.Option(
            "--name",
            help="Name of the top module and prefix of all other modules, so that a design can contain several networks.",
        ),
    ] = None,
    interface: Annotated[
        str,
        typer.Option(
            "--interface",
            help="Ports of processors: AXI4-Stream with the destination in TDEST (the network gets a routing), or bare "
            "flits (network only).",
            metavar="|".join(_INTERFACES),
        ),
    ] = "flits",
    port_clocks: Annotated[
        bool, typer.Option("--port-clocks", help="Give each AXI4-Stream port its own clock.")
    ] = False,
    for_schedules_only: Annotated[
        bool,
        typer.Option(
            "--for-schedules-only",
            help="Write a network in which traffic other than schedules can deadlock: one of model b, or with "
            "more than one hop.",
        ),
    ] = False,
    output: Annotated[
        Optional[Path],
        typer.Option("-o", callback=output_file, help="File for the Verilog; standard output if not given."),
    ] = None,
    beside: Annotated[
        Optional[list[str]],
        typer.Option(
            "--with",
            help="For a network with AXI4-Streams, write beside the file: an instance to copy into a design (net_instance.v), "
            "a self-checking testbench in Verilog (net_tb.v), or one in Python for cocotb (test_net.py, which needs fatcube[cocotb]). May be given several "
            "times.",
            metavar="|".join(BESIDE),
        ),
    ] = None,
    families: Annotated[
        Optional[list[str]],
        typer.Option(
            "--script",
            help="Write beside the file the Yosys script that maps it for area on an FPGA family: ecp5, ice40, "
            "xilinx or gowin. May be given several times.",
            metavar="FAMILY",
        ),
    ] = None,
    dry_run: options.DryRun = False,
) -> None:
    """Write the Verilog of a router, a network or a system, and a JSON description of a network beside it."""
    check_choice("what", what, ("router", "network", "system"))
    axi = check_choice("interface", interface, _INTERFACES) == _AXI
    if axi and what != "network":
        raise ParameterError(f"interface must be flits for a {what}, not {interface}")
    if port_clocks and not axi:
        raise ParameterError(f"--port-clocks requires --interface {_AXI}")
    for one in beside or ():
        check_choice("the files beside the Verilog", one, BESIDE)
        if not axi:
            raise ParameterError(f"--with {one} requires --interface {_AXI}")
        if output is None:
            raise ParameterError(f"--with {one} requires a file for the Verilog (-o)")
    if name is not None:
        check_identifier(name)
    if counters and what != "router":
        raise ParameterError(f"--counters requires a router, not a {what}{_COUNTERS[what]}")
    if for_schedules_only and what != "network":
        raise ParameterError(f"--for-schedules-only requires a network, not a {what}")
    if for_schedules_only and not network.deadlock:
        raise ParameterError(f"for schedules only must be left out for {network}, which carries any traffic")
    if what == "system" and isinstance(network, RoutedNetwork):
        raise ParameterError(f"routing must be {NO_ROUTING} for a system, which runs schedules")
    if what == "network" and network.deadlock and not for_schedules_only:
        raise ParameterError(
            f"for schedules only must be given (--for-schedules-only) for {network} with "
            f"{network.options.hops} hop{'' if network.options.hops == 1 else 's'}, where general-purpose traffic can deadlock: "
            f"{network.deadlock}; --routing default cannot deadlock"
        )
    for family in families or ():
        check_choice("family of a script", family, SCRIPTS)
        if output is None:
            raise ParameterError(f"--script {family} requires a file for the Verilog (-o)")
    special = output is not None and is_special(output)
    for option in [*(f"--with {one}" for one in beside or ()), *(f"--script {family}" for family in families or ())]:
        if special:
            raise ParameterError(f"{option} requires a regular file for the Verilog (-o), not {output}")
    if what == "network" and output is not None and output.suffix == ".json":
        raise ParameterError(f"output must not end in .json, as the description of the network does, not {output}")
    machine = None
    axi_network = None
    if axi and isinstance(network, RoutedNetwork):
        axi_network = AxiNetwork(network, crossing_depth=_CROSSING * port_clocks, name=name)
    if what == "router":
        shared = shared_router(network, counters=counters, name=name or "fat_node_router")
    elif axi_network is not None:
        shared = axi_network.shared()
    elif what == "network":
        shared = Fabric(network, name=name).shared()
    else:
        machine = fitting_machine(network)
        shared = System(machine, name=name).shared()
    about = network_json(network, shared, interface=interface) if what == "network" else {}
    others = {}
    if output is not None and not special:
        if what == "network":
            others[output.with_suffix(".json")] = json.dumps(about, indent=1) + "\n"
        for one in dict.fromkeys(beside or ()):
            others[output.with_name(integration_name(one, output.name))] = integration(
                one, about, verilog=output.name, title=str(network)
            )
        for family in families or ():
            others[output.with_name(script_name(output.name, family))] = script(
                family, verilog=output.name, top=shared.name
            )
    for path in others:
        output_file(path)
    written = f": {', '.join(str(path) for path in (output, *others))}" if output else ""
    say_chosen(network.chosen, error=output is None or special)
    hops = network.options.hops
    if what == "network" and not isinstance(network, RoutedNetwork) and not reaches_all(network.topology, hops):
        remark(
            f"packets cross at most {count(hops, 'link')} in this network; with --routing {DEFAULT_ROUTING}, packets are routed "
            "between all processors"
        )
    stop_if(dry_run, f"{shared.name} can be generated{written}")
    with doing(f"generating the {what} of {network}"):
        text = to_verilog(shared, comment=describe(network, what, machine=machine, axi=axi_network))
    if output is None:
        print(text)
    else:
        write_files({path: content.encode() for path, content in {output: text, **others}.items()})
        if special and what == "network":
            remark(f"no description was written, as {output} is not a regular file")

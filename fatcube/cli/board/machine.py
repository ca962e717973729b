"""The flags of a machine on a board: a network, and processors or sources and sinks of traffic around it."""

from collections.abc import Mapping
import inspect
from typing import Annotated, Any, Optional

import typer

from fatcube.cli.app import Panel
from fatcube.cli.choices import choice
from fatcube.cli.flags import NO_ROUTING, Flags, routed_network_flags
from fatcube.cli.network_files import ROUTES_OF_FILE
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.machine import MONITORS, Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing_options import RoutingOptions
from fatcube.sim.board.fit import board_machine, board_traffic_machine
from fatcube.sim.size import check_simulation

__all__ = ["machine_flags"]


_OWN = {
    "traffic": (
        bool,
        False,
        typer.Option(
            "--traffic",
            help="Put traffic sources and sinks on the board instead of processors, for fatcube load --port.",
            rich_help_panel=Panel.RUN,
        ),
    ),
    "payload_flits": (
        int,
        16,
        typer.Option(
            "--payload-flits", help="Longest payload that fits into the message memories.", rich_help_panel=Panel.RUN
        ),
    ),
    "memory_words": (
        Optional[int],
        None,
        typer.Option(
            "--memory-words",
            help="Words in each bank of a message memory; as many as needed if not given.",
            rich_help_panel=Panel.RUN,
        ),
    ),
    "program_entries": (
        int,
        32,
        typer.Option(
            "--program-entries",
            help="Entries of a program and of a trace: one more than the maximum number of steps.",
            rich_help_panel=Panel.RUN,
        ),
    ),
    "reductions": (
        bool,
        True,
        typer.Option(
            "--reductions/--no-reductions",
            help="Give processors an adder, which AOR, AAR and all-reduce need.",
            rich_help_panel=Panel.RUN,
        ),
    ),
    "monitors": (
        str,
        "all",
        choice("--monitors", MONITORS, help="Wires on which every packet is traced.", panel=Panel.RUN),
    ),
}


def machine_flags() -> Flags:
    """The flags of a :class:`Machine` for a board, or with ``--traffic`` of a :class:`TrafficMachine`."""
    network_flags = routed_network_flags(check_simulation, schedules={})
    routed_flags = routed_network_flags(check_simulation)
    parameters = (
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
        for name, (kind, default, option) in _OWN.items()
    )

    def make(given: Mapping[str, Any]) -> Machine | TrafficMachine:
        flags = routed_flags if given.get("traffic") else network_flags
        of_network = {name: given[name] for name in (*flags.names, *flags.also) if name in given}
        ways = {"routing_file", ROUTES_OF_FILE, *RoutingOptions.names()}
        if not given.get("traffic") and not of_network.keys() & ways:
            of_network["routing"] = NO_ROUTING
        network = flags.make(of_network)
        own = {name: given.get(name, default) for name, (_, default, _) in _OWN.items()}
        if own.pop("traffic"):
            for name in own:
                if name in given:
                    raise ParameterError(f"{name.replace('_', ' ')} must be left out with --traffic, not {given[name]}")
            return board_traffic_machine(network)
        if isinstance(network, RoutedNetwork):
            raise ParameterError(f"routing must be {NO_ROUTING} without --traffic, as processors run schedules")
        return board_machine(network.for_packets(own["payload_flits"] + 1), **own)

    return Flags((*network_flags.parameters, *parameters), make, also=network_flags.also)

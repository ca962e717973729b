"""`fatcube describe`: the network file of what flags, or another file, say."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import output_file
from fatcube.cli.flags import made_from_flags, stream_flags
from fatcube.cli.generate.target import ModuleName
from fatcube.cli.interfaces import (
    ForSchedulesOnly,
    InterfaceName,
    PortClocks,
    axi_of,
    check_traffic,
    interface_network_flags,
    port_flags,
)
from fatcube.cli.output import say_chosen, stop_if
from fatcube.groundwork.files import write_text
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.network import Network
from fatcube.noc.network_files.normal import network_file_of
from fatcube.noc.network_files.ports import PortTable, names_of, protocol_of_tables
from fatcube.noc.network_files.texts import json_text, toml_text
from fatcube.noc.shared import check_identifier
from fatcube.noc.streams.options import StreamOptions

__all__ = ["describe"]


@command(
    more="Equal networks have equal files: the topology, and the fewest options from which all others follow.",
    epilog=examples(
        "describe --topology torus -w 4 -d 2 --virtual-channels 4 -o torus.toml",
        "describe -d 2 --interface axi4-stream --port-clocks",
        "describe net.json -o net.toml",
    ),
)
@made_from_flags(
    network=interface_network_flags({"for_schedules_only": "--for-schedules-only"}),
    streams=stream_flags(),
    port=port_flags(),
)
def describe(
    *,
    network: Network,
    streams: StreamOptions,
    port: Sequence[PortTable],
    interface: InterfaceName = "flits",
    port_clocks: PortClocks = False,
    for_schedules_only: ForSchedulesOnly = False,
    name: ModuleName = None,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            callback=output_file,
            help="File to write, .toml or .json; TOML on standard output if not given.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
    dry_run: options.DryRun = False,
) -> None:
    if output is not None:
        check_choice("ending of a network file", output.suffix.lower(), (".toml", ".json"))
    if name is not None:
        check_identifier(name)
    protocol = protocol_of_tables(port, network, interface)
    names = names_of(port, network, protocol)
    axi = axi_of(network, streams, protocol=protocol, port_clocks=port_clocks, ports=port, name=name, names=names)
    check_traffic(network, for_schedules_only)
    file = network_file_of(network, axi, name=name, names=names)
    if file is None:
        raise ParameterError(f"network must be one that flags describe, not the {network.name}")
    if output is not None:
        say_chosen(network.chosen)
    stop_if(dry_run, f"the {network.name} can be described")
    if output is None:
        print(toml_text(file), end="")
    else:
        write_text(output, toml_text(file) if output.suffix.lower() == ".toml" else json_text(file))

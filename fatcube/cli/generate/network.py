"""`fatcube generate network`: the Verilog of all routers of a network, connected, and its description."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli.app import Panel, command, examples
from fatcube.cli.choices import choice
from fatcube.cli.flags import DEFAULT_ROUTING, made_from_flags, stream_flags
from fatcube.cli.generate.target import Target, target_flags
from fatcube.cli.interfaces import (
    ForSchedulesOnly,
    InterfaceName,
    PortClocks,
    axi_of,
    check_traffic,
    interface_network_flags,
    port_flags,
)
from fatcube.groundwork.validation import ParameterError, check_number
from fatcube.noc.descriptions.description import describe
from fatcube.noc.descriptions.flows.files import BESIDE_NETWORK, FLOWS, files_beside
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.descriptions.paragraphs import count
from fatcube.noc.fabric import Fabric
from fatcube.noc.measures import reaches_all
from fatcube.noc.network import Network
from fatcube.noc.network_files.ports import PortTable, names_of, protocol_of_tables
from fatcube.noc.network_files.reading import INSIDE
from fatcube.noc.network_files.texts import said_of_command
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions

__all__ = ["network"]


_PICTURE = "picture"
_BLOCKS = "block-diagram"
_MAP = "map"
_OF_COMMAND = (_PICTURE, _BLOCKS, _MAP)  # files that are not made from the description alone
_CLOCK = 100.0  # MHz
_SCHEDULES = {"for_schedules_only": "--for-schedules-only"}
_SLOWEST, _FASTEST = 0.001, 10_000.0  # MHz; periods are written in picoseconds


@command(
    more="The network is all its routers, connected. The description is written beside the file of the Verilog.",
    epilog=examples(
        "generate network -d 4 -m 4 --ports one -o network.v",
        "generate network -d 4 --interface axi4-stream -o hypercube.v",
        "generate network -d 2 -m 2 --interface axi4-stream --with template --with testbench -o net.v",
        "generate network -d 2 --interface axi4-stream --byte-exact --port-widths 8,32,32,512 --store-packets 400 -o bytes.v",
        "generate network --topology torus -w 4 -d 2 --routing default --virtual-channels 2 --buffer-depth 4 -o torus.v",
        "generate network -d 2 --interface axi4-stream --port-clocks --with constraints --clock 125 -o net.v",
        "generate network -d 2 --interface axi4-stream --with vhdl --with ip-xact --with fusesoc -o net.v",
        "generate network --topology torus -w 4 -d 2 --routing default --with picture -o torus.v",
        "generate network -d 3 --interface axi4-stream --port-clocks --with block-diagram -o cube.v",
        "generate network -d 2 --name left -o left.v",
        "generate network -d 2 --ports b --for-schedules-only -o b.v",
    ),
)
@made_from_flags(
    target=target_flags(), network=interface_network_flags(_SCHEDULES), streams=stream_flags(), port=port_flags()
)
def network(
    *,
    network: Network,
    streams: StreamOptions,
    port: Sequence[PortTable],
    interface: InterfaceName = "flits",
    port_clocks: PortClocks = False,
    for_schedules_only: ForSchedulesOnly = False,
    target: Target,
    beside: Annotated[
        Optional[list[str]],
        choice(
            "--with",
            (*BESIDE_NETWORK, _PICTURE, _BLOCKS, _MAP),
            name="the files beside the Verilog",
            help="Write beside the file: tests in Python for cocotb and pytest (test_net.py); for a network with "
            "AXI4-Streams, an instance to copy into a design (net_instance.v) or a self-checking testbench in Verilog "
            "(net_tb.v); or, for other tools, a list of files (net.f), constraints (net_clocks.sdc, net.lpf and, with "
            "--port-clocks, net.sdc and net.xdc), VHDL (net.vhd, net_entity.vhd), IP-XACT (net.xml), a core and a "
            "generator for FuseSoC (net.core), or port numbers for C (net.h); or a drawing of the network (net.svg), or "
            "a block diagram with the protocol, width and clock of each port (net_blocks.svg); or the "
            "source of each module and signal, for `fatcube where` (net.map.json). May be given several times.",
            panel=Panel.RESULT,
        ),
    ] = None,
    clock: Annotated[
        Optional[float],
        typer.Option(
            "--clock",
            metavar="MHZ",
            help=f"Clock of --with constraints; {_CLOCK:g} if not given.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
) -> None:
    wanted = tuple(dict.fromkeys(beside or ()))
    files = [f"--with {one}" for one in wanted]
    anywhere = {f"--with {one}" for one in ("cocotb", *_OF_COMMAND, *FLOWS)}
    protocol = protocol_of_tables(port, network, interface)
    names = names_of(port, network, protocol)
    of_streams = {
        "protocol": protocol,
        "port_clocks": port_clocks,
        "ports": port,
        "name": target.name,
        "names": names,
    }
    axi = axi_of(network, streams, **of_streams, others=[file for file in files if file not in anywhere])
    if clock is not None and "constraints" not in wanted:
        raise ParameterError("--clock requires --with constraints")
    mhz = check_number("clock", _CLOCK if clock is None else clock, minimum=_SLOWEST, maximum=_FASTEST)
    target.require_file(files)
    check_traffic(network, for_schedules_only)
    if for_schedules_only and "cocotb" in wanted:
        raise ParameterError(
            "--with cocotb must be left out with --for-schedules-only, as the tests send random packets"
        )
    target.refuse_json("network")
    pictures = {".svg": _picture(network)} if _PICTURE in wanted else {}
    top = Fabric(network, name=target.name, names=names) if axi is None else axi
    shared = top.shared()
    about = network_json(network, shared, interface=protocol.name, name=target.name)
    if _BLOCKS in wanted:
        pictures["_blocks.svg"] = _block_diagram(network, about)
    target.write(
        "network",
        network,
        shared,
        lambda: describe(network, "network", axi=axi, protocol=top.protocol, again=said_of_command(about[INSIDE])),
        beside=_beside(target, wanted, about, str(network), mhz, pictures),
        mapped=_MAP in wanted,
        remarks=_reach(network),
    )
    target.remark_no_description()


def _picture(network: Network) -> str:
    """The drawing of a network, as `fatcube draw` makes it."""
    from fatcube.reports.drawing import Drawing

    return Drawing(network.topology, half_duplex=network.options.shared_lanes).svg()


def _block_diagram(network: Network, about: Mapping[str, Any]) -> str:
    """The block diagram of a network, with its ports as the description has them."""
    from fatcube.reports.blocks.diagram import BlockDiagram

    return BlockDiagram(network.topology, about, title=network.name).svg()


def _beside(
    target: Target,
    wanted: Sequence[str],
    about: Mapping[str, Any],
    title: str,
    mhz: float,
    pictures: Mapping[str, str],
) -> dict[Path, str]:
    """The texts of the files beside that of the Verilog: its description, those that are ``wanted``, and ``pictures`` by endings."""
    file = target.file
    if file is None:
        return {}
    others = files_beside(
        [one for one in wanted if one not in _OF_COMMAND], about, verilog=file.name, title=title, mhz=mhz
    )
    drawn = {file.with_name(f"{file.stem}{ending}"): picture for ending, picture in pictures.items()}
    if file in drawn:
        raise ParameterError(f"output must be named otherwise than the files beside it, not {file.name}")
    return target.description(about) | {file.with_name(name): text for name, text in others.items()} | drawn


def _reach(network: Network) -> Iterator[str]:
    """A remark on a network in which packets do not reach all nodes."""
    hops = network.options.hops
    if not isinstance(network, RoutedNetwork) and not reaches_all(network.topology, hops):
        yield (
            f"packets cross at most {count(hops, 'link')} in this network; with --routing {DEFAULT_ROUTING}, packets are routed "
            "between all processors"
        )

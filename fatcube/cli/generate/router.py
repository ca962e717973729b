"""`fatcube generate router`: the Verilog of one router of a network, and its description."""

import dataclasses
import functools
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli.app import Panel, command, examples
from fatcube.cli.choices import choice
from fatcube.cli.flags import made_from_flags, routed_network_flags
from fatcube.cli.generate.target import Target, target_flags
from fatcube.noc.descriptions.description import describe
from fatcube.noc.descriptions.integration import cocotb_tests, integration_name
from fatcube.noc.descriptions.router_file import router_json
from fatcube.noc.fabric import shared_router
from fatcube.noc.network import Network
from fatcube.noc.network_files.keys import PortOptions
from fatcube.noc.network_files.normal import network_file_of
from fatcube.noc.network_files.texts import command_of

__all__ = ["router"]


@command(
    more="The router is that of a network, the same at all of its nodes. The description is written beside the "
    "file of the Verilog.",
    epilog=examples(
        "generate router -d 2 -m 2 --ports d -o router.v",
        "generate router -d 2 -m 3 -o router.v --script ecp5",
        "generate router -d 2 --virtual-channels 2 --counters --name counted --with cocotb -o counted.v",
        "generate router -d 2 --with map -o router.v",
    ),
)
@made_from_flags(target=target_flags(), network=routed_network_flags(schedules={}))
def router(
    *,
    network: Network,
    counters: Annotated[
        bool, typer.Option("--counters", help="Count flits and conflicts.", rich_help_panel=Panel.ROUTER)
    ] = False,
    target: Target,
    beside: Annotated[
        Optional[list[str]],
        choice(
            "--with",
            ("cocotb", "map"),
            name="the files beside the Verilog",
            help="Write beside the file tests in Python for cocotb and pytest (test_router.py), or the source of each module "
            "and signal, for `fatcube where` (router.map.json).",
            panel=Panel.RESULT,
        ),
    ] = None,
) -> None:
    wanted = tuple(dict.fromkeys(beside or ()))
    target.require_file(f"--with {one}" for one in wanted)
    target.refuse_json("router")
    shared = shared_router(network, counters=counters, name=target.name or "fat_node_router")
    about = router_json(network, shared)
    others = target.description(about)
    if target.file is not None and "cocotb" in wanted:
        others |= _tests(target.file, about, network.name)
    comment = functools.partial(describe, network, "router", again=_again(network, target.name, counters))
    target.write("router", network, shared, comment, beside=others, mapped="map" in wanted)
    target.remark_no_description()


def _again(network: Network, name: str | None, counters: bool) -> str:
    """How the router is generated again, as a sentence; empty if no flags say that."""
    file = network_file_of(network, name=name)
    only_of_networks = {field.name for field in dataclasses.fields(PortOptions)}
    flags = file and {key: value for key, value in file.items() if key not in only_of_networks}
    command = command_of(flags, "generate router")
    return "" if command is None else f"Generated again by {command}{' --counters' * counters}"


def _tests(file: Path, about: dict[str, Any], title: str) -> dict[Path, str]:
    tests = cocotb_tests(about, verilog=file.name, title=f"the router of {title}")
    return {file.with_name(integration_name("cocotb", file.name)): tests}

"""`fatcube generate router`: the Verilog of one router of a network."""

from typing import Annotated

import typer

from fatcube.cli.app import examples
from fatcube.cli.flags import NO_ROUTING, made_from_flags, routed_network_flags
from fatcube.cli.generate import generate_app
from fatcube.cli.generate.target import Target, target_flags
from noc.descriptions.description import describe
from noc.fabric import shared_router
from noc.network import Network

__all__ = ["router"]


@generate_app.command(
    epilog=examples(
        "generate router -d 2 -m 2 --ports d -o router.v",
        "generate router -d 2 -m 3 -o router.v --script ecp5",
        "generate router -d 2 --virtual-channels 2 --counters --name counted -o counted.v",
    ),
)
@made_from_flags(target=target_flags(), network=routed_network_flags(NO_ROUTING))
def router(
    *,
    network: Network,
    counters: Annotated[bool, typer.Option("--counters", help="Count flits and conflicts.")] = False,
    target: Target,
) -> None:
    """Write the Verilog of one router of a network.

    The router of a network is the same at all of its nodes.
    """
    shared = shared_router(network, counters=counters, name=target.name or "fat_node_router")
    target.write("router", network, shared, lambda: describe(network, "router"))

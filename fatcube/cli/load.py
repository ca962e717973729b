"""`fatcube load`: latency and throughput of a network against offered load, on the RTL or on a board."""

from collections.abc import Mapping
import contextlib
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.arguments import apart, output_file, refuse_given
from fatcube.cli.board.port import Baud, connected, network_under_traffic
from fatcube.cli.flags import DEFAULT_ROUTING, load_flags, made_from_flags, routed_network_flags
from fatcube.cli.output import fail, print_table, say, stop_if, write_json
from groundwork.files import write_text
from groundwork.progress import doing
from groundwork.record import record
from noc.boards.board import BAUD
from noc.routed_network import RoutedNetwork
from sim.load_options import LoadOptions

__all__ = ["load"]


_NETWORK = routed_network_flags(DEFAULT_ROUTING)


def _refuse_what_a_board_says(context: typer.Context, given: Mapping[str, Any]) -> None:
    """Refuse the options of a network that stands on a board; the command ignores their defaults then."""
    if given["port"] is not None:
        refuse_given(context, "with --port, whose board says it", *_NETWORK.names)


@app.command(
    rich_help_panel="Measurements",
    epilog=examples(
        "load --topology hypercube -d 4",
        "load --topology mesh -w 8 -d 2 --pattern transpose --page mesh.html --json mesh.json",
        "load --topology torus -w 8 -d 2 --virtual-channels 2 --buffer-depth 4 --page both.html --beside mesh.json",
        "load -d 3 -m 4 -f 2 --loads 0.1,0.2,0.3 --packet-flits 8,64",
        "load --port /dev/ttyUSB0 --pattern uniform --json measured.json",
    ),
)
@made_from_flags(_refuse_what_a_board_says, network=_NETWORK, traffic=load_flags())
def load(
    *,
    network: RoutedNetwork,
    traffic: LoadOptions,
    beside: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--beside", help="JSON file of an earlier run, drawn beside this one; may be given several times."
        ),
    ] = None,
    page: Annotated[
        Optional[Path], typer.Option("--page", callback=output_file, help="Page with the curves, HTML.")
    ] = None,
    port: Annotated[
        Optional[str],
        typer.Option(
            "--port",
            help="Measure the network on the board at this serial port, made by fatcube board build --traffic.",
            metavar="PORT",
        ),
    ] = None,
    baud: Baud = BAUD,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    """Measure the latency and throughput of a network against offered load, on the RTL or on a board."""
    from fatcube.studies.load import Curve, columns, load_page, row
    from sim.load import LoadTest
    from sim.saturation import measure

    apart(page, json_file, *(beside or ()))
    others = [Curve.read(path) for path in beside or ()]
    with contextlib.nullcontext() if port is None else connected(port, baud) as board:
        if board is not None:
            network = network_under_traffic(board)
        test = LoadTest(network, traffic, board)
        stop_if(dry_run, f"{network} can be measured under {traffic.pattern} traffic")
        with doing(f"measuring {test}"):
            measured = measure(test)
    made = record(test.parameters, measured.to_json(), seed=traffic.seed)
    curve = Curve.of(made)
    print_table(f"{test}, {curve.ways}", columns(), [row(point) for point in measured.points])
    say(
        f"latency without load {measured.latency_without_load:.1f} cycles; channels and receivers take a load of at most "
        f"{measured.bound:.3f}; accepted at most {measured.throughput:.3f}"
    )
    if not traffic.loads:
        found = measured.saturation
        say("not saturated at a load of 1" if found is None else f"saturated from a load of {found:.3f} on")
    write_json(json_file, lambda: made)
    if page is not None:
        write_text(page, load_page([curve, *others]))
        say(f"Written to {page}")
    fail(measured.failures)

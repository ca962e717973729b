"""`fatcube load`: latency and throughput of a network against offered load, on the RTL."""

import dataclasses
from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.arguments import apart, integers, numbers, output_file
from fatcube.cli.flags import DEFAULT_ROUTING, made_from_flags, routed_network_flags
from fatcube.cli.output import fail, print_table, say, stop_if, write_json
from groundwork.files import write_text
from groundwork.progress import doing
from groundwork.record import record
from noc.routed_network import RoutedNetwork
from sim.patterns import PATTERNS

__all__ = ["load"]


@app.command(
    rich_help_panel="Measurements",
    epilog=examples(
        "load --topology hypercube -d 4",
        "load --topology mesh -w 8 -d 2 --pattern transpose --page mesh.html --json mesh.json",
        "load --topology torus -w 8 -d 2 --virtual-channels 2 --buffer-depth 4 --page both.html --beside mesh.json",
        "load -d 3 -m 4 -f 2 --loads 0.1,0.2,0.3 --packet-flits 8,64",
    ),
)
@made_from_flags(network=routed_network_flags(DEFAULT_ROUTING))
def load(
    *,
    network: RoutedNetwork,
    pattern: Annotated[
        str, typer.Option("--pattern", help="Who sends to whom.", metavar="|".join(PATTERNS))
    ] = "uniform",
    loads: Annotated[
        Optional[str],
        typer.Option(
            "--loads",
            help="Offered loads, in flits per cycle and port of a processor, as in 0.1,0.2; if not given, 12 around the "
            "load at which the network is saturated.",
        ),
    ] = None,
    packet_flits: Annotated[
        str,
        typer.Option(
            "--packet-flits", help="Flits of a packet with its header; of several, as in 8,64, each is as likely."
        ),
    ] = "8",
    warm_up: Annotated[int, typer.Option("--warm-up", help="Cycles before measurement, and again after it.")] = 1000,
    measured: Annotated[int, typer.Option("--measured", help="Cycles of measurement.")] = 3000,
    repeats: Annotated[
        int, typer.Option("--repeats", help="Runs of each load; from several follows how sure its latency is.")
    ] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random traffic.")] = 0,
    beside: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--beside", help="JSON file of an earlier run, drawn beside this one; may be given several times."
        ),
    ] = None,
    page: Annotated[
        Optional[Path], typer.Option("--page", callback=output_file, help="Page with the curves, HTML.")
    ] = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    """Measure the latency and throughput of a network against offered load, on the RTL."""
    from fatcube.studies.load import Curve, columns, load_page, row
    from sim.load import LoadTest, around, check_loads, saturation

    apart(page, json_file, *(beside or ()))
    given = None if loads is None else check_loads(numbers("loads", loads))
    test = LoadTest(
        network=network,
        pattern=pattern,
        packet_flits=tuple(integers("packet flits", packet_flits)),
        warm_up=warm_up,
        measured=measured,
        repeats=repeats,
        seed=seed,
    )
    others = [Curve.read(path) for path in beside or ()]
    stop_if(dry_run, f"{network} can be measured under {pattern} traffic")
    with doing(f"measuring {network} under {pattern} traffic"):
        saturated = saturation(test) if given is None else None
        points = test.points(given or around(saturated))
    made = record(
        test.to_json(),
        {
            "latency_without_load": test.latency_without_load,
            "bound": test.bound,
            "saturation": saturated,
            "points": [dataclasses.asdict(point) for point in points],
        },
        seed=seed,
    )
    curve = Curve.of(made)
    print_table(f"{pattern} traffic on {network}, {curve.ways}", columns(), [row(point) for point in points])
    say(
        f"latency without load {test.latency_without_load:.1f} cycles; channels and receivers take a load of at most "
        f"{test.bound:.3f}; accepted at most {max(point.accepted for point in points):.3f}"
    )
    if given is None:
        say("not saturated at a load of 1" if saturated is None else f"saturated from a load of {saturated:.3f} on")
    write_json(json_file, lambda: made)
    if page is not None:
        write_text(page, load_page([curve, *others]))
        say(f"Written to {page}")
    fail([f"load {point.load:g}: {failure}" for point in points for failure in point.failures])

"""`fatcube load`: latency and throughput of a network against offered load, on the RTL or on a board."""

from collections.abc import Mapping
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, refuse_given
from fatcube.cli.board.port import Baud, Timeout, connected, network_under_traffic
from fatcube.cli.flags import load_flags, made_from_flags, routed_network_flags
from fatcube.cli.output import fail, print_table, say, say_chosen, say_duration, stop_if, write_json, write_page
from fatcube.groundwork.progress import doing
from fatcube.groundwork.record import record
from fatcube.noc.boards.board import BAUD
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.sim.board.line import TIMEOUT
from fatcube.sim.size import check_load
from fatcube.sim.traffic.load_options import LoadOptions

if TYPE_CHECKING:
    from fatcube.sim.traffic.load import LoadTest
    from fatcube.sim.traffic.load_point import LoadPoint
    from fatcube.sim.traffic.trace import TraceTest

__all__ = ["load"]


_NETWORK = routed_network_flags(check_load)


def _check(context: typer.Context, given: Mapping[str, Any]) -> None:
    """Refuse what a trace says, which is when packets come and of what length, and what a board says, which is its network."""
    if given["trace"] is not None:
        refuse_given(context, "with a trace (--trace)", *LoadOptions.names(), "beside", "page", "port")
    if given["port"] is not None:
        refuse_given(context, "with --port, where the board defines it", *_NETWORK.names)


@command(
    epilog=examples(
        "load --topology hypercube -d 4",
        "load --topology mesh -w 8 -d 2 --pattern transpose --page mesh.html --json mesh.json",
        "load --topology torus -w 8 -d 2 --virtual-channels 2 --buffer-depth 4 --page both.html --beside mesh.json",
        "load -d 3 -m 4 -f 2 --loads 0.1,0.2,0.3 --packet-flits 8,64 --burst 10",
        "load --topology mesh -w 4 -d 2 --trace packets.csv --json arrived.json",
        "load --port /dev/ttyUSB0 --pattern uniform --json measured.json",
    )
)
@made_from_flags(_check, network=_NETWORK, traffic=load_flags())
def load(
    *,
    network: RoutedNetwork,
    traffic: LoadOptions,
    trace: Annotated[
        Optional[Path],
        typer.Option(
            "--trace",
            help="Send the packets in this file instead, each once: CSV with cycle, source, destination, flits, or JSON lines (.jsonl).",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    beside: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--beside",
            help="JSON file of an earlier run to draw on the same page; may be given several times.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
    page: options.Page = None,
    port: Annotated[
        Optional[str],
        typer.Option(
            "--port",
            help="Measure the network on the board at this serial port, built with fatcube board build --traffic.",
            metavar="PORT",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    baud: Baud = BAUD,
    timeout: Timeout = TIMEOUT,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.sim.duration import load_seconds
    from fatcube.sim.traffic.load import LoadTest
    from fatcube.sim.traffic.saturation import measure
    from fatcube.sim.traffic.trace import TraceTest, read_trace
    from fatcube.studies.load import Curve, busiest, columns, load_results, row

    apart(page, json_file, trace, *(beside or ()))
    if trace is not None:
        _run_trace(TraceTest(network, read_trace(trace)), dry_run, json_file)
        return
    others = [Curve.read(path) for path in beside or ()]
    with contextlib.nullcontext() if port is None else connected(port, baud, timeout) as board:
        if board is not None:
            network = network_under_traffic(board)
        test = LoadTest(network, traffic, board)
        _ = test.machine  # Refuses what its sources do not send.
        say_chosen(test.network.chosen)
        stop_if(dry_run, f"the {network.name} can be measured under {traffic.word} traffic")
        if board is None:
            say_duration(load_seconds(test))
        with doing(f"measuring {test}"):
            measured = measure(test)
    made = record(test.parameters, measured.to_json(), seed=traffic.seed)
    curve = Curve.of(made)
    print_table(
        f"load on the {test.network.name}: {curve.configuration}", columns(), [row(point) for point in measured.points]
    )
    say(
        f"latency without load {measured.latency_without_load:.1f} cycles; channels and receivers take a load of at most "
        f"{measured.bound:.3f} from {'the busiest' if traffic.traffic else 'every'} processor; accepted at most "
        f"{measured.throughput:.3f} on average and {measured.least:.3f} from the worst-served processor"
        f"{' that sends' if traffic.traffic else ''}"
    )
    say(measured.saturated)
    say(curve.limit)
    if traffic.traffic:
        _say_flows(test, measured.points[-1])
    if traffic.details and test.network.topology.channels:
        print_table(*busiest(measured))
    write_json(json_file, lambda: made)
    write_page(page, lambda: load_results([curve, *others]))
    fail(measured.failures)


def _say_flows(test: "LoadTest", point: "LoadPoint") -> None:
    """Say what the loads of given flows are and, with details, what arrived of each at the last load."""
    from fatcube.sim.traffic.flow_rates import flow_rows, said_of_flows

    say(said_of_flows(test, point.load))
    if test.options.details:
        print_table(*flow_rows(test, point))


def _run_trace(test: "TraceTest", dry_run: bool, json_file: Path | None) -> None:
    """Send the packets of a trace, and say when they arrived."""
    say_chosen(test.network.chosen)
    import numpy

    from fatcube.sim.duration import trace_seconds
    from fatcube.sim.traffic.load_point import MEDIAN, PERCENTILE_99, quantile

    stop_if(dry_run, f"{test} can be sent")
    say_duration(trace_seconds(test))
    with doing(f"sending {test}"):
        result = test.run()
    packets, arrived = result.packets, result.arrived
    ends = packets.cycle[arrived] + result.latencies[arrived].astype(packets.cycle.dtype)
    say(
        f"{len(packets):,} packets of {int(packets.flits.sum()):,} flits; the last arrived in cycle "
        f"{int(ends.max(initial=0)):,}"
    )
    if arrived.any():
        values, counts = numpy.unique(result.latencies[arrived], return_counts=True)
        histogram = [*zip(values.tolist(), counts.tolist())]
        middle, most = (quantile(histogram, part) for part in (MEDIAN, PERCENTILE_99))
        say(
            f"latency {float(values @ counts) / int(counts.sum()):.1f} cycles on average, median {middle}, 99 % within {most}, "
            f"longest {histogram[-1][0]}"
        )
    write_json(json_file, lambda: record(test.parameters, result.to_json(), key=test.key))
    fail(result.failures)

"""``python -m fatcube.studies.bench.peers --checkouts FOLDER``."""

import argparse
from collections.abc import Collection, Sequence
import json
from pathlib import Path
import sys
import tempfile
from typing import Any

from rich.console import Console

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.reports.table import show
from fatcube.studies.bench import peers
from fatcube.studies.bench.peers.measure import OURS, Row, measure_our_routers, measure_peer
from fatcube.studies.bench.peers.page import COLUMNS, cells, page, sizes
from fatcube.studies.bench.peers.peer import PUBLISHED, Published, read_peers
from fatcube.synth.nextpnr import check_seeds

_SEEDS = (1, 2, 3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status is 1 if a router could not be measured, and 2 of bad input."""
    parser = argparse.ArgumentParser(prog="fatcube.studies.bench.peers", description=peers.__doc__)
    parser.add_argument(
        "--peers",
        type=Path,
        default=PUBLISHED,
        metavar="FILE",
        help="The description of other routers than published ones.",
    )
    parser.add_argument(
        "--checkouts",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="A folder with a checkout or a bare repository each, by the name without its owner.",
    )
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        help="One of them, or of ours, beside the rows that the file of --json has; may be repeated.",
    )
    parser.add_argument(
        "--ports", type=int, metavar="N", help="Those of N ports, beside the rows that the file of --json has."
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=_SEEDS, help="Seeds of place and route.")
    parser.add_argument("--no-fmax", action="store_true", help="Measure area alone.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="Write the rows as a record.")
    parser.add_argument("-o", type=Path, metavar="FILE", help="Write the page.")
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except (ParameterError, OSError) as error:
        print(f"fatcube: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    described = read_peers(options.peers)
    seeds = check_seeds(options.seeds)
    order = list(dict.fromkeys([*(peer.name for peer in described), *OURS]))
    named = _named(options.only, order)
    of_size = [peer for peer in described if options.ports in (None, peer.ports)]
    if not of_size:
        raise ParameterError(f"--ports must be those of a router that is described, not {options.ports}")
    chosen = [peer for peer in of_size if peer.name in named]
    wanted = {(peer.ports, peer.virtual_channels) for peer in chosen or of_size}
    ours = [name for name in OURS if name in named]
    about = {"seeds": list(seeds), "fmax": not options.no_fmax}
    rows: list[Row] = []
    if (options.only or options.ports) and options.json:
        # Our routers are of several sizes, and measured again where others are.
        again = {(peer.name, peer.ports, peer.virtual_channels) for peer in chosen}
        again |= {(name, *size) for name in ours for size in wanted}
        rows = _beside([row for row in _stored(options.json, about) if row.name in order], again)

    def keep(row: Row) -> None:
        rows.append(row)
        rows.sort(key=lambda row: order.index(row.name))
        if options.json:  # at every row: a run takes hours, and what it has is not to be lost
            parameters = {"peers": [row.name for row in rows if row.repository], **about}
            measured = {"rows": [row.to_json() for row in rows]}
            write_text(options.json, json.dumps(record(parameters, measured), indent=1) + "\n")
        if options.o:
            write_text(options.o, page(rows, seeds))
        print(*cells(row), sep=" | ", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="fatcube-") as trees:
        for peer in chosen:
            keep(
                measure_peer(
                    peer, checkouts=options.checkouts, trees=Path(trees), seeds=seeds, fmax=not options.no_fmax
                )
            )
    for row in measure_our_routers(wanted, names=ours, seeds=seeds, fmax=not options.no_fmax):
        keep(row)
    for title, some in sizes(rows).items():
        show(Console(markup=False), title, COLUMNS, list(map(cells, some)))
    return int(any(row.problem for row in rows))


def _named(only: Sequence[str] | None, order: Sequence[str]) -> Collection[str]:
    """The names that are measured: those of --only, or all."""
    for name in only or ():
        if name not in order:
            raise ParameterError(f"--only must be one of {', '.join(order)}, not {name!r}")
    return set(only or order)


def _beside(rows: Sequence[Row], again: Collection[tuple[str, int, int]]) -> list[Row]:
    """The rows that stay while those of these names, ports and channels are measured; what an older flow gave stays too."""
    return [row for row in rows if not row.as_today or (row.name, row.ports, row.virtual_channels) not in again]


def _stored(path: Path, about: dict[str, Any]) -> list[Row]:
    """The rows of a record, if there is one; it must be of the same tools and seeds."""
    if not path.is_file():
        return []
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        before = {name: stored["parameters"].get(name) for name in about}, stored["how"]["tools"]
        rows = [Row(**{**row, "published": Published(**row["published"])}) for row in stored["measured"]["rows"]]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ParameterError(f"{path} must be a record that --json has written, or not be there") from None
    if before != (about, record(about, {})["how"]["tools"]):
        raise ParameterError(f"--only and --ports must be left out, as {path} was measured with other tools or seeds")
    return rows


if __name__ == "__main__":
    sys.exit(main())

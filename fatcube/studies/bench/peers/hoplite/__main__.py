"""``python -m fatcube.studies.bench.peers.hoplite -o synth_reports`` writes hoplite.md and hoplite.json."""

import argparse
from collections.abc import Sequence
import json
from pathlib import Path

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.studies.bench.peers import hoplite
from fatcube.studies.bench.peers.hoplite.measure import LOADS, NAMES, Row, measure
from fatcube.studies.bench.peers.hoplite.page import page
from fatcube.synth.nextpnr import check_seeds


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the record and the page after each network."""
    parser = argparse.ArgumentParser(prog="fatcube.studies.bench.peers.hoplite", description=hoplite.__doc__)
    parser.add_argument("-o", type=Path, required=True, metavar="FOLDER", help="The folder to write to.")
    parser.add_argument(
        "--only",
        choices=NAMES,
        action="append",
        help="One of the networks, beside the others that the record has; may be repeated.",
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=(1, 2, 3), help="Seeds of place and route.")
    parser.add_argument("--no-fmax", action="store_true", help="Measure area and traffic alone.")
    parser.add_argument(
        "--no-whole",
        action="store_true",
        help="Leave out whole networks, whose place and route takes up to an hour each.",
    )
    options = parser.parse_args(arguments)
    seeds = check_seeds(options.seeds)
    path = options.o / "hoplite.json"
    rows: dict[str, Row] = {}
    if options.only and path.is_file():
        stored = json.loads(path.read_text(encoding="utf-8"))["measured"]["rows"]
        rows = {row["name"]: Row.from_json(row) for row in stored}
    for name in options.only or NAMES:
        rows[name] = measure(name, seeds=seeds, fmax=not options.no_fmax, whole=not options.no_whole)
        ordered = [rows[one] for one in NAMES if one in rows]
        measured = {"rows": [row.to_json() for row in ordered]}
        write_text(path, json.dumps(record({"loads": LOADS}, measured, seed=seeds), indent=1) + "\n")
        write_text(options.o / "hoplite.md", page(ordered, seeds))


if __name__ == "__main__":
    main()

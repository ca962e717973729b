"""`make bench`."""

import argparse
from collections.abc import Callable, Sequence
import json
from pathlib import Path

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.studies import bench
from fatcube.studies.bench.flows import flows, flows_table
from fatcube.studies.bench.networks import generation, routers, scheduling
from fatcube.studies.bench.rows import read_results
from fatcube.studies.bench.simulation import compilers, modes, simulation, traffic
from fatcube.studies.bench.tables import markdown
from fatcube.studies.figures import Figures

_BENCHMARKS: dict[str, Callable[[], Sequence[Figures]]] = {
    "routers": routers,
    "generate": generation,
    "schedule": scheduling,
    "simulate": simulation,
    "modes": modes,
    "compilers": compilers,
    "traffic": traffic,
}


def _write_flows(folder: Path) -> None:
    rows = flows()
    write_text(
        folder / "flows.json",
        json.dumps(record({"chosen": ["flows"]}, {"rows": [row.to_json() for row in rows]}), indent=1) + "\n",
    )
    write_text(folder / "flows.md", flows_table(rows))


_APART: dict[str, Callable[[Path], None]] = {"flows": _write_flows}  # with files of their own


def main() -> None:
    """Measure, and write Markdown and JSON."""
    parser = argparse.ArgumentParser(description=bench.__doc__)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    parser.add_argument("--only", choices=[*_BENCHMARKS, *_APART], action="append")
    options = parser.parse_args()
    chosen = options.only or [*_BENCHMARKS, *_APART]
    path = options.o / "benchmarks.json"
    results: dict[str, Sequence[Figures]] = {}
    if path.exists():
        results |= read_results(json.loads(path.read_text())["measured"])
    options.o.mkdir(parents=True, exist_ok=True)
    for name, measure in _BENCHMARKS.items():
        if name in chosen:
            results[name] = measure()
            measured = {one: [row.to_json() for row in rows] for one, rows in results.items()}
            write_text(path, json.dumps(record({"chosen": chosen}, measured), indent=1) + "\n")
            write_text(options.o / "benchmarks.md", markdown(results))
    for name, write in _APART.items():
        if name in chosen:
            write(options.o)


if __name__ == "__main__":
    main()

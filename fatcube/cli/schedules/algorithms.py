"""The output of ``--by list``: the algorithms of the papers, and the parameters of each."""

from pathlib import Path

import typer

from fatcube.cli.options import LIST
from fatcube.cli.output import print_table, say, write_json
from fatcube.papers.algorithm import Algorithm
from fatcube.papers.algorithms import ALGORITHMS

__all__ = ["algorithm_of"]


def algorithm_of(name: str | None, json_file: Path | None) -> Algorithm | None:
    """The algorithm with this name, if there is one; with :data:`LIST`, show all of them and end the command."""
    if name == LIST:
        _show(json_file)
        raise typer.Exit(0)
    return None if name is None else ALGORITHMS[name]


def _show(json_file: Path | None) -> None:
    print_table(
        "algorithms of the papers",
        ["--by", "collectives", "topology", "ports", "step model", "source"],
        [
            [
                one.name,
                " ".join(collective.value for collective in one.collectives),
                one.topologies,
                " ".join(ports.value for ports in one.ports),
                " ".join(f"{name}={value}" for name, value in one.model.to_file().items()),
                one.source,
            ]
            for one in ALGORITHMS.values()
        ],
    )
    for one in ALGORITHMS.values():
        say(f"{one.name}: {one.does}")
    write_json(json_file, lambda: {"algorithms": [one.to_json() for one in ALGORITHMS.values()]})

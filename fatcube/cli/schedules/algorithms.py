"""The output of ``--by list``: the algorithms of the papers, and the parameters of each."""

from collections.abc import Mapping
from pathlib import Path

import typer

from fatcube.cli.options import LIST
from fatcube.cli.output import print_table, say, write_json
from fatcube.groundwork.validation import ParameterError
from fatcube.papers.algorithm import Algorithm
from fatcube.papers.algorithms import ALGORITHMS

__all__ = ["algorithm_of"]


def algorithm_of(name: str | None, written: Mapping[str, Path]) -> Algorithm | None:
    """The algorithm with this name, if there is one; with :data:`LIST`, show all of them and end the command.

    ``written`` are the files to write, by their flags.
    """
    if name == LIST:
        for flag in [flag for flag in written if flag != "--json"]:
            raise ParameterError(
                f"{flag} must be left out with --by {LIST}, which builds no schedule, not {written[flag]}"
            )
        _show(written.get("--json"))
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

"""Runs of schedules as commands print and write them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fatcube.cli.output import print_table, say, write_json, write_page
from fatcube.cli.schedules.pages import runs_results
from fatcube.groundwork.record import record
from fatcube.noc.descriptions.paragraphs import count
from fatcube.noc.descriptions.routing_description import configuration
from fatcube.noc.machines.machine import Machine
from fatcube.reports.table import TitledTable
from fatcube.schedules.schedule import Schedule
from fatcube.sim.collectives.run import Run, RunResult
from fatcube.sim.fit import Fit, fit

__all__ = ["MODES", "in_words", "report_runs", "runs_of"]


MODES = {"lockstep": (True,), "dataflow": (False,), "both": (True, False)}  # in lockstep or not


def runs_of(schedule: Schedule, lengths: Sequence[tuple[int, int]], mode: str, seed: int) -> list[Run]:
    """The runs of a schedule in one of :data:`MODES`, one for each pair of lengths: of the last part, and of all others."""
    return [
        Run(schedule=schedule, payload_flits=flits, last_flits=last, lockstep=lockstep, seed=seed)
        for lockstep in MODES[mode]
        for flits, last in lengths
    ]


def in_words(parts: int, flits: int, last: int) -> str:
    """A phrase for the number of parts and their payload flits; the last one may have fewer."""
    return f"{parts} parts of {count(flits, 'payload flit')}{f', the last one of {last}' if last < flits else ''}"


def report_runs(
    machine: Machine,
    runs: Sequence[Run],
    results: Sequence[RunResult],
    *,
    simulator: str,
    json_file: Path | None,
    page: Path | None = None,
    command: str = "simulate",
    notes: Sequence[str] = (),
    along: str | None = None,
) -> None:
    """Print the results and remarks of the runs of one schedule, and τ and t_c where they can be fitted.

    A page and a result record get all of it, if there are files for them. ``simulator`` is the one they ran on, ``command``
    the one that ran them, and ``along`` the spanning graph that the schedule follows, if any.
    """
    schedule = runs[0].schedule
    table = _table(
        f"{schedule.work} on the {machine.network.name}: {count(schedule.steps, 'step')} scheduled", runs, results
    )
    print_table(table.title, table.columns, table.rows)
    says = [*notes]
    page_only = [
        f"Measured on routers of model {machine.network.options.ports.value} with "
        f"{configuration(machine.network.options)}; seed {runs[0].seed}.",
        "Delivered are all messages that processors have at the end, those that were their own from the start among them.",
    ]
    says += [
        f"{_mode(run)}, {run.payload_flits} payload flits: barriers after {_steps(result.barriers, schedule.steps)}"
        for run, result in zip(runs, results)
        if result.barriers
    ]
    if machine.monitors != "all":
        traced = {"none": "no wire was traced", "lanes": "only lanes were traced"}[machine.monitors]
        says.append(f"{traced}; every delivery was compared")
    fits = _fits(runs, results)
    says += [
        f"{name}: start-up τ = {fitted.startup:.2f} cycles per {_step(name)}, t_c = {fitted.per_flit:.3f} cycles per flit and {_step(name)}"
        for name, fitted in fits.items()
    ]
    for text in says:
        say(text)
    failed = [failure for result in results for failure in result.failures]
    verdict = (
        f"{len(failed)} checks failed, the first: {failed[0]}" if failed else "Every delivery was compared and is right"
    )
    write_page(
        page,
        lambda: runs_results(
            table, f"Written by `fatcube {command}`.", [f"{verdict}.", *says, *page_only], _cycles(runs, results)
        ),
    )
    write_json(
        json_file,
        lambda: record(
            {
                **machine.to_json(),
                "collective": schedule.collective.value,
                "root": schedule.root,
                **schedule.among.to_file(),
                **({} if along is None else {"along": along}),
                "simulator": simulator,
            },
            {
                "runs": [_to_json(run, result) for run, result in zip(runs, results)],
                "fit": {name: {"tau": fitted.startup, "t_c": fitted.per_flit} for name, fitted in fits.items()},
            },
            seed=runs[0].seed,
        ),
    )


def _table(title: str, runs: Sequence[Run], results: Sequence[RunResult]) -> TitledTable:
    return TitledTable(
        title,
        "",
        ["mode", "payload flits", "steps", "cycles", "conflicts", "lane utilisation", "delivered"],
        [
            [
                _mode(run),
                run.payload_flits,
                result.steps if run.lockstep else "-",
                result.cycles,
                result.conflicts,
                "-" if result.lane_utilisation is None else f"{result.lane_utilisation:.1%}",
                result.delivered,
            ]
            for run, result in zip(runs, results)
        ],
    )


def _cycles(runs: Sequence[Run], results: Sequence[RunResult]) -> dict[str, list[tuple[int, int]]]:
    """Pairs of payload flits and cycles, by mode."""
    points: dict[str, list[tuple[int, int]]] = {}
    for run, result in zip(runs, results):
        points.setdefault(_mode(run), []).append((run.payload_flits, result.cycles))
    return points


def _fits(runs: Sequence[Run], results: Sequence[RunResult]) -> dict[str, Fit]:
    """The cycles of each mode that has runs of three lengths or more, fitted."""
    schedule = runs[0].schedule
    # Where packets may have several messages, the steps are not all of one length.
    return {
        mode: fit(measured, schedule.steps)
        for mode, measured in _cycles(runs, results).items()
        if len({length for length, _ in measured}) >= 3 and schedule.per_packet == 1
    }


def _to_json(run: Run, result: RunResult) -> dict[str, Any]:
    return {
        "mode": _mode(run),
        "payload_flits": run.payload_flits,
        **({} if run.last_flits in (None, run.payload_flits) else {"last_flits": run.last_flits}),
        "steps": result.steps,
        "cycles": result.cycles,
        "conflicts": result.conflicts,
        "flits": result.flits,
        "lane_utilisation": result.lane_utilisation,
        "delivered": result.delivered,
        **({"barriers": list(result.barriers)} if result.barriers else {}),
        "failures": list(result.failures),
    }


def _step(mode: str) -> str:
    """The step that the fitted times of a mode are for: dataflow has none of its own."""
    return "step" if mode == "lockstep" else "scheduled step"


def _steps(barriers: Sequence[int], steps: int) -> str:
    """A phrase for the steps of barriers."""
    if len(barriers) == steps - 1 > 1:
        return "every step"
    return f"step{'s' * (len(barriers) > 1)} {', '.join(map(str, barriers))}"


def _mode(run: Run) -> str:
    return "lockstep" if run.lockstep else "dataflow"

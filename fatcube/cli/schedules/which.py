"""Which schedule a command is about: that of a file, or one that is built, by flags that all such commands share."""

from collections.abc import Callable, Iterable, Mapping
import dataclasses
import inspect
from pathlib import Path
from typing import Any

import typer

from fatcube.cli import options
from fatcube.cli.arguments import refuse_given, require
from fatcube.cli.flags import Flags, ports_flag, step_model_flags, topology_flags
from fatcube.cli.schedules.algorithms import algorithm_of
from fatcube.cli.schedules.building import (
    AUTO,
    Way,
    check_built,
    check_payload,
    find_schedule,
    problem_of,
    refuse_other_ways,
    schedule_of,
)
from fatcube.cli.schedules.pages import name_of
from fatcube.noc.network import Network
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import Checked
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.search import Finding
from fatcube.schedules.step_model import Links, StepModel
from fatcube.schedules.wiring import empty_network

__all__ = ["FLITS", "TASK", "WhichSchedule", "empty_for", "parameters_of", "refuse_beside_file", "schedule_flags"]


FLITS = 16  # payload flits of an undivided message for which parts are chosen, if none are given
_TOPOLOGY, _PORTS, _MODEL = topology_flags(), ports_flag(), step_model_flags()
#: The options that say what a schedule does, by the names of parameters, each with its default.
TASK = {
    "collective": (options.CollectiveName, None),
    "root": (options.Root, None),
    "sources": (options.Sources, None),
    "targets": (options.Targets, None),
    "subset": (options.Subset, None),
}
_WAY = {
    "by": (options.By, None),
    "graph": (options.Along, None),
    "parts": (options.Parts, "1"),
    "order": (options.OrderAlong, None),
    "optimal": (options.Optimal, False),
    "time_limit": (options.TimeLimitOrBy, 20.0),
    "seed": (options.SearchSeed, 0),
    "payload_flits": (options.PayloadFlits, None),
}
_OTHERWISE = ("seed", "payload_flits")  # options that mean something else in a command that runs schedules

_WRITTEN = {"output": "-o", "page": "--page", "json_file": "--json"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class WhichSchedule:
    """A schedule that is in a file, or that is built for a problem.

    Members
    -------
    file : :class:`Path` or ``None``
        The file that it is in.
    problem : :class:`Problem` or ``None``
        The problem that it is built for, if it is in no file.
    model : :class:`StepModel`
        The given fields of the step model; if there is a problem, its step model.
    way : :class:`Way`
        How it is built.
    seed : :class:`int`
        The seed of the search.
    payload_flits : :class:`int` or ``None``
        The flits of an undivided message, if they were given.
    """

    file: Path | None
    problem: Problem | None
    model: StepModel
    way: Way
    seed: int = 0
    payload_flits: int | None = None

    @property
    def links(self) -> Links | None:
        """The type of the links, if it was given."""
        return self.model.links if "links" in self.model.given else None

    def find(
        self,
        context: typer.Context,
        *,
        network: Network | None = None,
        payload_flits: int | None = None,
        dry_run: bool = False,
    ) -> Finding:
        """The schedule that is built, which is in no file.

        ``payload_flits`` are those of a command that runs it on ``network``, where the command has its own options for them.
        """
        assert self.problem is not None
        problem, flits = self.problem, payload_flits or self.payload_flits or FLITS
        searching, sized = (("seed",), ("payload_flits",)) if payload_flits is None else ((), ())
        refuse_other_ways(context, self.way, of_search=searching, of_length=sized)

        def wired() -> Network:
            return empty_for(problem, flits) if network is None else network

        return find_schedule(problem, self.way, network=wired, payload_flits=flits, seed=self.seed, dry_run=dry_run)

    def schedule(self, context: typer.Context, *, dry_run: bool = False) -> Schedule:
        """The schedule: that of the file, or the one that is built."""
        if self.file is not None:
            return read_schedule(self.file)
        if self.way.parts != AUTO:
            require(context, f"--parts {AUTO}", "payload_flits")
        return schedule_of(self.find(context, dry_run=dry_run))

    def check(self, schedule: Schedule) -> Checked:
        """Check the schedule in the given step model: that of its file, changed by flags.

        Raises
        ------
        ScheduleError
            If it is wrong.
        ParameterError
            If the spanning graph cannot be followed in that step model.
        """
        return check_built(schedule, self._wanted(schedule), self.way)

    def name_of(self, schedule: Schedule) -> str:
        """The name of the schedule, with the step model that it keeps to: its own, and the given one."""
        return name_of(schedule, schedule.model.meet(self._wanted(schedule)))

    def _wanted(self, schedule: Schedule) -> StepModel:
        return schedule.model.with_given(self.model) if self.problem is None else self.model


def empty_for(problem: Problem, flits: int, options: RouterOptions | None = None) -> Network:
    """The network on which a problem has its number of parts chosen, for messages of ``flits`` flits, with default routers or these."""
    routers = (options or RouterOptions()).changed(ports=problem.ports)
    network = empty_network(problem.topology, routers, problem.model)
    return network.for_packets(flits + 1)


def schedule_flags(*, running: bool = False) -> Flags:
    """The flags of a :class:`WhichSchedule`; a command that has a file for it calls it ``schedule_file``.

    With ``running`` the command has flags of routers, among them the router model, and payloads of its own.
    """
    own = {name: one for name, one in _WAY.items() if not (running and name in _OTHERWISE)}
    parameters = [
        *parameters_of(TASK),
        *_TOPOLOGY.parameters,
        *(() if running else _PORTS.parameters),
        *parameters_of(own),
        *_MODEL.parameters,
    ]

    def make(given: Mapping[str, Any]) -> WhichSchedule:
        some = {name: given.get(name) for name in TASK}
        written = {flag: given[name] for name, flag in _WRITTEN.items() if name in given}
        algorithm = algorithm_of(given.get("by"), written)
        way = {name: given[name] for name in ("graph", "parts", "order", "optimal", "time_limit") if name in given}
        model = _MODEL.make(_those(_MODEL, given))
        file, problem = given.get("schedule_file"), None
        if file is None:
            collective, root = some.pop("collective"), some.pop("root")
            topology, ports = _TOPOLOGY.make(_those(_TOPOLOGY, given)), _PORTS.make(_those(_PORTS, given))
            problem = problem_of(topology, ports, collective, root, model, **some, algorithm=algorithm)
            model = problem.model
        rest = {name: given[name] for name in _OTHERWISE if name in given and not running}
        if "payload_flits" in rest:
            check_payload(rest["payload_flits"])
        return WhichSchedule(file=file, problem=problem, model=model, way=Way(algorithm=algorithm, **way), **rest)

    also = (*_TOPOLOGY.also, *_PORTS.names * running, "schedule_file", *_WRITTEN)
    return Flags(tuple(parameters), make, also=also)


def refuse_beside_file(names: Iterable[str]) -> Callable[[typer.Context, Mapping[str, Any]], None]:
    """Have a command refuse those of these parameters, and the router model, that a schedule file takes the place of.

    The step model is not among them: a schedule is checked in that of its file and in what is given besides.
    """
    told = [name for name in (*names, *_PORTS.names) if name not in _MODEL.names]

    def check(context: typer.Context, given: Mapping[str, Any]) -> None:
        if given["schedule_file"] is not None:
            refuse_given(context, f"with the schedule file {given['schedule_file']}, which defines it", *told)

    return check


def _those(flags: Flags, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that were given for these flags."""
    return {name: given[name] for name in (*flags.names, *flags.also) if name in given}


def parameters_of(declared: Mapping[str, tuple[Any, Any]]) -> list[inspect.Parameter]:
    """The parameters of a command that are declared by their names, each with its option and its default."""
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in declared.items()
    ]

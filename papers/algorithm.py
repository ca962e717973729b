"""An algorithm that a paper describes, as a value: its name, its source, what it takes, and the schedule that it makes."""

from collections.abc import Callable, Iterable
import dataclasses
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective, Move
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["Algorithm", "from_every_node"]


def from_every_node(problem: Problem, moves: Iterable[Move]) -> Schedule:
    """The :class:`Schedule` in which every node does what these moves are for the messages of node 0."""
    return problem.schedule(Symmetry.of(problem.topology, problem.collective, STANDARD).orbits(moves))


def _one(_: Topology) -> int:
    return 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm of a paper.

    Parameters
    ----------
    name : :class:`str`
        The name after ``--by``.
    does : :class:`str`
        A line about it.
    source : :class:`str`
        The paper, and the sections or the number of the algorithm there.
    collectives : tuple of :class:`Collective`
        The collectives that it does.
    topologies : :class:`str`
        A description of the topologies that it takes.
    suits : callable
        Whether it takes a topology.
    ports : tuple of :class:`PortModel`
        The router models that it takes.
    build : callable
        Makes the schedule of a :class:`Problem` that it takes.
    model : :class:`StepModel`
        The step model that it is meant for.
    parts : callable
        The messages that it divides the data of every pair of processors into on a topology; by default one.
    """

    name: str
    does: str
    source: str
    collectives: tuple[Collective, ...]
    topologies: str
    suits: Callable[[Topology], bool]
    ports: tuple[PortModel, ...]
    build: Callable[[Problem], Schedule]
    model: StepModel = STANDARD
    parts: Callable[[Topology], int] = _one

    def to_json(self) -> dict[str, Any]:
        """The columns of a table of algorithms."""
        return {
            "name": self.name,
            "does": self.does,
            "source": self.source,
            "collectives": [one.value for one in self.collectives],
            "topologies": self.topologies,
            "ports": [one.value for one in self.ports],
            "model": self.model.to_file(),
        }

    def check_takes(self, problem: Problem) -> None:
        """Refuse what the algorithm does not take.

        Raises
        ------
        ParameterError
            At the first of these that is another one than it takes, of which the message has all.
        """
        if problem.collective not in self.collectives:
            taken = " or ".join(one.value for one in self.collectives)
            raise ParameterError(f"collective must be {taken} by {self.name}, not {problem.collective.value}")
        if not self.suits(problem.topology):
            raise ParameterError(f"topology must be {self.topologies} by {self.name}, not the {problem.topology.name}")
        if problem.ports not in self.ports:
            taken = " or ".join(one.value for one in self.ports)
            raise ParameterError(f"ports must be {taken} by {self.name}, not {problem.ports.value}")
        if not problem.among.all:
            raise ParameterError(f"participants must be all processors by {self.name}, not {problem.among}")

    def schedule(self, problem: Problem) -> Schedule:
        """The :class:`Schedule` of the algorithm, in as many parts as it makes, which passed the checker.

        Raises
        ------
        ParameterError
            If the algorithm does not take the problem, or does not keep to its step model.
        """
        self.check_takes(problem)
        model = problem.model
        made = self.build(problem.changed(parts=self.parts(problem.topology)))
        try:
            check(made)
        except ScheduleError as error:
            other = {field: value for field, value in model.to_json().items() if value != getattr(self.model, field)}
            if not other:
                raise
            without = STANDARD.changed(**other)
            raise ParameterError(
                f"{problem.collective.value} by {self.name} must be done without {without}: {error}"
            ) from None
        return made

"""An algorithm that a paper describes, as a value: its name, its source, what it takes, and the schedule that it makes."""

from collections.abc import Callable, Iterable
import dataclasses
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["Algorithm", "Task"]


@dataclasses.dataclass(frozen=True)
class Task:
    """What an algorithm is to do, which it takes.

    Parameters
    ----------
    topology : :class:`Topology`
    ports : :class:`PortModel`
    collective : :class:`Collective`
    root : :class:`int` or ``None``
        The root of a rooted collective.
    model : :class:`StepModel`
        What a step allows.
    parts : :class:`int`
        The messages that the data of every pair of processors is divided into.
    """

    topology: Topology
    ports: PortModel
    collective: Collective
    root: int | None
    model: StepModel
    parts: int

    @property
    def k(self) -> int:
        """The ports of a processor."""
        return self.ports.processor_ports(self.topology.degree, self.topology.m)

    def schedule(self, moves: Iterable[Move]) -> Schedule:
        """The :class:`Schedule` of these moves: see :meth:`Schedule.from_moves`."""
        return Schedule.from_moves(
            self.topology, self.ports, self.collective, self.root, moves, parts=self.parts, model=self.model
        )

    def from_every_node(self, moves: Iterable[Move]) -> Schedule:
        """The :class:`Schedule` in which every node does what these moves are for the messages of node 0."""
        return self.schedule(Symmetry.of(self.topology, self.collective, STANDARD).orbits(moves))


def _one(_: Topology) -> int:
    return 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm of a paper.

    Parameters
    ----------
    name : :class:`str`
        What ``--by`` calls it.
    does : :class:`str`
        What it does, in a line.
    source : :class:`str`
        The paper, and the sections or the number of the algorithm there.
    collectives : tuple of :class:`Collective`
        The collectives that it does.
    topologies : :class:`str`
        The topologies that it takes, in words.
    suits : callable
        Whether it takes a topology.
    ports : tuple of :class:`PortModel`
        The router models that it takes.
    build : callable
        Makes the schedule of a :class:`Task` that it takes.
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
    build: Callable[[Task], Schedule]
    model: StepModel = STANDARD
    parts: Callable[[Topology], int] = _one

    def to_json(self) -> dict[str, Any]:
        """What a table of algorithms has of this one."""
        return {
            "name": self.name,
            "does": self.does,
            "source": self.source,
            "collectives": [one.value for one in self.collectives],
            "topologies": self.topologies,
            "ports": [one.value for one in self.ports],
            "model": self.model.to_file(),
        }

    def check_takes(self, topology: Topology, ports: PortModel, collective: Collective) -> None:
        """Refuse what the algorithm does not take.

        Raises
        ------
        ParameterError
            At the first of these that is another one than it takes, of which the message has all.
        """
        if collective not in self.collectives:
            taken = " or ".join(one.value for one in self.collectives)
            raise ParameterError(f"collective must be {taken} by {self.name}, not {collective.value}")
        if not self.suits(topology):
            raise ParameterError(f"topology must be {self.topologies} by {self.name}, not {topology}")
        if ports not in self.ports:
            taken = " or ".join(one.value for one in self.ports)
            raise ParameterError(f"ports must be {taken} by {self.name}, not {ports.value}")

    def schedule(
        self,
        topology: Topology,
        ports: PortModel | str,
        collective: Collective | str,
        root: int | None = 0,
        model: StepModel | None = None,
    ) -> Schedule:
        """The :class:`Schedule` of the algorithm, which passed the checker.

        Parameters
        ----------
        topology, ports, collective
            The case.
        root : :class:`int`
            Counts for rooted collectives only.
        model : :class:`StepModel`, optional
            What a step must keep to; by default what the algorithm is meant for.

        Raises
        ------
        ParameterError
            If the algorithm does not take one of these.
        """
        ports, collective = PortModel.parse(ports), Collective.parse(collective)
        self.check_takes(topology, ports, collective)
        root = collective.root_of(topology, root)
        model = self.model if model is None else model.check_ports(ports)
        made = self.build(Task(topology, ports, collective, root, model, self.parts(topology)))
        try:
            check(made)
        except ScheduleError as error:
            other = {field: value for field, value in model.to_json().items() if value != getattr(self.model, field)}
            if not other:
                raise
            without = STANDARD.changed(**other)
            raise ParameterError(f"{collective.value} by {self.name} must be done without {without}: {error}") from None
        return made

"""Every machine of the fat-cube paper's classification on one network, as cells of a table, and what is known of a cell."""

from collections.abc import Sequence
import dataclasses
import itertools
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import UNLIMITED, Links, StepModel, Transfers
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.figures import Figures

__all__ = ["PAYLOAD_FLITS", "PER_PACKET", "Cell", "Result", "cells_of", "refusal"]


PAYLOAD_FLITS = 16
PER_PACKET = (1, 4, UNLIMITED)


@dataclasses.dataclass(frozen=True)
class Cell:
    """A collective on a topology with a router model and a step model.

    Members
    -------
    topology : :class:`Topology`
    ports : :class:`PortModel`
    collective : :class:`Collective`
        Its root, if it has one, is processor 0.
    model : :class:`StepModel`
    """

    topology: Topology
    ports: PortModel
    collective: Collective
    model: StepModel

    @property
    def problem(self) -> Problem:
        """The problem of the cell, if it is one that means something."""
        return Problem(self.topology, self.ports, self.collective, 0, self.model)

    def to_json(self) -> dict[str, Any]:
        """The cell in JSON values, but its topology."""
        names = ("transfers", "links", "per_packet")
        model = {name: self.model.to_json()[name] for name in names}
        return {**model, "ports": self.ports.value, "collective": self.collective.value}

    def __str__(self) -> str:
        number = f"{self.model.per_packet} message{'s' * self.model.combining} per packet"
        return (
            f"{self.collective.value}, model {self.ports.value}, {self.model.transfers} transfers, {self.model.links} links, "
            f"{number}"
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result(Figures):
    """The results for a cell.

    Members
    -------
    transfers, links, per_packet, ports, collective : :class:`str` or :class:`int`
        The cell.
    refused : :class:`str` or ``None``
        Why the cell means nothing; then nothing else is known.
    failures : tuple of :class:`str`
        The failures: a refusal for another reason, a schedule that was not found, that breaks a rule, or that runs otherwise
        than planned.
    lower_bound : :class:`int` or ``None``
        The fewest steps that are possible, as far as that is proven; ``reason`` says why.
    steps : :class:`int` or ``None``
        The steps of the schedule; ``by`` is how it was found, and ``stopped`` the reason why a search ended early.
    messages : :class:`int` or ``None``
        The messages in a row: of each step the number in its largest packet, all added up.
    cycles, predicted_cycles : :class:`int` or ``None``
        Cycles in lockstep, with :data:`PAYLOAD_FLITS` payload flits in a message: on the RTL, and by
        :mod:`fatcube.schedules.cycles`.
    delivered : :class:`int` or ``None``
        Messages that arrived word by word.
    """

    transfers: str
    links: str
    per_packet: int | str
    ports: str
    collective: str
    refused: str | None = None
    failures: Sequence[str] = ()
    lower_bound: int | None = None
    reason: str | None = None
    steps: int | None = None
    by: str | None = None
    stopped: str | None = None
    messages: int | None = None
    cycles: int | None = None
    predicted_cycles: int | None = None
    delivered: int | None = None

    @property
    def proved(self) -> bool:
        """True if no schedule can have fewer steps."""
        return self.steps is not None and self.steps == self.lower_bound


def cells_of(topology: Topology) -> list[Cell]:
    """Every cell of a network; those that one machine runs follow each other."""
    return [
        Cell(topology, ports, collective, StepModel(transfers=transfers, links=links, per_packet=number))
        for transfers, links, ports, number, collective in itertools.product(
            Transfers, Links, PortModel, PER_PACKET, COLLECTIVES
        )
    ]


def refusal(cell: Cell) -> str | None:
    """Why a cell means nothing: several messages in packets that are copied, simplex links where there are none, no ports."""
    try:
        _ = Problem(cell.topology, cell.ports, cell.collective, 0, cell.model).k
    except ParameterError as error:
        return str(error)
    return None

"""The problem that a schedule solves: a collective on a network, as one value that is checked once and passed whole.

Nothing of the hardware is in it but the router model, so that no width and no buffer enters a schedule's key.

Simplex links, failures and reversed collectives are put in terms of what constructions, bounds and searches know, each in one
place: :attr:`Problem.inner` is the problem without the outermost of the three, and :attr:`Problem.normal` the one without any.
A schedule and a bound of the normal problem are brought back by :meth:`Problem.from_normal` and :meth:`Problem.bound_from_normal`.
"""

from collections.abc import Iterable
import dataclasses
from functools import cached_property
from typing import Any

from fatcube.groundwork.validation import check_integer
from fatcube.noc.topologies.damaged import Damaged
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Move
from fatcube.schedules.constructions.reversal import backwards, forwards
from fatcube.schedules.constructions.survivors import bound_in_network, in_network, left_of
from fatcube.schedules.counting import Bound
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, Links, StepModel, check_ways

__all__ = ["Problem"]


@dataclasses.dataclass(frozen=True)
class Problem:
    """A collective on a network, with what a step allows.

    Parameters
    ----------
    topology : :class:`Topology`
        The network, with its failures if it has any.
    ports : :class:`PortModel` or :class:`str`
        The router model.
    collective : :class:`Collective` or :class:`str`
    root : :class:`int` or ``None``
        The root of a collective that has one; it does not count for others, of which it is ``None``.
    model : :class:`StepModel`
        The rules of a step, with the type of the links.
    among : :class:`Participants`
        The processors that the collective is among.
    parts : :class:`int`
        The messages that what is for a processor, or a sum, is divided into.

    Raises
    ------
    ParameterError
        If one of them is wrong, or they do not go together.
    """

    topology: Topology
    ports: PortModel
    collective: Collective
    root: int | None
    model: StepModel
    among: Participants
    parts: int

    def __init__(
        self,
        topology: Topology,
        ports: PortModel | str,
        collective: Collective | str,
        root: int | None = 0,
        model: StepModel = STANDARD,
        among: Participants = EVERYBODY,
        parts: int = 1,
    ) -> None:
        ports, collective = PortModel.parse(ports), Collective.parse(collective)
        root = collective.root_of(topology, root)
        model.check_ports(ports).lanes_of(topology)
        collective.check_among(topology, root, among)
        check_integer("parts", parts, minimum=1)
        given = topology, ports, collective, root, model, among, parts
        for field, value in zip(dataclasses.fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)

    @classmethod
    def of(cls, schedule: Schedule) -> "Problem":
        """The problem that a schedule says it solves."""
        return cls(**{field.name: getattr(schedule, field.name) for field in dataclasses.fields(cls)})

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.topology, self.ports, self.collective, self.root, self.model, self.among, self.parts))

    @property
    def k(self) -> int:
        """The ports of a processor."""
        return self.ports.processor_ports(self.topology.degree, self.topology.m)

    def changed(self, **fields: Any) -> "Problem":
        """The problem with other values of these fields; a collective without a root forgets that of ``fields`` or its own."""
        return Problem(**{field.name: getattr(self, field.name) for field in dataclasses.fields(self)} | fields)

    @property
    def phases(self) -> "tuple[Problem, ...]":
        """The problems of the phases of an all-reduce, and no others."""
        phases = zip(self.collective.phases_of, self.among.phases)
        return tuple(self.changed(collective=phase, among=some) for phase, some in phases)

    @cached_property
    def inner(self) -> "Problem | None":
        """The problem without simplex links, or else without failures, or else not reversed; ``None`` if it is normal.

        Raises
        ------
        ParameterError
            If steps cannot solve it (:func:`fatcube.schedules.step_model.check_ways`).
        """
        if self.model.links is Links.SIMPLEX:
            full_duplex = self.model.changed(links=Links.FULL_DUPLEX)
            return self.changed(topology=self.model.lanes_of(self.topology), model=full_duplex)
        if isinstance(self.topology, Damaged):
            left, root, among = left_of(self.topology, self.root, self.among)
            return self.changed(topology=left, root=root, among=among)
        check_ways(self.topology, self.collective, self.root)
        if reversal := forwards(self.ports, self.collective):
            ports, collective = reversal
            return Problem(
                self.topology.mirror_image,
                ports,
                collective,
                self.topology.mirrored(self.root),
                self.model,
                self.among.mirrored(self.topology).reversed,
                self.parts,
            )
        return None

    @cached_property
    def normal(self) -> "Problem":
        """The problem without simplex links and failures, of a collective that is no reversal; raises as :attr:`inner`."""
        return self if self.inner is None else self.inner.normal

    def from_normal(self, schedule: Schedule) -> Schedule:
        """The schedule of this problem that one of the normal problem stands for."""
        if self.inner is None:
            return schedule
        schedule = self.inner.from_normal(schedule)
        if self.model.links is Links.SIMPLEX:
            moves = (transfer.move for transfer in schedule.transfers)
            return self.schedule(moves, symmetric=schedule.symmetric)
        if isinstance(self.topology, Damaged):
            return in_network(schedule, self.topology, self.among)
        return backwards(schedule, self.ports, self.collective)

    def bound_from_normal(self, bound: Bound) -> Bound:
        """The bound of the steps of this problem that one of the normal problem stands for."""
        if self.inner is None:
            return bound
        bound = self.inner.bound_from_normal(bound)
        if self.model.links is not Links.SIMPLEX:
            if isinstance(self.topology, Damaged):
                return bound_in_network(bound, self.topology)
            if self.topology.directed:
                return Bound(bound.steps, f"{bound.reason}, with all links reversed")
        return bound

    def schedule(self, moves: Iterable[Move], *, symmetric: bool = False) -> Schedule:
        """The schedule of these moves, with lanes, for this problem: see :meth:`Schedule.from_moves`."""
        return Schedule.from_moves(
            self.topology,
            self.ports,
            self.collective,
            self.root,
            moves,
            symmetric=symmetric,
            parts=self.parts,
            model=self.model,
            among=self.among,
        )

    def to_json(self) -> dict[str, Any]:
        """All that a schedule of the problem depends on, in JSON values: what stored results are found by."""
        return {
            "topology": self.topology.to_json(),
            "ports": self.ports.value,
            "collective": self.collective.value,
            "root": self.root,
            "model": self.model.to_file(),
            **self.among.to_file(),
            "parts": self.parts,
        }

    def __str__(self) -> str:
        """A short description, as in ``"OAB to 1,2 on hypercube(d=3, m=1, f=1)"``."""
        return f"{self.collective.value}{'' if self.among.all else f' {self.among}'} on the {self.topology.name}"

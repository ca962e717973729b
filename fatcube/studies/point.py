"""A point of a sweep: what is measured, checked before anything is."""

from collections.abc import Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.schedules.collective import Collective
from fatcube.schedules.problem import Problem
from fatcube.sim.traffic.load import LoadTest
from fatcube.synth.families import find_family
from fatcube.synth.nextpnr import check_seeds

__all__ = ["LoadedNetwork", "Point"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Point:
    """One thing to measure: a collective on a network, and the network's router on a family.

    Parameters
    ----------
    network : :class:`Network`
        If it needs a longest packet and none was given, that is at least the packet of these payloads.
    collective : :class:`Collective` or :class:`str`
    root : :class:`int`
        Ignored where the collective has none.
    payload_flits : :class:`int`
        Payload flits of every packet.
    family : :class:`str`
        One of :data:`fatcube.synth.families.FAMILIES`.
    seeds : sequence of :class:`int`
        Of placement.
    fmax : :class:`bool` or ``None``
        Whether to place and route; ``None``: where the family has it.

    Raises
    ------
    ParameterError
        If one of them cannot be.
    """

    network: Network
    collective: Collective
    root: int = 0
    payload_flits: int = 16
    family: str = "ecp5"
    seeds: tuple = (1, 2, 3)
    fmax: bool | None = None

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("collective", Collective.parse(self.collective))
        put("root", self.root if self.collective.rooted else None)
        self.collective.check_root(self.network.topology, self.root)
        check_integer("payload flits", self.payload_flits, minimum=1, maximum=MOST_FLITS - 1)
        put("network", self.network.for_packets(self.payload_flits + 1))
        seeds, fmax = check_placement(self.family, self.seeds, self.fmax)
        put("seeds", seeds)
        put("fmax", fmax)

    @property
    def problem(self) -> Problem:
        """The problem that the schedule of the point solves."""
        return Problem(self.network.topology, self.network.options.ports, self.collective, self.root or 0)

    @property
    def parameters(self) -> dict[str, Any]:
        """All that is measured depends on, besides the sources, as it stands in the record."""
        return {
            **self.network.to_json(),
            "collective": self.collective.value,
            "root": self.root,
            "payload_flits": self.payload_flits,
            "family": self.family,
            "fmax": self.fmax,
            "placement_seeds": list(self.seeds) if self.fmax else None,
        }

    def __str__(self) -> str:
        return f"{self.collective.value} of {self.payload_flits} flits on the {self.network.name}, {self.family}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadedNetwork:
    """Another thing to measure: a network under load, and, if there is a family, its router on that.

    Parameters
    ----------
    test : :class:`LoadTest`
    family : :class:`str` or ``None``
        One of :data:`fatcube.synth.families.FAMILIES`.
    seeds, fmax
        As in :class:`Point`.

    Raises
    ------
    ParameterError
        If one of them cannot be.
    """

    test: LoadTest
    family: str | None = None
    seeds: tuple = (1, 2, 3)
    fmax: bool | None = None

    def __post_init__(self) -> None:
        seeds, fmax = check_placement(self.family, self.seeds, self.fmax)
        object.__setattr__(self, "seeds", seeds)
        object.__setattr__(self, "fmax", fmax)

    @property
    def network(self) -> Network:
        """The network."""
        return self.test.network

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters as in :class:`Point`; without a family those of the test."""
        if self.family is None:
            return self.test.parameters
        seeds = list(self.seeds) if self.fmax else None
        return {**self.test.parameters, "family": self.family, "fmax": self.fmax, "placement_seeds": seeds}

    def __str__(self) -> str:
        return f"{self.test}{'' if self.family is None else f', {self.family}'}"


def check_placement(family: str | None, seeds: Sequence[int], fmax: bool | None) -> tuple[tuple[int, ...], bool]:
    """Seeds of placement, and whether a family is placed and routed, where ``None`` is: if it can be.

    Raises
    ------
    ParameterError
        If there is no such family or no such seeds, or what cannot be placed is to be.
    """
    target, checked = None if family is None else find_family(family), check_seeds(seeds)
    if fmax not in (None, True, False):
        raise ParameterError(f"fmax must be true or false, not {fmax!r}")
    if target is None:
        if fmax:
            raise ParameterError("fmax requires a family")
        return checked, False
    target.check_installed()
    placed = target.timed if fmax is None else fmax
    if placed:
        target.check_place_and_route()
    return checked, placed

"""A point of a sweep: what is measured, checked before anything is."""

import dataclasses
from typing import Any

from groundwork.validation import ParameterError, check_integer
from noc.network import Network
from rtl.endpoint.monitor import MOST_FLITS
from schedules.collective import Collective
from synth.families import find_family
from synth.nextpnr import check_seeds

__all__ = ["Point"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Point:
    """One thing to measure: a collective on a network, and the network's router on a family.

    Parameters
    ----------
    network : :class:`Network`
    collective : :class:`Collective` or :class:`str`
    root : :class:`int`
        Ignored where the collective has none.
    payload_flits : :class:`int`
        Payload flits of every packet.
    family : :class:`str`
        One of :data:`synth.families.FAMILIES`.
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
        family = find_family(self.family)
        put("seeds", check_seeds(self.seeds))
        if self.fmax not in (None, True, False):
            raise ParameterError(f"fmax must be true or false, not {self.fmax!r}")
        put("fmax", bool(family.architecture) if self.fmax is None else self.fmax)
        if self.fmax:
            family.check_place_and_route()

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
        return f"{self.collective.value} of {self.payload_flits} flits on {self.network}, {self.family}"

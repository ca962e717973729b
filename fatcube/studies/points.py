"""The points of a sweep: all that its file asks to be measured, checked before anything is measured."""

from collections.abc import Iterator, Mapping
import dataclasses
import itertools
import math
from pathlib import Path
from typing import Any

from fatcube.studies.sweep_file import LISTS, TOPOLOGY, read_blocks
from groundwork.digest import digest
from groundwork.validation import ParameterError, check_integer, shown
from noc.network import Network
from noc.topologies import make_topology
from rtl.endpoint.monitor import MOST_FLITS
from rtl.router_options import RouterOptions
from schedules.collective import Collective
from synth.families import find_family
from synth.nextpnr import check_seeds

__all__ = ["Point", "read_points"]


MOST_POINTS = 10_000  # of a block: months of measuring, and seconds of checking


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


def read_points(path: Path | str) -> list[Point]:
    """The different points that a sweep file asks for, in its order.

    Raises
    ------
    ParameterError
        If it is not a sweep file, or one of its points cannot be built.
    OSError
        If it cannot be read.
    """
    points = {}
    for number, block in enumerate(read_blocks(Path(path)), 1):
        for point in _block(f"{path}, block {number}", block):
            points.setdefault(digest(point.parameters), point)
    return list(points.values())


def _block(where: str, block: Mapping[str, Any]) -> Iterator[Point]:
    lists = {name: block[name] for name in LISTS}
    count = math.prod(map(len, lists.values()))
    if count > MOST_POINTS:
        raise ParameterError(f"{where}: lists must have at most {MOST_POINTS:,} combinations, not {shown(count)}")
    for values in itertools.product(*lists.values()):
        chosen = dict(zip(lists, values))
        varied = ", ".join(f"{name}={chosen[name]}" for name in lists if len(lists[name]) > 1)
        try:
            topology = make_topology(chosen.pop("topology"), **{name: chosen.pop(name) for name in TOPOLOGY})
            network = Network(topology, RouterOptions(**{name: chosen.pop(name) for name in RouterOptions.names()}))
            yield Point(network=network, **chosen, seeds=block["seeds"], fmax=block["fmax"])
        except ParameterError as error:
            raise ParameterError(f"{where}{varied and f', point {varied}'}: {error}") from None

"""The points of a sweep: what a TOML file asks to be measured, all of it checked before anything is measured.

    format = "fatcube.sweep/1"
    family = ["ecp5", "gates"]        # a value or a list of values; what stands here holds for all blocks

    [[points]]                        # every combination of a block's lists is a point; any number of blocks
    d = [1, 2]
    m = 2
    ports = ["1", "d"]
    collective = ["AAB", "OAB"]
    payload_flits = [4, 16]

All keys stand in docs/design.md.
"""

from collections.abc import Iterator, Mapping
import dataclasses
import itertools
import math
from pathlib import Path
import tomllib
from typing import Any

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


_FORMAT = "fatcube.sweep/1"
MOST_POINTS = 10_000  # of a block: months of measuring, and seconds of checking
_TOPOLOGY = ("d", "n", "w", "m", "f")
_LISTS = {
    "topology": "fat-cube",
    **dict.fromkeys(_TOPOLOGY),
    **RouterOptions().to_json(),
    "collective": None,
    "root": 0,
    "payload_flits": 16,
    "family": "ecp5",
}
_NEEDED = ("collective",)
_KEYS = (*_LISTS, "seeds", "fmax")


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
        If it is not such a file, a key is unknown, a list is empty, or one of its points cannot be built.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # of a number with thousands of digits, or lists as deep as that
        raise ParameterError(f"{path} must be a TOML file: {error}") from None
    if given.pop("format", None) != _FORMAT:
        raise ParameterError(f'{path} must begin with format = "{_FORMAT}"')
    blocks = given.pop("points", [{}])
    if not (isinstance(blocks, list) and blocks and all(isinstance(block, dict) for block in blocks)):
        raise ParameterError(f"{path}: points must be blocks that begin with [[points]]")
    points = {}
    for number, block in enumerate(blocks, 1):
        for point in _block(f"{path}, block {number}", {**given, **block}):
            points.setdefault(digest(point.parameters), point)
    return list(points.values())


def _block(where: str, given: Mapping[str, Any]) -> Iterator[Point]:
    for name in given:
        if name not in _KEYS:
            raise ParameterError(f"{where}: a sweep has {', '.join(_KEYS)}, not {name!r}")
    for name in _NEEDED:
        if name not in given:
            raise ParameterError(f"{where}: {name} must be given")
    lists = []
    for name, default in _LISTS.items():
        value = given.get(name, default)
        if value == []:
            raise ParameterError(f"{where}: {name} must have at least one value, not []")
        lists.append(value if isinstance(value, list) else [value])
    rest = {name: given[name] for name in ("seeds", "fmax") if name in given}
    if not isinstance(rest.get("seeds", []), list):
        raise ParameterError(f"{where}: seeds must be a list, not {rest['seeds']!r}")
    count = math.prod(map(len, lists))
    if count > MOST_POINTS:
        raise ParameterError(f"{where}: lists must have at most {MOST_POINTS:,} combinations, not {shown(count)}")
    for values in itertools.product(*lists):
        chosen = dict(zip(_LISTS, values))
        try:
            topology = make_topology(chosen.pop("topology"), **{name: chosen.pop(name) for name in _TOPOLOGY})
            network = Network(topology, RouterOptions(**{name: chosen.pop(name) for name in RouterOptions.names()}))
            yield Point(network=network, **chosen, **rest)
        except ParameterError as error:
            varied = ", ".join(
                f"{name}={value}" for (name, value), values in zip(zip(_LISTS, values), lists) if len(values) > 1
            )
            raise ParameterError(f"{where}{varied and f', point {varied}'}: {error}") from None

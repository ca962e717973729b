"""Collectives on fat cubes as instances of the audit, by the paper's letters, and two of them compared."""

from collections.abc import Callable, Iterable
import dataclasses
from typing import Any

from fatcube.noc.topologies.cubes import FatCube
from fatcube.papers.arithmetic import ceil_div, ceil_log
from fatcube.papers.claim import columns
from fatcube.papers.evidence import Evidence, Instance
from fatcube.papers.verdict import Case
from fatcube.schedules.step_model import STANDARD, StepModel

__all__ = [
    "FAT",
    "FIGURE_1",
    "MODELS",
    "POWERS",
    "SINGLE",
    "SIZES",
    "FatCase",
    "Size",
    "by_size",
    "cases",
    "compared",
    "cube",
    "equal",
    "fewer",
    "no_fewer",
    "no_more",
    "port_bound",
    "shown_together",
]


Size = tuple[int, int, int]
Steps = tuple[int, int]

MODELS = ("1", "b", "d", "*")
SIZES: list[Size] = [(d, m, f) for d in range(1, 5) for m in range(1, 9) for f in range(1, 4) if m << d <= 32]
FAT = [size for size in SIZES if size[1] > 1]  # "m: an integer greater than 1" (section 2)
SINGLE = [size for size in FAT if size[2] == 1]
FIGURE_1 = columns("d m f", [(2, 4, 2), (3, 2, 1)])
POWERS = [size for size in FAT if size[1] & (size[1] - 1) == 0]  # sizes for which a hypercube has the same processors


@dataclasses.dataclass(frozen=True)
class FatCase(Instance):
    """A collective on a fat cube with a router model."""

    topology: FatCube

    @classmethod
    def of(cls, d: int, m: int, f: int, ports: str, collective: str, model: StepModel = STANDARD) -> "FatCase":
        """The case of the fat cube with d dimensions, m processors per node and f lanes per link."""
        return cls(FatCube(d, m, f), ports, collective, model)

    @property
    def d(self) -> int:
        """Dimensions."""
        return self.topology.d

    @property
    def m(self) -> int:
        """Processors per node."""
        return self.topology.m

    @property
    def f(self) -> int:
        """Lanes per link."""
        return self.topology.f

    @property
    def place(self) -> str:
        """The fat cube as part of a file name."""
        return f"d{self.d}-m{self.m}-f{self.f}"

    @property
    def given(self) -> dict[str, Any]:
        """The paper's letters for the fat cube."""
        return {"d": self.d, "m": self.m, "f": self.f, "P": self.P}

    def changed(self, *, ports: str | None = None, collective: str | None = None, f: int | None = None) -> "FatCase":
        """The case on the same fat cube with another router model, another collective, or another number of lanes."""
        return FatCase.of(self.d, self.m, f or self.f, ports or self.ports, collective or self.collective, self.model)


def cases(sizes: Iterable[Size], model: str, collective: str) -> list[FatCase]:
    """A collective on all fat cubes of these sizes, the smallest first."""
    return [FatCase.of(*size, model, collective) for size in by_size(sizes)]


def by_size(sizes: Iterable[Size]) -> list[Size]:
    """Sizes, the fewest processors first."""
    return sorted(sizes, key=_processors_first)


def cube(case: FatCase) -> FatCase:
    """The case on the smallest hypercube that has at least these processors."""
    return FatCase.of(case.d + ceil_log(2, case.m), 1, 1, case.ports, case.collective, case.model)


def port_bound(case: FatCase) -> int:
    """Equations 7 and 12: P - 1 messages at k a step."""
    return ceil_div(case.P - 1, case.k)


def compared(
    evidence: Evidence,
    one: FatCase,
    other: FatCase,
    relation: Callable[[Steps, Steps], bool | None],
    printed: str,
    **given: Any,
) -> Case:
    """The case that the fewest steps of two instances are in a relation, which takes the range of each."""

    def shown() -> str:
        return f"{evidence.schedule(one)}, {evidence.schedule(other)}"

    (bound, steps), (other_bound, other_steps) = evidence.known(one), evidence.known(other)
    holds = relation((bound.steps, steps), (other_bound.steps, other_steps))
    found = f"{evidence.text(one)} against {evidence.text(other)} steps"
    return Case(given, printed, found, holds, shown, evidence.text(one))


def fewer(one: Steps, other: Steps) -> bool | None:
    """Whether the first takes fewer steps than the second; ``None`` if the ranges leave that open."""
    return True if one[1] < other[0] else False if one[0] >= other[1] else None


def no_more(one: Steps, other: Steps) -> bool | None:
    """Whether the first takes no more steps than the second."""
    more = fewer(other, one)
    return None if more is None else not more


def equal(one: Steps, other: Steps) -> bool | None:
    """Whether both take as many steps."""
    if one[0] == one[1] == other[0] == other[1]:
        return True
    return False if one[1] < other[0] or one[0] > other[1] else None


def no_fewer(evidence: Evidence, instance: FatCase, printed: int, **given: Any) -> Case:
    """The case that a search, which knows nothing of the bounds, finds no schedule of fewer steps than ``printed``."""
    impossible = evidence.impossible(instance, printed - 1)
    holds = True if impossible else False if evidence.known(instance)[1] < printed else None
    found = f"none of {printed - 1} steps" if impossible else f"{evidence.text(instance)} steps"
    return Case(given, printed, found, holds, evidence.proof(instance, printed - 1), evidence.text(instance))


def shown_together(found: Iterable[Case]) -> list[Case]:
    """The cases, each with the evidence of all that have a text, so that the row names every file it rests on."""
    every = list(found)
    texts = "; ".join(dict.fromkeys(one.evidence for one in every if isinstance(one.evidence, str) and one.evidence))
    return [dataclasses.replace(one, evidence=texts) if isinstance(one.evidence, str) else one for one in every]


def _processors_first(size: Size) -> tuple[int, Size]:
    return size[1] << size[0], size

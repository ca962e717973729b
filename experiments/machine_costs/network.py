"""A network with all of its machine models as they ran, and what changes from one way of sending messages to another."""

from collections.abc import Iterable, Sequence
import dataclasses
from functools import cached_property

from experiments.machine_costs.hardware import Hardware
from experiments.machine_costs.offers import WAYS, Offer, Way, offers_of
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import Links, Transfers
from fatcube.studies.model_cells import Result

__all__ = [
    "ALL",
    "COMBINING",
    "DIRECT",
    "DIRECT_COMBINING",
    "NO_COPIES",
    "SINGLE",
    "Change",
    "Network",
    "percent",
    "quickest",
]


@dataclasses.dataclass(frozen=True)
class Network:
    """A network, all of its machine models as they ran, and their hardware.

    Members
    -------
    topology : :class:`Topology`
    results : list of :class:`Result`
        The cells of `fatcube models`.
    hardware : list of :class:`Hardware`
    pairs : list of :class:`Result`
        Cells with packets of up to two messages, for full-duplex links.
    """

    topology: Topology
    results: Sequence[Result]
    hardware: Sequence[Hardware]
    pairs: Sequence[Result] = ()

    def offers(self, links: Links, ports: PortModel, collective: Collective, *, with_pairs: bool = True) -> list[Offer]:
        """The offers for a collective on one kind of links and router, of all ways; none where there are no such links.

        ``with_pairs`` is whether packets of up to two messages are among them, which other links have none of.
        """
        return offers_of(
            one
            for one in (*self.results, *(self.pairs if with_pairs else ()))
            if (one.links, one.ports, one.collective) == (links.value, ports.value, collective.value)
        )

    def machine(self, transfers: Transfers, links: Links, ports: PortModel) -> Hardware | None:
        """The hardware of a machine, or ``None`` where there is none."""
        return self._machines.get((transfers.value, links.value, ports.value))

    @cached_property
    def _machines(self) -> dict[tuple[str, str, str], Hardware]:
        return {(one.transfers, one.links, one.ports): one for one in self.hardware}


SINGLE, COMBINING, DIRECT, DIRECT_COMBINING = WAYS
ALL = tuple(PortModel)
NO_COPIES = tuple(model for model in PortModel if not model.copies)
"""The router models whose packets may hold several messages."""


def quickest(offers: Iterable[Offer], *ways: Way) -> Offer | None:
    """The offer of these ways that took the fewest cycles on the RTL; of equal ones that of the first way."""
    return min((one for one in offers if one.way in ways), key=lambda one: one.cycles, default=None)


class Change:
    """Cycles of one way, and of another one that is allowed too, which is never slower."""

    def __init__(self, offers: Sequence[Offer], before: Sequence[Way], after: Sequence[Way]) -> None:
        self.before, self.after = quickest(offers, *before), quickest(offers, *before, *after)

    @property
    def there(self) -> bool:
        """Whether both ways are there."""
        return self.before is not None and self.after is not None

    @property
    def part(self) -> float:
        """The cycles after, as a part of those before."""
        assert self.before is not None and self.after is not None
        return self.after.cycles / self.before.cycles

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            return "-"
        if self.before.cycles == self.after.cycles:
            return f"{self.before.cycles}"
        steps = f"{self.before.steps} to {self.after.steps} steps"
        return f"{self.before.cycles} to {self.after.cycles} ({percent(self.part)}; {steps})"


def percent(part: float) -> str:
    """A part as the change that it is, as in -25 %."""
    return f"{100 * (part - 1):+.0f} %"

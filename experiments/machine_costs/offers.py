"""The costs of schedules in the plane of the papers: start-up time tau of a step, and time t_c of a flit.

A schedule of S steps, whose largest packets have M messages all together, each of a header and F payload flits, takes

    S tau + (M (F + 1) - S) t_c,

as the first header of a packet is part of its start-up. In the routers here, with tau = 4 and t_c = 1 cycle, that is what
the RTL counts in lockstep for adjacent transfers on full-duplex links with F >= 2. Direct transfers over several links take
some cycles more, which the plane leaves out.

Where a schedule is faster depends on tau / t_c alone, so the regions of the plane are sectors with their corner in the origin.
They begin at tau = t_c, as a header is a flit.

A step whose largest packet has n messages can be done in n steps without combining. So M is at least the fewest steps of
single messages, and S at least the fewest with packets of any size: what meets both cannot be beaten anywhere in the plane.
"""

from collections.abc import Iterable, Sequence
import dataclasses
from fractions import Fraction
import itertools
from typing import NamedTuple

from fatcube.schedules.step_model import Transfers
from fatcube.studies.model_cells import Result

__all__ = ["WAYS", "Offer", "Sector", "Way", "offers_of", "sectors"]


class Way(NamedTuple):
    """A way to send messages: the reach of transfers, and whether packets take several messages."""

    transfers: Transfers
    combining: bool

    def __str__(self) -> str:
        return f"{self.transfers}{', combining' if self.combining else ''}"


WAYS = tuple(Way(transfers, combining) for transfers in Transfers for combining in (False, True))
"""All ways; of two that take the same time, the first counts as the winner, as it needs less of the machine."""


@dataclasses.dataclass(frozen=True)
class Offer:
    """A schedule for one way.

    Members
    -------
    way : :class:`Way`
    steps, messages : :class:`int`
        S and M.
    cycles : :class:`int`
        The cycles of the run on RTL.
    bound : :class:`int`
        The fewest steps that are possible for this way and this limit of a packet, as far as that is proven.
    """

    way: Way
    steps: int
    messages: int
    cycles: int
    bound: int

    def time(self, ratio: Fraction | float, payload_flits: int) -> Fraction | float:
        """Its time in units of t_c, where ``ratio`` is tau / t_c."""
        return self.steps * (ratio - 1) + self.messages * (payload_flits + 1)


def offers_of(results: Iterable[Result]) -> list[Offer]:
    """The offers of the cells of one collective, router model and kind of links, in the order of :data:`WAYS`."""
    found: list[Offer] = []
    for one in results:
        if one.steps is not None and one.messages is not None and one.cycles is not None:
            way = Way(Transfers(one.transfers), one.per_packet != 1)
            found.append(Offer(way, one.steps, one.messages, one.cycles, one.lower_bound or 0))
    return sorted(found, key=lambda one: WAYS.index(one.way))


class Sector(NamedTuple):
    """The part of the plane in which an offer is the fastest: from one tau / t_c up to another; ``None`` is infinity."""

    start: Fraction
    end: Fraction | None
    offer: Offer


def sectors(offers: Sequence[Offer], payload_flits: int) -> list[Sector]:
    """The sectors of the plane by the way that wins there, from tau = t_c on; neighbours differ in their way.

    Raises
    ------
    ValueError
        If there is no offer.
    """
    if not offers:
        raise ValueError("sectors need an offer")
    corners = {Fraction(1)}
    for one, other in itertools.combinations(offers, 2):
        if one.steps != other.steps:
            crossing = 1 + Fraction((other.messages - one.messages) * (payload_flits + 1), one.steps - other.steps)
            corners |= {crossing} if crossing > 1 else set()
    found: list[Sector] = []
    ordered = sorted(corners)
    for start, end in itertools.zip_longest(ordered, ordered[1:]):
        inside = start + 1 if end is None else (start + end) / 2
        best = min(offers, key=lambda one: one.time(inside, payload_flits))  # of equal ones the first
        if found and found[-1].offer.way == best.way:
            found[-1] = found[-1]._replace(end=end)
        else:
            found.append(Sector(start, end, best))
    return found

"""Whether ports that all send to one port take turns there, or one of them starves."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
import random

from fatcube.testing.packet import Packet

__all__ = ["SENDERS", "check_turns", "packets_each", "some_of"]

__tracebackhide__ = True

SENDERS = 4
"""Ports that send to one port at most, so that the share of each is known in any network."""


def packets_each(senders: int, patience: int) -> int:
    """The packets that each of ``senders`` needs, so that starvation of one is seen."""
    return 2 * patience // max(1, senders - 1) + 1


def some_of(ports: Sequence[int], count: int, pick: random.Random, special: Callable[[int], bool]) -> list[int]:
    """A random choice of ``count`` ports: of two or more, one that is ``special`` and one that is not, if there are such."""
    chosen = pick.sample(ports, count)
    for place, wanted in ((0, True), (-1, False)):
        others = [port for port in ports if special(port) is wanted]
        if count > 1 and others and all(special(port) is not wanted for port in chosen):
            chosen[place] = pick.choice(others)
    return chosen


def check_turns(arrivals: Sequence[tuple[Hashable, Packet]], patience: int) -> None:
    """Check that each sender had its turn for as long as all of them had packets.

    Parameters
    ----------
    arrivals : sequence
        The senders of all packets, and the packets as they were received, in the order of their arrival at one port.
    patience : :class:`int`
        The most packets of others that may arrive in between; 0 for any number.

    Raises
    ------
    AssertionError
        If a sender has waited for longer.
    """
    left = Counter(source for source, _ in arrivals)
    waiting = dict.fromkeys(left, 0)
    for source, packet in arrivals if patience else ():
        left[source] -= 1
        waiting = {other: 0 if other == source else passed + 1 for other, passed in waiting.items()}
        starving = max(waiting, key=lambda other: waiting[other] if left[other] else -1)
        assert not left[starving] or waiting[starving] <= patience, (
            f"starved: port {starving} waits while {waiting[starving]} packets of other ports arrive, the last of them packet "
            f"{packet} from port {source}, at {packet.at:g} ns"
        )

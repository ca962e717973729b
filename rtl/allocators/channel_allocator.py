"""The allocator of a router whose lanes have virtual channels."""

from collections.abc import Iterable, Sequence
import functools
import operator
from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.utils import ceil_log2

from rtl.allocators.allocator_base import AllocatorBase, exactly_one
from rtl.allocators.channel_turns import ChannelTurns
from rtl.arbiters.arbiter import Arbiter, add_arbiter
from rtl.arbiters.least_recent import longest_ago
from rtl.arbiters.round_robin import RoundRobinArbiter
from rtl.crossbar import select_bits, select_lines

__all__ = ["ChannelAllocator", "Target"]


class Target(NamedTuple):
    """What a header can ask for.

    Members
    -------
    output : :class:`int`
        An output.
    channels : tuple of :class:`int`
        Those of its virtual channels that it can be given; they are in no other target.
    """

    output: int
    channels: tuple[int, ...]


class ChannelAllocator(AllocatorBase):
    """Gives packets a channel of the output that they are for, and the channels of an output their turns on it.

    A header asks for a target and gets the free channel of it that was given longest ago, of which its packet is the holder
    until it is through.
    The holder of a channel moves a flit when there is room behind the channel and it is the channel's turn: a packet
    that waits leaves the output to those on other channels. The virtual channels of a lane are inputs of their own, so
    they leave an input to each other too.

    In one stage, a header that comes alone to a target with a free channel can pass in that cycle; headers that come
    together wait for a cycle. In two stages every header waits for a cycle.

    Parameters
    ----------
    reach : list of list of :class:`int`
        For each input, the numbers of the targets that it can reach.
    targets : list of :class:`Target`
    stages : :class:`int`
        As for every allocator.
    arbiter : subclass of :class:`Arbiter`
        The arbiter of each target. The turns of channels on an output are those of :class:`ChannelTurns`.
    whole : :class:`bool`
        A packet gets a channel only if there is room for the longest packet behind it.

    On an output with several channels a flit is offered only if it is taken; ``ready`` comes from registers there.
    """

    def __init__(
        self,
        reach: Sequence[Sequence[int]],
        targets: Sequence[Target],
        *,
        stages: int = 1,
        arbiter: type[Arbiter] = RoundRobinArbiter,
        whole: bool = False,
    ) -> None:
        self.arbiter = arbiter
        self.whole = whole
        self.targets = tuple(targets)
        self.channels = [
            sum(len(target.channels) for target in targets if target.output == output)
            for output in range(1 + max(target.output for target in targets))
        ]
        super().__init__(
            reach,
            len(self.channels),
            stages=stages,
            leads=[target.output for target in targets],
            channels=self.channels,
        )

    def _asking(self, target: int) -> Value:
        """The requests for ``target``, a bit for each source of its output."""
        return Cat(
            self.port("requests", source)[self.reach[source].index(target)]
            if target in self.reach[source]
            else Const(0)
            for source in self.sources[self.targets[target].output]
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        conflicts: list[Value] = []
        taken: list[list[Value]] = [[] for _ in self.reach]
        for output, sources in enumerate(self.sources):
            several = self.channels[output] > 1
            grant, select, offer, ready = (self.port(name, output) for name in ("grant", "select", "offer", "ready"))
            valid, last = self._of_sources("valid", output), self._of_sources("last", output)
            # Of each channel: whether it has no holder, its holder, what selects that, and whose flit it offers, if any.
            # The channel whose flit leaves: `sends`.
            free = Signal(len(ready), init=-1, name=f"free{output}")
            channels = range(len(ready))
            holder = [Signal(len(sources), name=f"holder{output}_{channel}") for channel in channels]
            selecting = [Signal(select_bits(len(sources)), name=f"selecting{output}_{channel}") for channel in channels]
            granted = [Signal(len(sources), name=f"granted{output}_{channel}") for channel in channels]
            selected = [Signal(select_bits(len(sources)), name=f"selected{output}_{channel}") for channel in channels]
            offers, sends, done = (Signal(len(ready), name=f"{name}{output}") for name in ("offers", "sends", "done"))
            held = Signal(len(sources), name=f"held{output}")
            m.d.comb += held.eq(_either(holder))

            for number, target in enumerate(self.targets):
                if target.output != output:
                    continue
                add_arbiter(m, f"arbiter{number}", arbiter := self.arbiter(len(sources)))
                # The header in front of a holder, if it still is, has been given a channel.
                pending = Signal(len(sources), name=f"pending{number}")
                alone, vacant = Signal(name=f"alone{number}"), Signal(name=f"vacant{number}")
                opens = Signal(len(target.channels), name=f"opens{number}")
                roomy = free & self.port("whole", output) if self.whole and several else free
                unheld = Cat(roomy[channel] for channel in target.channels)
                # Without a free channel, the one whose packet ends in this cycle has a new holder in the next.
                ending = Cat(done[channel] for channel in target.channels) if roomy is free else Const(0, len(opens))
                # Of several, the one that was given longest ago: behind the others, packets may still wait in the next buffer.
                given, chosen = (Signal(len(opens), name=f"{name}{number}") for name in ("given", "chosen"))
                m.d.comb += [
                    chosen.eq(longest_ago(m, unheld, given)),
                    given.eq(opens & pending.any().replicate(len(opens))),
                    pending.eq(self._asking(number) & ~held),
                    alone.eq(exactly_one(pending)),
                    vacant.eq(unheld.any()),
                    opens.eq(Mux(vacant, chosen, ending)),
                    arbiter.requests.eq(pending),
                    arbiter.take.eq(opens.any()),
                    arbiter.sent.eq(
                        _either(
                            [granted[channel] & sends[channel].replicate(len(sources)) for channel in target.channels]
                        )
                    ),
                ]
                conflicts.append(pending.any() & ~(alone & vacant))
                for open, channel in zip(opens, target.channels):
                    passing = Const(0)
                    if self.stages == 1:
                        first = Signal(name=f"first{output}_{channel}")  # The only header can pass on this channel.
                        m.d.comb += [
                            first.eq(free[channel] & chosen[target.channels.index(channel)] & alone),
                            granted[channel].eq(
                                Mux(free[channel], pending & first.replicate(len(pending)), holder[channel])
                            ),
                            selected[channel].eq(Mux(free[channel], select_lines(pending), selecting[channel])),
                            offers[channel].eq(Mux(free[channel], first, (holder[channel] & valid).any())),
                        ]
                        passing = first & sends[channel] & (pending & last).any()
                    else:
                        m.d.comb += [
                            granted[channel].eq(holder[channel]),
                            selected[channel].eq(selecting[channel]),
                            offers[channel].eq((holder[channel] & valid).any()),
                        ]
                    m.d.comb += done[channel].eq(sends[channel] & (holder[channel] & last).any())
                    with m.If(open):
                        m.d.sync += [
                            holder[channel].eq(Mux(passing, 0, arbiter.winner)),
                            selecting[channel].eq(select_lines(arbiter.winner)),
                            free[channel].eq(passing | ~pending.any()),
                        ]
                    with m.Elif(done[channel]):
                        m.d.sync += [holder[channel].eq(0), free[channel].eq(1)]

            if several:
                m.submodules[f"turns{output}"] = turns = ChannelTurns(len(ready))
                m.d.comb += [
                    turns.requests.eq(offers & ready),
                    turns.last.eq(Cat((one & last).any() for one in granted)),
                    sends.eq(turns.winner),
                    offer.eq((offers & ready).any()),
                    self.port("channel", output).eq(
                        Cat(
                            Cat(sends[channel] for channel in channels if channel >> bit & 1).any()
                            for bit in range(ceil_log2(len(ready)))
                        )
                    ),
                ]
                # Channels that share the output hold each other up, which no schedule does.
                conflicts.append((offers & ready & ~sends).any())
                granted, selected = (
                    [one & sends[channel].replicate(len(one)) for channel, one in enumerate(each)]
                    for each in (granted, selected)
                )
            else:
                m.d.comb += [sends.eq(offers & ready), offer.eq(offers)]
            m.d.comb += [grant.eq(_either(granted)), select.eq(_either(selected))]
            for bit, source in zip(grant, sources):
                taken[source].append(bit & sends.any())
        for source in range(len(self.reach)):
            self._advance(m, source, taken[source])
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m


def _either(values: Iterable[Value]) -> Value:
    """The OR of values of equal width, bit by bit."""
    return functools.reduce(operator.or_, values)

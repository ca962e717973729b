"""What an allocator with virtual channels does in each cycle, in lists: the reference that the RTL is compared with."""

import dataclasses

__all__ = ["ChannelAllocatorModel", "Expected", "LeastRecent", "RoundRobin"]


class LeastRecent:
    """Of some candidates, the one that was taken least recently; after reset, the first."""

    def __init__(self, candidates):
        self.order = list(candidates)

    def choose(self, candidates):
        """The one that comes first, or ``None``."""
        return next((one for one in self.order if one in candidates), None)

    def take(self, one):
        """This one comes last from now on."""
        self.order.remove(one)
        self.order.append(one)


class RoundRobin(LeastRecent):
    """Of some candidates, the next one in a circle."""

    def take(self, one):
        place = self.order.index(one) + 1
        self.order = self.order[place:] + self.order[:place]


@dataclasses.dataclass
class Expected:
    """The outputs of the allocator in a cycle: what must leave, and what the arbiters must see.

    Members
    -------
    advance : set of :class:`int`
        The inputs whose flit leaves, those without a flit among them.
    offers : dict
        For each output that offers a flit, its source and its channel.
    conflict : :class:`bool`
    sent : dict
        For each target, the sources of flits that leave on its channels.
    """

    advance: set
    offers: dict
    conflict: bool
    sent: dict


class ChannelAllocatorModel:
    """An allocator as its documentation says, a cycle per :meth:`step`.

    Parameters
    ----------
    reach, targets, stages, whole
        As of :class:`rtl.allocators.channel_allocator.ChannelAllocator`.
    arbiter : class
        :class:`RoundRobin` or :class:`LeastRecent`.
    """

    def __init__(self, reach, targets, *, stages, whole, arbiter):
        self.targets, self.stages = targets, stages
        self.outputs = 1 + max(target.output for target in targets)
        self.sources = [
            [source for source, reached in enumerate(reach) if any(targets[one].output == output for one in reached)]
            for output in range(self.outputs)
        ]
        self.channels = [
            [channel for target in targets if target.output == output for channel in target.channels]
            for output in range(self.outputs)
        ]
        self.checks_whole = [whole and len(channels) > 1 for channels in self.channels]
        self.holder = [dict.fromkeys(channels) for channels in self.channels]
        self.given = [LeastRecent(target.channels) for target in targets]
        self.arbiters = [arbiter(self.sources[target.output]) for target in targets]
        self.turns = [LeastRecent(channels) for channels in self.channels]
        self.going_on = [None] * self.outputs

    def step(self, *, valid, last, requests, discard, ready, whole):
        """The outputs of this cycle; then the state is that of the next.

        Parameters
        ----------
        valid, last, discard : set of :class:`int`
            The inputs for which this is true.
        requests : dict
            The target that the header in front of an input is for.
        ready, whole : list of set of :class:`int`
            The channels of each output with room for a flit, and for the longest packet.
        """
        advance = set(discard) | {source for source in range(1 + max(map(max, self.sources))) if source not in valid}
        found = Expected(advance, {}, False, {number: set() for number in range(len(self.targets))})
        for output in range(self.outputs):
            self._output(output, found, valid, last, requests, ready[output], whole[output])
        return found

    def _output(self, output, found, valid, last, requests, ready, whole):
        holder, several = self.holder[output], len(self.channels[output]) > 1
        holders = {source for source in holder.values() if source is not None}
        numbers = [number for number, target in enumerate(self.targets) if target.output == output]
        pending, chosen, offers = {}, {}, {}
        for number in numbers:
            channels = self.targets[number].channels
            pending[number] = [s for s in self.sources[output] if requests.get(s) == number and s not in holders]
            vacant = [c for c in channels if holder[c] is None and (c in whole or not self.checks_whole[output])]
            chosen[number] = self.given[number].choose(vacant)
            for channel in channels:
                if holder[channel] in valid:
                    offers[channel] = holder[channel]
            alone = len(pending[number]) == 1 and chosen[number] is not None
            found.conflict |= bool(pending[number]) and not alone
            if alone and self.stages == 1:
                offers[chosen[number]] = pending[number][0]

        able = [channel for channel in offers if channel in ready]
        sends = None
        if several:
            sends = self.going_on[output] if self.going_on[output] in able else self.turns[output].choose(able)
            found.conflict |= len(able) > 1
            if sends is not None:
                found.offers[output] = (offers[sends], sends)
                self.turns[output].take(sends)
                self.going_on[output] = None if offers[sends] in last else sends
        elif offers:
            found.offers[output] = (offers[0], 0)
            sends = 0 if able else None
        sent = offers[sends] if sends is not None else None
        if sent is not None:
            found.advance.add(sent)

        for number in numbers:
            channels = self.targets[number].channels
            if sends in channels:
                found.sent[number].add(sent)
            ends = sends if sends in channels and holder[sends] is not None and sent in last else None
            opened = chosen[number]
            if opened is None and not self.checks_whole[output]:
                opened = ends
            if ends is not None:
                holder[ends] = None
            if opened is not None and pending[number]:
                winner = self.arbiters[number].choose(pending[number])
                self.arbiters[number].take(winner)
                self.given[number].take(opened)
                # A packet of one flit that passes at once leaves its channel free.
                holder[opened] = None if sends == opened and sent == winner and sent in last else winner

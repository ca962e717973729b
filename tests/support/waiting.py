"""Deadlocks found by going through every state of a tiny network: packets of few flits, step by step.

Nothing here knows a dependency graph. A state is a deadlock if packets are under way and none of them can move. Packets
compete for channels and outputs only, so nothing is lost if flits that can move within what their packet holds, or to
its receiver, do so at once: such a step takes nothing from anybody, and a deadlock is not there before all are done.
"""


def _stuck(idle, settled, grants):
    """A reachable state, other than ``idle``, from which nobody under way can be granted anything; ``None`` if none is.

    ``settled`` gives the state after all steps that nobody competes for, and ``grants`` those that a state may be followed
    by: for packets under way, and for those that begin.
    """
    seen, queue = {idle}, [idle]
    for state in queue:
        under_way, beginnings = grants(state)
        if state != idle and not under_way:
            return state
        for other in map(settled, (*under_way, *beginnings)):
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return None


def unicast_deadlock(ways):
    """A state in which packets of two flits along ``ways`` wait for ever, or ``None``.

    ``ways`` are lists of channels, one for each pair; the buffer of a channel has room for one flit. A channel belongs to a
    packet from when its header enters until its last flit has left. Each pair sends packet after packet, and receivers
    always take. The state of a pair is where header and last flit are: 0 at the source, i in the i-th channel, one more
    than there are channels when delivered; (0, 0) if no packet is under way.
    """

    def settled(state):
        after = []
        for way, (head, tail) in zip(ways, state):
            if head == len(way):
                head += 1
            if head > 0:
                tail = max(tail, head - 1)
            after.append((0, 0) if tail == len(way) else (head, tail))
        return tuple(after)

    def grants(state):
        held = {channel for way, (head, tail) in zip(ways, state) for channel in way[max(tail, 1) - 1 : head]}
        under_way, beginnings = [], []
        for pair, (way, (head, tail)) in enumerate(zip(ways, state)):
            if way[head] not in held:
                kind = under_way if head else beginnings
                kind.append((*state[:pair], (head + 1, tail), *state[pair + 1 :]))
        return under_way, beginnings

    return _stuck(((0, 0),) * len(ways), settled, grants)


FLITS = 3  # of a packet that is copied: with two, the last one is taken by all before the first has to be delivered


def copies_deadlock(packets, room, together, independent):
    """A state in which packets that are copied wait for ever, or ``None``.

    Parameters
    ----------
    packets : list
        Packet by packet, which are sent again and again, its copies: each is a list of the outputs that it needs, first that
        of the sender's router, and behind a lane that of the neighbour's router.
    room : int
        Flits for which there is room behind a lane.
    together : function
        For a packet, the sets of its copies whose first outputs are granted at once.
    independent : bool
        The copies read the packet each at its own position; otherwise a flit stays in front until all have taken it.
    """
    # The state of a copy: first output granted, flits taken, second output granted, flits delivered behind the lane.
    waiting = (False, 0, False, 0)

    def delivered(copy, state):
        return state[1] if len(copy) == 1 else state[3]

    def settled_packet(copies, now):
        while True:
            before, front = now, FLITS if independent else 1 + min(taken for _, taken, _, _ in now)
            now = tuple(
                (
                    first,
                    min(FLITS, front, max(taken, out + room) if len(copy) == 2 else FLITS) if first else taken,
                    second,
                    taken if second else out,
                )
                for copy, (first, taken, second, out) in zip(copies, now)
            )
            if now == before:
                done = all(delivered(copy, one) == FLITS for copy, one in zip(copies, now))
                return (waiting,) * len(copies) if done else now

    def settled(state):
        return tuple(settled_packet(copies, now) for copies, now in zip(packets, state))

    def grants(state):
        held = {
            output
            for copies, now in zip(packets, state)
            for copy, one in zip(copies, now)
            if delivered(copy, one) < FLITS
            for output, granted in zip(copy, (one[0], one[2]))
            if granted
        }
        under_way, beginnings = [], []
        for number, (copies, now) in enumerate(zip(packets, state)):

            def grant(indices, which):
                after = [list(one) for one in now]
                for index in indices:
                    after[index][which] = True
                kind = under_way if any(one != waiting for one in now) else beginnings
                kind.append((*state[:number], tuple(map(tuple, after)), *state[number + 1 :]))

            for indices in together(copies):
                if all(not now[index][0] and copies[index][0] not in held for index in indices):
                    grant(indices, 0)
            for index, (copy, (_, taken, second, _)) in enumerate(zip(copies, now)):
                if len(copy) == 2 and taken and not second and copy[1] not in held:
                    grant([index], 2)
        return under_way, beginnings

    return _stuck(tuple((waiting,) * len(copies) for copies in packets), settled, grants)

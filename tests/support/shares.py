"""The shares of one receiver that senders get over several hops, when all of them send to it as fast as they can.

    python -m tests.support.shares
    python -m tests.support.shares --arbiter deficit --receiver 5

A 4 x 4 mesh in dimension order, a processor on each node, packets of 8 flits. The receiver sends to all others, over lanes
that lead away from it. For each number of hops it prints the lowest
and the highest share of the flits that arrive, and the longest time between two packets of one sender.
"""

import argparse
import collections
import dataclasses

from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.traffic import RATE_UNITS, Traffic, run_traffic

__all__ = ["Share", "shares", "table"]


@dataclasses.dataclass(frozen=True)
class Share:
    """The share of a sender: its hops to the receiver, its part of all packets, and the longest time between two of them."""

    sender: int
    hops: int
    share: float
    longest: int


def shares(receiver, *, arbiter="round-robin", flits=8, measured=40_000):
    """The :class:`Share` of every other processor, while all queues are full."""
    network = RoutedNetwork(Mesh(w=4, d=2), RouterOptions(arbiter=arbiter))
    machine = TrafficMachine(network=network, queue=2, log=1 << 13)
    ways = [machine.destinations(endpoint) for endpoint in range(machine.endpoints)]
    to_one = [
        [way for way in some if way.destination == receiver or endpoint == receiver]
        for endpoint, some in enumerate(ways)
    ]
    warm_up = 2000
    run = Traffic(
        rate=RATE_UNITS - 1, packet_flits=flits, warm_up=warm_up, measured=measured, destinations=to_one, timeout=4000
    )
    [result] = run_traffic(machine, [run])
    assert not result.failures, result.failures
    arrivals = collections.defaultdict(list)
    for entry in result.logs[receiver]:
        if warm_up <= (now := entry.created + entry.latency) < warm_up + measured:
            arrivals[entry.source].append(now)
    total = sum(map(len, arrivals.values()))
    return [
        Share(
            sender,
            network.hops_between(sender, receiver),
            len(times) / total,
            max((after - before for before, after in zip(times, times[1:])), default=measured),
        )
        for sender, times in sorted(arrivals.items())
    ]


def table(found):
    """The lines of the table, in Markdown."""
    lines = ["| hops | senders | share of each | longest time between two packets, cycles |", "|---|---|---|---|"]
    for hops in sorted({one.hops for one in found}):
        some = [one for one in found if one.hops == hops]
        low, high = min(one.share for one in some), max(one.share for one in some)
        least, longest = min(one.longest for one in some), max(one.longest for one in some)
        part = f"{low:.1%} to {high:.1%}" if len(some) > 1 else f"{low:.1%}"
        time = f"{least:,} to {longest:,}" if len(some) > 1 else f"{longest:,}"
        lines.append(f"| {hops} | {len(some)} | {part} | {time} |")
    return lines


def main():
    """Print the table for what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--receiver", type=int, default=1)
    parser.add_argument("--arbiter", default="round-robin")
    given = parser.parse_args()
    print("\n".join(table(shares(given.receiver, arbiter=given.arbiter))))


if __name__ == "__main__":
    main()

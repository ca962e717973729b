"""Sends packets of any length from everybody to everybody over networks with a routing, saturated: `make soak`.

    python -m tests.support.soak_networks --packets 1000000
    python -m tests.support.soak_networks --only torus --packets 10000

Sources always have a packet, sinks pause at random, sources within packets too. Nothing may be lost, doubled, torn,
corrupted or misrouted, come out of order where the network keeps it, or wait for ever. What does is printed with its seed;
exit status 1.
"""

import argparse
import random
import sys
import time

from fatcube.groundwork.progress import be_quiet
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.butterflies import Butterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.traffic import RATE_UNITS, Traffic, run_traffic
from tests.support.copied_traffic import with_copies
from tests.support.networks import IRREGULAR, TREE

__all__ = ["NETWORKS", "network", "soak"]


LONGEST = 12
TWO = {"virtual_channels": 2, "buffer_depth": 4}
HOLDS_ALL = {"longest_packet": LONGEST, "buffer_depth": LONGEST}
CUT_THROUGH = {"switching": "virtual-cut-through", **HOLDS_ALL}
HALF = {"links": "half-duplex"}

#: By name: topology, options of the routers, and of the network.
NETWORKS = {
    # Without a routing, each of these four stops within 500 cycles.
    "square": (FatCube(2, 2), {}, {}),
    "cube": (Hypercube(3), {}, {}),
    "ccc": (CubeConnectedCycles(3), TWO, {}),
    "one-way ring": (SparseGHC(4, 1), TWO, {}),
    "lanes": (FatCube(2, 2, 2), {"ports": "d", "pipeline": 2, "link_stages": 1}, {}),
    "all ports": (FatCube(2, 2), {"ports": "*"}, {"addressing": "destination"}),
    "mesh": (Mesh(w=4, d=2), {}, {"addressing": "destination"}),
    "torus": (Torus(w=4, d=2), {**TWO, "virtual_channels": 4}, {"addressing": "destination"}),
    "cube of deep channels": (Hypercube(3), {"virtual_channels": 2, "buffer_depth": 8, "pipeline": 2}, {}),
    "dense ghc": (DenseGHC(3, 2), {"arbiter": "deficit"}, {}),
    "unequal one-way rings": (SparseGHC((2, 3), 2), TWO, {}),
    "long cycles": (CubeConnectedCycles(2, k=4), TWO, {"addressing": "destination"}),
    "butterfly": (Butterfly(2), TWO, {}),
    "graph": (IRREGULAR, {"buffer_depth": 3}, {}),
    "tree": (TREE, {}, {"addressing": "destination"}),
    "virtual cut-through": (Torus(w=3, d=2), CUT_THROUGH, {}),
    "virtual cut-through, channels": (Torus(w=3, d=2), {**CUT_THROUGH, "virtual_channels": 2, "link_stages": 1}, {}),
    "circuits": (Mesh(w=3, d=2), {"switching": "circuit"}, {}),
    "circuits tried again": (Hypercube(3), {"switching": "circuit", "setup_retry": 16}, {"addressing": "destination"}),
    "copies": (FatCube(2, 2), {"ports": "b", "switching": "virtual-cut-through", **HOLDS_ALL}, {}),
    "store-and-forward": (Mesh(w=3, d=2), {"switching": "store-and-forward", **HOLDS_ALL}, {}),
    "half-duplex cube": (Hypercube(3), HALF, {}),
    "half-duplex lanes": (FatCube(2, 2, 2), {**HALF, "ports": "d", "turn_round": 3, "link_stages": 2}, {}),
    "half-duplex dense ghc": (DenseGHC(3, 2), {**HALF, "turn_round": 0, "pipeline": 2}, {}),
    "half-duplex mesh": (Mesh(w=3, d=2), {**HALF, **CUT_THROUGH}, {}),
    "half-duplex mesh, whole packets": (Mesh(w=3, d=2), {**HALF, "switching": "store-and-forward", **HOLDS_ALL}, {}),
    "half-duplex mesh of channels": (
        Mesh(w=3, d=2),
        {**HALF, **CUT_THROUGH, "virtual_channels": 2, "turn_round": 5},
        {},
    ),
    "half-duplex torus": (Torus(w=3, d=2), {**HALF, **CUT_THROUGH, "link_stages": 1}, {"addressing": "destination"}),
    "half-duplex ring": (Ring(5), {**HALF, "switching": "store-and-forward", **HOLDS_ALL}, {}),
    "half-duplex tree": (TREE, {**HALF, **CUT_THROUGH}, {}),
    "half-duplex star": (Star(4), {**HALF, "switching": "store-and-forward", **HOLDS_ALL}, {}),
    "half-duplex ccc": (CubeConnectedCycles(3), {**HALF, **CUT_THROUGH, "turn_round": 2}, {}),
    "half-duplex circuits": (Hypercube(3), {**HALF, "switching": "circuit"}, {}),
    "half-duplex circuits tried again": (Mesh(w=3, d=2), {**HALF, "switching": "circuit", "setup_retry": 16}, {}),
}


def network(name):
    """The network of this name."""
    topology, options, others = NETWORKS[name]
    return RoutedNetwork(topology, RouterOptions(**{"width": 48, **options}), **others)


def random_run(machine, dice, cycles):
    """A run in which every source always has a packet. Where routers copy packets, half of them are copied."""
    return Traffic(
        destinations=with_copies(machine, dice) if machine.network.options.ports.copies else None,
        rate=RATE_UNITS - 1,
        packet_flits=dice.randint(1, LONGEST),
        measured=cycles,
        pause=dice.choice((0, 3000, 20_000, 50_000)),
        source_pause=dice.choice((0, 0, 3000, 20_000)),
        seed=dice.randrange(1 << 30),
        timeout=5000,
    )


def soak(name, *, packets, seed, cycles=40_000):
    """Send at least so many packets over a network; returns how many arrived, and what was wrong, with its run."""
    # A packet that is copied has a way of its own, so there are up to twice as many.
    saturated = network(name)
    ways = 2 * saturated.endpoints if saturated.options.ports.copies else None
    machine = TrafficMachine(network=saturated, queue=16, bins=2, ways=ways)
    dice = random.Random(f"{seed} {name}")
    arrived, wrong = 0, []
    while arrived < packets and not wrong:
        runs = [random_run(machine, dice, cycles) for _ in range(4)]
        for run, result in zip(runs, run_traffic(machine, runs)):
            arrived += result.arrived
            wrong += [f"{failure}: {run}"[:400] for failure in result.failures]
    return arrived, wrong


def main():
    """Soak what the command line says, and exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="networks whose name has this in it")
    parser.add_argument("--packets", type=int, default=1_000_000, help="packets of each network")
    given = parser.parse_args()
    be_quiet()  # There are lines of our own.
    failed = False
    for name in NETWORKS:
        if given.only in name:
            begun = time.monotonic()
            arrived, wrong = soak(name, packets=given.packets, seed=given.seed)
            seconds = time.monotonic() - begun
            print(
                f"{arrived:>12,} packets in {seconds:5.0f} s, {len(wrong)} wrong: {name}, {network(name)}", flush=True
            )
            for one in wrong:
                print(f"  {one}")
            failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()

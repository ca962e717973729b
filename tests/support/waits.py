"""Measures in routers how long headers wait for outputs to processors, which always take: 10 million packets in `make soak`.

    python -m tests.support.waits --packets 10000000

Half of the packets, or all, go to one processor, the others to all alike, and sources always have a packet. Nothing is read from the
watch or the arbiters: a monitor beside the inputs sees when a header is in front, for which output, and when it leaves.
The count stands in place of the conflicts of a router.
"""

import argparse
import contextlib
import sys
import tempfile
import time

from amaranth.hdl import Cat, Const, Elaboratable, Module, Signal
import pytest

from fatcube.groundwork.progress import be_quiet
from fatcube.noc.latency import waiting
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.rtl.inputs.channel_input import ChannelInput
from fatcube.rtl.router_counters import RouterCounters
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.units.channel_units import ChannelUnits
from fatcube.rtl.units.packet_units import PacketUnits
from fatcube.sim.builds.build import build
from fatcube.sim.builds.observe import observe
from fatcube.sim.traffic.traffic import RATE_UNITS, Traffic, jobs_of

__all__ = ["NETWORKS", "bound", "longest_wait", "monitored"]


FLITS = 8
HOT = 5

NETWORKS = {
    "mesh": (Mesh(w=4, d=2), {}),
    "mesh, 2 channels": (Mesh(w=4, d=2), {"virtual_channels": 2, "buffer_depth": 4}),
    "mesh, 4 channels": (Mesh(w=4, d=2), {"virtual_channels": 4, "buffer_depth": 8}),
    "cube, 2 channels in two cycles": (Hypercube(4), {"virtual_channels": 2, "buffer_depth": 8, "pipeline": 2}),
    "torus, 2 channels": (Torus(w=4, d=2), {"virtual_channels": 2, "buffer_depth": 8}),
    "torus, 4 channels": (Torus(w=4, d=2), {"virtual_channels": 4, "arbiter": "least-recent"}),
}


class Monitor(Elaboratable):
    """Counts, of each channel of each input, the cycles in which the same header waits; ``longest`` is the most so far."""

    def __init__(self, waits):
        self.waits = waits
        self.longest = Signal(32)

    def elaborate(self, platform):
        m = Module()
        for number, (waits, leaves) in enumerate(self.waits()):
            count = Signal(32, name=f"count{number}")
            with m.If(waits & ~leaves):
                m.d.sync += count.eq(count + 1)
            with m.Else():
                m.d.sync += count.eq(0)
            # Of several that exceed it, one counts: the others exceed it in the next cycle too.
            with m.If(count > self.longest):
                m.d.sync += self.longest.eq(count)
        return m


def _of_packets(make, placed):
    """For each input, that a header is in front and for an output to a processor, and that it leaves."""
    for unit, reached in zip(placed.inputs, make._reach):
        ends = Cat(make.parameters.outputs[output] < make.parameters.processor_ports for output in reached)
        yield (unit.allocator.requests & ends).any(), unit.allocator.advance


def _of_channels(make, placed):
    """The flits that left each channel of each input. A flit that left is seen in the cycle after."""
    for source, unit in enumerate(placed.inputs):
        outputs = [make.parameters.outputs[make._targets[target].output] for target in make.reach[source]]
        ends = Cat(Const(output < make.parameters.processor_ports, 1) for output in outputs)
        for number, channel in enumerate(unit.monitored):
            yield channel.some & ~channel.begun & (channel.target & ends).any(), unit.left[number]


@contextlib.contextmanager
def monitored():
    """Routers have monitors meanwhile. What is built then is no router, so it is kept in a cache of its own, and thrown away."""

    def unit(self, *given):
        self.__dict__.setdefault("monitored", []).append(channel := _unit(self, *given))
        return channel

    def wire(of, waits):
        def wired(self, m, router, placed):
            of(self, m, router, placed)
            m.submodules.zz_monitor = monitor = Monitor(lambda: waits(self, placed))
            m.submodules.counters.monitored = monitor.longest

        return wired

    _unit = ChannelInput._unit

    def counted(self, platform):
        m = Module()
        m.d.sync += self.error.eq(self.errors.any())
        if self.counted:
            m.d.comb += self.conflict_count.eq(self.monitored)
        return m

    with pytest.MonkeyPatch.context() as patched, tempfile.TemporaryDirectory() as folder:
        patched.setenv("FATCUBE_CACHE", folder)
        patched.setattr(ChannelInput, "_unit", unit)
        patched.setattr(RouterCounters, "elaborate", counted)
        patched.setattr(ChannelUnits, "wire", wire(ChannelUnits.wire, _of_channels))
        patched.setattr(PacketUnits, "wire", wire(PacketUnits.wire, _of_packets))
        yield


def network(name):
    """The network of this name."""
    topology, options = NETWORKS[name]
    return RoutedNetwork(topology, RouterOptions(width=32, **options))


def bound(name):
    """The most cycles that a header waits in any router of the network."""
    return max(factor * FLITS + rest for factor, rest in (waiting(kind) for kind, _ in network(name).routers))


def longest_wait(name, *, cycles, seed=1, mixed=True):
    """The longest wait in any router, in a run in which everybody sends for so many cycles; all to one if not ``mixed``."""
    machine = TrafficMachine(network=network(name), queue=16, bins=2, ways=32)
    ways = []
    for endpoint in range(machine.endpoints):
        others = [machine.way_to(endpoint, other) for other in range(machine.endpoints) if other != endpoint]
        hot = [way for way in others if way.destination == HOT]
        ways.append((others + hot * len(others))[:32] if mixed else hot)
    run = Traffic(rate=RATE_UNITS - 1, packet_flits=FLITS, measured=cycles, seed=seed, destinations=ways, timeout=5000)
    [found] = observe(build(machine), jobs_of(machine, [run]), ends=("finished", "stalled", "cycles"))
    return max(found.counters["conflict_count"])


def main():
    """Print the longest wait in each network and its bound, and exit with 1 if one is longer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=10_000_000, help="packets of all networks")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    be_quiet()
    failed = False
    # Everybody sends, and the busiest processor takes a packet in FLITS + 1 cycles, half of all.
    cycles = given.packets // len(NETWORKS) * (FLITS + 1) // 2
    with monitored():
        for name in NETWORKS:
            begun = time.monotonic()
            longest = longest_wait(name, cycles=cycles, seed=given.seed)
            failed |= longest > bound(name)
            print(
                f"{longest:>6} cycles, at most {bound(name):,}, in {time.monotonic() - begun:.0f} s: {name}", flush=True
            )
    sys.exit(failed)


if __name__ == "__main__":
    main()

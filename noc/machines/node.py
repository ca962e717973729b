"""A node of a machine: a router, the processors on it, and the monitors of its wires."""

from collections.abc import Sequence
from typing import Any

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.noc.machines.distributed import distributed_processor
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.router_node import RouterNode
from fatcube.noc.shared import Shared, module_name
from fatcube.rtl.endpoint.distributed.processor import DistributedProcessor
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.monitor import Monitor
from fatcube.rtl.endpoint.probe import Probe
from fatcube.rtl.endpoint.processor import Processor

__all__ = ["Node", "processor_of"]


class Node(RouterNode):
    """A router, its processors, and a monitor on each of its :attr:`monitored streams <Machine.streams>`.

    All nodes of a machine are one module, with the most processors that any node has. Those that a node does not have
    are cut off by ``absent``: no packet arrives there, and no barrier waits for them.

    No output but the word on the host bus follows from an input in the same cycle, so a simulator of a network may
    evaluate each of its nodes once per cycle.

    Members
    -------
    lanes : :py:`Out(LanePort(width, virtual_channels, answers)).array(channels, lanes)`
        See :class:`~fatcube.rtl.router.FatNodeRouter`.
    lockstep, payload_flits, slot_shift, reduced, last_flits, last_from, last_to, go
        See :class:`Processor`.
    step : :py:`In(16)`
    cycle : :py:`In(32)`
        See :class:`Monitor`.
    done, finished : :py:`Out(1)`
        All processors are.
    active : :py:`Out(1)`
        A processor sent or received a flit in the cycle before.
    flit_count, conflict_count, error_count : :py:`Out(32)`
        The counters of the router.
    unit : :py:`In(16)`
        The processor or, after those, the monitor that the host bus addresses; all ones address all of them.
    host : :py:`In(HostBus(host_width))`
    absent : :py:`In(crossbar_ports)`
        The outputs of the router behind which nothing is, as of :class:`~fatcube.noc.machines.router_node.RouterNode`.

    Parameters
    ----------
    machine : :class:`Machine`
    name : :class:`str` or ``None``
        Prefix of the names of all modules that it uses, as in :class:`fatcube.noc.machines.system.System`.
    """

    lanes: Sequence[Sequence[Any]]
    go: Signal
    step: Signal
    cycle: Signal
    done: Signal
    finished: Signal

    def __init__(self, machine: Machine, *, name: str | None = None) -> None:
        network = machine.network
        self.machine = machine
        router = network.router()
        self.shared_processor = Shared(processor_of(machine), module_name("processor", name))
        self.shared_monitor = self.shared_lane_monitor = None
        if machine.monitors != "none":
            width, depth, channels = network.options.width, machine.program_entries, network.options.virtual_channels
            monitor = Monitor(width, depth, machine.host_width)
            self.shared_monitor = self.shared_lane_monitor = Shared(monitor, module_name("monitor", name))
            refusals = network.options.setup_retry > 0
            if channels > 1 or refusals:
                monitor = Monitor(width, depth, machine.host_width, channels=channels, refusals=refusals)
                self.shared_lane_monitor = Shared(monitor, module_name("monitor_of_lane", name))
        super().__init__(
            network,
            {
                "lanes": Out(network.options.lane_port).array(router.channels, router.lanes),
                **{name: In(width) for name, width in machine.settings.items()},
                "go": In(1),
                "step": In(16),
                "cycle": In(32),
                "done": Out(1),
                "finished": Out(1),
            },
            host_width=machine.host_width,
            regions=Region,
            name=name,
            numbered=machine.numbered,
        )

    def shared(self) -> Shared:
        """The node as a module with all modules that it uses."""
        monitors = dict.fromkeys([self.shared_monitor, self.shared_lane_monitor])
        return self._shared([self.shared_processor, *monitors])

    def elaborate(self, platform: object) -> Module:
        m = Module()
        topology = self.machine.network.topology
        # A copy has the members of its signature, which a type checker does not know.
        processor: Any
        monitor: Any
        router = self._router(m)
        parameters = self.machine.network.router()
        names = list(zip(parameters.input_names, parameters.output_names))
        units = []
        streams: dict[str, Any] = {}
        processors: list[Any] = []
        for p in range(topology.m):
            m.submodules[f"processor{p}"] = processor = self.shared_processor.copy()
            processors.append(processor)
            units.append(processor.host)
            for name in (*self.machine.settings, "go"):
                m.d.comb += getattr(processor, name).eq(getattr(self, name))
            if self.machine.distributed:
                m.d.comb += processor.number.eq(self.number)
            for j in range(self.machine.network.processor_ports):
                send, receive = getattr(processor, f"send{j}"), getattr(processor, f"receive{j}")
                into, out = names[parameters.processor_port(p, j)]
                wiring.connect(m, send, router[into])
                wiring.connect(m, router[out], receive)
                streams |= {into: send, out: receive}
        on_lanes: dict[str, Any] = {}
        for c, lanes in enumerate(self.lanes):
            for l, lane in enumerate(lanes):
                into, out = names[parameters.lane_port(c, l)]
                wiring.connect(m, wiring.flipped(lane.into), router[into])
                wiring.connect(m, router[out], wiring.flipped(lane.out))
                on_lanes |= {into: router[into], out: router[out]}
        streams |= on_lanes
        if self.machine.probes:
            for name, watched in streams.items():
                options, is_lane = self.machine.network.options, name in on_lanes
                m.submodules[name] = probe = Probe(
                    self.machine.network.router().header,
                    channels=options.virtual_channels if is_lane else 1,
                    refusals=is_lane and options.setup_retry > 0,
                )
                self._watch(m, probe, watched)
        for number, name in enumerate(self.machine.streams):
            watched = streams[name]
            shared = self.shared_lane_monitor if name in on_lanes else self.shared_monitor
            assert shared is not None
            monitor = shared.copy()
            m.submodules[f"monitor{number}"] = monitor
            units.append(monitor.host)
            self._watch(m, monitor, watched)
            m.d.comb += [
                monitor.step.eq(self.step),
                monitor.cycle.eq(self.cycle),
            ]
        for name in ("done", "finished"):
            states = [getattr(processor, name) for processor in processors]
            if not topology.uniform:
                ports = self.machine.network.processor_ports
                states = [state | self.absent[number * ports] for number, state in enumerate(states)]
            m.d.comb += getattr(self, name).eq(Cat(states).all())
        m.d.sync += self.active.eq(Cat(processor.active for processor in processors).any())
        self._give_to_host(m, units)
        return m

    def _watch(self, m: Module, watcher: Any, watched: Any) -> None:
        """Show the signals of a stream or a lane to a monitor or a probe. What a lane with credits offers is taken."""
        m.d.comb += [
            watcher.payload.eq(watched.payload),
            watcher.valid.eq(watched.valid),
            watcher.ready.eq(getattr(watched, "ready", 1)),
        ]
        if "refused" in watcher.signature.members:
            m.d.comb += watcher.refused.eq(watched.answer.refused)


def processor_of(machine: Machine) -> Processor | DistributedProcessor:
    """The processor of a machine: one with a program, or one that computes to whom it sends."""
    network = machine.network
    router = network.router()
    if machine.distributed:
        return distributed_processor(
            network, machine.distributed, memory_words=machine.memory_words, host_width=machine.host_width
        )
    return Processor(
        network.options.width,
        ports=router.ports,
        message_low=router.header.route_bits,
        message_bits=network.message_bits,
        memory_words=machine.memory_words,
        program_entries=machine.program_entries,
        host_width=machine.host_width,
        reductions=machine.reductions,
        barriers=machine.barriers,
        combining=machine.combining,
        parted=machine.parted,
    )

"""A whole machine: the network with a processor on every port, a barrier, monitors, and a host bus."""

import dataclasses
import functools
from typing import Any

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_boolean, check_integer
from noc.fabric import Links, connect_lanes, shared_router
from noc.network import Network
from noc.shared import Shared, module_name
from noc.wires import Wire, wires_of_node
from rtl.endpoint.barrier import Barrier
from rtl.endpoint.host import HostBus, Region
from rtl.endpoint.monitor import Monitor, TraceEntry
from rtl.endpoint.processor import Processor
from rtl.endpoint.program import PortStatus, ProgramEntry
from rtl.flit import FlitStream

__all__ = ["Machine", "System"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Machine:
    """A network and the memories of the processors on it.

    Parameters
    ----------
    network : :class:`Network`
    memory_words : :class:`int`
        Words of W bits in each bank of a message memory; a processor has a bank for each port.
    program_entries : :class:`int`
        Entries in the program of each port: the most steps, and one for the end.
    reductions : :class:`bool`
        The processors add partial sums: see :class:`Processor`.
    """

    network: Network
    memory_words: int = 1 << 14
    program_entries: int = 256
    reductions: bool = False

    def __post_init__(self) -> None:
        check_integer("memory words", self.memory_words, minimum=2, maximum=1 << 24)
        check_integer("program entries", self.program_entries, minimum=2, maximum=1 << 16)
        check_boolean("reductions", self.reductions)

    @property
    def settings(self) -> dict[str, int]:
        """The inputs that a run sets for all processors, and that the system has too: their widths by name."""
        settings = {"lockstep": 1, "payload_flits": 16, "slot_shift": 5}
        if self.reductions:
            settings["reduced"] = self.network.message_bits + 1
        return settings

    @property
    def barriers(self) -> bool:
        """``True`` if dataflow needs barriers, because the routers copy: see :func:`sim.plan.compile_schedule`."""
        return self.network.options.ports.multicast

    @property
    def program_entry(self) -> ProgramEntry:
        """The layout of the words of a program."""
        return ProgramEntry(self.network.options.width, reductions=self.reductions, barriers=self.barriers)

    @functools.cached_property
    def wires(self) -> dict[Wire, tuple[int, int]]:
        """Every monitored :class:`Wire`, and the ``(node, unit)`` of its monitor on the host bus."""
        topology = self.network.topology
        return {
            wire: (node, topology.m + number)
            for node in range(topology.nodes)
            for number, wire in enumerate(wires_of_node(self.network, node))
        }

    def to_json(self) -> dict[str, Any]:
        """The parameters as they stand in a result record."""
        return {
            **self.network.to_json(),
            "memory_words": self.memory_words,
            "program_entries": self.program_entries,
            "reductions": self.reductions,
        }


class _Node(wiring.Component):
    """A router, its processors, and a monitor on every port and every lane that leaves."""

    go: Signal
    step: Signal
    cycle: Signal
    done: Signal
    finished: Signal
    active: Signal
    flit_count: Signal
    conflict_count: Signal
    unit: Signal
    host: wiring.PureInterface

    def __init__(self, machine: Machine, host_width: int, name: str | None) -> None:
        network = machine.network
        self.machine = machine
        self.host_width = host_width
        self.shared_router = shared_router(network, counters=True, name=module_name("fat_node_router", name))
        router = network.router()
        self.shared_processor = Shared(
            Processor(
                network.options.width,
                ports=router.ports,
                message_low=router.header.route_bits,
                message_bits=network.message_bits,
                memory_words=machine.memory_words,
                program_entries=machine.program_entries,
                host_width=host_width,
                reductions=machine.reductions,
                barriers=machine.barriers,
            ),
            module_name("processor", name),
        )
        self.shared_monitor = Shared(
            Monitor(network.options.width, machine.program_entries, host_width), module_name("monitor", name)
        )
        members = {}
        for c in range(network.topology.degree):
            for l in range(network.topology.f):
                members[f"channel{c}_lane{l}_in"] = In(FlitStream(network.options.width))
                members[f"channel{c}_lane{l}_out"] = Out(FlitStream(network.options.width))
        super().__init__(
            {
                **members,
                **{name: In(width) for name, width in machine.settings.items()},
                "go": In(1),
                "step": In(16),
                "cycle": In(32),
                "done": Out(1),
                "finished": Out(1),
                "active": Out(1),
                "flit_count": Out(32),
                "conflict_count": Out(32),
                "unit": In(16),
                "host": In(HostBus(host_width)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        topology = self.machine.network.topology
        # A copy has the members of its signature, which a type checker does not know.
        router: Any
        processor: Any
        monitor: Any
        m.submodules.router = router = self.shared_router.copy()
        m.d.comb += [
            self.flit_count.eq(router.flit_count),
            self.conflict_count.eq(router.conflict_count),
        ]
        units = []
        streams: dict[str, stream.Interface] = {}
        processors: list[Any] = []
        for p in range(topology.m):
            m.submodules[f"processor{p}"] = processor = self.shared_processor.copy()
            processors.append(processor)
            units.append(processor.host)
            for name in (*self.machine.settings, "go"):
                m.d.comb += getattr(processor, name).eq(getattr(self, name))
            for j in range(self.machine.network.processor_ports):
                send, receive = getattr(processor, f"send{j}"), getattr(processor, f"receive{j}")
                wiring.connect(m, send, getattr(router, f"processor{p}_send{j}"))
                wiring.connect(m, getattr(router, f"processor{p}_receive{j}"), receive)
                streams |= {f"processor{p}_send{j}": send, f"processor{p}_receive{j}": receive}
        for c in range(topology.degree):
            for l in range(topology.f):
                wiring.connect(
                    m,
                    wiring.flipped(getattr(self, f"channel{c}_lane{l}_in")),
                    getattr(router, f"channel{c}_lane{l}_in"),
                )
                wiring.connect(
                    m,
                    getattr(router, f"channel{c}_lane{l}_out"),
                    wiring.flipped(getattr(self, f"channel{c}_lane{l}_out")),
                )
                streams[f"channel{c}_lane{l}_out"] = getattr(router, f"channel{c}_lane{l}_out")
        for number, wire in enumerate(wires_of_node(self.machine.network, 0)):
            watched = streams[wire.stream]
            monitor = self.shared_monitor.copy()
            m.submodules[f"monitor{number}"] = monitor
            units.append(monitor.host)
            m.d.comb += [
                monitor.payload.eq(watched.payload),
                monitor.valid.eq(watched.valid),
                monitor.ready.eq(watched.ready),
                monitor.step.eq(self.step),
                monitor.cycle.eq(self.cycle),
            ]
        m.d.comb += [
            self.done.eq(Cat(processor.done for processor in processors).all()),
            self.finished.eq(Cat(processor.finished for processor in processors).all()),
            self.active.eq(Cat(processor.active for processor in processors).any()),
        ]
        value = 0
        for number, unit in enumerate(units):
            m.d.comb += [
                unit.select.eq(self.host.select & ((self.unit == number) | self.unit.all())),
                *(
                    getattr(unit, name).eq(getattr(self.host, name))
                    for name in ("region", "bank", "word", "write", "data")
                ),
            ]
            value = value | unit.value
        m.d.comb += self.host.value.eq(value)
        return m


class System(wiring.Component):
    """A machine with its barrier and host bus, complete for a run; its ports are for a testbench.

    Members
    -------
    start, lockstep : :py:`In(1)`
    payload_flits : :py:`In(16)`
    slot_shift : :py:`In(5)`
    reduced : :py:`In(message_bits + 1)`
        With reductions only.
    timeout : :py:`In(32)`
    running, finished, stalled : :py:`Out(1)`
    steps : :py:`Out(16)`
    cycles : :py:`Out(32)`
    node, unit : :py:`In(16)`
        The address on the host bus: a node, and a unit of it, which is a processor or, after those, a monitor. All
        ones address every node, or every unit.
    region, bank, word, write, data, value
        The host bus: see :class:`HostBus`. Reading takes two cycles.
    flit_count, conflict_count : :py:`Out(32)`
        The counters of the router of ``node``, two cycles later.

    Parameters
    ----------
    machine : :class:`Machine`
    links : :data:`noc.fabric.Links`
        Components to put into single lanes.
    name : :class:`str` or ``None``
        The name of its module, and the prefix of the names of all modules that it uses, so that several systems fit
        into one design. Without it the module is ``system``.

    Raises
    ------
    ParameterError
        If the name is not a Verilog identifier, or a module has more ports than can be written.
    """

    start: Signal
    lockstep: Signal
    payload_flits: Signal
    slot_shift: Signal
    reduced: Signal
    timeout: Signal
    running: Signal
    finished: Signal
    stalled: Signal
    steps: Signal
    cycles: Signal
    node: Signal
    unit: Signal
    region: Signal
    bank: Signal
    word: Signal
    write: Signal
    data: Signal
    value: Signal
    flit_count: Signal
    conflict_count: Signal

    def __init__(self, machine: Machine, *, links: Links | None = None, name: str | None = None) -> None:
        self.machine = machine
        self.links = links
        self.name = name or "system"
        width = machine.network.options.width
        self.host_width = max(64, machine.program_entry.size, PortStatus().size, TraceEntry(width).size)
        self.shared_node = Shared(
            node := _Node(machine, self.host_width, name),
            module_name("node", name),
            uses=[node.shared_router, node.shared_processor, node.shared_monitor],
        )
        super().__init__(
            {
                "start": In(1),
                **{name: In(width) for name, width in machine.settings.items()},
                "timeout": In(32),
                "running": Out(1),
                "finished": Out(1),
                "stalled": Out(1),
                "steps": Out(16),
                "cycles": Out(32),
                "node": In(16),
                "unit": In(16),
                "region": In(Region),
                "bank": In(8),
                "word": In(24),
                "write": In(1),
                "data": In(self.host_width),
                "value": Out(self.host_width),
                "flit_count": Out(32),
                "conflict_count": Out(32),
            }
        )

    def shared(self) -> Shared:
        """The system as a module with all modules that it uses, for :func:`noc.verilog.to_verilog`."""
        return Shared(self, self.name, uses=[self.shared_node])

    def elaborate(self, platform: object) -> Module:
        m = Module()
        topology = self.machine.network.topology
        nodes: list[Any] = []
        for number in range(topology.nodes):
            m.submodules[f"node{number}"] = node = self.shared_node.copy()
            nodes.append(node)
        connect_lanes(m, topology, nodes, self.links)

        m.submodules.barrier = barrier = Barrier()
        m.d.comb += [
            barrier.start.eq(self.start),
            barrier.lockstep.eq(self.lockstep),
            barrier.timeout.eq(self.timeout),
            barrier.all_done.eq(Cat(node.done for node in nodes).all()),
            barrier.all_finished.eq(Cat(node.finished for node in nodes).all()),
            barrier.any_active.eq(Cat(node.active for node in nodes).any()),
            *(
                getattr(self, name).eq(getattr(barrier, name))
                for name in ("running", "finished", "stalled", "steps", "cycles")
            ),
        ]

        value, flits, conflicts = 0, 0, 0
        for number, node in enumerate(nodes):
            selected = (self.node == number) | self.node.all()
            was_selected = Signal(name=f"was_selected{number}")
            m.d.sync += was_selected.eq(selected)
            m.d.comb += [
                *(getattr(node, name).eq(getattr(self, name)) for name in self.machine.settings),
                node.go.eq(barrier.go),
                node.step.eq(barrier.step),
                node.cycle.eq(barrier.cycles),
                node.unit.eq(self.unit),
                node.host.select.eq(selected),
                *(
                    getattr(node.host, name).eq(getattr(self, name))
                    for name in ("region", "bank", "word", "write", "data")
                ),
            ]
            value = value | node.host.value
            flits = flits | Mux(was_selected, node.flit_count, 0)
            conflicts = conflicts | Mux(was_selected, node.conflict_count, 0)
        m.d.sync += [
            self.value.eq(value),
            self.flit_count.eq(flits),
            self.conflict_count.eq(conflicts),
        ]
        return m

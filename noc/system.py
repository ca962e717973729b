"""A whole machine: all nodes, wired, with a barrier and a host bus."""

from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from noc.fabric import Links, connect_lanes
from noc.machine import Machine
from noc.node import Node
from noc.shared import Shared
from rtl.endpoint.barrier import Barrier
from rtl.endpoint.host import Region
from rtl.router import COUNTERS

__all__ = ["System"]


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
    flit_count, conflict_count, error_count : :py:`Out(32)`
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
    error_count: Signal

    def __init__(self, machine: Machine, *, links: Links | None = None, name: str | None = None) -> None:
        self.machine = machine
        self.links = links
        self.name = name or "system"
        self.shared_node = Node(machine, name=name).shared()
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
                "data": In(machine.host_width),
                "value": Out(machine.host_width),
                **dict.fromkeys(COUNTERS, Out(32)),
            }
        )

    def shared(self) -> Shared:
        """The system as a module with all modules that it uses, for :func:`noc.verilog.to_verilog`."""
        return Shared(self, self.name, uses=[self.shared_node])

    def elaborate(self, platform: object) -> Module:
        m = Module()
        network = self.machine.network
        topology = network.topology
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

        value = 0
        counts: dict[str, Value] = {name: Const(0) for name in COUNTERS}
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
                *([] if topology.alike else [node.absent.eq(sum(1 << output for output in network.absent(number)))]),
                *([node.number.eq(number)] if network.options.setup_retry else []),
                node.host.select.eq(selected),
                *(
                    getattr(node.host, name).eq(getattr(self, name))
                    for name in ("region", "bank", "word", "write", "data")
                ),
            ]
            value = value | node.host.value
            for name, count in counts.items():
                counts[name] = count | Mux(was_selected, getattr(node, name), 0)
        m.d.sync += [self.value.eq(value), *(getattr(self, name).eq(count) for name, count in counts.items())]
        return m

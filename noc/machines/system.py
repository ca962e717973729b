"""A whole machine: all nodes, wired, with a barrier and a host bus."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib.wiring import In, Out

from fatcube.noc.lanes import Links
from fatcube.noc.machines.hosted_system import HostedSystem
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.node import Node
from fatcube.rtl.endpoint.barrier import Barrier
from fatcube.rtl.endpoint.host import Region

__all__ = ["System"]


class System(HostedSystem):
    """A machine with its barrier and host bus, complete for a run; its ports are for a testbench.

    Members
    -------
    start, lockstep : :py:`In(1)`
    payload_flits : :py:`In(16)`
    slot_shift : :py:`In(5)`
    reduced : :py:`In(message_bits + 1)`
        With reductions only.
    last_flits : :py:`In(16)`
    last_from, last_to : :py:`In(message_bits + 1)`
        With parts only, as for :class:`~fatcube.rtl.endpoint.processor.Processor`.
    timeout : :py:`In(32)`
    running, finished, stalled : :py:`Out(1)`
    steps : :py:`Out(16)`
    cycles : :py:`Out(32)`
    node, unit, region, bank, word, write, data, value, flit_count, conflict_count, error_count
        See :class:`HostedSystem`. A unit is a processor or, after those, a monitor.

    Parameters
    ----------
    machine : :class:`Machine`
    links : :data:`fatcube.noc.lanes.Links`
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

    OUTCOMES = {"running": 1, "finished": 1, "stalled": 1, "steps": 16, "cycles": 32}
    """The outputs that say how a run goes and has gone: their widths by name."""

    @staticmethod
    def inputs(machine: Machine) -> dict[str, int]:
        """The inputs that are set for a run: their widths by name."""
        return {**machine.settings, "timeout": 32}

    def __init__(self, machine: Machine, *, links: Links | None = None, name: str | None = None) -> None:
        self.machine = machine
        super().__init__(
            machine.network,
            Node(machine, name=name).shared(),
            {
                "start": In(1),
                **{name: In(width) for name, width in self.inputs(machine).items()},
                **{name: Out(width) for name, width in self.OUTCOMES.items()},
            },
            host_width=machine.host_width,
            regions=Region,
            links=links,
            name=name,
            numbered=machine.numbered,
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        nodes = self._nodes(m, self.machine.settings)
        m.submodules.barrier = barrier = Barrier()
        m.d.comb += [
            barrier.start.eq(self.start),
            barrier.lockstep.eq(self.lockstep),
            barrier.timeout.eq(self.timeout),
            barrier.all_done.eq(Cat(node.done for node in nodes).all()),
            barrier.all_finished.eq(Cat(node.finished for node in nodes).all()),
            barrier.any_active.eq(Cat(node.active for node in nodes).any()),
            *(getattr(self, name).eq(getattr(barrier, name)) for name in self.OUTCOMES),
        ]
        for node in nodes:
            m.d.comb += [
                node.go.eq(barrier.go),
                node.step.eq(barrier.step),
                node.cycle.eq(barrier.cycles),
            ]
        return m

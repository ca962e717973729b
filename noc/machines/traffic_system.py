"""A whole machine with traffic: all nodes, wired, with the phases of a run and a host bus."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.hosted_system import HostedSystem
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.machines.traffic_node import TrafficNode
from fatcube.rtl.endpoint.phases import Phases
from fatcube.rtl.endpoint.traffic import CYCLE, TrafficRegion

__all__ = ["TrafficSystem"]


_PHASES = {"warm_up": 32, "measured": 32, "cool_down": 32, "timeout": 32}


class TrafficSystem(HostedSystem):
    """A machine with traffic, complete for a run; its ports are for who measures it.

    Members
    -------
    start : :py:`In(1)`
    rate, packet_flits, source_pause, pause : :py:`In(16)`
    histogram_shift : :py:`In(5)`
        See :class:`~fatcube.rtl.endpoint.traffic_endpoint.TrafficEndpoint`.
    warm_up, measured, cool_down, timeout : :py:`In(32)`
    running, finished, stalled : :py:`Out(1)`
    cycles : :py:`Out(32)`
        See :class:`Phases`.
    node, unit, region, bank, word, write, data, value, flit_count, conflict_count, error_count
        See :class:`HostedSystem`. A unit is an endpoint.

    Parameters
    ----------
    machine : :class:`TrafficMachine`
        Not a router alone.
    name : :class:`str` or ``None``
        See :class:`fatcube.noc.machines.system.System`.

    Raises
    ------
    ParameterError
        If the machine is a router alone, the name is not a Verilog identifier, or a module has more ports than can be
        written.
    """

    start: Signal
    running: Signal
    finished: Signal
    stalled: Signal
    cycles: Signal

    OUTCOMES = {"running": 1, "finished": 1, "stalled": 1, "cycles": CYCLE}
    """The outputs that say how a run goes and has gone: their widths by name."""

    @staticmethod
    def inputs(machine: TrafficMachine) -> dict[str, int]:
        """The inputs that are set for a run: their widths by name."""
        return machine.settings | _PHASES

    def __init__(self, machine: TrafficMachine, *, name: str | None = None) -> None:
        if machine.alone:
            raise ParameterError("alone must be False for a whole system, not True")
        self.machine = machine
        super().__init__(
            machine.built,
            TrafficNode(machine, name=name).shared(),
            {
                "start": In(1),
                **{name: In(width) for name, width in self.inputs(machine).items()},
                **{name: Out(width) for name, width in self.OUTCOMES.items()},
            },
            host_width=machine.host_width,
            regions=TrafficRegion,
            links=None,
            name=name,
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        nodes = self._nodes(m, self.machine.settings)
        m.submodules.phases = phases = Phases()
        m.d.comb += [
            *(getattr(phases, name).eq(getattr(self, name)) for name in ("start", *_PHASES)),
            phases.all_idle.eq(Cat(node.idle for node in nodes).all()),
            phases.any_active.eq(Cat(node.active for node in nodes).any()),
            *(getattr(self, name).eq(getattr(phases, name)) for name in self.OUTCOMES),
        ]
        for node in nodes:
            m.d.comb += [
                node.running.eq(phases.running),
                node.creating.eq(phases.creating),
                node.measuring.eq(phases.measuring),
                node.cycle.eq(phases.cycles),
            ]
        return m

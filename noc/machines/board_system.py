"""A whole machine behind a serial line: the design between the pins of a board."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from amaranth.hdl import Array, Module, Mux, Signal, Value
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out

from fatcube.noc.machines.board_description import describe
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.system import System
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.machines.traffic_system import TrafficSystem
from fatcube.noc.shared import Shared
from fatcube.rtl.router_counters import COUNTERS
from fatcube.rtl.serial.bridge import SerialBridge
from fatcube.rtl.serial.request import REGISTERS

__all__ = ["DESCRIPTION", "BoardSystem", "Register", "registers_of"]


_BUS = ("node", "unit", "region", "bank", "word", "write", "data", "value")
DESCRIPTION = 1
"""The bank, in region :data:`~fatcube.rtl.serial.request.REGISTERS`, of what a board says of itself, a byte per word."""


class Register(NamedTuple):
    """A register of a board, in region :data:`~fatcube.rtl.serial.request.REGISTERS`, bank 0.

    Members
    -------
    word : :class:`int`
        Its word.
    bits : :class:`int`
    written : :class:`bool`
        The computer writes it.
    """

    word: int
    bits: int
    written: bool


def registers_of(machine: Machine | TrafficMachine) -> dict[str, Register]:
    """The registers of a board with ``machine`` by name.

    ``session`` is whatever the computer has written there, and 0 after a reset. When another number is
    written to ``launch``, the system is reset and, unless it is 0, starts a run: writing a number twice starts one run.
    The others are the inputs and outputs of the :class:`System` or :class:`TrafficSystem`.
    """
    if isinstance(machine, TrafficMachine):
        inputs, outcomes = TrafficSystem.inputs(machine), TrafficSystem.OUTCOMES
    else:
        inputs, outcomes = System.inputs(machine), System.OUTCOMES
    written = {"session": 32, "launch": 32, **inputs}
    bits = {**written, **outcomes, **dict.fromkeys(COUNTERS, 32)}
    return {name: Register(word, width, name in written) for word, (name, width) in enumerate(bits.items())}


class BoardSystem(wiring.Component):
    """A machine whose host bus, inputs and outputs a computer reads and writes over a serial line.

    A run begins as in a simulation: the system is reset for two cycles, and starts two cycles after that, so that
    whatever turns with the cycles since reset is the same.

    Members
    -------
    rx : :py:`In(1)`
        The serial line from the computer, synchronised to this clock.
    tx : :py:`Out(1)`
        The serial line to it.
    running, done, failed : :py:`Out(1)`
        A run is under way, has ended, has stalled.

    Parameters
    ----------
    machine : :class:`Machine` or :class:`TrafficMachine`
    bit_cycles : :class:`int`
        Cycles of the clock per bit of the serial line.
    about : mapping
        JSON values of the board's description, besides the parameters of the machine.

    Raises
    ------
    ParameterError
        If the description is too long, a bit is shorter than 4 cycles, or a module has more ports than can be written.
    """

    rx: Signal
    tx: Signal
    running: Signal
    done: Signal
    failed: Signal

    def __init__(
        self, machine: Machine | TrafficMachine, *, bit_cycles: int, about: Mapping[str, Any] | None = None
    ) -> None:
        self.machine = machine
        self._registers = registers_of(machine)
        self._description = describe(machine, about or {})
        system = TrafficSystem(machine) if isinstance(machine, TrafficMachine) else System(machine)
        self._shared_system = system.shared()
        self._bridge = SerialBridge(bit_cycles=bit_cycles, host_width=machine.host_width)
        super().__init__({"rx": In(1), "tx": Out(1), "running": Out(1), "done": Out(1), "failed": Out(1)})

    def shared(self) -> Shared:
        """The board's system as a module ``board`` with all modules that it uses."""
        return Shared(self, "board", uses=[self._shared_system])

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.bridge = bridge = self._bridge
        reset, start = Signal(init=1), Signal()
        # A copy has the members of its signature, which a type checker does not know.
        system: Any = self._shared_system.copy(reset=reset)
        m.submodules.system = system
        m.d.comb += [
            bridge.rx.eq(self.rx),
            self.tx.eq(bridge.tx),
            *(Value.cast(getattr(system, name)).eq(getattr(bridge, name)) for name in _BUS if name != "value"),
            self.running.eq(system.running),
            self.done.eq(system.finished),
            self.failed.eq(system.stalled),
        ]

        addressed, written, launched = Signal(), Signal(), Signal()
        session, launch, phase, begun = Signal(32), Signal(32), Signal(2), Signal()
        own = {"session": session, "launch": launch}
        m.d.comb += [
            addressed.eq(bridge.region == REGISTERS),
            written.eq(bridge.write & addressed & (bridge.bank == 0)),
            launched.eq(written & (bridge.word == self._registers["launch"].word) & (bridge.data[:32] != launch)),
        ]
        values: list[Value] = []
        for name, register in self._registers.items():
            if not register.written:
                values.append(getattr(system, name))
                continue
            value = own.get(name)
            if value is None:
                value = Signal(register.bits, name=f"kept_{name}")
                m.d.comb += getattr(system, name).eq(value)
            with m.If(written & (bridge.word == register.word)):
                m.d.sync += value.eq(bridge.data)
            values.append(value)
        with m.If(launched):
            m.d.sync += [phase.eq(0), reset.eq(1), start.eq(0), begun.eq(0)]
        with m.Elif(~begun):
            m.d.sync += [
                phase.eq(phase + 1),
                reset.eq(phase == 0),
                start.eq((phase == 3) & (launch != 0)),
                begun.eq(phase == 3),
            ]
        m.d.comb += system.start.eq(start)

        m.submodules.description = description = memory.Memory(
            shape=8, depth=len(self._description), init=self._description
        )
        read = description.read_port()
        chosen = Signal(32)
        m.d.comb += read.addr.eq(bridge.word)
        m.d.sync += chosen.eq(Array(values)[bridge.word])
        m.d.comb += bridge.value.eq(Mux(addressed, Mux(bridge.bank == DESCRIPTION, read.data, chosen), system.value))
        return m

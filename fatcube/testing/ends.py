"""Base classes of the sources, sinks and monitors of all kinds of ports.

All sample at the rising edge of the clock, as registers do, and the signals that they drive change after it. So they can be
combined with those of cocotbext-axi, which have the same methods.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import cocotb
from cocotb.task import Task
from cocotb.triggers import Event
from cocotb.utils import get_sim_time

from fatcube.testing.frames import hide_frames
from fatcube.testing.packet import Packet

__all__ = ["Monitor", "Pausing", "ProtocolError", "Source", "high", "now", "unsigned"]

__tracebackhide__ = True


def now() -> str:
    """The simulation time, as the end of a message."""
    return f", at {get_sim_time('ns'):g} ns"


class ProtocolError(AssertionError):
    """A port does not keep the rules of its protocol; the message names the port."""


def high(signal: Any) -> bool:
    """``True`` if a signal of one bit is 1; neither 0 nor X is."""
    return str(signal.value) == "1"


def unsigned(signal: Any, name: str) -> int:
    """The value of a signal as an integer.

    Raises
    ------
    ProtocolError
        If a bit of it is neither 0 nor 1.
    """
    try:
        return int(signal.value)
    except ValueError:
        raise ProtocolError(f"{name}: {signal._name} is {signal.value} where it must be known{now()}") from None


class _End:
    """An end of a port, which runs while there is no reset.

    Parameters
    ----------
    entity : handle of cocotb
        The module that has the port, or an instance of it anywhere in a design.
    prefix : :class:`str`
        The name of the port: that of its signals without ``__payload`` or ``_tdata``.
    clock : handle of cocotb
        The clock of the port.
    reset : handle of cocotb or ``None``
        Its reset. While that is active, the end is silent, and what it has of a packet is dropped.
    reset_active_level : :class:`bool`
        The level at which the reset is active.
    """

    def __init__(
        self, entity: Any, prefix: str, clock: Any, reset: Any = None, *, reset_active_level: bool = True
    ) -> None:
        hide_frames()
        self.name = prefix
        self.entity = entity
        self.clock = clock
        self._task: Task[None] | None = None
        self._bind()
        self._clear()
        self._watching: Task[None] | None = None
        if reset is None:
            self._task = cocotb.start_soon(self._run())
        else:
            self._watching = cocotb.start_soon(self._watch(reset, "01"[reset_active_level]))

    def stop(self) -> None:
        """Take no further part: leave the port to something else."""
        for task in (self._watching, self._task):
            if task is not None:
                task.cancel()

    def _signal(self, name: str) -> Any:
        return getattr(self.entity, f"{self.name}{name}")

    async def _watch(self, reset: Any, active: str) -> None:
        """Run while the reset is known not to be active."""
        while True:
            running = str(reset.value) == "10"[active == "1"]
            if running and self._task is None:
                self._task = cocotb.start_soon(self._run())
            elif not running and self._task is not None:
                self._task.cancel()
                self._task = None
                self._clear()
            await reset.value_change

    def _bind(self) -> None:
        """Find the signals."""
        raise NotImplementedError

    def _clear(self) -> None:
        """Be as after a reset."""
        raise NotImplementedError

    async def _run(self) -> None:
        """Take part in every cycle."""
        raise NotImplementedError


class Pausing:
    """An end that can pause: in single cycles by a generator, or for as long as ``pause`` is set."""

    _generator: Iterator[bool] | None = None
    _pause = False

    @property
    def pause(self) -> bool:
        """Whether it pauses now. Set it to pause by hand; a generator sets it in every cycle."""
        return self._pause

    @pause.setter
    def pause(self, value: bool) -> None:
        self._pause = value
        self._wake_up()

    def set_pause_generator(self, generator: Iterable[bool] | None = None) -> None:
        """Pause as ``generator`` says, one value per cycle: see :mod:`fatcube.testing.pauses`; ``None`` for never.

        A sink asks it in every cycle, a source in those in which it has something to send.
        """
        self._generator = None if generator is None else iter(generator)
        self.pause = False

    def clear_pause_generator(self) -> None:
        """Pause no longer."""
        self.set_pause_generator(None)

    def _wake_up(self) -> None:
        """Check ``pause`` in the next cycle, if it is not checked in every cycle."""

    def _pauses(self) -> bool:
        if self._generator is not None:
            self._pause = next(self._generator, False)
        return self._pause


class Source(_End, Pausing):
    """Sends packets, one after the other.

    Parameters
    ----------
    entity, prefix, clock, reset, reset_active_level
        The port.
    limit : :class:`int`
        Packets that can wait here before :meth:`send` waits; 0 for any number.
    """

    def __init__(
        self,
        entity: Any,
        prefix: str,
        clock: Any,
        reset: Any = None,
        *,
        reset_active_level: bool = True,
        limit: int = 0,
    ) -> None:
        self._waiting: deque[Packet] = deque()
        self._idle, self._wake, self._taken = Event(), Event(), Event()
        self._idle.set()
        self._sending = False
        self._current: Packet | None = None
        self._before = 0  # words that were sent before the current packet
        self.words_sent = 0
        """Words that have been taken since the start."""
        self.limit = limit
        super().__init__(entity, prefix, clock, reset, reset_active_level=reset_active_level)

    async def send(self, packet: Packet) -> None:
        """Queue a packet; where there is a limit, wait for room."""
        while self.limit and len(self._waiting) >= self.limit:
            self._taken.clear()
            await self._taken.wait()
        self.send_nowait(packet)

    def send_nowait(self, packet: Packet) -> None:
        """Queue a packet."""
        self._check(packet)
        self._waiting.append(packet)
        self._idle.clear()
        self._wake.set()

    def _check(self, packet: Packet) -> None:
        """Refuse a packet that cannot be sent here."""
        if not packet.words:
            raise ValueError(f"{self.name}: packet must have at least one word, not none")

    def count(self) -> int:
        """Packets that wait, without the one that is being sent."""
        return len(self._waiting)

    def empty(self) -> bool:
        """``True`` if no packet waits."""
        return not self._waiting

    def idle(self) -> bool:
        """``True`` if everything has been sent."""
        return not self._waiting and not self._sending

    async def wait(self) -> None:
        """Wait until everything has been sent: the last word of the last packet has been taken."""
        await self._idle.wait()

    def standing(self) -> str:
        """The word or packet for which it waits unless it is idle, for a message."""
        word = self.words_sent - self._before
        return f"{self.name} is stalled at word {word} of packet {self._current}, {self.count()} packets behind it"

    def clear(self) -> None:
        """Forget the packets that wait."""
        self._waiting.clear()
        if not self._sending:
            self._idle.set()

    def _next(self) -> Packet:
        """The next packet that waits."""
        self._sending = True
        self._taken.set()
        self._before = self.words_sent
        self._current = self._waiting.popleft()
        return self._current

    async def _rest(self) -> None:
        """Wait until there is something to send."""
        self._sending = False
        self._idle.set()
        self._wake.clear()
        await self._wake.wait()


class Monitor(_End):
    """Receives the packets that cross a port, and holds the port to the rules of its protocol.

    Parameters
    ----------
    entity, prefix, clock, reset, reset_active_level
        The port.
    to : callable or ``None``
        Is given each packet, instead of the queue of :meth:`recv`.
    """

    def __init__(
        self,
        entity: Any,
        prefix: str,
        clock: Any,
        reset: Any = None,
        *,
        reset_active_level: bool = True,
        to: Callable[[Packet], object] | None = None,
    ) -> None:
        self._received: deque[Packet] = deque()
        self._some = Event()
        self._to = self._received.append if to is None else to
        self.words_received = 0
        """Words that have crossed the port since the start."""
        super().__init__(entity, prefix, clock, reset, reset_active_level=reset_active_level)

    async def recv(self) -> Packet:
        """The next packet; waits for it."""
        while not self._received:
            self._some.clear()
            await self._some.wait()
        return self._received.popleft()

    def recv_nowait(self) -> Packet:
        """The next packet.

        Raises
        ------
        IndexError
            If there is none: see :meth:`empty`.
        """
        return self._received.popleft()

    def count(self) -> int:
        """Packets that have arrived and are not received."""
        return len(self._received)

    def empty(self) -> bool:
        """``True`` if no packet is there to be received."""
        return not self._received

    def clear(self) -> None:
        """Forget the packets that have arrived."""
        self._received.clear()

    def idle(self) -> bool:
        """``True`` if no packet has arrived in part."""
        return not self.unfinished()

    def unfinished(self) -> int:
        """The words that have arrived of a packet whose last one has not; on lanes, the most of any channel."""
        raise NotImplementedError

    def _deliver(self, packet: Packet) -> None:
        packet.at = get_sim_time("ns")
        self._to(packet)
        self._some.set()

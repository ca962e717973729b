"""A board on a serial line: the description of its machine, and runs on it."""

from collections.abc import Iterator, Sequence
import random
import time
from typing import Any

from fatcube.groundwork.progress import Bar
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.board_description import MOST_BYTES, machine_of, unpack
from fatcube.noc.machines.board_system import DESCRIPTION, registers_of
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.program import PortStatus
from fatcube.rtl.endpoint.traffic import COUNT, SEQUENCE, Arrivals, TrafficRegion
from fatcube.rtl.router_counters import COUNTERS
from fatcube.sim.board.line import Address, BoardError, Line
from fatcube.sim.builds.job import JobRun, Observation, Read, Write, trace_reads

__all__ = ["Board"]


_REGISTER = 4  # bytes
_LOOK = 0.01  # seconds
_PIECE = 128  # bytes of the description in a request


class Board:
    """A board that has answered with the description of its machine.

    Parameters
    ----------
    line : :class:`Line`
    longest_run : :class:`float`
        Seconds after which a run that has not ended is abandoned. The hardware itself ends a run that stalls.

    Attributes
    ----------
    described : dict
        The description that the board has sent.
    machine : :class:`Machine` or :class:`TrafficMachine`

    Raises
    ------
    BoardError
        If the board does not answer, or its design was not made by this version of fatcube.
    """

    def __init__(self, line: Line, *, longest_run: float = 600.0) -> None:
        self._line = line
        self._longest_run = longest_run
        self.described = self._read_description()
        try:
            self.machine = machine_of(self.described)
        except ParameterError as error:
            raise BoardError(f"the board must be made by this fatcube: {error}") from None
        self._registers = registers_of(self.machine)
        self._numbers = random.SystemRandom()

    def observe(self, runs: Sequence[JobRun], ends: Sequence[str]) -> list[Observation]:
        """The observations of all runs, one after the other, as of :func:`fatcube.sim.builds.observe.observe`.

        Raises
        ------
        BoardError
            If the board stops answering, is reset during a run, or a run does not end.
        """
        observations = []
        with Bar(f"running {len(runs)} run{'s' if len(runs) > 1 else ''} on the board", len(runs)) as bar:
            for run in runs:
                observations.append(self._observe(run, ends))
                bar.advance()
        return observations

    def _observe(self, run: JobRun, ends: Sequence[str]) -> Observation:
        session, launch = (self._numbers.randrange(1, 1 << 32) for _ in range(2))
        self._set("launch", 0)
        self._set("session", session)
        for name, value in run["settings"].items():
            self._set(name, value)
        for node, unit, region, bank, first, words in _joined(run["writes"]):
            self._line.write(Address(node, unit, region, bank, first), words)
        self._set("launch", launch)
        since = time.monotonic()
        while True:
            seen = self._registers_now()
            self._check_session(seen, session, launch)
            if seen["finished"] or seen["stalled"]:
                break
            if time.monotonic() - since > self._longest_run:
                raise BoardError(f"the run must end within {self._longest_run:.0f} s, but has not ended")
            time.sleep(_LOOK)
        status = self._read(run["status"])
        counts = [count for [count] in self._read(run["counts"])]
        traces = self._read(trace_reads(run, counts))
        observation = Observation(
            ends={name: seen[name] for name in ends},
            counters=self._counters(),
            status=[word for [word] in status],
            counts=counts,
            traces=traces,
            payload=self._read(run["reads"]),
        )
        self._check_session(self._registers_now(), session, launch)
        return observation

    def _set(self, name: str, value: int) -> None:
        self._line.write(Address(word=self._registers[name].word), [value])

    def _registers_now(self, node: int = 0) -> dict[str, int]:
        values = self._line.read(Address(node=node), len(self._registers), _REGISTER)
        return dict(zip(self._registers, values))

    @staticmethod
    def _check_session(seen: dict[str, int], session: int, launch: int) -> None:
        """Refuse the registers of a board that was reset, or was used by another program, since the run was set up."""
        if seen["session"] == 0:
            raise BoardError("the board must not be reset during a run; it was, so run it again")
        if (seen["session"], seen["launch"]) != (session, launch):
            raise BoardError("the board must be used by one program at a time, and another one has changed its set-up")

    def _counters(self) -> dict[str, list[int]]:
        seen = [self._registers_now(node) for node in range(self.machine.network.topology.nodes)]
        return {name: [one[name] for one in seen] for name in COUNTERS}

    def _read(self, accesses: Sequence[Read]) -> list[list[int]]:
        return [
            self._line.read(Address(node, unit, region, bank, first), count, self._size(region)) if count else []
            for node, unit, region, bank, first, count in accesses
        ]

    def _size(self, region: int) -> int:
        """Bytes of a word of a region."""
        if isinstance(self.machine, TrafficMachine):
            narrow = {
                TrafficRegion.NUMBERED: SEQUENCE,
                TrafficRegion.USED: COUNT,
                TrafficRegion.ARRIVED: Arrivals().size,
                TrafficRegion.LATENCIES: COUNT,
            }
        else:
            narrow = {Region.PAYLOAD: self.machine.network.options.width, Region.STATUS: PortStatus().size}
        bits = {place.value: size for place, size in narrow.items()}
        return -(-bits.get(region, self.machine.host_width) // 8)

    def _read_description(self) -> dict[str, Any]:
        content = b""
        while len(content) < MOST_BYTES:
            content += bytes(self._line.read(Address(bank=DESCRIPTION, word=len(content)), _PIECE, 1))
            try:
                described = unpack(content)
            except ParameterError as error:
                raise BoardError(f"the board must be made by fatcube: {error}") from None
            if described is not None:
                return described
        raise BoardError("the board must have a design made by fatcube, but sends no description")


def _joined(writes: Sequence[Write]) -> Iterator[Write]:
    """Merge writes to consecutive words, in order, since each write takes a frame."""
    kept: Write | None = None
    for write in writes:
        if kept is not None and write[:4] == kept[:4] and write[4] == kept[4] + len(kept[5]):
            kept = (*kept[:5], [*kept[5], *write[5]])
            continue
        if kept is not None:
            yield kept
        kept = write
    if kept is not None:
        yield kept

"""A generated system in cocotb: its host bus by names, and runs of schedules with all that they are to show."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
import dataclasses
import json
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock

from fatcube.groundwork.validation import ParameterError
from fatcube.sim.builds.host import BusHost
from fatcube.sim.builds.job import Observation
from fatcube.sim.builds.testbench import observed_run
from fatcube.testing.description import Description, WordFormat
from fatcube.testing.ends import high

__all__ = ["HostBus", "SystemAround", "read_runs"]


FORMAT = "fatcube.runs/1"
_COUNTERS = ("flit_count", "conflict_count", "error_count")
_SHOWN = 4  # faults


class HostBus:
    """The host bus of a system: memories, programs and traces, by the names that the description has for them.

    It drives and samples at the falling edge of the clock.

    Parameters
    ----------
    entity : handle of cocotb
        The system.
    about : :class:`Description`
        Its description.
    """

    def __init__(self, entity: Any, about: Description) -> None:
        self._host: Mapping[str, Any] = about.about["host"]
        self._nodes: int = about.about["nodes"]
        self.bus = BusHost(entity)
        self.words = {name: WordFormat(fields) for name, fields in self._host["words"].items()}
        """The formats of the words of ``PROGRAM``, ``STATUS`` and ``TRACE``."""

    def _region(self, name: str) -> int:
        regions = self._host["regions"]
        if name not in regions:
            raise ParameterError(f"region must be one of {', '.join(regions)}, not {name}")
        return regions[name]

    async def write(
        self,
        region: str,
        words: Sequence[int],
        *,
        node: int | None = None,
        unit: int | None = None,
        bank: int = 0,
        word: int = 0,
    ) -> None:
        """Write words, one after the other from ``word`` on.

        Parameters
        ----------
        region : :class:`str`
            ``PAYLOAD``, ``PROGRAM`` or ``HELD``.
        node, unit : :class:`int` or ``None``
            The node, and the processor of it; all of them if not given.
        bank, word : :class:`int`
            The bank and the first word.
        """
        every = self._host["every"]
        place = (every if node is None else node, every if unit is None else unit, self._region(region), bank, word)
        await self.bus.write([(*place, [*words])])

    async def read(
        self, region: str, count: int = 1, *, node: int, unit: int, bank: int = 0, word: int = 0
    ) -> list[int]:
        """A list of ``count`` words, from ``word`` on: of ``PAYLOAD``, ``STATUS`` or ``TRACE``."""
        [values] = await self.bus.read([(node, unit, self._region(region), bank, word, count)])
        return values

    async def counters(self) -> dict[str, list[int]]:
        """The counters of the routers of all nodes, by name."""
        return await self.bus.counters(self._nodes, _COUNTERS)


@dataclasses.dataclass(frozen=True)
class ScheduleRun:
    """A run of a schedule, and what it is to show: see :class:`fatcube.sim.collectives.written.WrittenRun`."""

    mode: str
    written: Mapping[str, Any]


def read_runs(path: Path | str) -> dict[str, ScheduleRun]:
    """The runs in a file beside a system, by their modes, ``lockstep`` and ``dataflow``.

    Raises
    ------
    ParameterError
        If the file has another format.
    """
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if found.get("format") != FORMAT:
        raise ParameterError(f"format must be {FORMAT}, not {found.get('format')!r}")
    return {mode: ScheduleRun(mode, written) for mode, written in found["runs"].items()}


class SystemAround:
    """A system, which is the top module: its clock and its host bus.

    Parameters
    ----------
    entity, about
        As in :class:`HostBus`.
    """

    def __init__(self, entity: Any, about: Description) -> None:
        self.entity, self.about = entity, about
        self.host = HostBus(entity, about)

    def start_clock(self) -> None:
        """Drive the clock."""
        cocotb.start_soon(Clock(self.entity.clk, 10, "ns").start())

    async def run(self, run: ScheduleRun) -> None:
        """Load the memories, run the schedule from reset, and hold what is read back against what it is to show.

        Raises
        ------
        AssertionError
            If anything is different; the message says where, and lists the first of all faults.
        """
        running = cocotb.start_soon(self._cycles())
        ends = ("finished", "stalled", "steps", "cycles")
        observation = await observed_run(
            self.entity,
            self.host.bus,
            run.written["job"],
            ends=ends,
            nodes=self.about.about["nodes"],
            counters=_COUNTERS,
        )
        cycles = running.result() if running.done() else None
        faults = [*self._faults(run, observation, cycles)]
        more = f"; and {len(faults) - _SHOWN} more faults" if len(faults) > _SHOWN else ""
        assert not faults, f"{run.mode}: {'; '.join(faults[:_SHOWN])}{more}"

    async def _cycles(self) -> int:
        """The cycles in which ``running`` is 1, counted here."""
        edge, running, cycles = self.entity.clk.rising_edge, self.entity.running, 0
        while not cycles or high(running):
            await edge
            cycles += high(running)
        return cycles

    def _faults(self, run: ScheduleRun, seen: Observation, cycles: int | None) -> Iterator[str]:
        written, ends = run.written, seen.ends
        if ends["stalled"]:
            yield f"the run stalled after {ends['steps']} steps and {ends['cycles']} cycles"
        elif ends["steps"] != written["steps"]:
            yield f"the hardware counted {ends['steps']} steps, not {written['steps']}"
        if ends["cycles"] != cycles:
            yield f"the hardware counted {ends['cycles']} cycles, and the testbench {cycles}"
        if not ends["stalled"] and written.get("cycles", ends["cycles"]) != ends["cycles"]:
            yield f"the run took {ends['cycles']} cycles, not {written['cycles']}"
        for node, conflicts in enumerate(seen.counters["conflict_count"] if run.mode == "lockstep" else ()):
            if conflicts:
                yield f"node {node}: packets waited for each other in {conflicts} cycles"
        for node, errors in enumerate(seen.counters["error_count"]):
            if errors:
                yield f"node {node}: {errors} headers requested a turn that does not exist"
        yield from self._wires(written, seen)
        for delivery, found in zip(written["deliveries"], seen.payload, strict=True):
            different = [place for place, pair in enumerate(zip(found, delivery["words"])) if pair[0] != pair[1]]
            if different:
                [place, *_] = different
                yield (
                    f"{delivery['where']} differs in {len(different)} of {len(found)} words, first in word {place}: "
                    f"{found[place]:#x}, not {delivery['words'][place]:#x}"
                )

    def _wires(self, written: Mapping[str, Any], seen: Observation) -> Iterator[str]:
        """The packets that crossed each wire against those that were to."""
        trace, header = self.host.words["TRACE"], self.about.header
        monitors = self.about.about["monitors"]
        for monitor, expected, entries in zip(monitors, written["wires"], seen.traces, strict=True):
            crossed = Counter[tuple[int, ...]]()
            for word in entries:
                entry = trace.unpack(word)
                message = header.unpack(entry["header"])["message_id"]
                crossed[entry["step"], message, entry["flits"], entry["signature"]] += 1
            due = Counter(
                tuple(packet[key] for key in ("step", "message", "flits", "signature")) for packet in expected
            )
            for what, packets in (("is missing", due - crossed), ("should not have crossed", crossed - due)):
                for step, message, flits, _ in sorted(packets.elements()):
                    when = f" in step {step}" if step else ""
                    yield f"{monitor['wire']}: message {message}{when}, of {flits} flits, {what}"

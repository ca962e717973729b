"""The cocotb testbench: it loads, starts, waits and reads back. It knows the host bus and nothing else.

The file that ``FATCUBE_JOB`` names has all writes and reads; the values read go into the file that the job names.
Signals are driven and sampled at the falling edge, half a cycle from where registers change, so every simulator sees
the same values.
"""

from collections.abc import Sequence
import json
import os
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, First, RisingEdge

from sim.job import Job, JobRun, Observation, Read, Write

_EVERY = 0xFFFF
_READ_LATENCY = 2


class _Host:
    """The host bus of a system."""

    _names = ("node", "unit", "region", "bank", "word", "write", "data")

    def __init__(self, dut: Any) -> None:  # cocotb finds the signals of a design by their names
        self.dut = dut
        self._signals = [getattr(dut, name) for name in self._names]
        self._driven: list[int | None] = [None] * len(self._names)

    def _drive(self, *values: int) -> None:
        for index, value in enumerate(values):
            if value != self._driven[index]:
                self._signals[index].value = value
                self._driven[index] = value

    async def write(self, accesses: Sequence[Write]) -> None:
        """Carry out the writes, one per cycle."""
        for node, unit, region, bank, word, data in accesses:
            self._drive(node, unit, region, bank, word, 1, data)
            await FallingEdge(self.dut.clk)
        self._drive(0, 0, 0, 0, 0, 0, 0)
        await FallingEdge(self.dut.clk)

    async def read(self, accesses: Sequence[Read], signals: Sequence[Any] = ()) -> list[list[int]]:
        """The values of ``signals`` after each read; one read per cycle, pipelined."""
        signals = signals or [self.dut.value]
        values = []
        for index in range(len(accesses) + _READ_LATENCY):
            if index < len(accesses):
                self._drive(*accesses[index], 0, 0)
            if index >= _READ_LATENCY:
                values.append([int(signal.value) for signal in signals])
            await FallingEdge(self.dut.clk)
        return values


async def _run(dut: Any, host: _Host, run: JobRun, nodes: int) -> Observation:
    dut.rst.value = 1
    dut.start.value = 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst.value = 0
    for name, value in run["settings"].items():
        getattr(dut, name).value = value
    await host.write(run["writes"])

    dut.start.value = 1
    await First(RisingEdge(dut.finished), RisingEdge(dut.stalled))
    await FallingEdge(dut.clk)
    dut.start.value = 0
    end = {name: int(getattr(dut, name).value) for name in ("finished", "stalled", "steps", "cycles")}

    counters = await host.read([(node, 0, 0, 0, 0) for node in range(nodes)], [dut.flit_count, dut.conflict_count])
    status = [value for (value,) in await host.read(run["status"])]

    # The counts of each monitor come first, as they say how much of its trace there is to read.
    counts = [value for (value,) in await host.read(run["counts"])]
    packets_seen: list[Read] = []
    for (node, unit, region, bank, _), count in zip(run["counts"], counts):
        packets = min(count & 0xFFFFFFFF, run["trace_depth"])
        packets_seen += [(node, unit, region, bank, word) for word in range(packets)]
    traces = [value for (value,) in await host.read(packets_seen)]
    payload = [value for (value,) in await host.read(run["reads"])]
    return Observation(
        **end,
        flits=[flits for flits, _ in counters],
        conflicts=[conflicts for _, conflicts in counters],
        status=status,
        counts=counts,
        traces=traces,
        payload=payload,
    )


@cocotb.test()
async def runs(dut: Any) -> None:
    """Carry out all runs of the job, one after the other, each from reset."""
    path = Path(os.environ["FATCUBE_JOB"])
    job: Job = json.loads(path.read_text())
    for name in ("start", *(name for run in job["runs"][:1] for name in run["settings"])):
        getattr(dut, name).value = 0
    host = _Host(dut)
    host._drive(0, 0, 0, 0, 0, 0, 0)
    cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
    with open(job["results"], "w") as results:
        for run in job["runs"]:
            results.write(json.dumps(vars(await _run(dut, host, run, job["nodes"]))) + "\n")

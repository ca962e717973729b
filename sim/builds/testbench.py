"""The cocotb testbench: it loads, starts, waits and reads back. It knows addresses on the host bus and nothing else.

The file that ``FATCUBE_JOB`` names has all writes and reads; the values read go into the file that the job names.
Signals are driven and sampled at the falling edge, half a cycle from where registers change, so that the values are the
same in every simulator.
"""

from collections.abc import Sequence
import json
import os
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, First, RisingEdge

from fatcube.sim.builds.feeding import Feeder
from fatcube.sim.builds.host import BusHost, Host, NodesHost
from fatcube.sim.builds.job import Job, JobRun, Observation, trace_reads

__all__ = ["observed_run"]


_SOON = 64  # cycles


async def _reset(dut: Any) -> None:
    dut.rst.value = 1
    await ClockCycles(dut.clk, 2, FallingEdge)
    dut.rst.value = 0


async def _start(dut: Any, host: Host, run: JobRun) -> None:
    await host.write(run["writes"])
    # Whose turn it is in a router that copies goes round with the cycles since reset. A run begins a fixed number of
    # them later, however long loading has taken; what was loaded stays, as memories have no reset.
    await _reset(dut)
    await ClockCycles(dut.clk, 2, FallingEdge)  # in which processors fetch the first entries of their programs
    dut.start.value = 1


async def _fed(dut: Any, host: Host, run: JobRun, nodes: int) -> Feeder:
    """Give a run that has begun its packets, and see it to its end."""
    assert isinstance(host, NodesHost) and "feed" in run
    feeder = Feeder(host, run["feed"], lambda: sum(host.counted(nodes, "flit_count")))
    goes_on = True
    while goes_on and feeder.more:
        await ClockCycles(dut.clk, feeder.give(), FallingEdge)
        goes_on = feeder.take(int(dut.cycles.value))
    # Anything that a source has just taken moves by then.
    await ClockCycles(dut.clk, _SOON, FallingEdge)
    dut.timeout.value = run["feed"]["timeout"]
    while not int(dut.finished.value) | int(dut.stalled.value):
        await ClockCycles(dut.clk, _SOON, FallingEdge)
        feeder.take(int(dut.cycles.value))
    return feeder


async def observed_run(
    dut: Any, host: Host, run: JobRun, *, ends: Sequence[str], nodes: int, counters: Sequence[str]
) -> Observation:
    """Load a system, run it, and read everything back.

    Parameters
    ----------
    dut : handle of cocotb
        The system, whose clock runs.
    host : :class:`Host`
        The way to its units.
    run : :class:`JobRun`
        The data to load and to read.
    ends : list of :class:`str`
        The outputs that are read at the end of the run.
    nodes, counters
        The nodes, and the counters of each that are read.
    """
    dut.start.value = 0
    await _reset(dut)
    for name, value in run["settings"].items():
        getattr(dut, name).value = value
    for cut in run.get("cuts", []):
        await _start(dut, host, run)
        await ClockCycles(dut.clk, cut, FallingEdge)
        dut.start.value = 0
        await _reset(dut)
    await _start(dut, host, run)
    feeder = await _fed(dut, host, run, nodes) if "feed" in run else None
    if feeder is None:
        await First(RisingEdge(dut.finished), RisingEdge(dut.stalled))
        await FallingEdge(dut.clk)
    dut.start.value = 0
    end = {name: int(getattr(dut, name).value) for name in ends}
    if feeder is not None:
        end |= {"cycles": feeder.cycle_of(end["cycles"]), "unknown": feeder.unknown}

    await ClockCycles(dut.clk, run["drain"], FallingEdge)
    counted = await host.counters(nodes, counters)
    status = await host.read(run["status"])
    counts = [count for [count] in await host.read(run["counts"])]
    traces = await host.read(trace_reads(run, counts))
    return Observation(
        ends=end,
        counters=counted,
        status=[word for [word] in status],
        counts=counts,
        traces=traces,
        payload=await host.read(run["reads"]),
    )


@cocotb.test()
async def runs(dut: Any) -> None:
    """Carry out all runs of the job, one after the other, each from reset, with nothing in its memories."""
    path = Path(os.environ["FATCUBE_JOB"])
    job: Job = json.loads(path.read_text())
    for name in ("start", *(name for run in job["runs"][:1] for name in run["settings"])):
        getattr(dut, name).value = 0
    host = BusHost(dut) if job["lanes"] is None else NodesHost(job["lanes"], job["waves"])
    cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
    with open(job["results"], "w") as results:
        for number, run in enumerate(job["runs"]):
            if number:
                host.clear()
            observation = await observed_run(
                dut, host, run, ends=job["ends"], nodes=job["nodes"], counters=job["counters"]
            )
            results.write(json.dumps(vars(observation)) + "\n")
            results.flush()  # so that they can be counted meanwhile
    host.close()

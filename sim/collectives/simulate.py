"""Simulation of schedules on the hardware, with measurements and faults."""

from collections.abc import Sequence
import itertools
from pathlib import Path
import random

from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.lanes import Links
from fatcube.noc.machines.distributed import assignment_of
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.wires import LaneWire
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.banks import ALL_BANKS
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.endpoint.program import PortStatus
from fatcube.schedules.schedule import Schedule
from fatcube.sim.builds.build import build
from fatcube.sim.builds.job import COUNTS, EVERY, JobRun, Observation, Write
from fatcube.sim.builds.observe import Observer, observe
from fatcube.sim.builds.words import packer, unpacker
from fatcube.sim.collectives.flow import by_step
from fatcube.sim.collectives.judge import Payload, judge
from fatcube.sim.collectives.plan import Plan
from fatcube.sim.collectives.planned import plans_of
from fatcube.sim.collectives.run import Run, RunResult

__all__ = [
    "Run",
    "RunResult",
    "fitting_machine",
    "jobs_of",
    "longest_packet_of",
    "payload_of",
    "simulate",
    "simulate_all",
]


_DRAIN = 32  # cycles after a run for a packet to cross the network, besides those for its flits


def fitting_machine(
    network: Network,
    *,
    payload_flits: int = 16,
    steps: int = 0,
    messages: int | None = None,
    memory_words: int | None = None,
    reductions: bool = False,
    monitors: str = "all",
    probes: bool = False,
    combining: bool = False,
    distributed: Rule | None = None,
) -> Machine:
    """A machine on ``network`` with room for every collective, so that one build serves all of them.

    On up to 64 processors the message memories hold every message of an all-to-all. On more they hold one message
    per processor, or four with reductions (which need one for each sum, one for each partial sum, and some for
    processors that go on adding after they have sent). Only schedules of more than 511 steps, or payloads that do
    not fit, make a larger machine.

    Parameters
    ----------
    payload_flits : :class:`int`
        The longest payload.
    steps : :class:`int`
        The most steps of a schedule, or entries of its programs where packets have several messages.
    messages : :class:`int` or ``None``
        The most messages of a schedule, if the memories need not have room for every collective.
    memory_words : :class:`int` or ``None``
        Words in each bank, regardless of ``messages`` and ``payload_flits``.
    reductions : :class:`bool`
        The processors can add, which AOR, AAR and all-reduce need.
    monitors : :class:`str`
        The wires that are traced: one of :data:`fatcube.noc.machines.machine.MONITORS`.
    probes : :class:`bool`
        Every wire has a probe, which waves need.
    combining : :class:`bool`
        Packets have several messages, in dataflow too.
    distributed : :class:`Rule` or ``None``
        The processors have no programs, and compute to whom they send by this rule.
    """
    check_integer("payload flits", payload_flits, minimum=1, maximum=MOST_FLITS - 1)
    processors = network.topology.processors
    if messages is None:
        pairs = processors * processors if processors <= 64 else processors * (4 if reductions else 1)
        messages = pairs * network.parts
    slot = 1 << max(4, ceil_log2(payload_flits))
    words = max(1 << 14, (1 << ceil_log2(messages)) * slot) if memory_words is None else memory_words
    return Machine(
        network=network,
        memory_words=words,
        program_entries=max(512, 1 << ceil_log2(steps + 1)),
        reductions=reductions,
        monitors=monitors,
        probes=probes,
        combining=combining,
        distributed=distributed,
    )


def longest_packet_of(schedule: Schedule, payload_flits: int) -> int:
    """Flits of the longest packet of a schedule: a header and a payload for each message in it."""
    packets = (packet for _, transfers in by_step(schedule) for packet in schedule.packets(transfers))
    return max(map(len, packets), default=1) * (payload_flits + 1)


def simulate(machine: Machine, run: Run, *, simulator: str = "verilator", links: Links | None = None) -> RunResult:
    """The :class:`RunResult` of one run: see :func:`simulate_all`."""
    return simulate_all(machine, [run], simulator=simulator, links=links)[0]


def simulate_all(
    machine: Machine,
    runs: Sequence[Run],
    *,
    plans: Sequence[Plan] | None = None,
    simulator: str = "verilator",
    links: Links | None = None,
    waves: Path | None = None,
    waves_of: Sequence[int] | None = None,
    observer: Observer | None = None,
    places: Sequence[int] | None = None,
) -> list[RunResult]:
    """The results of several runs on one machine, which is built once.

    Parameters
    ----------
    machine : :class:`Machine`
    runs : list of :class:`Run`
    plans : list of :class:`Plan`
        Plans other than those that follow from the schedules, to load the processors and to compare the runs with:
        for tests of the checks.
    simulator : :class:`str`
        ``"verilator"`` or ``"icarus"``.
    links : dict
        Components to put into single directions of lanes: see :func:`fatcube.sim.builds.build.build`.
    waves : path or ``None``
        A VCD file for the waves of all runs, one after the other: of a machine with probes, and of ``"verilator"``.
    waves_of : list of :class:`int` or ``None``
        The nodes whose waves are written; all if not given.
    observer : :data:`fatcube.sim.builds.observe.Observer` or ``None``
        Where the runs are carried out, if not on a simulator that is built here.
    places : list of :class:`int` or ``None``
        The place of each run in the list that its payloads are those of, where several lists are run together.

    Raises
    ------
    ParameterError
        If a schedule is for another network, is longer than the program memory, is a reduction for a machine
        without, or needs more message ids than there are; if a payload does not fit into the message memory, or a
        packet has more flits than a monitor counts or a router passes on; if there are no waves of this machine or simulator, or no such node.
    """
    if waves is not None and not (machine.probes and simulator == "verilator"):
        raise ParameterError("waves must be of a machine with probes, simulated with verilator")
    nodes = machine.network.topology.nodes
    for node in waves_of or ():
        check_integer("waves node", node, minimum=0, maximum=nodes - 1)
    for run in runs:
        flits = longest_packet_of(run.schedule, run.payload_flits)
        if flits > MOST_FLITS:
            raise ParameterError(
                f"packets must have at most {MOST_FLITS} flits, which is what a monitor counts, not {flits}"
            )
        machine.network.options.check_packet(flits)
        if run.schedule.collective.reduction and not machine.reductions:
            raise ParameterError(
                f"reductions must be True for a machine that runs {run.schedule.collective.value}, not False"
            )
        if run.last_flits not in (None, run.payload_flits) and not machine.parted:
            raise ParameterError("parts of the network must be more than 1 for a shorter last part, not 1")
        if run.schedule.per_packet > 1 and not run.lockstep and not machine.combining:
            raise ParameterError(
                "combining must be True for a machine that runs packets of several messages in dataflow, not False"
            )
    plans = plans or plans_of(machine, runs)
    slot_shifts = [_slot_shift(machine, run, plan) for run, plan in zip(runs, plans)]
    built = None if observer else build(machine, simulator=simulator, links=links)
    payloads = [payload_of(machine, *one) for one in zip(runs, plans, places or itertools.count())]
    jobs = [
        _job(machine, run, plan, payload, slot_shift)
        for run, plan, payload, slot_shift in zip(runs, plans, payloads, slot_shifts)
    ]
    ends = ("finished", "stalled", "steps", "cycles")
    if observer:
        observations = observer(jobs, ends)
    else:
        assert built is not None
        observations = observe(built, jobs, ends=ends, waves=waves, waves_of=waves_of or range(nodes))
    return [
        _result(machine, run, plan, payload, observation)
        for run, plan, payload, observation in zip(runs, plans, payloads, observations)
    ]


def jobs_of(machine: Machine, runs: Sequence[Run]) -> list[JobRun]:
    """Everything that the testbench writes and reads in these runs: it identifies them."""
    plans = plans_of(machine, runs)
    return [
        _job(machine, run, plan, payload_of(machine, run, plan, number), _slot_shift(machine, run, plan))
        for number, (run, plan) in enumerate(zip(runs, plans))
    ]


def _slot_shift(machine: Machine, run: Run, plan: Plan) -> int:
    """The base-2 logarithm of the words that a message takes."""
    entries = max((len(port) for processor in plan.programs for port in processor), default=0) + 1
    if entries > machine.program_entries:
        what = "steps" if run.schedule.per_packet == 1 else "steps and messages that share packets"
        raise ParameterError(
            f"program entries must be an integer of at least {entries} for {entries - 1} {what}, "
            f"not {machine.program_entries}"
        )
    slot_shift = ceil_log2(run.payload_flits)
    messages, words = len(plan.messages), machine.memory_words
    if words < messages:
        raise ParameterError(
            f"memory words must be an integer of at least {messages} for {messages} messages, not {words}"
        )
    if words >> slot_shift < messages:
        most = 1 << (words // messages).bit_length() - 1
        raise ParameterError(
            f"payload flits must be an integer from 1 to {most} for {messages} messages in a "
            f"memory of {words} words, not {run.payload_flits}"
        )
    return slot_shift


def payload_of(machine: Machine, run: Run, plan: Plan, number: int) -> Payload:
    """Random words for each message or contribution that is loaded, by its processor and id.

    They are the same for the same seed and place in the list of runs. Each place has others, because words that a run
    leaves in the memories of a board must not pass for those that the next run delivers.
    """
    dice = random.Random(f"{run.seed} {number}")
    width = machine.network.options.width
    return {
        place: [dice.getrandbits(width) for _ in range(run.flits_of(plan.messages[number]))]
        for place, number in plan.initial.items()
    }


def _job(machine: Machine, run: Run, plan: Plan, payload: Payload, slot_shift: int) -> JobRun:
    """The writes and reads of the testbench."""
    topology = machine.network.topology
    ports = machine.network.processor_ports

    def unit(processor: int) -> tuple[int, int]:
        return topology.node_of(processor), topology.local_of(processor)

    # Of what an earlier run left, arrivals are cleared; words are not, as nothing but an arrival makes them count.
    writes: list[Write] = [
        (EVERY, EVERY, Region.HELD.value, bank, 0, [0] * len(plan.messages)) for bank in range(ports)
    ]
    pack = packer(machine.program_entry)
    end = 1 << machine.program_entry["end"].offset
    for processor, programs in enumerate(plan.programs):
        for port, entries in enumerate(programs):
            words = [pack(entry) for entry in entries]
            writes.append((*unit(processor), Region.PROGRAM.value, port, 0, [*words, end]))
    for processor, (source, parts) in enumerate(plan.assignments):
        word = source | parts << assignment_of(machine.network)["parts"].offset
        writes.append((*unit(processor), Region.PROGRAM.value, 0, 0, [word]))
    for place, number in plan.initial.items():
        processor, _ = place
        writes.append((*unit(processor), Region.PAYLOAD.value, 0, number << slot_shift, payload[place]))
        writes.append((*unit(processor), Region.HELD.value, 0, number, [1]))

    settings = {
        "lockstep": int(run.lockstep),
        "payload_flits": run.payload_flits,
        "slot_shift": slot_shift,
        "reduced": plan.reduced,
        "last_flits": run.payload_flits if run.last_flits is None else run.last_flits,
        "last_from": plan.last_parts.start,
        "last_to": plan.last_parts.stop,
    }
    return {
        "settings": {name: settings[name] for name in machine.settings} | {"timeout": run.timeout},
        "writes": writes,
        "drain": _DRAIN + 2 * run.schedule.per_packet * (run.payload_flits + 1),
        "trace_depth": machine.program_entries,
        "status": [
            (*unit(processor), Region.STATUS.value, port, 0, 1)
            for processor in range(topology.processors)
            for port in range(ports)
        ],
        "counts": [(node, unit, Region.TRACE.value, 0, COUNTS, 1) for node, unit in machine.wires.values()],
        "reads": [
            (
                *unit(delivery.processor),
                Region.PAYLOAD.value,
                ALL_BANKS if delivery.bank is None else delivery.bank,
                delivery.slot << slot_shift,
                run.flits_of(delivery.message),
            )
            for delivery in plan.final
        ],
    }


def _result(machine: Machine, run: Run, plan: Plan, payload: Payload, observation: Observation) -> RunResult:
    topology = machine.network.topology
    counts = dict(zip(machine.wires, observation.counts))
    lane_flits = utilisation = None
    if machine.monitors != "none":
        lane_flits = sum(count >> 32 for wire, count in counts.items() if isinstance(wire, LaneWire))
        if topology.lanes:
            utilisation = lane_flits / (topology.lanes * max(1, observation.ends["cycles"]))
    statuses = [*map(unpacker(PortStatus()), observation.status)]
    delivered, failures = judge(machine, run, plan, payload, observation, statuses)
    return RunResult(
        steps=observation.ends["steps"],
        cycles=observation.ends["cycles"],
        conflicts=sum(observation.counters["conflict_count"]),
        flits=sum(observation.counters["flit_count"]),
        lane_flits=lane_flits,
        lane_utilisation=utilisation,
        delivered=delivered,
        barriers=tuple(plan.barriers),
        failures=tuple(failures),
    )

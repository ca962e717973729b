"""Sends random traffic through routers, of which nothing may be lost: `make soak`, and for half a minute `make test`.

    python -m tests.support.soak --seed 1
    python -m tests.support.soak --only "b alone" --flits 1000000

The four router models first, then routers whose options cover every pair of values that go together. Every run has its
own rate, lengths from one flit on, pauses of sinks and of sources within packets, and its own ways: legal ones; turns
that are not there and outputs that do not exist, here and in the next router; in model b masks of legal and illegal
bits, and copies to several outputs. Some runs are cut by resets in full traffic and begun anew. Each packet must
arrive once, whole, in order, where it was sent, and routers must count an error for each illegal header and no other.
The first run of each machine is done three times, the second time behind cuts: the three must be alike to the cycle.
What breaks that is printed with its seed; exit status 1.

Copies to several outputs are for a router alone: in a network they can wait for each other in a ring. With virtual
channels, the packets from one endpoint to another keep to one class of one channel, and with it to their order.
Packets that are longer than the longest, and sources that stop until a timeout, have tests of their own.
"""

import argparse
import dataclasses
import itertools
import random
import sys
import time

from amaranth.utils import ceil_log2

from fatcube.groundwork.progress import be_quiet
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.traffic_machine import Destination, TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.traffic import RATE_UNITS, Traffic, run_traffic
from tests.support.covering import Covering

__all__ = ["Case", "MODELS", "Outcome", "cover", "every_case", "soak"]


MODEL_FLITS = 100_000_000
OPTION_FLITS = 1_000_000
#: The most that :func:`ways_of` gives: legal ones, illegal ones; one copy, several, and an illegal one of several.
WAYS = 8 + 4 + 2 + 3 + 1
#: Flits of a run, about: few enough that all packets of a source have numbers of their own, and that a run is soon over.
RUN_FLITS = 1_000_000
#: Cycles of the runs that are compared, and by whose flits the others are made so long.
FIRST_CYCLES = 2000
#: Cycles without a moving flit that end a run. With every pause at its longest, one moves sooner.
STILL = 3000
LONGEST = 8
#: Cycles: so few that in full traffic most set-ups that have to wait are refused.
SETUP_RETRY = 4
#: Longer than any source rests within a packet, so that no packet may be ended.
STOP_TIMEOUT = 1000


@dataclasses.dataclass(frozen=True)
class Case:
    """A router alone, or a small network, to be soaked."""

    topology: FatCube
    options: RouterOptions
    alone: bool = True

    @property
    def machine(self):
        """The component to simulate."""
        return TrafficMachine(
            network=Network(self.topology, self.options), alone=self.alone, queue=16, bins=2, ways=WAYS
        )

    def __str__(self):
        default = RouterOptions()
        values = {name: getattr(self.options, name) for name in self.options.names()}
        given = {name: value for name, value in values.items() if value != getattr(default, name)}
        given.pop("ports", None)
        others = " ".join(f"{name.replace('_', '-')}={value}" for name, value in given.items())
        return f"{self.options.ports.value} {'alone' if self.alone else 'network'} {others}".rstrip()


@dataclasses.dataclass
class Outcome:
    """The traffic of a case, and its faults."""

    flits: int = 0
    packets: int = 0
    illegal: int = 0
    errors: int = 0
    resets: int = 0
    cycles: int = 0
    per_second: float = 0.0
    wrong: list = dataclasses.field(default_factory=list)

    def add(self, run, result, machine):
        """Count a run."""
        self.flits += round(result.delivered * run.measured * machine.endpoints)
        self.packets += result.arrived
        self.illegal += result.illegal
        self.errors += result.errors
        self.resets += len(run.cuts)
        self.cycles += result.cycles + sum(run.cuts)
        self.wrong += [f"{failure}: {run_text(run)}" for failure in result.failures]


def run_text(run):
    """A line that identifies a run."""
    return ", ".join(f"{name} {value}" for name, value in vars(run).items() if name != "destinations")


# What is asked of a router.


def ways_of(machine, endpoint, dice):
    """Random ways of an endpoint, legal and not."""
    legal = machine.destinations(endpoint)
    if machine.network.options.channel_classes > 1:
        legal = [_in_class(machine, way, dice) for way in legal]
    lengths = [0, 0, 1, dice.randint(1, _longest(machine))]
    ways = [dice.choice(legal)._replace(flits=dice.choice(lengths)) for _ in range(8)]
    illegal = list(_illegal_routes(machine, endpoint, legal))
    for _ in range(dice.choice((0, 1, 4)) if illegal else 0):
        flits = dice.choice((0, 1, 2, 3, _longest(machine)))
        ways.append(Destination(endpoint, dice.choice(illegal), flits, unnumbered=True, illegal=True))
    if machine.header.copies:
        ways += _copies(machine, endpoint, legal, dice)
    return ways


def _longest(machine):
    return machine.network.options.longest_packet or 40


def _in_class(machine, way, dice):
    """The way on a class of channels of its lane, if it has one."""
    header = machine.header
    bits = header.selector_bits - header.class_bits
    output = way.route & (1 << bits) - 1
    if output < header.processor_outputs:
        return way
    return way._replace(route=way.route | dice.randrange(machine.network.options.channel_classes) << bits)


def _illegal_routes(machine, endpoint, legal):
    """Every selector for which there is no turn, at the first router and behind each lane; in model b, masks."""
    header, router = machine.header, machine.network.router()
    node, number = machine.places[endpoint]
    number, _ = machine.ports[number]
    from_processor = number < router.processor_ports
    selectors = range(1 << header.selector_bits)
    if header.copies and from_processor:
        missing = [output for output in range(header.outputs) if output not in router.reach(number)]
        yield from (sum(1 << output for output in chosen) for chosen in _subsets(missing))
    else:
        yield from (selector for selector in selectors if selector not in _turns(router, number))
    if machine.alone:
        return
    for way in legal:
        if header.copies:
            lanes = [lane for lane in range(header.lane_outputs) if way.route >> header.processor_outputs + lane & 1]
        else:
            output = way.route & (1 << ceil_log2(header.outputs)) - 1
            lanes = [output - header.processor_outputs] if output >= header.processor_outputs else []
        for lane in lanes:
            place = header.branch(lane).start if header.copies else header.selector_bits
            kept = way.route & ~((1 << header.selector_bits) - 1 << place)
            channel, beside = divmod(lane, router.lanes)
            _, back = machine.network.topology.neighbour(node, channel)
            behind = _turns(router, router.lane_port(back, beside))
            yield from (kept | selector << place for selector in selectors if selector not in behind)


def _turns(router, number):
    """The selectors of the turns that are there from an input."""
    reach = router.reach(number)
    return {
        router.header.selector(target.output, target.channels[0]) for target in router.targets if target.output in reach
    }


def _subsets(outputs):
    return itertools.chain.from_iterable(itertools.combinations(outputs, number) for number in range(len(outputs) + 1))


def _copies(machine, endpoint, legal, dice):
    """Masks with an illegal bit beside a legal one; of a router alone, also with several legal ones."""
    router = machine.network.router()
    number, _ = machine.ports[machine.places[endpoint][1]]
    if number >= router.processor_ports:
        return
    missing = [1 << output for output in range(router.crossbar_ports) if output not in router.reach(number)]
    for _ in range(dice.randint(0, 2) if missing else 0):
        way = dice.choice(legal)
        yield way._replace(route=way.route | dice.choice(missing), illegal=True)
    if machine.alone:
        several = dice.sample(legal, dice.randint(2, len(legal)))
        route = sum(way.route for way in several)
        copies = tuple(way.destination for way in several)
        for _ in range(dice.randint(0, 3)):
            yield Destination(endpoint, route, copies=copies)
        if missing:
            yield Destination(endpoint, route | dice.choice(missing), illegal=True, copies=copies)


def random_run(machine, dice, cycles):
    """A run in which packets are created for so many cycles."""
    busy = dice.random() < 0.7
    return Traffic(
        rate=RATE_UNITS - 1 if busy else dice.randrange(500, 8000),
        packet_flits=dice.randint(1, dice.choice((3, _longest(machine)))),
        measured=cycles,
        pause=dice.choice((0, 0, 3000, 20_000, 50_000)),
        source_pause=dice.choice((0, 0, 3000, 20_000, 50_000)),
        seed=dice.randrange(1 << 30),
        timeout=STILL,
        cuts=[dice.randrange(1, 3000) for _ in range(dice.choice((0, 0, 0, 1, 3)))],
        destinations=[ways_of(machine, endpoint, dice) for endpoint in range(machine.endpoints)],
    )


def soak(case, *, flits, seed, say=lambda outcome: None):
    """Put ``flits`` through a case; ``say`` is told how far it is. The seed and the case say all that happens."""
    machine, outcome = case.machine, Outcome()
    dice = random.Random(f"{seed} {case}")

    def carry(runs):
        begun, before = time.monotonic(), outcome.cycles
        results = run_traffic(machine, runs)
        seconds = time.monotonic() - begun
        for run, result in zip(runs, results):
            outcome.add(run, result, machine)
        outcome.per_second = (outcome.cycles - before) / seconds  # of the latest runs; everything is built before
        say(outcome)
        return results

    first = dataclasses.replace(random_run(machine, dice, FIRST_CYCLES), rate=RATE_UNITS - 1, pause=3000, cuts=[])
    cut = dataclasses.replace(first, cuts=[dice.randrange(1, FIRST_CYCLES) for _ in range(3)])
    plain, *others = carry([first, cut, first])
    for again, what in zip(others, ("behind resets in the middle", "after those")):
        if again != plain:
            outcome.wrong.append(f"a run {what} is another than after power-up: {run_text(cut)}")
    while outcome.flits < flits and not outcome.wrong:
        missing = flits - outcome.flits
        number = min(20, max(4, missing // RUN_FLITS))
        cycles = min(RUN_FLITS, missing / number + 1000) * outcome.cycles / max(outcome.flits, 1)
        runs = [random_run(machine, dice, int(cycles)) for _ in range(number)]
        if not any(run.cuts for run in runs):
            runs[0] = dataclasses.replace(runs[0], cuts=[1 + int(cycles) // 2])
        carry(runs)
    endpoints = range(machine.endpoints)
    if not outcome.illegal and any(list(_illegal_routes(machine, one, machine.destinations(one))) for one in endpoints):
        outcome.wrong.append("there were no illegal headers")
    return outcome


# What is soaked.

#: Of each model a router alone of five ports, of model d four.
MODELS = {
    "1": Case(FatCube(2, 3), RouterOptions(ports="1")),
    "b": Case(FatCube(2, 3), RouterOptions(ports="b")),
    "d": Case(FatCube(2, 1), RouterOptions(ports="d", hops=2)),
    "*": Case(FatCube(1, 2), RouterOptions(ports="*")),
}

#: Two nodes. With three processors, model b has a selector for which there is none; model d takes two channels to be
#: another than model 1, so four nodes.
NETWORKS = {"1": FatCube(1, 2), "b": FatCube(1, 3), "d": FatCube(2, 1), "*": FatCube(1, 2)}

CHOICES = {
    "ports": ("1", "b", "d", "*"),
    "pipeline": (1, 2),
    "buffer_depth": (1, 2, 3, 8),
    "buffer_memory": ("auto", "registers", "distributed", "block"),
    "place": ("alone", "network", "link_stages"),
    "turns": ("used", "forward", "all"),
    "arbiter": ("round-robin", "deficit", "least-recent"),
    "stop_timeout": (0, STOP_TIMEOUT),
    "switching": ("wormhole", "virtual-cut-through", "store-and-forward", "circuit", "circuit with retries"),
    "virtual_channels": (1, 2, 4, "4 in 2 classes"),
}


def case_of(chosen):
    """The case with these of :data:`CHOICES`; raises ``ParameterError`` if they do not go together."""
    chosen = dict(chosen)
    place = chosen.pop("place")
    # With several channels of a class, packets wait and arrive side by side at processors too.
    channels, _, classes = str(chosen.pop("virtual_channels")).partition(" in ")
    channels, classes = int(channels), int(classes.removesuffix(" classes") or channels)
    if place == "alone" and channels > 1:
        raise ParameterError("an endpoint has no virtual channels")
    model = chosen["ports"]
    chosen["switching"], _, retries = chosen["switching"].partition(" with ")
    options = RouterOptions(
        **chosen,
        link_stages=2 if place == "link_stages" else 0,
        virtual_channels=channels,
        channel_classes=classes,
        injection_channels=channels // classes,
        ejection_channels=channels // classes,
        longest_packet=0 if chosen["switching"] == "wormhole" else LONGEST,
        setup_retry=SETUP_RETRY if retries else 0,
    )
    return Case(MODELS[model].topology if place == "alone" else NETWORKS[model], options, place == "alone")


#: With these, nearly everything goes together.
_PLAIN = {name: values[0] for name, values in CHOICES.items()} | {"buffer_depth": 8, "place": "network"}


def _plain(chosen):
    """The choices, and plain ones for those that are missing: with circuits, one other buffer goes together alone."""
    return _PLAIN | ({"buffer_depth": 2} if chosen.get("switching", "").startswith("circuit") else {}) | chosen


def cover(seed=0):
    """Cases that have every pair of values of :data:`CHOICES` that go together in any."""
    return [case_of(chosen) for chosen in Covering(CHOICES, case_of, _plain).find(seed=seed)]


def every_case():
    """Each case with its flits, as `make soak` has them."""
    return [*((case, MODEL_FLITS) for case in MODELS.values()), *((case, OPTION_FLITS) for case in cover())]


def _say(text, *, end=False):
    """Write over the line before, if there is a terminal to write on."""
    if sys.stderr.isatty() or end:
        print(f"\r\x1b[K{text}" if sys.stderr.isatty() else text, end="\n" if end else "", file=sys.stderr, flush=True)


HEADINGS = ("flits", "packets", "illegal", "errors", "resets", "wrong", "cycles/s")


def row(outcome):
    """The numbers of an outcome, in the order of the headings."""
    numbers = (outcome.flits, outcome.packets, outcome.illegal, outcome.errors, outcome.resets)
    return *numbers, len(outcome.wrong), round(outcome.per_second)


def main():
    """Soak what the command line says, print the table and what was wrong, and exit with 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--flits", type=int, help="flits of every case, instead of all")
    parser.add_argument("--share", type=float, default=1.0, help="part of the flits of every case")
    parser.add_argument("--list", action="store_true", help="list the cases only")
    given = parser.parse_args()
    be_quiet()  # There are lines of our own.
    cases = [(case, given.flits or int(flits * given.share)) for case, flits in every_case() if given.only in str(case)]
    if given.list:
        print("\n".join(f"{case}: {flits:,} flits" for case, flits in cases))
        return
    outcomes = {}
    for number, (case, flits) in enumerate(cases, start=1):

        def say(outcome, case=case, flits=flits, number=number):
            _say(f"{number} of {len(cases)}: {case}: {outcome.flits:,} of {flits:,} flits")

        _say(f"{number} of {len(cases)}: {case}: compiling")
        outcome = outcomes[case] = soak(case, flits=flits, seed=given.seed, say=say)
        _say(f"{case}: {outcome.flits:,} flits, {len(outcome.wrong)} wrong", end=True)
    print(f"seed {given.seed}\n" + " ".join(f"{heading:>11}" for heading in HEADINGS) + "  router")
    for case, outcome in outcomes.items():
        print(" ".join(f"{number:>11,}" for number in row(outcome)) + f"  {case}")
    wrong = [f"{case}: {what}" for case, outcome in outcomes.items() for what in outcome.wrong]
    for one in wrong[:40]:
        print(one)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

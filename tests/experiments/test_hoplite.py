# amaranth: UnusedElaboratable=no
"""Hoplite, our peer of one-flit packets: every packet arrives as it was sent, within the bound, and its page is of its record."""

from pathlib import Path

from amaranth.sim import Simulator
import pytest

from experiments.experiment import read_stored
from experiments.hoplite import measure
from experiments.hoplite.experiment import EXPERIMENT
from experiments.hoplite.measure import NAMES, Row
from experiments.hoplite.torus import HopliteRouter, HopliteTorus, longest
from experiments.hoplite.traffic import Fault, hot_spot, run_traffic, uniform
from fatcube.groundwork.validation import ParameterError
from fatcube.sim.traffic.load_options import LoadOptions
from tests.support.experiments import REPORTS
from tests.support.planted import plant

ROOT = Path(__file__).parents[2]


def run(columns=4, rows=4, *, load=1.0, pattern=None, measured=200, seed=0):
    torus = HopliteTorus(columns, rows)
    pattern = pattern or uniform(columns * rows)
    return run_traffic(torus, load=load, pattern=pattern, warm_up=20, measured=measured, seed=seed)


PATTERNS = {
    "uniform": uniform(16),
    "hot spot": hot_spot(16, 5, 0.5),
    "one receiver": lambda dice, source: 10,
    # Every packet turns, and those of a column meet all that turn there.
    "transpose": lambda dice, source: source % 4 * 4 + source // 4,
    "everybody else": lambda dice, source: (source + dice.randrange(1, 16)) % 16,
}


@pytest.mark.parametrize("load", [0.1, 1.0])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_packet_arrives_in_time(pattern, load):
    """Each was compared with what was sent, and with the bound, by :func:`run_traffic`."""
    done = run(load=load, pattern=PATTERNS[pattern])
    assert len(done.packets) > 200
    assert all(packet.arrived > packet.sent >= packet.created for packet in done.packets)


@pytest.mark.parametrize("columns, rows", [(2, 2), (3, 5), (5, 3), (8, 2)])
def test_other_sizes(columns, rows):
    assert run(columns, rows).longest <= longest(columns, columns - 1, rows - 1)


@pytest.mark.long(stays="tests/experiments/test_hoplite.py::test_every_packet_arrives_in_time")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_many_packets_arrive_in_time(pattern):
    for seed in range(3):
        run(pattern=PATTERNS[pattern], measured=5000, seed=seed)


@pytest.mark.long(stays="tests/experiments/test_hoplite.py::test_other_sizes")
def test_larger_torus_accepts_less_than_half():
    """As docs/results/published.md says of 8 x 8 processors."""
    small, large = (run(side, side, measured=1000).accepted for side in (4, 8))
    assert large < small / 2


def test_bound_is_reached():
    """No smaller one holds: a packet from corner to corner is deflected in every router of its column."""
    assert run(measured=600).longest == longest(4, 3, 3) == 19


@pytest.mark.parametrize("to", [0, 1, 4, 5, 15])
def test_alone_a_packet_takes_the_shortest_path(to):
    """A cycle for each hop, and one for the register to the processor."""
    torus = HopliteTorus(4, 4)
    cycles = []

    async def testbench(ctx):
        row, column = divmod(to, 4)
        ctx.set(torus.send[0].payload, {"column": column, "row": row, "data": 0xC0FFEE})
        ctx.set(torus.send[0].valid, 1)
        assert ctx.get(torus.send[0].ready)
        for cycle in range(30):
            if ctx.get(torus.receive[to].valid):
                assert ctx.get(torus.receive[to].payload.data) == 0xC0FFEE
                cycles.append(cycle)
            await ctx.tick()
            ctx.set(torus.send[0].valid, 0)

    simulator = Simulator(torus)
    simulator.add_clock(1e-6)
    simulator.add_testbench(testbench)
    simulator.run()
    assert cycles == [to % 4 + to // 4 + 1]


@pytest.mark.parametrize(
    "line, instead, fault",
    [
        # Where two packets meet, one is dropped.
        ("deflected.eq(north.valid & turns),", "deflected.eq(0),", "is not there in"),
        # It turns one column too late; those that are nearer go round.
        (
            "turns.eq(west.valid & (west.payload.column == column)),",
            "turns.eq(west.valid & (west.payload.column == column + 1)),",
            "is not there in|for processor|unexpected or duplicate",
        ),
        # It leaves in a row that is not its own.
        ("arrives = south.row == row", "arrives = south.row[0] == row % 2", "received a packet for processor"),
        # It is deflected, and goes south all the same.
        (
            "south.eq(Mux(turns, west.payload, Mux(north.valid, north.payload, send.payload))),",
            "south.eq(Mux(north.valid, north.payload, Mux(turns, west.payload, send.payload))),",
            "unexpected or duplicate packet|is not there in",
        ),
        # A processor sends over a packet that passes.
        ("~(passes | deflected)", "~deflected", "is not there in"),
        # Processors are not connected.
        (
            "west, north, send = self.west, self.north, self.send",
            "west, north, send = self.west, self.north, stream.Signature(self.send.payload.shape()).create()",
            "no processor is let into an empty network",
        ),
    ],
)
def test_planted_faults_are_found(monkeypatch, line, instead, fault):
    plant(monkeypatch, HopliteRouter, line, instead)
    with pytest.raises(Fault, match=fault):
        run()


def test_north_first_breaks_the_bound(monkeypatch):
    """The other choice: a packet that cannot turn goes round its row, once or more often."""
    plant(
        monkeypatch,
        HopliteRouter,
        "passes.eq(west.valid & (west.payload.column != column)),\n            deflected.eq(north.valid & turns),",
        "turns.eq(west.valid & (west.payload.column == column) & ~north.valid), passes.eq(west.valid & ~turns),",
    )
    with pytest.raises(Fault, match="is not there in"):
        run()


@pytest.mark.parametrize(
    "given, message",
    [
        ({"columns": 1}, "columns must be an integer of at least 2, not 1"),
        ({"rows": 1}, "rows must be an integer of at least 2, not 1"),
        ({"column": 4}, "column must be an integer from 0 to 3, not 4"),
        ({"row": -1}, "row must be an integer from 0 to 3, not -1"),
        ({"width": 0}, "width must be an integer of at least 1, not 0"),
    ],
)
def test_parameters_are_checked(given, message):
    place = {"columns": 4, "rows": 4, "column": 0, "row": 0, **given}
    with pytest.raises(ParameterError, match=message):
        HopliteRouter(**place)


@pytest.fixture(scope="module")
def rows():
    """The rows that stand in synth_reports."""
    return [Row.from_json(one["measured"]) for one in read_stored(EXPERIMENT, REPORTS)]


def test_figures_follow_from_the_record(rows):
    """Throughput and latency as the manual prints them, derived again."""
    manual = (ROOT / "docs/results/published.md").read_text(encoding="utf-8")
    section = manual.partition("## Hoplite")[2].partition("\n## ")[0]
    for row in rows:
        accepted = row.points[-1][1]
        cells = ["-"] * 3 + [f"{accepted:.3f}"] + ["-", f"{row.unloaded:.1f} cycles"]
        if row.mhz:
            hertz = row.mhz * 1e6
            cells[:3] = f"{row.comb:,}", f"{row.ff:,}", f"{row.mhz:.1f}"
            cells[4:] = f"{16 * accepted * hertz / row.comb:,.0f}", f"{row.unloaded * 1e9 / hertz:.0f} ns"
        assert f"| {row.name} | {' | '.join(cells)} |" in section
    hoplite, mesh, torus = rows
    words = " ".join(section.split())
    assert f"takes {hoplite.comb / mesh.comb:.0%} of the LUTs of our mesh".replace("%", " %") in words
    a_lut, beside = hoplite.flits_per_second_and_comb, mesh.flits_per_second_and_comb
    assert f"carries {a_lut / beside:.1f} times as many words per second" in words
    assert f"{a_lut / 1000:.0f} thousand, beside {beside / 1000:.0f} thousand" in words
    assert f"as a whole carries {mesh.flits_per_second / hoplite.flits_per_second:.1f} times as many" in words
    loaded = [f"{row.points[1][2] * 1000 / row.mhz:.0f} ns ({row.points[1][2]:.1f} cycles)" for row in (hoplite, mesh)]
    assert f"at a load of {hoplite.points[1][0]} it is {loaded[0]}, and {loaded[1]}" in words
    assert f"a router has {torus.router_comb:,} COMB at {torus.router_mhz:.1f} MHz" in words


def test_hoplite_row_is_measured_again(rows):
    """Area and traffic of a shorter run are those that are stored."""
    before = rows[0]
    again = measure.measure(NAMES[0], seeds=(1,), fmax=False, options=LoadOptions(warm_up=100, measured=500, repeats=1))
    assert (again.router_comb, again.router_ff, again.comb, again.ff) == (
        *(before.router_comb, before.router_ff, before.comb, before.ff),
    )
    assert again.accepted == pytest.approx(before.accepted, rel=0.05)
    assert again.unloaded == before.unloaded


def test_unloaded_latency_is_that_of_few_packets():
    """Half the hops of each ring on average, and the register to the processor."""
    assert run(load=0.001, measured=8000).latency == pytest.approx(1 + 3, rel=0.1)

# amaranth: UnusedElaboratable=no
"""Two ends of an interface together: what is sent into it and comes back out of it is the same packets."""

from amaranth.lib.wiring import In, Out
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.interface import NetworkInterface
from tests.support.axi_streams import AxiSink, AxiSource, random_packets
from tests.support.interface_loop import InterfaceLoop
from tests.support.planted import plant
from tests.support.streams import Source, cycles, simulate

SIZES = {"route_bits": 7, "message_bits": 4, "destinations": 5}
WIDTH = 16
SOURCE = 11
ROUTES = [[0x11], [0x7F], None, [0x00], [0x2A]]
COUNTS = ("unknown_count", "too_long_count", "empty_count")


def loop_of(**options):
    return InterfaceLoop(NetworkInterface(WIDTH, **SIZES, **options), routes=ROUTES, source=SOURCE, counts=COUNTS)


def run(packets, *, pause=0.0, stall=0.0, rest=200, **options):
    """Both ends of the loop after the run, and the counts."""
    loop, counts = loop_of(**options), []
    source = AxiSource(loop.s_axis, packets, pause=pause, rubbish=True)
    sink = AxiSink(loop.m_axis, stall=stall, name="m_axis")

    async def testbench(ctx):
        cycle = 0
        while not source.done and cycle < 20_000:
            await ctx.tick()
            cycle += 1
        await cycles(ctx, rest)
        counts.extend(ctx.get(getattr(loop, name)) for name in COUNTS)

    simulate(loop, testbench, source, sink)
    return source, sink, counts


@pytest.mark.parametrize("pause, stall", [(0, 0), (0.6, 0), (0, 0.6), (0.3, 0.3)])
@pytest.mark.parametrize("longest", [0, 6])
def test_random(longest, pause, stall):
    """Catches a packet that does not come back as it was sent, and a count that is another's."""
    packets = random_packets(range(8), count=150)
    _, sink, counts = run(packets, pause=pause, stall=stall, longest=longest)
    known = [packet for packet in packets if packet[0] in (0, 1, 3, 4)]
    sent = [words for _, words in known if not (longest and len(words) >= longest)]
    assert sink.packets == [(SOURCE, words) for words in sent] and not sink.part
    assert counts == [len(packets) - len(known), len(known) - len(sent), 0]


# With both its sides in one clock, a crossing behaves as between two that are the same.
CROSSINGS = {"crossing_depth": 8, "port_domain": "sync"}


@pytest.mark.parametrize("beats", [1, 4])
def test_latency(beats):
    """Into the network 1 cycle, or F + 2 for a whole packet; out of it 1; a crossing 4 each way; here 1 for the link.

    And 1 for the header, behind which the beats come.
    """
    packets = [(1, list(range(beats)))]
    for options, into, out in (({}, 1, 1), ({"longest": 8}, beats + 2, 1), (CROSSINGS, 5, 5)):
        source, sink, _ = run(packets, **options)
        assert source.offers[0] == 0
        assert sink.times == [into + 1 + 1 + out + index for index in range(beats)]


@pytest.mark.parametrize("options", [{}, {"longest": 8}, CROSSINGS], ids=["plain", "whole packets", "crossings"])
def test_full_rate(options):
    """F + 1 cycles for each packet of F beats, back to back."""
    _, sink, _ = run([(0, list(range(7)))] * 30, **options)
    assert sink.times == [sink.times[0] + 8 * packet + beat for packet in range(30) for beat in range(7)]


def test_what_comes_out_of_the_network():
    """Catches a way out that waits for the way in, and a header alone that is not counted."""
    interface, counts = NetworkInterface(WIDTH, **SIZES), []
    source = Source(interface.receive, [[9 << 7], [5 << 7, 1, 2], [5 << 7]])
    sink = AxiSink(interface.m_axis)

    async def testbench(ctx):
        await cycles(ctx, 20)
        counts.extend(ctx.get(getattr(interface, name)) for name in COUNTS)

    simulate(interface, testbench, source, sink)
    assert sink.packets == [(5, [1, 2])] and counts == [0, 0, 2]


def test_tables_of_several_ways():
    """Catches ways that do not reach the table."""
    interface = NetworkInterface(WIDTH, **SIZES, ways=3)
    assert len(interface.routes.as_value()) == 5 * (3 * 7 + 1)


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("ingress.source.eq(self.source)", "ingress.source.eq(self.source[1:])"),
        ("longest=self.longest,", "longest=self.longest + 1,"),
        ('f"{name}_count").eq(getattr(part, f"{name}_count"))', 'f"{name}_count").eq(getattr(part, name))'),
    ],
    ids=["another source", "another limit", "an event for its count"],
)
def test_a_fault_is_found(monkeypatch, line, instead):
    plant(monkeypatch, NetworkInterface, line, instead)
    with pytest.raises(AssertionError):
        test_random(6, 0, 0)


def test_ports():
    """The ports of the module, which tops are wired by."""
    members = NetworkInterface(WIDTH, **SIZES).signature.members
    assert {name: member.flow for name, member in members.items()} == {
        "s_axis": In,
        "m_axis": Out,
        "send": Out,
        "receive": In,
        "routes": In,
        "source": In,
        **{name: Out for event in ("unknown", "too_long", "empty") for name in (event, f"{event}_count")},
    }


def test_refused():
    with pytest.raises(ParameterError, match="^crossing depth must be a power of two from 8 to 4096, not 12$"):
        NetworkInterface(WIDTH, **SIZES, crossing_depth=12)
    with pytest.raises(ParameterError, match="^crossing depth must be an integer from 8 to 4096, not 4$"):
        NetworkInterface(WIDTH, **SIZES, crossing_depth=4)

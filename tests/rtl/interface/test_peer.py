"""The network interface as a user has it: Verilog, two clocks, and another project's AXI4-Stream models at its ports."""

from amaranth.hdl import ClockDomain, Elaboratable, Module, Signal
from amaranth.lib import wiring
import pytest

from fatcube.rtl.interface.clock_crossing import ClockCrossing
from fatcube.rtl.interface.egress import Egress
from fatcube.rtl.interface.ingress import Ingress
from fatcube.rtl.interface.interface import NetworkInterface
from fatcube.rtl.lanes.link import LinkRegister
from tests.support.cocotb_runs import run_cocotb
from tests.support.planted import plant

pytest.importorskip("cocotbext.axi", reason="the peer's models of AXI4-Stream are not installed")
from tests.support import axi_loop

WIDTH = 8 * axi_loop.WORD
COUNTS = ("unknown_count", "too_long_count", "empty_count")


class PlainLoop(Elaboratable):
    """An interface whose packets come back to it over a register, with plain names for its ports."""

    def __init__(self):
        self.interface = NetworkInterface(
            WIDTH,
            route_bits=7,
            message_bits=4,
            destinations=len(axi_loop.ROUTES),
            longest=axi_loop.LONGEST,
            crossing_depth=8,
        )
        self.sync, self.port = ClockDomain("sync"), ClockDomain("port")
        self.members = {}
        for name in ("s_axis", "m_axis"):
            stream = getattr(self.interface, name)
            for member in stream.signature.members:
                signal = Signal(len(getattr(stream, member)), name=f"{name}_{member}")
                self.members[name, member] = signal
        self.counts = {name: Signal(16, name=name) for name in COUNTS}

    @property
    def ports(self):
        clocks = [self.sync.clk, self.sync.rst, self.port.clk, self.port.rst]
        return [*clocks, *self.members.values(), *self.counts.values()]

    def elaborate(self, platform):
        m = Module()
        m.domains += [self.sync, self.port]
        m.submodules.interface = interface = self.interface
        m.submodules.link = link = LinkRegister(WIDTH)
        wiring.connect(m, interface.send, link.i)
        wiring.connect(m, link.o, interface.receive)
        for (name, member), signal in self.members.items():
            inner = getattr(getattr(interface, name), member)
            comes_in = (name == "s_axis") != (member == "tready")
            m.d.comb += inner.eq(signal) if comes_in else signal.eq(inner)
        m.d.comb += [
            interface.routes.eq(interface.table.pack(axi_loop.ROUTES)),
            interface.source.eq(axi_loop.SOURCE),
            *(signal.eq(getattr(interface, name)) for name, signal in self.counts.items()),
        ]
        return m


def run(folder):
    loop = PlainLoop()
    run_cocotb(loop, axi_loop.__name__, folder, ports=loop.ports)


@pytest.mark.long(stays="tests/rtl/interface/test_interface.py::test_random")
def test_peer(tmp_path):
    """Catches what the source and sink of the other tests would forgive, as we wrote them too."""
    run(tmp_path)


@pytest.mark.long(stays="tests/rtl/interface/test_interface.py::test_a_fault_is_found")
@pytest.mark.parametrize(
    ("part", "line", "instead"),
    [
        (Ingress, "passing & beats.tlast", "passing & beats.tlast & beats.tdata[0]"),
        (Egress, "flit.payload.data[self.message]", "flit.payload.data"),
        (ClockCrossing, "self.o.tvalid.eq(queue.r_rdy)", "self.o.tvalid.eq(queue.r_rdy | queue.r_en)"),
    ],
    ids=["tlast lost", "tid is the route", "rubbish out of the crossing"],
)
def test_a_fault_is_found(monkeypatch, tmp_path, part, line, instead):
    plant(monkeypatch, part, line, instead)
    with pytest.raises(RuntimeError, match="tests failed"):
        run(tmp_path)

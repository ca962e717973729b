"""The words of the banks of a message memory, as a sending port reads them."""

from collections.abc import Sequence

from amaranth.hdl import Array, Module, Mux, Signal, Value
from amaranth.lib import wiring

from fatcube.rtl.endpoint.host import Region

__all__ = ["ALL_BANKS", "combined", "pick_bank", "read_for_host", "total"]


#: The bank number at which the host reads the sum over all banks, with reductions.
ALL_BANKS = 255


def read_for_host(
    m: Module,
    host: wiring.PureInterface,
    reads: Sequence[wiring.PureInterface],
    slot_shift: Value,
    *,
    reductions: bool,
) -> None:
    """Let the host read the banks through a port, while nothing is sent."""
    looks = Signal()
    looked = Signal()
    bank = Signal(8)
    m.d.comb += looks.eq(host.select & (host.region == Region.PAYLOAD))
    m.d.sync += [
        looked.eq(looks),
        bank.eq(host.bank),
    ]
    with m.If(looks):
        for read in reads:
            m.d.comb += [
                read.address.eq(host.word),
                read.enable.eq(1),
            ]
            if reductions:
                m.d.comb += read.slot.eq(host.word >> slot_shift)
    value = pick_bank(bank, [read.word for read in reads])
    if reductions:
        value = Mux(bank == ALL_BANKS, combined(reads), value)
    with m.If(looked):
        m.d.comb += host.value.eq(value)


def combined(reads: Sequence[wiring.PureInterface]) -> Value:
    """The sum of one word from each bank in which the message has arrived; other banks hold words of earlier runs."""
    words = [Mux(read.arrived.any(), read.word, 0) for read in reads]
    return total(words)[: len(words[0])]


def total(values: Sequence[Value]) -> Value:
    """The sum of all values, by a tree of adders."""
    half = len(values) // 2
    return total(values[:half]) + total(values[half:]) if half else values[0]


def pick_bank(index: Value, values: Sequence[Value]) -> Value:
    """The value at ``index``."""
    return values[0] if len(values) == 1 else Array(values)[index]

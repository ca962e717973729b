"""The crossbar: every output takes the flit of one granted input, or nothing."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer

__all__ = ["Crossbar"]


class Crossbar(wiring.Component):
    """An a x b crossbar without registers.

    Since an output's inputs are granted one at a time, it need not be a multiplexer with a decoder: a group
    that is not granted is all zero, and the groups are ORed. See :func:`_select`.

    Parameters
    ----------
    width : :class:`int`
        Bits of each input and output.
    inputs : :class:`int`
        Number of inputs, a.
    sources : list of list of :class:`int`
        For each of the b outputs, the inputs that can reach it. A turn that is not listed costs nothing.

    Members
    -------
    i : :py:`In(width).array(inputs)`
    o : :py:`Out(width).array(len(sources))`
        The data of the granted input.
    grant{output} : :py:`In(len(sources[output]))`
        At most one bit, of the granted input in ``sources[output]``.
    """

    i: Sequence[Signal]
    o: Sequence[Signal]

    def __init__(self, width: int, inputs: int, sources: Sequence[Sequence[int]]) -> None:
        check_integer("width", width, minimum=1)
        check_integer("inputs", inputs, minimum=1)
        self.sources = [tuple(reaching) for reaching in sources]
        members = {"i": In(width).array(inputs), "o": Out(width).array(len(self.sources))}
        for output, reaching in enumerate(self.sources):
            members[f"grant{output}"] = In(len(reaching))
        super().__init__(members)

    def grant(self, output: int) -> Signal:
        """The grants of ``output``."""
        return getattr(self, f"grant{output}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        for output, sources in enumerate(self.sources):
            inputs = [self.i[source] for source in sources]
            m.d.comb += self.o[output].eq(_select(m, inputs, self.grant(output)))
        return m


def _select(m: Module, inputs: Sequence[Value], grant: Value) -> Value:
    """The data of the input whose bit of ``grant`` is set, zero if none is.

    Of up to 8 inputs each is masked by its grant, two per four-input LUT. Of more, four inputs a, b, c, d share
    three control wires and cost two LUTs per bit: the first gives a or b or, for the second, a constant; the
    second takes c or d by that constant, or passes the first on. A group without a grant is the constant 0.

    Each control wire is an OR of grants. They are computed as one sum whose operands never both have a one in the
    same place, because technology mapping leaves a carry chain whole. It would duplicate plain ORs into every bit
    to save one level of logic.
    """
    width = len(inputs[0])
    grouped = len(inputs) // 4 * 4 if len(inputs) > 8 else 0
    terms = []
    if grouped:
        augend, addend = [], []
        for start in range(0, grouped, 4):
            a, b, c, d = grant[start : start + 4]
            augend += [a, b, c]
            addend += [b, d, d]
        controls = Signal(len(augend))
        m.d.comb += controls.eq(Cat(augend) + Cat(addend))
        for start in range(0, grouped, 4):
            a, b, c, d = inputs[start : start + 4]
            lower, odd, upper = controls[start // 4 * 3 :][:3]
            first = Mux(lower, Mux(odd, b, a), odd.replicate(width))
            terms.append(Mux(upper, first & d | ~first & c, first))
    terms += [data & bit.replicate(width) for data, bit in zip(inputs[grouped:], grant[grouped:])]
    # The tree is balanced because all grants settle equally late in the cycle.
    while len(terms) > 1:
        terms = [a | b for a, b in zip(terms[0::2], terms[1::2])] + terms[len(terms) // 2 * 2 :]
    return terms[0]

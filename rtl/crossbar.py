"""The crossbar: every output takes the flit of one selected input, or nothing."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["Crossbar", "LOWER", "SELECTOR", "Selector", "UPPER", "select_bits", "select_lines"]


SELECTOR = "selector"
"""The name of every :class:`Selector` in a crossbar begins with this: whoever maps a design to LUTs keeps them apart."""

LOWER, UPPER = "lower", "upper"
"""The names of the two LUTs of a :class:`Selector`, if they are to be kept apart from each other and what is around."""

_INPUTS = 4  # of a selector


def select_bits(inputs: int) -> int:
    """The select lines of an output that ``inputs`` inputs can reach."""
    selectors, others = divmod(inputs, _INPUTS)
    return 3 * selectors + others


def select_lines(grant: Value) -> Value:
    """The select lines for ``grant``, which is one-hot or zero.

    Each is an OR of grants, so the lines of two grants of which one is zero are the OR of their lines: they can be
    computed before it is known which of the two it will be.
    """
    lines: list[Value] = []
    whole = len(grant) // _INPUTS * _INPUTS
    for start in range(0, whole, _INPUTS):
        a, b, c, d = grant[start : start + _INPUTS]
        lines += [a | b, b | d, c | d]
    return Cat(lines, grant[whole:])


class Selector(wiring.Component):
    """One of four inputs, or zero, in two four-input LUTs per bit.

    The first LUT gives a, b or, for the second, a constant; the second takes c or d by that constant, or passes the
    first on. Technology mapping does not find this by itself, and takes it apart where it sees what is around: see
    :data:`SELECTOR`. Where LUTs can be joined to wider ones it even makes one of seven inputs, eight times the size,
    unless the two stay apart too.

    Parameters
    ----------
    width : :class:`int`
        Bits of each input and of the output.
    joined : :class:`bool`
        Whether there is logic behind the output, from which the second LUT must be kept apart.

    Members
    -------
    i : :py:`In(width).array(4)`
        a, b, c, d.
    lines : :py:`In(3)`
        The :func:`select_lines`: of a or b; of b or d; of c or d.
    o : :py:`Out(width)`
    """

    i: Sequence[Signal]
    lines: Signal
    o: Signal

    def __init__(self, width: int, *, joined: bool = True) -> None:
        self.width = check_integer("width", width, minimum=1)
        self.joined = joined
        super().__init__({"i": In(width).array(_INPUTS), "lines": In(3), "o": Out(width)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules[LOWER] = lower = _Lower(self.width)
        m.submodules[UPPER if self.joined else "last"] = upper = _Upper(self.width)
        a, b, c, d = self.i
        m.d.comb += [
            lower.lines.eq(self.lines[:2]),
            lower.a.eq(a),
            lower.b.eq(b),
            upper.line.eq(self.lines[2]),
            upper.c.eq(c),
            upper.d.eq(d),
            upper.below.eq(lower.o),
            self.o.eq(upper.o),
        ]
        return m


class _Lower(wiring.Component):
    """The first LUT of each bit of a :class:`Selector`."""

    lines: Signal
    a: Signal
    b: Signal
    o: Signal

    def __init__(self, width: int) -> None:
        super().__init__({"lines": In(2), "a": In(width), "b": In(width), "o": Out(width)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        lower, odd = self.lines
        m.d.comb += self.o.eq(Mux(lower, Mux(odd, self.b, self.a), odd.replicate(len(self.o))))
        return m


class _Upper(wiring.Component):
    """The second."""

    line: Signal
    c: Signal
    d: Signal
    below: Signal
    o: Signal

    def __init__(self, width: int) -> None:
        super().__init__({"line": In(1), "c": In(width), "d": In(width), "below": In(width), "o": Out(width)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += self.o.eq(Mux(self.line, self.below & self.d | ~self.below & self.c, self.below))
        return m


class Crossbar(wiring.Component):
    """An a x b crossbar without registers.

    Since an output's inputs are selected one at a time, it need not be a multiplexer with a decoder: a group of inputs
    of which none is selected is all zero, and the groups are ORed. Four inputs are a :class:`Selector`; those left over
    are masked, two per four-input LUT.

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
        The data of the selected input.
    select{output} : :py:`In(select_bits(len(sources[output])))`
        The :func:`select_lines` of the input in ``sources[output]``. If they are not of one, the output is anything.
    """

    i: Sequence[Signal]
    o: Sequence[Signal]

    def __init__(self, width: int, inputs: int, sources: Sequence[Sequence[int]]) -> None:
        self.width = check_integer("width", width, minimum=1)
        check_integer("inputs", inputs, minimum=1)
        self.sources = [tuple(reaching) for reaching in sources]
        members = {"i": In(width).array(inputs), "o": Out(width).array(len(self.sources))}
        for output, reaching in enumerate(self.sources):
            members[f"select{output}"] = In(select_bits(len(reaching)))
        super().__init__(members)

    def select(self, output: int) -> Signal:
        """The select lines of ``output``."""
        return getattr(self, f"select{output}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        for output, sources in enumerate(self.sources):
            inputs = [self.i[source] for source in sources]
            select = self.select(output)
            selectors = len(sources) // _INPUTS
            terms: list[Value] = []
            for number in range(selectors):
                selector = Selector(self.width, joined=len(sources) > _INPUTS)
                m.submodules[f"{SELECTOR}{output}_{number}"] = selector
                m.d.comb += selector.lines.eq(select.word_select(number, 3))
                m.d.comb += [port.eq(inputs[_INPUTS * number + index]) for index, port in enumerate(selector.i)]
                terms.append(selector.o)
            terms += [
                data & bit.replicate(self.width)
                for data, bit in zip(inputs[_INPUTS * selectors :], select[3 * selectors :])
            ]
            # The tree is balanced because all select lines settle equally late in the cycle.
            while len(terms) > 1:
                terms = [a | b for a, b in zip(terms[0::2], terms[1::2])] + terms[len(terms) // 2 * 2 :]
            m.d.comb += self.o[output].eq(terms[0])
        return m

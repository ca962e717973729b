"""Comparison of the papers' price a b with silicon: models of area and speed, fitted to measured routers and crossbars.

The price a b counts the crosspoints of a crossbar of one bit. But a flit has W bits, a router has buffers, arbiters and
route decoding, some turns are left out, and the cost of an output's multiplexer grows in steps with its inputs, as LUTs
have four: :data:`TERMS` are the quantities with which area may grow. The residual of such sums (technology mapping
splits a multiplexer in one router and not in another) is similar for similar routers, so a prediction also depends on
the nearest samples.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
import functools
import math
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from fatcube.groundwork.validation import ParameterError, check_choice, check_integer
from fatcube.noc.network import Network
from fatcube.rtl.router_parameters import RouterParameters

__all__ = [
    "AB",
    "AB_W",
    "CROSSBAR",
    "FLIP_FLOPS",
    "Fit",
    "PERIOD",
    "ROUTER",
    "SEEN",
    "Sample",
    "TERMS",
    "different",
    "fit",
    "held_out_errors",
    "multiplexer",
    "identifiable",
]


SEEN = ("ports", "width", "buffer_depth", "hops", "turns")
"""The router options in a :class:`Sample`; routers that differ in other options need models of their own."""

_Numbers: TypeAlias = NDArray[numpy.floating]


def multiplexer(inputs: int) -> int:
    """LUTs per bit of a multiplexer of :class:`fatcube.rtl.crossbar.Crossbar` with ``inputs`` inputs, by itself, on ECP5.

    A selector of four inputs takes two. The outputs of selectors, and the other inputs with their select lines, are
    ORed by LUTs of four inputs, each of which reduces the number of terms by three.
    """
    check_integer("inputs of a multiplexer", inputs, minimum=1)
    selectors, others = divmod(inputs, 4)
    return 2 * selectors + math.ceil((selectors + 2 * others - 1) / 3)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sample:
    """One measured router or crossbar.

    Parameters
    ----------
    a : :class:`int`
        Inputs of the crossbar.
    sources : tuple of :class:`int`
        For each of its b outputs, the number of inputs that reach it.
    processor_outputs : :class:`int`
        Number of outputs to processors; they are the first.
    width : :class:`int`
        Bits of a flit, W.
    depth : :class:`int`
        Depth of an input's buffer in flits, D; 0 without buffers.
    copies : :class:`bool`
        True if packets can be copied (model b).
    measured : :class:`float`
        The measured value: LUTs, gates or flip-flops, or the period of the fastest clock.

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    """

    a: int
    sources: tuple[int, ...]
    processor_outputs: int = 0
    width: int
    depth: int
    copies: bool = False
    measured: float = 1

    def __post_init__(self) -> None:
        for name, minimum in (("a", 1), ("width", 1), ("depth", 0)):
            check_integer(f"Sample {name}", getattr(self, name), minimum=minimum)
        object.__setattr__(self, "sources", tuple(self.sources))
        for one in self.sources:
            check_integer("Sample sources", one, minimum=1, maximum=self.a)
        check_integer("Sample processor outputs", self.processor_outputs, minimum=0, maximum=self.b)
        if not self.measured > 0:
            raise ParameterError(f"Sample measured must be more than 0, not {self.measured!r}")

    @classmethod
    def of_router(cls, network: Network, measured: float = 1) -> "Sample":
        """The router of ``network``; without ``measured``, for a prediction."""
        router = network.router()
        return cls(
            a=router.crossbar_ports,
            processor_outputs=router.processor_ports,
            measured=measured,
            sources=_sources(router),
            width=network.options.width,
            depth=network.options.buffer_depth,
            copies=network.options.ports.copies,
        )

    @classmethod
    def of_crossbar(cls, network: Network, measured: float = 1) -> "Sample":
        """The full crossbar of the network's router by itself, for flits with the bit that marks the tail flit."""
        ports = network.router().crossbar_ports
        return cls(a=ports, sources=(ports,) * ports, width=network.options.width + 1, depth=0, measured=measured)

    @property
    def b(self) -> int:
        """Outputs of the crossbar."""
        return len(self.sources)

    @functools.cached_property
    def turns(self) -> int:
        """Pairs of a connected input and output; a b for the full crossbar."""
        return sum(self.sources)

    @functools.cached_property
    def multiplexers(self) -> float:
        """LUTs per bit of the multiplexers of all outputs."""
        return sum(map(multiplexer, self.sources))

    @functools.cached_property
    def place(self) -> tuple[float, ...]:
        """The coordinates in the space of samples, in which samples of proportionally similar shape are near."""
        to_processors, to_lanes = self.sources[: self.processor_outputs], self.sources[self.processor_outputs :]
        return (
            math.log(self.a),
            *(math.log(sum(part) / len(part)) if part else 0.0 for part in (to_processors, to_lanes)),
            math.log(1 + self.processor_outputs),
            0.5 * math.log(self.width),
            2.0 * self.copies,
            2.0 * (self.depth > 2),
            2.0 * (self.depth == 1),
        )


@functools.cache
def _sources(router: RouterParameters) -> tuple[int, ...]:
    """The number of inputs that reach each output."""
    reached = Counter(output for number in range(router.crossbar_ports) for output in router.reach(number))
    return tuple(reached[output] for output in range(router.crossbar_ports))


TERMS: Mapping[str, Callable[[Sample], float]] = {
    "1": lambda one: 1,
    "ab": lambda one: one.a * one.b,
    "ab W": lambda one: one.a * one.b * one.width,
    "turns": lambda one: one.turns,
    "turns W": lambda one: one.turns * one.width,
    "multiplexers W": lambda one: one.multiplexers * one.width,
    "turns W, model b": lambda one: one.turns * one.width * one.copies,
    "turns, model b": lambda one: one.turns * one.copies,
    "a W": lambda one: one.a * one.width * (one.depth != 1),
    "a W (D > 2)": lambda one: one.a * one.width * (one.depth > 2),
    "a log D (D > 2)": lambda one: one.a * math.log2(one.depth) * (one.depth > 2),
    "a W D (D < 3)": lambda one: one.a * one.width * one.depth * (one.depth < 3),
    "a": lambda one: one.a,
    "log sources": lambda one: math.log2(max(one.sources)),
    "log sources, model b": lambda one: math.log2(max(one.sources)) * one.copies,
    "log turns": lambda one: math.log2(one.turns),
}
"""The quantities with which area may grow, by name: functions of a :class:`Sample`. A buffer of one flit has no
multiplexer, and one of more than two flits has a memory."""

AB = ("ab",)
"""The papers' model, which prices a bit: for flits of one width."""

AB_W = ("ab W",)
"""The papers' model for flits of several widths."""

CROSSBAR = ("multiplexers W", "turns", "a W")
"""The fuller model of a crossbar alone."""

ROUTER = (
    "a W",
    "multiplexers W",
    "turns",
    "a",
    "turns, model b",
    "a W (D > 2)",
    "a log D (D > 2)",
)
"""The fuller model of a router: buffers, crossbar, arbiters and decoders, inputs' control, copies, memories, their pointers."""

FLIP_FLOPS = ("a W D (D < 3)", "turns", "a", "a log D (D > 2)")
"""The model of a router's flip-flops: one or two flits per input, requests, grants, and the pointers of memories."""

PERIOD = ("1", "log sources", "log turns", "log sources, model b")
"""The model of the period of a router's fastest clock: registers, levels of the largest arbiter and multiplexer, longer
wires, and the later decision of copies. None of the terms is smaller in a larger router, so their sum does not decrease
with size."""

_REACH = 0.3  # of a sample's influence, in logarithms: routers that differ by 30 %
_NOISE = 0.3  # difference in cost of two equal routers, relative to the residual of the terms


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fit:
    """A fitted model.

    Members
    -------
    coefficients : mapping of :class:`str` to :class:`float`
        LUTs (or the measured quantity) per unit of each term.
    r_squared : :class:`float`
        The part of the variance of the measurements that the terms explain; if it is below 0, the model is worse than
        the mean.
    worst_error : :class:`float`
        The largest relative error of the sum of the terms for a sample: 0.1 is 10 %.
    samples : :class:`tuple` of :class:`Sample`
        The samples to which it was fitted.
    """

    coefficients: Mapping[str, float]
    r_squared: float
    worst_error: float
    samples: tuple[Sample, ...]

    def sum(self, sample: Sample) -> float:
        """The sum of the terms for ``sample``, whose ``measured`` is ignored."""
        return float(sum(value * TERMS[name](sample) for name, value in self.coefficients.items()))

    @property
    def mean_error(self) -> float:
        """The mean relative error of the sum of the terms for the samples, without signs."""
        return sum(abs(self.sum(one) / one.measured - 1) for one in self.samples) / len(self.samples)

    def predict(self, sample: Sample) -> float:
        """The prediction for ``sample``: the sum, corrected by the errors of the sum for the samples near it.

        The correction is that of Gaussian process regression, also called kriging (Rasmussen and Williams, Gaussian
        Processes for Machine Learning, algorithm 2.1).
        """
        places, weights = self._corrections
        return self.sum(sample) / (1 - float(_similarity(numpy.array([sample.place]), places)[0] @ weights))

    @functools.cached_property
    def _corrections(self) -> tuple[_Numbers, _Numbers]:
        """The positions of the samples, and the weight with which each corrects predictions near it."""
        places = numpy.array([one.place for one in self.samples])
        off = numpy.array([1 - self.sum(one) / one.measured for one in self.samples])
        return places, numpy.linalg.solve(_similarity(places, places) + _NOISE * numpy.eye(len(places)), off)


def _similarity(these: _Numbers, those: _Numbers) -> _Numbers:
    distance = ((these[:, None] - those[None]) ** 2).sum(axis=-1)
    return numpy.exp(-distance / (2 * _REACH**2))


def different(samples: Iterable[Sample]) -> list[Sample]:
    """The samples of different hardware: of several that differ in the measured value alone, the first."""
    found = dict[Sample, Sample]()
    for sample in samples:
        found.setdefault(dataclasses.replace(sample, measured=1), sample)
    return [*found.values()]


def fit(samples: Iterable[Sample], terms: Iterable[str]) -> Fit:
    """The :class:`Fit` with the least squares of relative errors, so that small routers count as much as large ones.

    A term that is 0 in all samples gets the coefficient 0.

    Raises
    ------
    ParameterError
        If a term is unknown, or there are fewer samples than terms, or the samples do not determine the terms.
    """
    terms = [check_choice("term of the ab model", name, TERMS) for name in terms]
    samples = list(samples)
    measured = numpy.array([sample.measured for sample in samples], float)
    values = numpy.array([[TERMS[name](sample) for name in terms] for sample in samples], float).reshape(-1, len(terms))
    used = [index for index in range(len(terms)) if values[:, index].any()]
    relative = values[:, used] / measured[:, None]
    scale = _scale(relative)
    if len(samples) < max(1, len(used)) or numpy.linalg.matrix_rank(relative / scale) < len(used):
        raise ParameterError(
            f"samples must tell the {len(used)} terms {', '.join(terms[index] for index in used)} "
            f"apart; these {len(samples)} do not"
        )
    found = numpy.zeros(len(terms))
    found[used] = numpy.linalg.lstsq(relative / scale, numpy.ones(len(samples)), rcond=None)[0] / scale
    # The coefficient of a term that explains nothing is a rounding error.
    found[numpy.abs(values * found / measured[:, None]).max(axis=0) < 1e-9] = 0
    error = values @ found - measured
    spread = ((measured - measured.mean()) ** 2).sum()
    return Fit(
        coefficients=dict(zip(terms, map(float, found))),
        samples=tuple(samples),
        r_squared=float(1 - (error**2).sum() / spread) if spread else float(not error.any()),
        worst_error=float(numpy.abs(error / measured).max()),
    )


def identifiable(samples: Iterable[Sample], terms: Iterable[str]) -> tuple[str, ...]:
    """The identifiable terms: those that ``samples`` distinguish from the ones before. With one W, turns W is turns.

    A model of these terms is valid only for routers that share all properties in which the samples are equal.
    """
    samples = list(samples)
    kept: list[str] = []
    for name in terms:
        values = numpy.array([[TERMS[one](sample) / sample.measured for one in (*kept, name)] for sample in samples])
        if values[:, -1].any() and numpy.linalg.matrix_rank(values / _scale(values)) > len(kept):
            kept.append(name)
    return tuple(kept)


def _scale(values: _Numbers) -> _Numbers:
    """The largest value of each column, to scale columns to similar size, or rounding would obscure their rank."""
    return numpy.abs(values).max(axis=0) if len(values) else numpy.ones(values.shape[1])


def held_out_errors(samples: Iterable[Sample], terms: Sequence[str]) -> list[float]:
    """The relative error of the prediction of each sample, in order, by a model that was fitted to all others.

    Raises
    ------
    ParameterError
        On the same samples as :func:`fit`, for any of these models.
    """
    samples = list(samples)
    places = numpy.array([one.place for one in samples])
    # One inverse is enough for all: its row for a sample has the weights of the others in a model without that sample.
    precision = numpy.linalg.inv(_similarity(places, places) + _NOISE * numpy.eye(len(samples)))
    errors = []
    for index, sample in enumerate(samples):
        others = fit(samples[:index] + samples[index + 1 :], terms)
        off = numpy.array([0 if one is sample else 1 - others.sum(one) / one.measured for one in samples])
        correction = -float(precision[index] @ off) / precision[index, index]
        errors.append(float(others.sum(sample) / (1 - correction) / sample.measured - 1))
    return errors

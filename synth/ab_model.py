"""The papers' price a b held against silicon: linear models of area, fitted to measured routers and crossbars.

What a b prices is the crosspoints of one bit's crossbar. A flit has W bits, a router has buffers, arbiters and
route decoding, and it leaves out turns: :data:`TERMS` are what area may grow with.
"""

from collections.abc import Mapping
import dataclasses

import numpy

from noc.cost import price
from rtl.parameters import ParameterError, check_choice, check_integer

__all__ = ["AB", "CROSSBAR", "Fit", "ROUTER", "Sample", "TERMS", "fit", "held_out_errors"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sample:
    """One measured router or crossbar.

    Parameters
    ----------
    a, b : :class:`int`
        Inputs and outputs of the crossbar.
    turns : :class:`int`
        Pairs of an input and an output that are joined; a b for the full crossbar.
    width : :class:`int`
        Bits of a flit, W.
    depth : :class:`int`
        Flits in an input's buffer, D; 0 without buffers.
    multicast : :class:`bool`
        Whether packets can be copied (model b).
    area : :class:`int`
        What was measured, in LUTs or gates.

    Raises
    ------
    ParameterError
        If one of them is out of range.
    """

    a: int
    b: int
    turns: int
    width: int
    depth: int
    multicast: bool = False
    area: int

    def __post_init__(self):
        for name, minimum in (("a", 1), ("b", 1), ("turns", 1), ("width", 1), ("depth", 0), ("area", 1)):
            check_integer(f"Sample {name}", getattr(self, name), minimum=minimum)

    @classmethod
    def of_router(cls, network, area):
        """The router of ``network``, measured to be ``area``."""
        router, cost = network.router(), price(network.topology, network.ports)
        return cls(a=cost.a, b=cost.b, turns=sum(len(router.reach(number)) for number in range(cost.a)),
                   width=network.width, depth=network.buffer_depth, multicast=network.ports.multicast, area=area)


TERMS = {
    "ab": lambda one: one.a * one.b,
    "turns": lambda one: one.turns,
    "turns W": lambda one: one.turns * one.width,
    "turns W, model b": lambda one: one.turns * one.width * one.multicast,
    "turns, model b": lambda one: one.turns * one.multicast,
    "a W": lambda one: one.a * one.width,
    "a W (D > 2)": lambda one: one.a * one.width * (one.depth > 2),
    "a (D > 2)": lambda one: one.a * (one.depth > 2),
    "a": lambda one: one.a,
}
"""What area may grow with, by name: functions of a :class:`Sample`. Beyond two flits a buffer gets a memory."""

AB = ("ab",)
"""The papers' model."""

CROSSBAR = ("turns W", "turns", "a W")
"""The fuller model of a crossbar alone."""

ROUTER = ("turns W", "turns", "a W", "a", "turns, model b", "turns W, model b", "a W (D > 2)", "a (D > 2)")
"""The fuller model of a router."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fit:
    """A fitted model.

    Members
    -------
    coefficients : mapping of :class:`str` to :class:`float`
        LUTs (or gates) for each unit of each term.
    r_squared : :class:`float`
        The part of the variance of the samples' area that the model explains; below 0 it is worse than their mean.
    worst_error : :class:`float`
        The largest relative error of a sample: 0.1 is 10 per cent.
    """

    coefficients: Mapping
    r_squared: float
    worst_error: float

    def predict(self, sample):
        """The area that the model gives ``sample``, whose own ``area`` is not looked at."""
        return float(sum(value * TERMS[name](sample) for name, value in self.coefficients.items()))


def fit(samples, terms):
    """The :class:`Fit` with the least squares of relative errors, so that small routers count as much as large ones.

    A term that is 0 in all samples gets the coefficient 0.

    Raises
    ------
    ParameterError
        If a term is unknown, or there are fewer samples than terms, or they do not tell the terms apart.
    """
    terms = [check_choice("term of the ab model", name, TERMS) for name in terms]
    samples = list(samples)
    area = numpy.array([sample.area for sample in samples], float)
    values = numpy.array([[TERMS[name](sample) for name in terms] for sample in samples], float).reshape(-1, len(terms))
    used = [index for index in range(len(terms)) if values[:, index].any()]
    relative = values[:, used] / area[:, None]
    # Columns of about the same size, or their rank cannot be told from rounding.
    scale = numpy.abs(relative).max(axis=0) if len(samples) else numpy.ones(len(used))
    if len(samples) < max(1, len(used)) or numpy.linalg.matrix_rank(relative / scale) < len(used):
        raise ParameterError(f"samples must tell the {len(used)} terms {', '.join(terms[index] for index in used)} "
                             f"apart; these {len(samples)} do not")
    found = numpy.zeros(len(terms))
    found[used] = numpy.linalg.lstsq(relative / scale, numpy.ones(len(samples)), rcond=None)[0] / scale
    error = values @ found - area
    spread = ((area - area.mean()) ** 2).sum()
    return Fit(coefficients=dict(zip(terms, map(float, found))),
               r_squared=float(1 - (error ** 2).sum() / spread) if spread else float(not error.any()),
               worst_error=float(numpy.abs(error / area).max()))


def held_out_errors(samples, terms):
    """The relative error of each sample, in order, by a model that was fitted to all the others.

    Raises
    ------
    ParameterError
        As :func:`fit` does, for any of these models.
    """
    samples = list(samples)
    errors = []
    for index, sample in enumerate(samples):
        others = fit(samples[:index] + samples[index + 1:], terms)
        errors.append(others.predict(sample) / sample.area - 1)
    return errors

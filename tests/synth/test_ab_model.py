"""The models are held against made-up areas whose terms are known, and against routers that were measured."""

import dataclasses
import functools
from pathlib import Path

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.crossbar import Crossbar
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.results import read_records
from fatcube.studies.study import Study, network_of
from fatcube.synth.ab_model import (
    AB,
    CROSSBAR,
    FLIP_FLOPS,
    ROUTER,
    Sample,
    fit,
    held_out_errors,
    identifiable,
    multiplexer,
)
from fatcube.synth.measure import synthesize

DATA = Path(__file__).parents[1] / "data" / "routers.jsonl"


def sample(a, width, measured, depth=2):
    return Sample(a=a, sources=[a - 1] * a, width=width, depth=depth, measured=measured)


def test_terms_that_made_the_areas_are_found():
    samples = [
        sample(a, width, 3 * a * multiplexer(a - 1) * width + 7 * a * (a - 1) + 5 * a * width)
        for a in (3, 4, 6, 9)
        for width in (8, 20, 33)
    ]
    found = fit(samples, CROSSBAR)
    assert found.coefficients == pytest.approx({"multiplexers W": 3, "turns": 7, "a W": 5})
    assert found.r_squared == pytest.approx(1) and found.worst_error == pytest.approx(0, abs=1e-9)
    assert held_out_errors(samples, CROSSBAR) == pytest.approx([0] * len(samples), abs=1e-9)
    assert found.predict(sample(5, 16, 1)) == pytest.approx(3 * 5 * 2 * 16 + 7 * 20 + 5 * 80)


def test_errors_are_those_computed_by_hand():
    """One term, two samples: x minimises (x/10 - 1)^2 + (4x/20 - 1)^2, so x = 6."""
    two = [
        Sample(a=1, sources=[1], width=1, depth=0, measured=10),
        Sample(a=2, sources=[2, 2], width=1, depth=0, measured=20),
    ]
    found = fit(two, AB)
    assert found.coefficients["ab"] == pytest.approx(6)
    assert found.worst_error == pytest.approx(0.4)
    assert found.r_squared == pytest.approx(1 - (16 + 16) / (25 + 25))
    assert [fit(two[1:], AB).sum(two[0]), fit(two[:1], AB).sum(two[1])] == pytest.approx([5, 40])
    assert held_out_errors(two, AB) == [
        fit(others, AB).predict(one) / one.measured - 1 for one, others in ((two[0], two[1:]), (two[1], two[:1]))
    ]


def test_near_samples_correct_the_sum():
    """All cost 100 a bit but one kind, which costs 20 per cent more: its twin knows, and who is far does not."""
    plain = [
        Sample(a=a, sources=[2] * a, width=width, depth=2, measured=100 * a * width)
        for a in (4, 8, 16)
        for width in (8, 32)
    ]
    odd = [dataclasses.replace(plain[0], copies=True, width=width, measured=120 * 4 * width) for width in (8, 9)]
    found = fit([*plain, odd[0]], ("a W",))
    assert abs(found.predict(odd[1]) / odd[1].measured - 1) < 0.06 < abs(found.sum(odd[1]) / odd[1].measured - 1)
    far = dataclasses.replace(plain[0], a=64, sources=[2] * 64)
    assert found.predict(far) == pytest.approx(found.sum(far), rel=1e-3)


def test_held_out_is_what_a_model_of_the_others_predicts():
    """The one inverse that serves all samples gives what a model of the others alone gives."""
    samples = list(study().luts.fit.samples)[::4]
    terms = identifiable(samples, ("a W", "turns W", "turns"))
    assert held_out_errors(samples, terms) == pytest.approx(
        [
            fit(samples[:index] + samples[index + 1 :], terms).predict(one) / one.measured - 1
            for index, one in enumerate(samples)
        ]
    )


def test_term_that_no_sample_has_is_left_out():
    samples = [sample(a, width, a * width) for a in (2, 3, 5) for width in (4, 9)]
    found = fit(samples, ("a W", "a log D (D > 2)"))
    assert found.coefficients == pytest.approx({"a W": 1, "a log D (D > 2)": 0})
    assert identifiable(samples, ("a W", "a log D (D > 2)", "a W D (D < 3)", "a")) == ("a W", "a")
    assert identifiable(samples[::2], ("turns", "turns W", "a")) == ("turns", "a")


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([], r"samples must tell the 0 terms  apart; these 0 do not"),
        ([sample(3, 8, 9)] * 5, "samples must tell the 3 terms multiplexers W, turns, a W apart; these 5 do not"),
    ],
)
def test_samples_that_do_not_tell_terms_apart_are_refused(samples, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        fit(samples, CROSSBAR)


def test_bad_parameters_are_refused():
    with pytest.raises(
        ParameterError, match="^term of the ab model must be one of 1, ab, ab W, turns, .*, not 'cost'$"
    ):
        fit([sample(3, 8, 9)], ["cost"])
    with pytest.raises(ParameterError, match="^Sample measured must be more than 0, not 0$"):
        dataclasses.replace(sample(3, 8, 9), measured=0)
    with pytest.raises(ParameterError, match="^Sample sources must be an integer from 1 to 3, not 4$"):
        dataclasses.replace(sample(3, 8, 9), sources=[4])
    with pytest.raises(ParameterError, match="^inputs of a multiplexer must be an integer of at least 1, not 0$"):
        multiplexer(0)


def test_sample_of_a_router_by_hand():
    """d = m = 2, f = 1, model 1: a processor reaches the other one and both lanes, a lane both processors."""
    network = Network(FatCube(2, 2), RouterOptions(ports="b", width=20))
    found = Sample.of_router(network, 7)
    assert (found.a, found.b, found.sources, found.turns, found.processor_outputs) == (4, 4, (3, 3, 2, 2), 10, 2)
    assert (found.multiplexers, found.copies, found.width, found.measured) == (2 + 2 + 1 + 1, True, 20, 7)
    crossbar = Sample.of_crossbar(network)
    assert (crossbar.sources, crossbar.width, crossbar.depth) == ((4, 4, 4, 4), 21, 0)


@pytest.mark.parametrize(
    "inputs", [9, *(pytest.param(number, marks=pytest.mark.long) for number in (1, 3, 4, 11, 12, 15, 20))]
)
def test_multiplexers_are_what_yosys_makes(inputs):
    area = [
        synthesize(Crossbar(width, inputs, [range(inputs)]), name="crossbar", fmax=False).area.comb_equivalents
        for width in (8, 12)
    ]
    assert (area[1] - area[0]) / 4 == multiplexer(inputs)


@functools.cache
def study():
    return Study(read_records(DATA), "ecp5")


def test_routers_that_were_measured():
    """129 routers of 2 to 22 ports, 16 to 64 bits, buffers of 1 to 16 flits."""
    luts, flops = study().luts, study().model("ff", FLIP_FLOPS)
    crossbars = study().model("crossbar", CROSSBAR, of=Sample.of_crossbar)
    assert len(study().routers) == 129
    # What a router costs that was left out of the fit. Few have buffers of one flit, and these are like no others.
    single, others = [], []
    for one, error in zip(luts.fit.samples, luts.errors, strict=True):
        (single if one.depth == 1 else others).append(abs(error))
    assert luts.mean < 0.015 and max(others) < 0.06 and max(single) < 0.13
    assert flops.mean < 0.02 and crossbars.worst < 1e-6
    assert luts.fit.r_squared > 0.999 and crossbars.fit.r_squared > 0.999
    # What a b alone says of the same.
    alone = study().model("luts", AB).fit
    off = [abs(alone.sum(one) / one.measured - 1) for one in alone.samples]
    assert alone.worst_error == pytest.approx(max(off)) and alone.worst_error > 0.5
    assert sum(one < 0.1 for one in off) < len(off) / 3
    assert study().model("crossbar", AB, of=Sample.of_crossbar).fit.worst_error > 0.5


@pytest.mark.parametrize("cube", [(2, 2, 1), (3, 2, 1), (2, 4, 1), (4, 4, 1)])
@pytest.mark.parametrize("ports", ["1", "d"])
def test_router_left_out_is_within_ten_per_cent(cube, ports):
    network = Network(FatCube(*cube), RouterOptions(ports=ports))
    samples = list(study().luts.fit.samples)
    [left_out] = [one for one in samples if dataclasses.replace(one, measured=1) == Sample.of_router(network)]
    samples.remove(left_out)
    assert fit(samples, ROUTER).predict(left_out) == pytest.approx(left_out.measured, rel=0.1)


def test_stored_routers_are_what_synthesis_gives():
    """One of them, made again."""
    from fatcube.synth.silicon import crossbar_area, router_silicon

    record = next(one for one in read_records(DATA) if one["parameters"]["topology"]["type"] == "fat-cube")
    network = network_of(record["parameters"])
    area = router_silicon(network, fmax=False).area
    assert (area.comb_equivalents, area.ff, crossbar_area(network).comb_equivalents) == tuple(
        record["measured"][name] for name in ("comb_equivalents", "ff", "crossbar_comb_equivalents")
    )

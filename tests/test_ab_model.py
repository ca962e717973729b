"""The fit is held against made-up areas whose terms are known, and against a few routers."""

import dataclasses

import pytest

from fatcube.silicon import router_silicon
from noc.cubes import FatCube
from noc.network import Network
from rtl.parameters import ParameterError
from synth.ab_model import AB, CROSSBAR, ROUTER, Sample, fit, held_out_errors


def sample(a, width, area, depth=2):
    return Sample(a=a, b=a, turns=a * (a - 1), width=width, depth=depth, area=area)


def test_terms_that_made_the_areas_are_found():
    samples = [sample(a, width, 3 * a * (a - 1) * width + 7 * a * (a - 1) + 5 * a * width)
               for a in (3, 4, 6, 9) for width in (8, 20, 33)]
    found = fit(samples, CROSSBAR)
    assert found.coefficients == pytest.approx({"turns W": 3, "turns": 7, "a W": 5})
    assert found.r_squared == pytest.approx(1) and found.worst_error == pytest.approx(0, abs=1e-9)
    assert held_out_errors(samples, CROSSBAR) == pytest.approx([0] * len(samples), abs=1e-9)
    assert found.predict(sample(5, 16, 1)) == pytest.approx(3 * 20 * 16 + 7 * 20 + 5 * 80)


def test_errors_are_those_computed_by_hand():
    """One term, two samples: x minimises (x/10 - 1)^2 + (4x/20 - 1)^2, so x = 6."""
    two = [Sample(a=1, b=1, turns=1, width=1, depth=0, area=10),
           Sample(a=2, b=2, turns=4, width=1, depth=0, area=20)]
    found = fit(two, AB)
    assert found.coefficients["ab"] == pytest.approx(6)
    assert found.worst_error == pytest.approx(0.4)
    assert found.r_squared == pytest.approx(1 - (16 + 16) / (25 + 25))
    assert held_out_errors(two, AB) == pytest.approx([-0.5, 1.0])


def test_term_that_no_sample_has_is_left_out():
    found = fit([sample(a, width, a * width) for a in (2, 3, 5) for width in (4, 9)], ("a W", "a (D > 2)"))
    assert found.coefficients == pytest.approx({"a W": 1, "a (D > 2)": 0})


@pytest.mark.parametrize(("samples", "message"), [
    ([], r"samples must tell the 0 terms  apart; these 0 do not"),
    ([sample(3, 8, 9)] * 5, "samples must tell the 3 terms turns W, turns, a W apart; these 5 do not"),
])
def test_samples_that_do_not_tell_terms_apart_are_refused(samples, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        fit(samples, CROSSBAR)


def test_bad_parameters_are_refused():
    with pytest.raises(ParameterError, match="^term of the ab model must be one of ab, turns, .*, not 'cost'$"):
        fit([sample(3, 8, 9)], ["cost"])
    with pytest.raises(ParameterError, match="^Sample area must be an integer of at least 1, not 0$"):
        dataclasses.replace(sample(3, 8, 9), area=0)


def test_ab_alone_does_not_explain_routers_and_the_fuller_model_does():
    networks = [Network(topology=FatCube(*cube), ports=ports, width=width, buffer_depth=depth)
                for cube, ports, width, depth in (
                    ((1, 2), "1", 10, 2), ((2, 2), "1", 12, 2), ((2, 2), "1", 20, 2), ((1, 4), "1", 16, 2),
                    ((1, 2), "1", 20, 4), ((2, 2), "1", 12, 6), ((2, 2), "b", 12, 2), ((2, 2), "b", 20, 2),
                    ((1, 4), "b", 14, 2), ((1, 2), "1", 24, 2))]
    samples = [Sample.of_router(network, router_silicon(network, fmax=False).area.comb_equivalents)
               for network in networks]
    assert (samples[1].a, samples[1].turns, samples[6].multicast) == (4, 10, True)
    ab, fuller = fit(samples, AB), fit(samples, ROUTER)
    assert ab.r_squared < 0.8 and ab.worst_error > 0.25
    assert fuller.r_squared > 0.98 and fuller.worst_error < 0.1

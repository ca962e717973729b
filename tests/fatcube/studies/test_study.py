"""The measured routers of records made by hand, and what models are fitted to; the fit itself has its own tests."""

import dataclasses
from pathlib import Path

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies import study as module
from fatcube.studies.study import Model, Study, committed_all_turns, committed_study
from fatcube.synth.ab_model import Fit, Sample


def record(topology, luts, *, key="k", family="ecp5", options=RouterOptions(), **measured):
    return {
        "key": key,
        "parameters": {**Network(topology, options).to_json(), "family": family},
        "measured": {"comb_equivalents": luts, "ff": luts + 1, **measured},
    }


PLACED = {"fmax_mhz": 100.0, "seeds_mhz": [[1, 90.0], [2, 100.0], [3, 110.0]]}
SIZES = [(1, 100, 125.0), (2, 200, 100.0), (3, 340, 80.0), (4, 500, 62.5)]
SEVERAL = [record(FatCube(d), luts, fmax_mhz=mhz, seeds_mhz=[[1, mhz]]) for d, luts, mhz in SIZES]


def test_a_router_is_what_its_record_says():
    """Values that were not measured are none, and Fmax of seeds is without their numbers."""
    whole = record(FatCube(1), 100, key="whole", crossbar_comb_equivalents=30, **PLACED)
    study = Study([whole, record(Hypercube(2), 50, key="bare", seeds_mhz=None)], "ecp5")
    one, other = study.routers[Network(FatCube(1))], study.routers[Network(Hypercube(2))]
    assert dataclasses.astuple(one)[1:] == (100, 101, 30, 100.0, (90.0, 100.0, 110.0), "whole")
    assert dataclasses.astuple(other)[1:] == (50, 51, None, None, (), "bare")
    assert [router.network for router in study.routers.values()] == list(study.routers)
    assert "seeds_mhz" not in record(FatCube(1), 1)["measured"]
    assert Study([record(FatCube(1), 1)], "ecp5").routers[Network(FatCube(1))].seeds == ()


def test_routers_with_all_turns():
    """Records of the study with all turns, and further ones, which are nothing else of the study; none of other families."""
    every = RouterOptions(turns="all")
    own = [record(FatCube(1), 100, key="used"), record(FatCube(2), 140, key="own", options=every)]
    further = [record(FatCube(1), 120, key="all", options=every), record(FatCube(3), 9, key="used too")]
    study = Study(own, "ecp5", all_turns=[*further, record(FatCube(4), 9, family="ice40", options=every)])
    assert {network: (one.luts, one.key) for network, one in study.whole.items()} == {
        Network(FatCube(1)): (120, "all"),
        Network(FatCube(2)): (140, "own"),
    }
    assert {one.key for one in study.routers.values()} == {"used", "own"} and len(study.records) == 2
    assert study.whole[Network(FatCube(1))].network == Network(FatCube(1), every)


@pytest.mark.parametrize("turned", [False, True])
def test_of_several_records_of_a_router_the_placed_one_counts(turned):
    """And of those that were placed the one with the lowest key, whatever the order in the file."""
    records = [
        record(FatCube(1), 10, key="a"),
        record(FatCube(1), 20, key="b", **PLACED),
        record(FatCube(1), 30, key="c", **PLACED),
        record(FatCube(1), 40, key="d"),
    ]
    [router] = Study(records[::-1] if turned else records, "ecp5").routers.values()
    assert (router.luts, router.key) == (20, "b")


def test_older_placements_are_told_apart():
    """Of a router, the one that was placed as it would be today counts, and it is said of how many others that is not so."""
    today = {**PLACED, "commands": ["synth_ecp5", "nextpnr-ecp5 --tmg-ripup --seed 1"]}
    older = {**PLACED, "commands": ["synth_ecp5", "nextpnr-ecp5 --seed 1"]}
    old, new = record(FatCube(1), 10, key="a", **older), record(FatCube(1), 20, key="b", **today)
    bare = record(FatCube(2), 30, key="c", commands=["synth_ecp5"])
    for records in ([old, new, bare], [new, old, bare]):
        study = Study(records, "ecp5")
        assert study.routers[Network(FatCube(1))].key == "b"
        assert study.flow_note.startswith(
            "MHz of 1 of 2 measurements are without timing-driven rip-up (nextpnr's --tmg-ri"
        )
    assert Study([old, bare, record(FatCube(3), 1, **PLACED)], "ecp5").flow_note.startswith("All MHz are without")
    assert Study([new, bare], "ecp5").flow_note == ""
    both = Study([old], "ecp5", all_turns=[new, record(FatCube(4), 1, family="ice40", **older)])
    assert both.flow_note.startswith("MHz of 1 of 2 measurements are without")
    # It is an option of that family alone.
    assert Study([record(FatCube(1), 1, family="ice40", **older)], "ice40").flow_note == ""


def test_records_of_others_are_left_out():
    """Other families, networks under load, and options that the models do not see; those they see are all taken."""
    of_load = {"key": "l", "parameters": {"pattern": "uniform", "family": "ecp5"}, "measured": {}}
    piped = record(FatCube(1), 1, options=RouterOptions(link_stages=1, buffer_depth=5))
    wide = record(FatCube(1), 2, options=RouterOptions(width=64, buffer_depth=5))
    other = record(FatCube(1), 3, family="ice40")
    records = [of_load, piped, wide, other]
    assert Study(records, "ecp5").records == [piped, wide]
    assert Study(records, "ice40").records == [other]
    assert Study(records, "ecp5", RouterOptions()).records == [wide]
    assert Study(records, "ecp5", RouterOptions(link_stages=1)).records == [piped]
    assert Study(records, "ecp5").family == "ecp5"
    for options, what in (
        (None, ""),
        (RouterOptions(), ""),
        (RouterOptions(link_stages=2, pipeline=2), " with pipeline=2, link_stages=2"),
    ):
        with pytest.raises(ParameterError) as error:
            Study([of_load, record(FatCube(1), 1, family="ice40")], "ecp5", options)
        assert str(error.value) == f"results must have routers{what} measured on ecp5, and these have none"


def test_models_are_of_the_routers_that_have_a_value():
    """Of the same hardware once, as in networks of other sizes; the period is in ns."""
    same = record(Hypercube(3), 200, key="s", fmax_mhz=100.0, seeds_mhz=[[1, 100.0]])
    assert Sample.of_router(Network(Hypercube(3))) == Sample.of_router(Network(FatCube(3)))
    records = [*SEVERAL, {**same, "measured": {**same["measured"], "crossbar_comb_equivalents": 7}}]
    study = Study(records, "ecp5")
    luts = study.luts.fit.samples
    assert luts == tuple(Sample.of_router(Network(FatCube(d)), luts) for d, luts, _ in SIZES)
    assert study.luts.terms == ("a W", "multiplexers W", "turns")
    assert study.frequency.fit.samples == tuple(
        Sample.of_router(Network(FatCube(d)), 1000 / mhz) for d, _, mhz in SIZES
    )
    assert study.frequency.terms[0] == "1"
    assert study.models == {"LUTs": study.luts, "Fmax": study.frequency}
    with pytest.raises(
        ParameterError, match="^results must have at least two different routers for a model of what was not "
    ):
        study.model("crossbar", ["a"])
    crossbars = Study([record(FatCube(d), 1, crossbar_comb_equivalents=9 * d) for d in (1, 2, 3)], "ecp5").model(
        "crossbar", ["ab"], of=Sample.of_crossbar
    )
    assert crossbars.fit.samples == tuple(Sample.of_crossbar(Network(FatCube(d)), 9 * d) for d in (1, 2, 3))


def test_without_fmax_there_is_a_model_of_area_alone():
    study = Study([record(FatCube(d), luts) for d, luts, _ in SIZES], "ecp5")
    with pytest.raises(ParameterError) as error:
        _ = study.frequency
    assert str(error.value) == "results must have routers placed on ecp5 for their Fmax, and these have none"
    assert list(study.models) == ["LUTs"]
    assert Study([record(FatCube(1), 1)], "ecp5").models == {}


def sample(a, measured):
    return Sample(a=a, sources=[a - 1] * a, width=8, depth=2, measured=measured)


def test_a_model_has_the_terms_that_are_told_apart_without_any_one_sample():
    """By hand: three samples tell three terms apart, and of any two of them only two terms; of two, one."""
    three = [sample(3, 10), sample(5, 30), sample(9, 90)]
    assert Model.of(iter(three), ["a", "ab", "1"]).terms == ("a", "ab")
    two = Model.of(three[:2], iter(["ab", "a"]))
    assert two.terms == ("ab",) and len(two.errors) == 2 and two.fit.coefficients.keys() == {"ab"}
    assert two.fit.samples == tuple(three[:2])
    with pytest.raises(ParameterError) as error:
        Model.of(three[:1], ["a"])
    assert str(error.value) == (
        "results must have at least two different routers for a model of what was not measured, and these have 1"
    )
    # Two that are alike in all that terms can tell.
    alike = [dataclasses.replace(three[0], measured=measured) for measured in (1, 2)]
    assert Model.of(alike, ["a", "ab"]).terms == ("a",)


def test_errors_are_without_sign():
    fit = Fit(coefficients={}, r_squared=1, worst_error=0, samples=())
    model = Model(fit, (), [0.125, -0.5, 0.25, -0.125])
    assert (model.worst, model.mean) == (0.5, 0.25)
    assert [model.within(part) for part in (0.1, 0.125, 0.25, 0.5)] == [0, 2, 3, 4]


def test_the_study_stands_beside_the_module(monkeypatch, tmp_path):
    assert committed_study() == Path(module.__file__).parent / "study.jsonl"
    monkeypatch.setattr(module, "__file__", str(tmp_path / "study.py"))
    with pytest.raises(
        ParameterError, match=r"^results file must be given \(--results\), as no study comes with this "
    ):
        committed_study()
    (tmp_path / "study.jsonl").touch()
    assert committed_study() == tmp_path / "study.jsonl"


def test_stored_routers_with_all_turns(monkeypatch, tmp_path):
    """Catches an installation without them, of which a report would lack sections and say nothing."""
    assert len(committed_all_turns()) > 50
    monkeypatch.setattr(module, "__file__", str(tmp_path / "study.py"))
    with pytest.raises(ParameterError, match="^results file must be given .--results., as routers with all turns"):
        committed_all_turns()

"""The choice: what is measured is taken as it is, what is not is predicted and marked, what is beaten is left out."""

import csv
import dataclasses
import functools
import json
import math
import os
from pathlib import Path
import subprocess
import sys
import types

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.cycles import count_steps, lockstep_cycles
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.studies import steps as steps_module
from fatcube.studies import study as study_module
from fatcube.studies.explore import explore, pareto_front, parse_workload
from fatcube.studies.results import Results, read_records, write_records
from fatcube.studies.steps import candidates, fewest_steps, steps_of
from fatcube.studies.study import Study, committed_study, network_of
from fatcube.synth.ab_model import PERIOD, Sample
from tests.support.commands import run
from tests.support.effort import at_most
from tests.support.stored import ROUTERS, points, small

ROOT = Path(__file__).parents[3]
SMALL = small()  # hypercube and fat cube of 8 processors, all models


@functools.cache
def study():
    """Of the measured points, and of routers of which the area is known only."""
    return Study([*points(), *read_records(ROUTERS)], "ecp5")


@functools.cache
def committed():
    """The study that comes with fatcube."""
    return Study(read_records(committed_study()), "ecp5")


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A results file of the same."""
    path = tmp_path_factory.mktemp("results") / "both.jsonl"
    write_records(path, [*points(), *read_records(ROUTERS)])
    return path


def choice(luts, microseconds):
    """The choices of :func:`pareto_front`; the lower bound of its time is a bit lower."""
    return types.SimpleNamespace(luts=luts, microseconds=microseconds, least_microseconds=microseconds - 0.5)


# What is asked for


def test_workload():
    assert parse_workload("alltoall:4,allgather:1") == {Collective.AAS: 4.0, Collective.AAB: 1.0}
    assert parse_workload(" Broadcast , scatter:0.5,gather,reduce,reducescatter,allreduce") == {
        Collective.OAB: 1.0,
        Collective.OAS: 0.5,
        Collective.AOG: 1.0,
        Collective.AOR: 1.0,
        Collective.AAR: 1.0,
        Collective.ALL_REDUCE: 1.0,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "collective must be one of OAB, .*, not ''"),
        ("sort:1", "collective must be one of OAB, .*, not 'sort'"),
        ("alltoall:", "workload must say how often AAS runs as a number above 0, not ''"),
        ("alltoall:-1", "workload must say how often AAS runs as a number above 0, not '-1'"),
        ("alltoall:nan", "workload must say how often AAS runs as a number above 0, not 'nan'"),
        ("alltoall:x", "workload must say how often AAS runs as a number above 0, not 'x'"),
        ("alltoall,AAS:2", "workload must have each collective once, but it has AAS twice"),
    ],
)
def test_bad_workload(text, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        parse_workload(text)


def test_candidates():
    assert list(map(str, candidates(8))) == [
        "fat-cube(d=1, m=4, f=1)",
        "fat-cube(d=1, m=4, f=2)",
        "fat-cube(d=1, m=4, f=4)",
        "fat-cube(d=2, m=2, f=1)",
        "fat-cube(d=2, m=2, f=2)",
        "hypercube(d=3)",
    ]
    assert list(map(str, candidates(6))) == ["fat-cube(d=1, m=3, f=1)", "fat-cube(d=1, m=3, f=2)"]
    assert {topology.processors for topology in candidates(64)} == {64} and len(candidates(64)) == 15
    with pytest.raises(ParameterError, match="^processors to choose for must be an integer from 2 to 256, not 1$"):
        candidates(1)


# Steps


def test_steps_that_are_known_are_those_of_the_constructions():
    """Networks of 2 to 8 processors, and some larger ones; if a construction gets better, make the table anew."""
    known = steps_module._table()
    for name, steps in [*steps_module._lines(known=(2, 4, 8)), *steps_module._slow_lines(most=30)]:
        assert known[name] == steps, name
    for topology, ports, collective in (
        (Hypercube(6), "d", "AAS"),
        (FatCube(4, 4), "1", "AAB"),
        (FatCube(3, 4, 2), "b", "OAB"),
        (FatCube(5, 2), "*", "all-reduce"),
        (Hypercube(8), "d", "AAS"),
        (FatCube(6, 4), "1", "AAB"),
        (FatCube(3, 16, 4), "d", "OAB"),
        (FatCube(4, 16, 2), "1", "AAR"),
    ):
        assert steps_of(topology, ports, collective).steps == construct(Problem(topology, ports, collective)).steps
    assert {name.rpartition(" ")[0] for name in known} >= {
        f"{topology} ports=1" for p in range(1, 9) for topology in candidates(1 << p)
    }


@pytest.mark.parametrize("topology", [Hypercube(3), FatCube(2, 2), FatCube(1, 4, 2), FatCube(2, 3), FatCube(1, 5)])
@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
def test_steps_are_counted_by_kind_without_the_schedule(topology, ports):
    """Collectives made of other ones, and cases that equal those of another router model."""
    for collective in Collective:
        counted = count_steps(construct(Problem(topology, ports, collective)).schedule)
        assert steps_of(topology, ports, collective) == counted
        assert fewest_steps(topology, ports, collective) <= counted.steps


@pytest.mark.parametrize("topology", [FatCube(1, 9), FatCube(1, 12, 4), FatCube(2, 6), FatCube(3, 6)])
def test_all_to_all_that_never_leaves_a_lane_idle_is_not_constructed(monkeypatch, topology):
    counted = count_steps(construct(Problem(topology, "1", "AAS")).schedule)
    assert steps_module._lanes_never_idle(topology)
    monkeypatch.setattr(steps_module, "construct", None)
    assert steps_of(topology, "1", "AAS") == counted


def test_steps_that_are_not_known_are_counted(monkeypatch):
    monkeypatch.setattr(steps_module, "_table", dict)
    assert steps_of(FatCube(1, 3), "1", "OAS").steps == construct(Problem(FatCube(1, 3), "1", "OAS")).steps


# What nothing beats


def test_front():
    a, b, c, d, same = (choice(*values) for values in ((10, 9), (20, 5), (30, 5), (5, 20), (20, 5)))
    assert pareto_front([a, b, c, d]) == [d, a, b]
    assert pareto_front([c, b, same]) == [b, same]
    assert pareto_front([choice(10, 9), choice(10, 8)]) == [choice(10, 8)]
    assert pareto_front([a, b, c, d], max_luts=10) == [d, a]
    assert pareto_front([a, b], max_luts=9) == pareto_front([]) == []


def test_what_is_measured_is_taken_as_it_is():
    given = study()
    found = {one.network: one for one in explore(8, {Collective.AAS: 1.0}, given).choices}
    assert len(found) == 6 * 4
    measured = [one for one in points() if one["parameters"]["collective"] == "AAS"]
    assert len(measured) == 8
    for record in measured:
        one, values = found[network_of(record["parameters"])], record["measured"]
        assert one.luts == values["comb_equivalents"] * one.network.topology.nodes
        assert (one.mhz, one.cycles, one.steps["AAS"]) == (values["fmax_mhz"], values["cycles"], values["steps"])
        assert one.microseconds == pytest.approx(values["microseconds"])
        assert {one.luts_from, one.mhz_from} <= {
            other["key"] for other in given.records if network_of(other["parameters"]) == one.network
        }
        ports = one.network.router().crossbar_ports
        assert (one.ab, one.router_cost) == (ports * ports, ports * ports * one.network.topology.nodes)
        assert one.links == values["links"] and {"ab": one.ab, "C_R": one.router_cost}.items() <= one.to_json().items()
    for network, one in found.items():
        assert (one.luts_from in ("model", "extrapolated")) == (network not in given.routers)
        assert (one.mhz_from in ("model", "extrapolated")) == (
            network not in {network_of(record["parameters"]) for record in measured}
        )


def test_weights_and_payload():
    workload = {Collective.AAS: 4.0, Collective.OAB: 0.5}
    one = {each.network: each for each in explore(8, workload, study(), payload_flits=8).choices}
    cube = Network(Hypercube(3))
    assert one[cube].cycles == (4 * 12 + 0.5 * 3) * (8 + 4)


@pytest.mark.parametrize(
    "left_out",
    [
        Network(FatCube(2, 2)),
        Network(FatCube(2, 2), RouterOptions(ports="d")),
        Network(Hypercube(3), RouterOptions(ports="b")),
    ],
)
def test_configuration_left_out_is_predicted(left_out):
    """Cycles exactly, LUTs within 10 per cent; that it is a prediction is said. Of Fmax, what the others can tell: left
    with one router of model b, nothing knows what copies cost."""
    every = [*points(), *read_records(ROUTERS)]
    given = Study([one for one in every if network_of(one["parameters"]) != left_out], "ecp5")
    assert left_out not in given.routers and len(given.records) == len(every) - 5
    for record in points():
        if network_of(record["parameters"]) == left_out:
            measured = record["measured"]
            [found] = [
                one
                for one in explore(8, {Collective.parse(record["parameters"]["collective"]): 1.0}, given).choices
                if one.network == left_out
            ]
            assert (found.luts_from, found.mhz_from) == ("model", "model")
            assert found.cycles == measured["cycles"] == measured["predicted_cycles"]
            assert found.luts == pytest.approx(measured["network_comb_equivalents"], rel=0.1)
            if "log sources, model b" in given.frequency.terms or not left_out.options.ports.copies:
                assert found.mhz == pytest.approx(measured["fmax_mhz"], rel=0.25)


def test_larger_than_what_was_measured_is_said():
    most = max(network_of(one["parameters"]).router().crossbar_ports for one in read_records(ROUTERS))
    found = explore(64, {Collective.OAB: 1.0}, study()).choices
    sizes = {one.network.router().crossbar_ports: one.luts_from for one in found}
    assert {source for ports, source in sizes.items() if ports > most} == {"extrapolated"}
    assert "extrapolated" not in {source for ports, source in sizes.items() if ports <= most}


DIRECT, PAIRS = StepModel(transfers="direct"), StepModel(per_packet=2)


@functools.cache
def choices(collective, allowed):
    """All choices for one collective, each of which constructs and counts what it is asked for once."""
    return explore(8, {collective: 1.0}, study(), allowed=allowed).choices


def explored(network, collective, allowed):
    """The choice of one topology and router model, and what is constructed and counted of it by itself."""
    [one] = [
        each
        for each in choices(collective, allowed)
        if (each.network.topology, each.network.options.ports) == (network.topology, network.options.ports)
    ]
    return one


def test_steps_of_a_model():
    """One port of the 3-cube: 7 messages in 7 steps, one for each other processor, along paths of 1 to 3 links: a link more
    is a cycle more beyond the first. With packets of two messages a scatter is done in 4 steps of at most two."""
    one = explored(Network(Hypercube(3)), Collective.AAS, DIRECT)
    schedule = construct(Problem(Hypercube(3), "1", "AAS", model=DIRECT)).found
    assert one.steps == {"AAS": 7}
    assert one.cycles == lockstep_cycles(schedule, Network(Hypercube(3), RouterOptions(hops=3)), 16) < 12 * 20
    assert one.network.options.hops == 3 and one.luts > explored(Network(Hypercube(3)), Collective.AAS, STANDARD).luts
    assert one.to_json()["step_model"] == {"transfers": "direct"}
    pairs = explored(Network(Hypercube(3)), Collective.AAS, PAIRS)
    assert pairs.cycles <= 12 * 20 and pairs.steps["AAS"] <= 12


@pytest.mark.parametrize("allowed", [DIRECT, PAIRS, StepModel(transfers="direct", per_packet="unlimited")], ids=str)
def test_wider_steps_are_never_slower_and_never_below_their_bound(allowed):
    """Schedules of narrower steps are taken where they are quicker, and what rules out a choice is below its cycles."""
    for collective in (Collective.OAS, Collective.AAB):
        for network in (Network(Hypercube(3)), Network(FatCube(2, 2), RouterOptions(ports="d"))):
            one, usual = (explored(network, collective, model) for model in (allowed, STANDARD))
            assert one.least_microseconds * one.mhz <= one.cycles <= usual.cycles


def test_models_that_cannot_do_the_steps_are_no_choice():
    for allowed in (DIRECT, PAIRS):
        found = choices(Collective.AAB, allowed)
        assert len(found) == 6 * 3 and PortModel.BROADCAST not in {one.network.options.ports for one in found}


# The command


def test_command(monkeypatch, capsys, tmp_path, both):
    status, out, err = run(
        monkeypatch,
        capsys,
        "explore",
        "--processors",
        8,
        "--workload",
        "alltoall:4,allgather",
        "--results",
        both,
        "--json",
        tmp_path / "o.json",
    )
    assert (status, err) == (0, "")
    assert out.startswith("4 x AAS + 1 x AAB, 16 payload flits, 8 processors, ecp5: ")
    assert "left out of the fit" in out
    record = json.loads((tmp_path / "o.json").read_text())
    best = record["measured"]["front"]
    assert best == sorted(best, key=lambda one: one["luts"])
    assert [one["microseconds"] for one in best] == sorted((one["microseconds"] for one in best), reverse=True)
    assert record["measured"]["held_out"]["LUTs"]["routers"] > 10
    limit = math.ceil(best[0]["luts"])
    cheapest = sum(one["luts"] <= limit for one in best)
    status, out, err = run(monkeypatch, capsys, "explore", "--processors", 8, "--results", both, "--max-luts", limit)
    assert (status, err) == (0, "") and f": {cheapest} of {record['measured']['configurations']} configurations" in out
    status, out, err = run(monkeypatch, capsys, "explore", "--processors", 8, "--results", both, "--max-luts", 5)
    assert (status, out) == (1, "")
    assert err.startswith("fatcube: no network of 8 processors has routers of at most 5 LUTs together; the smallest ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--processors", "1"], "processors to choose for must be an integer from 2 to 256, not 1"),
        (["--processors", "7"], "processors must be a multiple of 2, as those of every cube are, not 7"),
        (["--processors", "0"], "processors to choose for must be an integer from 2 to 256, not 0"),
        (["--processors", "257"], "processors to choose for must be an integer from 2 to 256, not 257"),
        (["--payload-flits", "0"], "payload flits must be an integer from 1 to 65534, not 0"),
        (["--payload-flits", "70000"], "payload flits must be an integer from 1 to 65534, not 70000"),
        (["--max-luts", "-1"], "max LUTs must be an integer of at least 1, not -1"),
        (["--workload", "alltoall:inf"], "workload must say how often AAS runs as a number above 0, not 'inf'"),
        (["--width", "0"], "width must be an integer from 1 to 4096, not 0"),
        (["--width", "4"], "width must be enough for the headers of 64 processors, not 4"),
        (["--max-luts", "0"], "max LUTs must be an integer of at least 1, not 0"),
        (["--workload", "alltoall:0"], "workload must say how often AAS runs as a number above 0, not '0'"),
        (
            ["--family", "ecp6"],
            "FPGA family must be one of ecp5, ice40, xilinx, gowin, gates, osu018, not 'ecp6'; did you mean ecp5?",
        ),
        (["--family", "ice40"], "results must have routers measured on ice40, and these have none"),
        (
            ["--results", "nowhere.jsonl"],
            "results file must be one that `fatcube sweep` wrote, and there is none at nowhere.jsonl",
        ),
    ],
)
def test_bad_input(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "explore", "--results", SMALL, *arguments)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("part", "name"), [("measured", "ff"), ("parameters", "family"), ("how", "seed")])
def test_a_record_that_does_not_say_all(monkeypatch, capsys, tmp_path, part, name):
    """Catches a traceback in the middle of the report."""
    records = points()
    del records[3][part][name]
    write_records(tmp_path / "r.jsonl", records)
    for command in (["explore"], ["report", "-o", tmp_path / "out"]):
        status, out, err = run(monkeypatch, capsys, *command, "--results", tmp_path / "r.jsonl")
        assert (status, out, err) == (
            2,
            "",
            f"fatcube: results file must be whole, but {tmp_path / 'r.jsonl'} is damaged or cut short (line 5, "
            f"record {records[3]['key']}: {part}.{name} must be given); it was left as it is\n",
        )
    assert [path.name for path in tmp_path.iterdir()] == ["r.jsonl"]


def test_what_is_measured_needs_no_model(monkeypatch, capsys, tmp_path):
    """As after a sweep of a single network: catches a refusal although all that can be said was measured."""
    records = [
        one
        for one in read_records(committed_study())
        if network_of(one["parameters"]) == Network(Hypercube(3), RouterOptions(ports="d"))
    ]
    path = tmp_path / "few.jsonl"
    write_records(path, records)
    status, out, err = run(
        monkeypatch, capsys, "explore", "--processors", 8, "--results", path, "--json", tmp_path / "o.json"
    )
    assert (status, err) == (0, "")
    assert ": 1 of 1 configurations are on the Pareto front\n" in out and "~" not in out.partition("└")[0]
    assert "\n23 more were omitted, as their routers were not measured: results must have at least two " in out
    found = json.loads((tmp_path / "o.json").read_text())["measured"]
    [one], measured = found["front"], records[0]["measured"]
    assert (one["luts"], one["fmax_mhz"]) == (measured["comb_equivalents"] * 8, measured["fmax_mhz"])
    assert (found["left_out"], found["held_out"]) == (23, {})
    status, out, err = run(monkeypatch, capsys, "explore", "--processors", 16, "--results", path)
    assert (status, out) == (2, "")
    assert err.startswith("fatcube: results must have at least two different routers for a model of what was not ")


def test_other_widths(monkeypatch, capsys, tmp_path):
    """The README's own six points have flits of 10 bits."""
    [record] = [one for one in points() if one["parameters"]["collective"] == "AAS"][:1]
    record["parameters"]["width"] = 10
    write_records(tmp_path / "ten", [record])
    status, out, err = run(monkeypatch, capsys, "explore", "--processors", 8, "--results", tmp_path / "ten")
    assert (status, out) == (2, "") and err.endswith("; they have routers of flits of 10 bits (--width), not of 32\n")
    status, out, err = run(
        monkeypatch, capsys, "explore", "--processors", 8, "--results", tmp_path / "ten", "--width", 10
    )
    assert (status, err) == (0, "") and ": 1 of 1 configurations" in out
    assert (
        "\nThe configurations are hypercubes and fat cubes of 1, 2 and 4 lanes per link, with flits of 10 bits.\n"
        in out
    )


@pytest.mark.parametrize(
    "processors", [2, 6, 128, *(pytest.param(number, marks=pytest.mark.long) for number in (96, 192, 256))]
)
def test_what_a_lower_bound_rules_out_is_not_constructed(processors):
    """With few calls, also where no steps are known; the answer is that of all schedules."""
    found = explore(processors, {Collective.AAS: 4.0, Collective.AAB: 1.0}, committed()).choices
    with at_most(7_000_000):
        best = pareto_front(found)
    if processors in (2, 6, 128):
        every = [
            types.SimpleNamespace(luts=one.luts, microseconds=one.microseconds, least_microseconds=0, choice=one)
            for one in found
        ]
        assert [one.choice for one in pareto_front(every)] == best
    assert all(one.least_microseconds <= one.microseconds * (1 + 1e-12) for one in best)


@pytest.mark.long(stays="tests/fatcube/studies/test_explore.py::test_needs_nothing_that_is_slow_to_load")
@pytest.mark.parametrize("command", [["explore", "--processors", "8"], ["report", "--page", "out.html"]])
def test_the_study_is_found_from_anywhere(tmp_path, command):
    done = subprocess.run(
        [sys.executable, "-m", "fatcube", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "") and done.stdout


def test_without_a_study(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(study_module, "__file__", str(tmp_path / "site" / "fatcube" / "study.py"))
    for command in ("explore", "report"):
        status, out, err = run(monkeypatch, capsys, command)
        assert (status, out, err) == (
            2,
            "",
            "fatcube: results file must be given (--results), as no study comes with this installation; "
            "`fatcube sweep FILE.toml --json FILE.jsonl` makes one\n",
        )
    (tmp_path / "site" / "fatcube").mkdir(parents=True)
    (tmp_path / "site" / "fatcube" / "study.jsonl").write_bytes(SMALL.read_bytes())  # where a wheel puts it
    status, out, err = run(monkeypatch, capsys, "explore", "--processors", 8)
    assert (status, err) == (0, "")


def test_csv(monkeypatch, capsys, tmp_path, both):
    """All columns, as values."""
    status, out, err = run(
        monkeypatch,
        capsys,
        "explore",
        "--processors",
        8,
        "--results",
        both,
        "--csv",
        tmp_path / "o.csv",
        "--json",
        tmp_path / "o.json",
    )
    assert (status, err) == (0, "")
    with open(tmp_path / "o.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    best = json.loads((tmp_path / "o.json").read_text())["measured"]["front"]
    assert [(float(row["LUTs"]), float(row["µs"]), int(row["links"]), row["LUTs from"]) for row in table] == [
        (one["luts"], one["microseconds"], one["links"], one["luts_from"]) for one in best
    ]
    for path, message in (
        (tmp_path, "output must be a file, not the folder "),
        (tmp_path / "no" / "o.csv", "output must be in a folder that exists, not "),
        (both, "output must be a different file from all others that are read or written, not "),
    ):
        before = both.read_bytes()
        status, out, err = run(monkeypatch, capsys, "explore", "--results", both, "--csv", path)
        assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and both.read_bytes() == before


def test_one_router_makes_no_model(monkeypatch, capsys, tmp_path):
    write_records(tmp_path / "r.jsonl", points()[:1])
    status, out, err = run(monkeypatch, capsys, "explore", "--results", tmp_path / "r.jsonl")
    assert (status, out, err) == (
        2,
        "",
        "fatcube: results must have at least two different routers for a model of what "
        "was not measured, and these have 1\n",
    )


def test_the_committed_study_predicts_other_routers():
    """Routers that were measured on their own, and are not in the study: of other sizes, widths and depths."""
    study, others = committed(), Study(read_records(ROUTERS), "ecp5")
    known = {dataclasses.replace(sample, measured=1) for sample in study.luts.fit.samples}
    luts = {Sample.of_router(network): router.luts for network, router in others.routers.items()}
    errors = [study.luts.fit.predict(sample) / luts[sample] - 1 for sample in luts.keys() - known]
    assert len(errors) >= 40
    assert max(map(abs, errors)) < 0.10 and sum(map(abs, errors)) / len(errors) < 0.03


def test_the_committed_study_predicts_no_large_router_to_be_fast():
    """Catches a term of the period that falls with size, by which routers beyond those measured get ever faster."""
    period = committed().frequency
    assert period.terms == PERIOD and min(period.fit.coefficients.values()) > 0


def test_without_fmax_there_is_no_time(monkeypatch, capsys):
    status, out, err = run(monkeypatch, capsys, "explore", "--results", ROUTERS)
    assert (status, out, err) == (
        2,
        "",
        "fatcube: results must have routers placed on ecp5 for their Fmax, and these have none\n",
    )


def test_needs_nothing_that_is_slow_to_load(tmp_path):
    """It answers in less than two seconds; the search and the figures alone would take one of them to load. It finds the
    study from anywhere."""
    code = (
        "import sys\nfrom fatcube import cli\n"
        "sys.argv = ['fatcube', 'explore', '--processors', '16']\n"
        "try:\n    cli.main()\nexcept SystemExit as stop:\n    assert not stop.code\n"
        "assert not {'ortools', 'matplotlib', 'distributed', 'cocotb'} & sys.modules.keys()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout


# Results files


@pytest.mark.parametrize(
    "spoil",
    [
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:-2],
        lambda whole: whole[: whole.rindex(b"\n{")],
        lambda whole: whole[: whole.index(b"\n")],
        lambda whole: whole[:40],
        lambda whole: whole.replace(b'"measured"', b'"seen"', 1),
    ],
)
@pytest.mark.parametrize("command", ["explore", "report"])
def test_results_cut_short_are_refused_and_left_alone(monkeypatch, capsys, tmp_path, command, spoil):
    path = tmp_path / "r.jsonl"
    path.write_bytes(spoil(SMALL.read_bytes()))
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, command, "--results", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"fatcube: results file must be whole, but {path} is damaged or cut short (")
    assert err.endswith("; it was left as it is\n") and err.count("\n") == 1
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "text", ["", "[]\n", "text\n", '{"a": 1}\n', '{"format": 3}\n', '{"format": "fatcube.schedule/1"}\n']
)
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "r"
    path.write_text(text)
    with pytest.raises(ParameterError, match="^results file must be one that fatcube wrote, not "):
        read_records(path)


def test_other_version_is_refused(tmp_path):
    path = tmp_path / "r"
    path.write_bytes(SMALL.read_bytes().replace(b"fatcube.results/1", b"fatcube.results/2", 1))
    with pytest.raises(
        ParameterError,
        match="^results file must be of version fatcube.results/1, but .* is of version "
        "fatcube.results/2; it was left as it is$",
    ):
        read_records(path)


def test_both_kinds_of_results_are_read(tmp_path):
    records = sorted(read_records(SMALL), key=lambda one: one["key"])
    with Results(tmp_path / "r.sqlite") as results:
        for record in records:
            results.put(record["key"], record["parameters"], record=record)
        results.put("failed", {}, reason="why")
        # Also while a sweep writes it.
        assert read_records(tmp_path / "r.sqlite") == records
    before = (tmp_path / "r.sqlite").read_bytes()
    assert read_records(tmp_path / "r.sqlite") == records
    write_records(tmp_path / "r.jsonl", records)
    assert read_records(tmp_path / "r.jsonl") == records
    (tmp_path / "cut").write_bytes(before[:-4096])
    with pytest.raises(ParameterError, match="is damaged or cut short"):
        read_records(tmp_path / "cut")
    assert (tmp_path / "r.sqlite").read_bytes() == before

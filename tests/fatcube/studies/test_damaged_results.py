"""Damaged results: read, or refused in one line, in no time, whatever is wrong with them."""

import dataclasses
import json
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.papers.fat_cube.against_silicon import against_silicon
from fatcube.papers.fat_cube.silicon import tables_1_and_2
from fatcube.studies.explore import explore, pareto_front, parse_workload
from fatcube.studies.findings import sections
from fatcube.studies.report import rows
from fatcube.studies.results import Results, read_records, write_records
from fatcube.studies.study import Study
from fatcube.synth.area import Area
from fatcube.synth.families.static_timing import StaticPath
from tests.support.cases import some
from tests.support.commands import run
from tests.support.damage import mutate_json_lines, mutate_sqlite
from tests.support.effort import at_most
from tests.support.stored import points

NUMBER = 150
CALLS = 5_000_000  # that one file may take
WORKLOAD = parse_workload("alltoall:4,allgather")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A small results file of each kind."""
    folder = tmp_path_factory.mktemp("whole")
    few = [one for one in points() if one["parameters"]["collective"] == "AAS"]
    write_records(folder / "r.jsonl", few)
    with Results(folder / "r.sqlite") as results:
        for record in few:
            results.put(record["key"], record["parameters"], record=record)
    return folder / "r.jsonl", folder / "r.sqlite"


def used(path):
    """Everything that `explore` and `report` work out; the message if the file is refused."""
    try:
        records = read_records(path)
        study = Study(records, "ecp5")
        sections(study, rows(study), [against_silicon(study), tables_1_and_2(study)])
        pareto_front(explore(8, WORKLOAD, study).choices)
    except ParameterError as error:
        return str(error)
    return None


def fuzz(files, folder, number, seed):
    """Uses ``number`` damaged files; returns how many were refused."""
    text, refused = files[0].read_text(), 0
    for index in range(number):
        rng = random.Random(f"{seed} {index}")
        path = folder / "damaged"
        if index % 2:
            path.write_bytes(mutate_json_lines(rng, text))
        else:
            mutate_sqlite(rng, files[1], path)
        try:
            with at_most(CALLS):
                message = used(path)
        except Exception as error:
            raise AssertionError(f"file {index} of seed {seed}: {type(error).__name__}: {error}") from error
        assert message is None or (message.isprintable() and len(message) < 800), f"file {index} of seed {seed}"
        refused += message is not None
    return refused


@pytest.mark.parametrize("seed", some(["damaged results", "more of them"], [0]))
def test_damaged_files_are_used_or_refused_in_one_line(files, tmp_path, seed):
    assert used(files[0]) is used(files[1]) is None
    assert fuzz(files, tmp_path, NUMBER, seed) > NUMBER / 2


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        (("measured", "comb_equivalents"), "many", 'measured.comb_equivalents must be a valid integer, not "many"'),
        (("measured", "comb_equivalents"), True, "measured.comb_equivalents must be a valid integer, not true"),
        (("measured", "comb_equivalents"), 0, "measured.comb_equivalents must be greater than or equal to 1, not 0"),
        (("measured", "ff"), [], "measured.ff must be a valid integer, not []"),
        (("measured", "fmax_mhz"), 1e-300, "measured.fmax_mhz must be greater than or equal to 0.001, not 1e-300"),
        (("measured", "seeds_mhz"), [[1, "x"]], 'measured.seeds_mhz.0.1 must be a valid number, not "x"'),
        (("measured", "seeds_mhz"), [[1, 1.0]], "measured.fmax_mhz must be the median of seeds_mhz, not "),
        (("measured", "microseconds"), "1", 'measured.microseconds must be a valid number, not "1"'),
        (("parameters", "topology"), [], "parameters.topology must be a valid object, not []"),
        (
            ("parameters", "topology"),
            {"type": "hypercube", "d": 99},
            "parameters: Hypercube d must be an integer from 1 to 16, not 99",
        ),
        (
            ("parameters", "topology"),
            {"type": "fat-cube", "d": 2, "m": 5000},
            "parameters: width must be an integer of at least ",
        ),
        (
            ("parameters", "ports"),
            "c",
            "parameters: ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not 'c'",
        ),
        (("parameters", "root"), 8, "parameters: root of OAS must be an integer from 0 to 7, not 8"),
        (("how", "tools"), None, "how.tools must be a valid object, not null"),
        (("how", "more"), 1, "how.more must be left out, as there is no such key"),
    ],
)
def test_what_is_wrong_is_said(monkeypatch, capsys, tmp_path, where, value, message):
    records = points()[:3]
    part, name = where
    records[1][part][name] = value
    path = tmp_path / "r.jsonl"
    write_records(path, records)
    for command in ("explore", "report"):
        status, out, err = run(monkeypatch, capsys, command, "--results", path)
        assert (status, out) == (2, "") and err.count("\n") == 1
        assert err.startswith(
            f"fatcube: results file must be whole, but {path} is damaged or cut short (line 3, "
            f"record {records[1]['key']}: {message}"
        )


def test_figures_of_standard_cells_are_read(tmp_path):
    """Catches a reader without a figure that a sweep of such a family writes, and a clock that is not that of the longest path."""
    area = Area(luts={}, ff=1, comb_equivalents=2, cells={}, um2=48.0, register_um2=24.0, nand2_equivalents=2.0)
    path = StaticPath(ns=1.25, start="head", end="tail")
    silicon = {**area.to_json(), "path": dataclasses.asdict(path), "seeds_mhz": None}
    records = points()[:1]
    measured = records[0]["measured"]
    records[0]["measured"] = {**measured, **silicon, "fmax_mhz": 800.0, "microseconds": measured["cycles"] / 800}
    write_records(tmp_path / "r.jsonl", records)
    assert read_records(tmp_path / "r.jsonl") == records
    records[0]["measured"]["fmax_mhz"] = 810.0
    write_records(tmp_path / "r.jsonl", records)
    with pytest.raises(ParameterError, match=r"measured.fmax_mhz must be 1000 / measured.path.ns, not 810.0"):
        read_records(tmp_path / "r.jsonl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": NaN}', "not JSON: NaN is not a number"),
        ('{"a": ' + "9" * 5000 + "}", "an integer must have at most 20 characters, not 5000"),
        ('{"a": 1, "a": 2}', 'key "a" must occur once, not twice'),
        ('{"a": ' + "[" * 100_000, "not JSON: it is nested too deeply"),
        ('{"a": "\\ud800"}', "not JSON: half of a surrogate pair is not a character"),
        ('{"a": 1', "not JSON: a comma or a closing bracket must follow, not the end of the file"),
        ("[]", "record must be a valid object, not []"),
    ],
)
@pytest.mark.parametrize("kind", ["lines", "SQLite"])
def test_json_that_is_no_record(tmp_path, kind, text, message):
    path = tmp_path / "r"
    if kind == "lines":
        path.write_text(f'{{"format": "fatcube.results/1", "records": 1}}\n{text}\n')
    else:
        with Results(path) as results:
            results._database.execute("insert into points values ('x', '{}', ?, null)", [text])
        message = message.replace("record must be a valid object, not []", "it must be an object")
    with pytest.raises(ParameterError) as error:
        read_records(path)
    assert f"({'line 2' if kind == 'lines' else 'record x'}: {message}); it was left as it is" in str(error.value)


def test_a_record_stands_once(tmp_path):
    write_records(tmp_path / "r", [points()[0]] * 2)
    with pytest.raises(ParameterError, match="line 3, record .*: key must be that of this point and of no other, not "):
        read_records(tmp_path / "r")


def test_what_is_no_file_is_refused(tmp_path):
    for path, what in ((tmp_path, "folder"), ("/dev/zero", "device")):
        with pytest.raises(ParameterError, match=f"^results file must be a file, not the {what} {path}$"):
            read_records(path)


def test_what_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "r"
    write_records(path, points()[:1])
    path.write_bytes(path.read_bytes().replace(b"OAB", b"O\xffB"))
    with pytest.raises(
        ParameterError, match="is damaged or cut short .line 2: not JSON: it must be text in UTF-8, which byte"
    ):
        read_records(path)


def test_a_study_of_other_networks_has_a_report(tmp_path):
    """Catches a report that needs cubes to choose from."""
    records = points()[:2]
    topologies = {"type": "ccc", "n": 3, "m": 1, "f": 1}, {"type": "dense-ghc", "w": 3, "d": 2}
    for record, topology in zip(records, topologies):
        record["parameters"] = {**record["parameters"], "topology": topology, "turns": "used", "width": 64}
    write_records(tmp_path / "r", records)
    assert json.loads(json.dumps([row.to_json() for row in rows(Study(read_records(tmp_path / "r"), "ecp5"))]))
    study = Study(read_records(tmp_path / "r")[1:], "ecp5")
    assert len(sections(study, rows(study), [against_silicon(study), tables_1_and_2(study)])) == 4

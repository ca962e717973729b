"""The audit: its verdicts follow from its cases, its evidence is checked, and it finds what is known to be wrong."""

import importlib.util
import json
from pathlib import Path
import re

import pytest

from fatcube.papers.arithmetic import ceil_div, ceil_log
from fatcube.papers.claim import Paper, Row
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube import paper
from fatcube.papers.fat_cube.claims import PAPER, results
from fatcube.papers.fat_cube.fat_case import FatCase
from fatcube.papers.fat_cube.printed import TABLE_6
from fatcube.schedules.bounds import Bound
from fatcube.schedules.checker import check
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.search import Outcome
from tests.support.audits import said, without_counts
from tests.support.children import HANG
from tests.support.commands import run

LAST = {"Table": 6, "Figure": 7, "Theorem": 5, "conclusion": 8, "Lemma": 1}
"""The last number of each kind in the paper: equations, which run to 17, are numbered without their name."""


pytestmark = pytest.mark.xdist_group("audit of the fat cube")


#: Claims whose cases are hundreds of routers, or of all sizes: most of the work, and nothing that others lack.
MANY = re.compile(
    "broadcast_router_|cheaper_|fat_cube_routers_|wrapped_butterfly_bisection$|half_bisection$|aas_by_bisection_|more_ports_"
    "|aas_theorem_one$|aas_few_links$|aas_overlap$|overlap_reached_all_port$|OAS_bound_|AAB_bound_|half_duplex_OAB$"
    "|wormhole_AAB_1_port$|oab_broadcast_like_all_port$"
)
STORED = [Row(**row) for row in json.loads((Path(__file__).parents[2] / "synth_reports/fat-cube.json").read_text())]


#: Those that run on the RTL, or search for a minute: tests/papers/test_executed.py tries them.
EXECUTED = re.compile("combining_|gather_scatter_|wormhole_executed_|wormhole_broadcast")


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    return Evidence(tmp_path_factory.mktemp("audit") / "fat-cube", time_limit=HANG)


@pytest.fixture(scope="module")
def audit(evidence):
    """The folder and all rows; those of many cases as they are stored, which a long test tries."""
    taken = (MANY, EXECUTED)
    found = [
        PAPER.find(row.name).row(evidence) if row.name and not any(one.match(row.name) for one in taken) else row
        for row in STORED
    ]
    return evidence.folder.parent, found


def test_integers():
    assert [ceil_div(amount, 3) for amount in range(5)] == [0, 1, 1, 1, 2]
    assert [ceil_log(3, number) for number in (1, 2, 3, 4, 9, 10, 27)] == [0, 1, 1, 2, 2, 3, 3]


def test_findings(audit):
    """Known errors of the print, some of them shown by hand in test_fat_cube_again.py."""
    _, found = audit
    row = {row.name: row for row in found if row.name}
    assert len(row) == len(PAPER.claims) == len([row for row in found if row.kind != "untested"])
    for name, verdict in {
        "example_AAB_all_port": "wrong",
        "multiple_links_aas_one": "wrong: fails in 3 of 3 cases",
        "oas_theorem_d_port": "holds only if f == 1",
        "cheaper_d_port_m4_f2": "wrong: fails in 2 of 100 cases",
        "oab_cell_all_port_d1_m8": "wrong",
        "lemma_1_proved": "holds",
        "oas_simple_links": "holds only if (m - P) % d <= (1 - P) % d",
        "aas_overlap": "holds only if ceil(P*m / (2*f)) >= d*P/2 + m - 1",
        "aas_with_multiple_links_one": "holds",
        "aas_with_multiple_links_all_port": "holds",
        "table_5": "holds",
        "scheduling_table": "holds",
    }.items():
        assert without_counts(row[name].verdict) == verdict
    assert {one.verdict for one in found if one.where == "Table 6"} == {"holds"}
    assert sorted(name for name, one in row.items() if one.kind == "misprint") == [
        "aas_twice_as_slow",
        "diameter_dominates_printed_base",
        "diameter_one_port",
        "hypercube_link_cost_transcribed",
        "hypercube_routers_transcribed_all_port",
        "hypercube_routers_transcribed_d_port",
        "hypercube_routers_transcribed_one",
        "lemma_1",
        "scatter_senders",
    ]
    assert row["oab_theorem_fewest_d_port"].failing == "d = 2, m = 19, f = 1, P = 76"
    assert all(one.cases and one.evidence for one in found)


def test_places_and_rows():
    """Every place has a claim or says why not; everything that the paper numbers is a place, in its order."""
    tried = {claim.where for claim in PAPER.claims}
    assert {name for name, place in PAPER.places.items() if not place.untested} == tried
    assert not any(PAPER.places[where].untested for where in tried)
    numbered = [f"equation {number}" for number in range(1, 18)]
    numbered += [f"{kind} {number}" for kind, last in LAST.items() for number in range(1, last + 1)]
    assert set(numbered) <= set(PAPER.places)
    for kind in ("equation", *LAST):
        numbers = [int(name.split()[1]) for name in PAPER.places if re.fullmatch(rf"{kind} \d+", name)]
        assert numbers == list(range(1, max(numbers) + 1)) and f"{kind} {max(numbers)}" in numbered
    for section in ("1", "2", "3", "4", "4.1", "4.2", "4.3", "4.4", "5.1", "5.2", "5.3", "5.4", "6"):
        assert f"section {section}" in PAPER.places


def test_conditions_are_exact_where_others_only_fit(evidence):
    """Equation 16 without its rounding, and remainders that fit small fat cubes, are false where the claims hold."""
    sizes, overlap = [(1, 3, 2), (1, 5, 3)], {}
    for one in PAPER.find("aas_overlap").cases(evidence):
        overlap[one.given["d"], one.given["m"], one.given["f"]] = one
        if overlap.keys() >= set(sizes):
            break  # there are larger ones, which take longer
    for size in sizes:
        assert overlap[size].holds and not overlap[size].satisfies("P*m / (2*f) >= d*P/2 + m - 1")
    simple = {(one.given["d"], one.given["m"]): one for one in PAPER.find("oas_simple_links").cases(evidence)}
    assert simple[5, 4].holds and not simple[5, 4].satisfies("(P - m) % d == 0 or (m - 1) % d == 0")


def test_what_is_stored_is_what_is_found(audit):
    """Names, verdicts, sizes and first failing cases in synth_reports are those of the claims."""
    _, found = audit
    assert list(map(said, STORED)) == list(map(said, found))
    assert sum(row is one for row, one in zip(STORED, found)) < len(STORED) / 3


@pytest.mark.long(stays="tests/papers/test_fat_cube_claims.py::test_what_is_stored_is_what_is_found")
def test_what_is_stored_of_many_cases_is_what_is_found(evidence):
    """And the rows that are no claims', in their places."""
    many = Paper(PAPER.name, PAPER.title, PAPER.note, list(PAPER.places.values()), words=PAPER.words)
    many._claims = {claim.name: claim for claim in PAPER.claims if MANY.match(claim.name)}
    expected = [row for row in STORED if not row.name or MANY.match(row.name)]
    found = many.rows(evidence)
    assert list(map(said, found)) == list(map(said, expected))
    check_files(evidence.folder, [*STORED, *found], schedules=14, proofs=48)


def test_a_planted_misprint_is_found(audit, monkeypatch):
    """A claim tells a wrong table from the right one: Table 6's cell is the parameter, Table 4's is looked up."""
    folder, _ = audit
    evidence = Evidence(folder / "fat-cube")
    right = PAPER.find("steps_FC_AAB_d_port")
    assert right.row(evidence).verdict == "holds"
    planted = [claim for claim in table_6_with(monkeypatch, ("d", "AAB"), (3, 3)) if claim.name == right.name]
    assert [claim.row(evidence).verdict for claim in planted] == ["wrong"]


def table_6_with(monkeypatch, cell, pair):
    """The claims of Table 6, registered again with another cell."""
    model, collective = cell
    monkeypatch.setitem(TABLE_6[model], collective, pair)
    fresh = Paper(PAPER.name, PAPER.title, PAPER.note, list(PAPER.places.values()), words=PAPER.words)
    monkeypatch.setattr(paper, "PAPER", fresh)
    spec = importlib.util.spec_from_file_location("results_again", results.__file__)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return fresh.claims


def test_one_claim_from_the_command_line(audit, monkeypatch, capsys):
    folder, _ = audit
    [row] = [row for row in STORED if row.name == "multiple_links_aas_one"]
    status, output, _ = run(monkeypatch, capsys, "audit", "fat-cube", "--claim", row.name, "-o", folder)
    assert status == 0
    assert row.verdict.startswith("wrong: ") and row.verdict in output and row.failing in output


def test_evidence_passes_the_checker(audit):
    """Every schedule and proof in the folder is named by a row, and is valid."""
    folder, found = audit
    check_files(folder / "fat-cube", [*STORED, *found], schedules=50, proofs=8)


def check_files(folder, rows, *, schedules, proofs):
    """There are more than so many schedules and proofs, each is named by a row, and each is what it must be."""
    text = " ".join(row.evidence for row in rows)
    made = {kind: sorted((folder / kind).glob("*.json")) for kind in ("schedules", "proofs")}
    assert len(made["schedules"]) > schedules and len(made["proofs"]) > proofs, {
        kind: len(some) for kind, some in made.items()
    }
    for kind, some in made.items():
        for path in some:
            assert f"{kind}/{path.name}" in text
            if kind == "schedules":
                check(read_schedule(path))
            else:
                assert json.loads(path.read_text())["outcome"] == Outcome.IMPOSSIBLE.value


def test_evidence_is_made_anew_where_it_is_wrong(audit):
    folder, _ = audit
    case = FatCase.of(2, 2, 1, "d", "AAB")
    evidence = Evidence(folder / "fat-cube")
    path = folder / "fat-cube" / evidence.schedule(case)
    before = path.read_text()
    for content in ("", before[:200], before.replace('"step": 4', '"step": 5')):
        path.write_text(content)
        assert Evidence(folder / "fat-cube").schedule(case)
        assert path.read_text() == before


def test_proofs_are_kept_and_not_believed_for_another_question(tmp_path, monkeypatch):
    case = FatCase.of(2, 2, 1, "*", "AAB")
    evidence = Evidence(tmp_path)
    assert evidence.impossible(case, 3)
    [path] = (tmp_path / "proofs").iterdir()

    def refuse(*arguments, **keywords):
        raise AssertionError("a search")

    monkeypatch.setattr("fatcube.papers.evidence.search", refuse)
    assert Evidence(tmp_path).impossible(case, 3)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "question": {**record["question"], "steps": 2}}))
    with pytest.raises(AssertionError, match="a search"):
        Evidence(tmp_path).impossible(case, 3)
    path.write_text(json.dumps({**record, "outcome": Outcome.TIME.value}))
    assert not Evidence(tmp_path).impossible(case, 3)


def test_a_proof_raises_the_bound(tmp_path, monkeypatch):
    """The search proves what the bounds do not."""
    monkeypatch.setattr("fatcube.schedules.construct.lower_bound", lambda *_, **__: Bound(3, "too low"))
    evidence = Evidence(tmp_path)
    case = FatCase.of(2, 2, 1, "*", "AAB")
    assert evidence.known(case) == (Bound(4, "proofs/AAB-d2-m2-f1-all-port-3.json"), 4)
    assert evidence.text(case) == "4"

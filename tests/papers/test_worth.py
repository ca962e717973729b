"""When a fat cube is cheaper or faster than a hypercube: the page and the beginning of the results, worked out by hand."""

import json
from pathlib import Path
import re

import pytest

from fatcube.papers.fat_cube.turns import gates
from fatcube.papers.fat_cube.worth import begin, page
from fatcube.studies.results import read_records
from fatcube.studies.study import Study, committed_all_turns

REPORTS = Path(__file__).parents[2] / "synth_reports"
README = (REPORTS / "README.md").read_text(encoding="utf-8")


def study(records=None):
    return Study(records or read_records(REPORTS / "study.jsonl"), "ecp5", all_turns=committed_all_turns())


@pytest.fixture(scope="module")
def lines():
    """The rows of the page, by size, model and network."""
    found, columns = {}, []
    for line in page(study(), gates(committed_all_turns())).splitlines():
        cells = [cell.strip().replace("\\", "") for cell in line.strip("|").split(" | ")]
        if line.startswith("| processors"):
            columns = cells
        elif line.startswith("| ") and "---" not in line:
            found[int(cells[0]), cells[1], cells[2]] = dict(zip(columns, cells, strict=True))
    return found


def number(text):
    return None if text == "-" else float(text.replace(",", ""))


def test_the_pages_are_those_of_the_rows():
    nand2 = gates(committed_all_turns())
    assert page(study(), nand2) == (REPORTS / "worth.md").read_text(encoding="utf-8")
    assert README.startswith("# Results\n") and README.index(begin(study(), nand2)) < README.index("\n## ", 1)


def test_lines_are_the_records(lines):
    """Prices by Table 1 of the paper, areas and clocks as they are stored, times by division."""
    seen = 0
    for one in map(json.loads, (REPORTS / "study.jsonl").read_text().splitlines()[1:]):
        parameters, measured = one["parameters"], one["measured"]
        if (parameters["width"], parameters["buffer_depth"], parameters["payload_flits"]) != (32, 2, 16):
            continue
        topology, model = parameters["topology"], parameters["ports"]
        d, m, f = (topology.get(name, 1) for name in "dmf")
        name = "hypercube" if topology["type"] == "hypercube" else f"fat cube ({d}, {m}, {f})"
        line = lines[m << d, model, name]
        a = {"1": m + d * f, "b": m + d * f, "d": d * (m + f), "*": d * (m + f) + m * (m - 1)}[model]
        assert (int(line["a"]), int(line["a b"]), number(line["N a b"])) == (a, a * a, a * a << d)
        assert number(line["LUTs, turns used"]) == measured["comb_equivalents"] << d
        place = ["OAB", "OAS", "AAB", "AAS"].index(parameters["collective"])
        assert int(line["steps"].split(" / ")[place]) == measured["steps"]
        assert int(line["cycles"].split(" / ")[place]) == measured["cycles"]
        if measured.get("fmax_mhz"):
            assert int(line["ns"].split(" / ")[place]) == round(1000 * measured["cycles"] / measured["fmax_mhz"])
        if parameters["collective"] == "AAS" and measured.get("fmax_mhz"):
            bits = (m << d) * ((m << d) - 1) * 16 * 32
            gbits = bits / (1000 * measured["cycles"] / measured["fmax_mhz"])
            assert number(line["AAS per LUT"]) == pytest.approx(
                gbits / (measured["comb_equivalents"] << d) * 1000, abs=0.006
            )
        seen += 1
    assert seen > 100 and len(lines) > 60


def test_all_turns_and_gates(lines):
    seen = set()
    for one in committed_all_turns():
        parameters, measured = one["parameters"], one["measured"]
        topology = parameters["topology"]
        d, m, f = (topology.get(name, 1) for name in "dmf")
        key = (
            m << d,
            parameters["ports"],
            "hypercube" if topology["type"] == "hypercube" else f"fat cube ({d}, {m}, {f})",
        )
        if (parameters["width"], parameters["buffer_depth"]) != (32, 2) or key not in lines:
            continue
        if parameters["family"] == "ecp5":
            assert number(lines[key]["LUTs, all turns"]) == measured["comb_equivalents"] << d
            if "fmax_mhz" in measured:
                assert number(lines[key]["MHz, all turns"]) == pytest.approx(measured["fmax_mhz"], abs=0.06)
        else:
            assert number(lines[key]["NAND2, all turns"]) == pytest.approx(
                measured["nand2_equivalents"] * 2**d, abs=0.6
            )
        seen.add(parameters["family"])
    assert "ecp5" in seen


def test_the_answer_follows_from_the_lines(lines):
    """Each cell of the table at the beginning, and each count of the sentence."""
    table = [line.strip("|").split(" | ") for line in README.partition("<!-- end")[0].splitlines() if line[:2] == "| "]
    columns = {"a b": "N a b", "Fmax": "MHz, turns used"}
    heads, _, *rows = [[cell.strip().replace("\\", "") for cell in line] for line in table]
    better = {head: 0 for place, head in enumerate(heads) if place > 1 and any(row[place] != "-" for row in rows)}
    for size, model, *cells in rows:
        some = {name: one for (p, mod, name), one in lines.items() if (str(p), mod) == (size, model)}
        for head, cell in zip(heads[2:], cells, strict=True):
            if head.startswith("ns, "):
                place = ["OAB", "OAS", "AAB", "AAS"].index(head[4:])
                values = {
                    name: int(one["cycles"].split(" / ")[place]) / number(one["MHz, turns used"])
                    for name, one in some.items()
                    if one["MHz, turns used"] != "-"
                }
            else:
                values = {name: number(one[columns.get(head, head)]) for name, one in some.items()}
            values = {name: value for name, value in values.items() if value is not None}
            cube, more = values.pop("hypercube", None), head in ("Fmax", "AAS per LUT")
            if cube is None or not values:
                assert cell == "-"
                continue
            best = (max if more else min)(values.values())
            assert float(re.search(r"\d\.\d\d", cell)[0]) == pytest.approx(best / cube, abs=0.012)
            if abs(best / cube - 1) > 0.005:
                assert cell.startswith("**") == ((best > cube) == more)
            better[head] += cell.startswith("**")
    assert len(rows) == 16
    for head, count in better.items():
        if head not in ("Fmax", "AAS per LUT"):
            assert re.search(rf"(?:in|;) {head.removeprefix('ns, ')} \({count} of \d+\)", README), head


def test_dear_fat_cubes_are_said_to_be_dear():
    """With a hundred times the area, no fat cube has a bold cell of LUTs, and those of a b stay."""
    records = json.loads(json.dumps(list(read_records(REPORTS / "study.jsonl"))))
    for one in records:
        if one["parameters"]["topology"]["type"] == "fat-cube":
            one["measured"]["comb_equivalents"] *= 100
    text = begin(study(records), {})
    assert "LUTs, turns used (0 of 16)" in text and "a b (15 of 16)" in text

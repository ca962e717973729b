# amaranth: UnusedElaboratable=no
"""Routers of others beside ours: a small one in a repository of its own, and everything that can be wrong with it."""

import dataclasses
import json
import re
import subprocess

from amaranth.hdl import Fragment
import pytest

from experiments.__main__ import main
from experiments.benchmarks import networks
from experiments.checkout import MissingCheckout, extract
from experiments.experiment import read_stored
from experiments.peers import measure
from experiments.peers.experiment import EXPERIMENT
from experiments.peers.measure import Row, measure_peer
from experiments.peers.page import COLUMNS, sizes
from experiments.peers.peer import PUBLISHED, Edit, Published, read_peers
from fatcube.groundwork.record import source_revision
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.switch import Switch
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth.area import Area
from fatcube.synth.measure import SynthesisResult
from fatcube.synth.nextpnr import RIP_UP
from tests.support.experiments import REPORTS, markdown

ROOT = PUBLISHED.parents[2]

# A register for each port, in a ring; the second file is found by its name, and the third is included.
RING = """
`include "width.svh"
module ring #(parameter int ports = 3) (
  input clk_i, input reset_i, input [ports-1:0][`WIDTH-1:0] data_i, output [ports-1:0][`WIDTH-1:0] data_o
);
  for (genvar i = 0; i < ports; i++) begin : stations
    station station (.clk_i, .reset_i, .data_i(data_i[(i + 1) % ports]), .data_o(data_o[i]));
  end
endmodule
"""
STATION = """
`include "width.svh"
module station(input clk_i, input reset_i, input [`WIDTH-1:0] data_i, output logic [`WIDTH-1:0] data_o);
  always_ff @(posedge clk_i) if (reset_i) data_o <= 0; else data_o <= data_o ^ data_i;
endmodule
"""
WRAPPER = """
module ring_peer #(parameter int ports = 2) (
  input clk, input rst, input [ports*4-1:0] in, output [ports*4-1:0] out
);
  ring #(.ports(ports)) ring (.clk_i(clk), .reset_i(rst), .data_i(in), .data_o(out));
endmodule
"""
BLOCK = """
format = "fatcube.peers/1"

[[peers]]
name = "ring"
ports = 3
commits = {{"somebody/ring" = "{commit}"}}
sources = ["ring/rtl/ring.sv"]
libraries = ["ring/rtl"]
includes = ["ring/include"]
wrapper = "ring_peer.sv"
top = "ring_peer"
parameters = {{ports = 3}}
settings = "4 bits, no buffers"
turns = "3 of 9"
cycles_per_hop = 1
published = {{comb = 12, ff = 13, mhz = 100}}
"""


def git(folder, *arguments):
    identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"]
    return subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def checkouts(tmp_path_factory):
    """A folder with a checkout, ``ring``, and a commit of it; its work tree and its newest commit are others."""
    folder = tmp_path_factory.mktemp("checkouts")
    ring = folder / "ring"
    for path, text in {
        "rtl/ring.sv": RING,
        "rtl/station.sv": STATION,
        "include/width.svh": "`define WIDTH 4\n",
    }.items():
        (ring / path).parent.mkdir(parents=True, exist_ok=True)
        (ring / path).write_text(text)
    git(ring, "init", "--quiet")
    git(ring, "add", ".")
    git(ring, "commit", "--quiet", "-m", "ring")
    commit = git(ring, "rev-parse", "HEAD")
    (ring / "include/width.svh").write_text("`define WIDTH 8\n")
    git(ring, "commit", "--quiet", "-a", "-m", "a wider ring")
    (ring / "include/width.svh").write_text("`define WIDTH 16\n")
    return folder, commit


@pytest.fixture
def description(tmp_path, checkouts):
    (tmp_path / "ring_peer.sv").write_text(WRAPPER)
    path = tmp_path / "peers.toml"
    path.write_text(BLOCK.format(commit=checkouts[1]))
    return path


@pytest.fixture
def ring(description):
    [peer] = read_peers(description)
    return peer


@pytest.fixture(scope="module")
def synthesized(tmp_path_factory):
    """A cache of their own: what differs in nothing is synthesized once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(synthesized, monkeypatch):
    monkeypatch.setenv("FATCUBE_CACHE", str(synthesized))


def measured(peer, folder):
    return measure_peer(peer, checkouts=folder, seeds=(1,), fmax=False)


def cells(row):
    return [str(cell(row)) for cell in COLUMNS.values()]


def test_router_is_that_of_the_commit(ring, checkouts):
    row = measured(ring, checkouts[0])
    assert row.problem is None
    # 3 stations of 4 bits, each a flip-flop and an exclusive or in front; 24 in the newest commit, 48 in the work tree.
    assert (row.ff, row.comb, row.cells) == (12, 12, {"LUT4": 12, "TRELLIS_FF": 12})
    assert (row.repository, row.commit, row.ports, row.mhz) == ("somebody/ring", checkouts[1], 3, None)


def test_checkout_may_be_bare(ring, checkouts, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    git(bare, "clone", "--quiet", "--bare", str(checkouts[0] / "ring"), "ring")
    assert measured(ring, bare) == measured(ring, checkouts[0])


def test_missing_checkout_is_said_in_its_row(ring, tmp_path):
    row = measured(ring, tmp_path)
    assert row.problem == "no checkout of somebody/ring"
    assert (row.comb, row.ff, row.mhz) == (None, None, None)
    assert cells(row)[0] == "ring: not measured, no checkout of somebody/ring"
    assert cells(row)[1:4] == ["- (12)", "- (13)", "- (100)"]


def test_router_that_is_not_tried_says_why(ring, checkouts):
    row = measured(dataclasses.replace(ring, unmeasured="it is written in a language of its own"), checkouts[0])
    assert (row.problem, row.comb) == ("it is written in a language of its own", None)


def test_repository_around_a_folder_is_no_checkout_of_it(checkouts, tmp_path):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "ring").mkdir()
    with pytest.raises(MissingCheckout):
        extract(tmp_path, "somebody/ring", checkouts[1], tmp_path / "tree")


def test_wrong_commit_is_refused(ring, checkouts, tmp_path):
    wrong = "0" * 40
    with pytest.raises(ToolError, match=f"^the checkout of somebody/ring does not have commit {wrong}$"):
        extract(checkouts[0], "somebody/ring", wrong, tmp_path / "tree")
    row = measured(dataclasses.replace(ring, commits={"somebody/ring": wrong}), checkouts[0])
    assert row.problem == f"the checkout of somebody/ring does not have commit {wrong}"
    assert row.comb is None


def test_object_that_is_no_commit_is_refused(checkouts, tmp_path):
    tree = git(checkouts[0] / "ring", "rev-parse", "HEAD^{tree}")
    with pytest.raises(ToolError, match="does not have commit"):
        extract(checkouts[0], "somebody/ring", tree, tmp_path / "tree")


@pytest.mark.parametrize(
    "old, new, problem",
    [
        # One input leads nowhere, and one output is tied: the router behind would be half as large.
        (".data_i(in)", ".data_i({in[ports*4-1:4], 4'b0})", "ring_peer has 4 bits of inputs that nothing reads"),
        ("output [ports*4-1:0] out", "output [ports*4+1:0] out", "ring_peer has 2 bits of outputs that are constant"),
        (".data_i(in)", ".data_i(inn)", "ERROR: use of undeclared identifier 'inn'"),
    ],
)
def test_wrong_wrapper_is_found(ring, checkouts, old, new, problem):
    assert old in WRAPPER
    wrong = dataclasses.replace(ring, wrapper_text="`default_nettype none\n" + WRAPPER.replace(old, new))
    row = measured(wrong, checkouts[0])
    assert row.problem is not None and problem in row.problem
    assert "/fatcube-" not in row.problem  # the folder, which is another one in each run
    assert row.comb is None


def test_reset_must_be_there(ring, checkouts):
    row = measured(dataclasses.replace(ring, reset="reset"), checkouts[0])
    assert row.problem == "reset of ring_peer must be one of its inputs of one bit, not 'reset'"


@pytest.mark.parametrize("place", ["other/rtl/ring.sv", "ring/rtl/none*.sv"])
def test_sources_must_be_in_the_commit(ring, checkouts, place):
    row = measured(dataclasses.replace(ring, sources=(place,)), checkouts[0])
    assert row.problem is not None and repr(place) in row.problem


@pytest.mark.parametrize(
    "old, new, message",
    [
        ('format = "fatcube.peers/1"', "", "must begin with format"),
        ("[[peers]]", "[[routers]]", "must hold blocks"),
        ("ports = 3\ncommits", "ports = 0\ncommits", "ports must be greater than or equal to 1, not 0"),
        ('turns = "3 of 9"\n', "", "turns must be given"),
        ("settings", "setting", "block 1: settings must be given"),
        ("published = {comb", "published = {luts", "published.luts must be left out"),
        ("cycles_per_hop", 'wrapper_text = ""\ncycles_per_hop', "wrapper_text must be left out"),
        ("somebody/ring", "ring", "repository must be an owner/name, not 'ring'"),
        (
            "cycles_per_hop",
            "sizes = []\ncycles_per_hop",
            r"block 1: sizes must be a list of tables, at least one, not \[\]",
        ),
        ("cycles_per_hop", "sizes = 3\ncycles_per_hop", "sizes must be a list of tables, at least one, not 3"),
        (
            "cycles_per_hop",
            "sizes = [{top = 'a'}]\ncycles_per_hop",
            "top must be in the block or in its sizes, not in both",
        ),
        ("cycles_per_hop", "edits = [{source = 'a', old = 'b'}]\ncycles_per_hop", r"edits.0.new must be given"),
    ],
)
def test_description_is_checked(description, old, new, message):
    text = description.read_text()
    assert old in text
    description.write_text(text.replace(old, new, 1))
    with pytest.raises(ParameterError, match=message):
        read_peers(description)


def test_sizes_are_routers_of_one_description(description, checkouts):
    text = description.read_text().replace("\nports = 3", "").replace("parameters = {ports = 3}\n", "")
    description.write_text(
        text + "sizes = [{ports = 3, parameters = {ports = 3}}, {ports = 6, parameters = {ports = 6}}]\n"
    )
    small, large = read_peers(description)
    assert (small.ports, large.ports, large.parameters) == (3, 6, {"ports": 6})
    assert dataclasses.replace(large, ports=3, parameters={"ports": 3}) == small
    assert [measured(peer, checkouts[0]).ff for peer in (small, large)] == [12, 24]


@pytest.mark.parametrize("sources", [("ring/rtl/ring.sv",), ("ring/rtl/ring.sv", "ring/rtl/station.sv")])
def test_edit_is_made_where_its_text_stands_once(ring, checkouts, sources):
    """A station of two registers, found in a library or named; as it is in the repository it has one."""
    edits = (
        Edit(source="ring/rtl/station.sv", old="always_ff", new="logic [`WIDTH-1:0] again; always_ff"),
        Edit(
            source="ring/rtl/station.sv",
            old="data_o <= data_o ^ data_i;",
            new="begin again <= data_i; data_o <= data_o ^ again; end",
        ),
    )
    row = measured(dataclasses.replace(ring, sources=sources, edits=edits), checkouts[0])
    assert (row.problem, row.ff) == (None, 24)
    for old in ("data_o <= 1", "data_o"):  # not there, and there more than once
        wrong = Edit(source="ring/rtl/station.sv", old=old, new="")
        row = measured(dataclasses.replace(ring, edits=(wrong,)), checkouts[0])
        assert row.problem == f"edit must replace a text that occurs once in ring/rtl/station.sv, not {old!r}"


def test_file_of_ours_is_included_before_theirs(description, checkouts, tmp_path):
    (tmp_path / "width.svh").write_text("`define WIDTH 2\n")
    wrapper = description.parent / "ring_peer.sv"
    wrapper.write_text(WRAPPER.replace("ports*4", "ports*2"))
    text = description.read_text().replace("cycles_per_hop", 'included = ["width.svh"]\ncycles_per_hop')
    description.write_text(text)
    [peer] = read_peers(description)
    assert measured(peer, checkouts[0]).ff == 6
    (tmp_path / "width.svh").write_text("`define WIDTH 2 // bits\n")
    [again] = read_peers(description)
    assert again.digest != peer.digest


@pytest.mark.parametrize("commit", ["main", "0123456", "A" * 40, "0" * 41])
def test_commit_must_be_named_in_full(description, checkouts, commit):
    description.write_text(description.read_text().replace(checkouts[1], commit))
    with pytest.raises(ParameterError, match="commit of somebody/ring must be 40 hexadecimal digits, not"):
        read_peers(description)


def test_description_has_another_digest_with_another_wrapper(ring, tmp_path):
    other = dataclasses.replace(ring, wrapper_text=WRAPPER + "\n")
    assert measured(other, tmp_path).description != measured(ring, tmp_path).description


def test_our_routers_have_every_turn_but_the_one_back(monkeypatch):
    """The input of synthesis, which takes half a minute for these."""
    given = []

    def synthesize(router, **options):
        Fragment.get(router, None)  # or Amaranth complains of a router that nothing was made of
        given.append((router, options))
        return SynthesisResult("router", "ecp5", Area(luts={}, ff=0, comb_equivalents=0, cells={}), None, None, {}, ())

    monkeypatch.setattr(measure, "synthesize", synthesize)
    sizes = [(5, 1), (8, 1), (5, 2)]
    ours = [
        one for one in measure.our_routers() if one.name == "fatcube" and (one.ports, one.virtual_channels) in sizes
    ]
    rows = [measure.measure_ours(one, seeds=(4, 5)) for one in ours]
    assert [(row.ports, row.virtual_channels, row.name, row.cycles_per_hop) for row in rows] == [
        (*size, "fatcube", cycles) for size in ((5, 1), (8, 1), (5, 2)) for cycles in (1, 2)
    ]
    for row, (router, options) in zip(rows, given):
        value = router.parameters
        depth = 2 if row.virtual_channels == 1 else 8
        assert (value.options.width, value.options.buffer_depth, value.options.pipeline) == (
            32,
            depth,
            row.cycles_per_hop,
        )
        assert value.options.virtual_channels == row.virtual_channels
        assert (row.repository, row.commit) == (None, source_revision()[0])
        for port in range(row.ports):
            assert value.reach(port) == tuple(other for other in range(row.ports) if other != port)
        assert (options["seeds"], options["fmax"], options["wide"]) == ((4, 5), True, False)


def test_switch_is_that_of_the_command(monkeypatch):
    """The hardware that ``generate network --topology switch -n 8`` writes, to which each processor may send to itself."""
    given = []

    def synthesize(component, **options):
        Fragment.get(component, None)
        given.append((component, options["modules"]))
        return SynthesisResult("router", "ecp5", Area(luts={}, ff=0, comb_equivalents=0, cells={}), None, None, {}, ())

    monkeypatch.setattr(measure, "synthesize", synthesize)
    rows = [measure.measure_ours(one, seeds=(1,)) for one in measure.our_routers() if "switch" in one.name]
    assert [(row.name, row.ports, row.cycles_per_hop) for row in rows] == [
        ("fatcube's switch", 8, 1),
        ("fatcube's switch", 8, 2),
        ("fatcube's switch with AXI4-Streams", 8, 4),
        ("fatcube's switch with AXI4-Streams", 8, 5),
    ]
    for (router, _), pipeline in zip(given[:2], (1, 2)):
        network = RoutedNetwork(Switch(8), RouterOptions(pipeline=pipeline))
        assert router.parameters == network.router()
        assert [router.parameters.reach(port) for port in range(8)] == [tuple(range(8))] * 8
    for (axi, modules), pipeline in zip(given[2:], (1, 2)):
        assert axi.network == RoutedNetwork(Switch(8), RouterOptions(pipeline=pipeline))
        assert "fat_node_router" in modules and "network_interface" in modules


def test_command_writes_all_keys(description, checkouts, tmp_path):
    given = [
        "peers",
        "--cases",
        description,
        "--checkouts",
        checkouts[0],
        "--only",
        "ring*",
        "--no-fmax",
        "-o",
        tmp_path,
    ]
    assert main(list(map(str, given))) == 0
    [record] = json.loads((tmp_path / "peers.json").read_text())
    row = record["measured"]
    assert record["case"] == "ring, 3 ports" and set(row) == {field.name for field in dataclasses.fields(Row)}
    assert row["commits"] == {"somebody/ring": checkouts[1]}
    assert row["published"] == {"comb": 12, "ff": 13, "mhz": 100}
    assert (
        f"| ring | 12 | 12 (13) | - (100) | 1 | somebody/ring @{checkouts[1][:10]} | 4 bits, no buffers |"
        in (tmp_path / "peers.md").read_text()
    )


def test_our_routers_are_of_the_sizes_that_are_described(description):
    """One of ours for each number of cycles per hop; without any router of 8 ports none of 8 ports is measured."""
    assert list(EXPERIMENT.cases_of(description)) == ["ring, 3 ports"]
    description.write_text(description.read_text().replace("\nports = 3", "\nports = 5"))
    assert list(EXPERIMENT.cases_of(description)) == [
        "ring, 5 ports",
        "fatcube, 5 ports, 1 cycle per hop",
        "fatcube, 5 ports, 2 cycles per hop",
    ]


def test_folders_that_are_not_needed_may_be_missing(ring, checkouts, tmp_path):
    """A clone without an object of another folder, as one without large files is."""
    clone = tmp_path / "clones" / "ring"
    clone.parent.mkdir()
    git(clone.parent, "clone", "--quiet", "--no-hardlinks", str(checkouts[0] / "ring"), "ring")
    git(clone, "checkout", "--quiet", checkouts[1])
    (clone / "doc").mkdir()
    (clone / "doc/large").write_text("large")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "large")
    commit = git(clone, "rev-parse", "HEAD")
    lost = git(clone, "rev-parse", "HEAD:doc/large")
    (clone / ".git/objects" / lost[:2] / lost[2:]).unlink()
    newer = dataclasses.replace(ring, commits={"somebody/ring": commit})
    assert measured(newer, clone.parent).ff == 12


def stored_rows(*, old=True):
    """The rows of the page that stands in synth_reports, those of the flow without timing-driven rip-up or of today's."""
    rows = [one["measured"] for one in read_stored(EXPERIMENT, REPORTS)]
    return [row for row in rows if row["mhz"] is None or old != any(RIP_UP in one for one in row.get("commands", ()))]


def rows_of_theirs(**flow):
    """The rows without ours."""
    return [row for row in stored_rows(**flow) if row["repository"]]


def test_page_is_of_the_published_routers_as_they_are_described():
    """Measured rows have the description of today, wrapper included; no described router was left out."""
    stored = [(row["name"], row["ports"], row["description"]) for row in rows_of_theirs()]
    described = [(peer.name, peer.ports, peer.digest) for peer in read_peers(PUBLISHED)]
    assert stored == described
    # Those of today's flow are of the same routers, as large as they were.
    today = [row for row in rows_of_theirs(old=False) if row["mhz"] is not None]
    assert {(row["name"], row["ports"], row["description"]) for row in today} <= set(described)
    sizes = {(row["description"], row["cycles_per_hop"]): (row["comb"], row["ff"]) for row in rows_of_theirs()}
    assert all(sizes[row["description"], row["cycles_per_hop"]] == (row["comb"], row["ff"]) for row in today)
    ours = {path for peer in read_peers(PUBLISHED) for path in (peer.wrapper, *peer.included) if path}
    files = (path for path in (PUBLISHED.parent / "wrappers").rglob("*") if path.is_file())
    assert ours == {str(path.relative_to(PUBLISHED.parent)) for path in files}


def test_table_of_switches_is_that_of_the_record():
    """Names, figures and cycles; ours without and with ``--pipeline 2``."""
    found = {
        (row["name"], row["cycles_per_hop"]): [f"{row['comb']:,}", f"{row['ff']:,}", f"{row['mhz']:.1f}"]
        for row in stored_rows()
        if row["ports"] == 8 and row["problem"] is None
    }
    section = (ROOT / "docs/results/published.md").read_text().partition("## Switches of 8")[2].partition("\n## ")[0]
    shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", section, re.M)]
    assert [row[0] for row in shown[2:]].count("fatcube's switch") == 1 and len(shown) == 2 + 8
    for name, comb, ff, mhz, cycles, *_ in shown[2:]:
        assert found[name.removesuffix(", `--pipeline 2`"), int(cycles)] == [comb, ff, mhz], name


@pytest.mark.parametrize("ports", networks.PUBLISHED)
def test_benchmarks_name_the_best_of_the_page(ports):
    theirs = [
        row
        for row in rows_of_theirs()
        if row["ports"] == ports and row["problem"] is None and row["virtual_channels"] == 1
    ]
    smallest, fastest = min(row["comb"] for row in theirs), max(row["mhz"] for row in theirs)
    assert (smallest, round(fastest)) == networks.PUBLISHED[ports]


def test_command_fails_where_a_router_is_missing(description, tmp_path, capsys):
    given = ["peers", "--cases", str(description), "-o", str(tmp_path), "--no-fmax"]
    assert main(given) == 2
    assert capsys.readouterr().err == "experiments: --checkouts must be given, or --stored\n"
    assert main([*given, "--checkouts", str(tmp_path)]) == 1
    assert "no checkout of somebody/ring" in (tmp_path / "peers.md").read_text()


def records_of(rows):
    return [{"case": row.name, "parameters": {"seeds": [1, 2, 3]}, "measured": row.to_json()} for row in rows]


def test_printed_figure_stands_where_it_is_more_than_5_percent_off():
    row = Row(
        name="a", ports=5, settings="", turns="", cycles_per_hop=1, comb=1050, ff=106, mhz=94.9,
        repository="somebody/a", commit="1" * 40, commits={"somebody/a": "1" * 40, "somebody/b": "2" * 40},
        published=Published(comb=1000, ff=100, mhz=100), commands=["nextpnr-ecp5 --tmg-ripup --seed 1"],
    )  # fmt: skip
    assert cells(row)[:6] == ["a", "1,050", "106 (100)", "94.9 (100)", "1", "somebody/a @1111111111"]
    older = dataclasses.replace(row, commands=[])
    several = [older, row, dataclasses.replace(row, virtual_channels=2), dataclasses.replace(row, ports=8)]
    text = markdown(EXPERIMENT, records_of(several))
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles == [
        "## 5 ports",
        "## 5 ports, without timing-driven rip-up",
        "## 8 ports",
        "## 5 ports, 2 virtual channels",
        "## Other repositories",
    ]
    # What is not placed has no table of its own: it is with those of today's flow, if there are any.
    failed = dataclasses.replace(row, mhz=None, commands=[], problem="a reason")
    assert {title: len(some) for title, some in sizes([failed, older, row]).items()} == {
        "5 ports": 2,
        "5 ports, without timing-driven rip-up": 1,
    }
    assert list(sizes([failed, older])) == ["5 ports, without timing-driven rip-up"]
    assert list(sizes([failed])) == ["5 ports"]
    ours = dataclasses.replace(row, repository=None, commit="a" * 12)
    assert (cells(ours)[5], cells(dataclasses.replace(ours, commit=None))[5]) == ("@aaaaaaaaaa", "-")
    assert f"somebody/a was built with somebody/b @{'2' * 40}." in text

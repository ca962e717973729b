"""docs/contribute/add.md, done: in a copy of the sources, with the files that it names and no others."""

import json
import os
from pathlib import Path
import shutil
import subprocess
import sys

import pytest

from tests.support.caches import share_builds
from tests.support.packages import copy_sources

ROOT = Path(__file__).parents[1]
STUDY = ROOT / "synth_reports" / "study.jsonl"
EXTENDED = pytest.mark.xdist_group("extended")  # all are made in one copy


@pytest.fixture
def copy(tmp_path):
    """A copy of the sources, which may be changed."""
    return copied(tmp_path)


def copied(folder):
    """The folder with a copy of the sources; compiled ones too, as Python takes those of unchanged files only.

    Simulators are found by their own content, so those of hardware that the change leaves as it is are there already.
    """
    copy_sources(folder)
    share_builds(folder / "cache")
    return folder


def add(copy, name, path):
    """Add a file of tests/support, which is what somebody writes who adds one."""
    assert not (copy / path).exists()
    shutil.copy(ROOT / "tests" / "support" / name, copy / path)


def replace(copy, path, *changes):
    """Replace texts that a file has once, each by another."""
    text = (copy / path).read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (copy / path).write_text(text, encoding="utf-8")


def python(copy, *arguments):
    """The exit status, output and error output of Python in the copy; its help is as wide as it wants to be."""
    environment = {**os.environ, "COLUMNS": "240", "FATCUBE_CACHE": str(copy / "cache")}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=copy, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


#: Commands of `fatcube` one after the other in one process, since most of the time of one is that of its imports.
COMMANDS = """
import contextlib, io, json, sys, traceback
from fatcube.groundwork import progress
from fatcube import cli

progress.be_quiet()  # however long something takes
done = []
for command in json.loads(sys.argv[1]):
    sys.argv, out, err = ["fatcube", *command], io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main()
            status = 0
        except SystemExit as stop:
            status = stop.code or 0
        except Exception:
            traceback.print_exc()
            status = 1
    done.append((status, out.getvalue(), err.getvalue()))
print(json.dumps(done))
"""


def answers(copy, *commands, first=("",)):
    """The exit status, output and error output of each command; before them a program is run with its argument."""
    program, *argument = first
    words = json.dumps([[str(word) for word in one] for one in commands])
    status, out, err = python(copy, "-c", program + COMMANDS, words, *argument)
    assert (status, err) == (0, ""), err
    return [tuple(one) for one in json.loads(out)]


def done(answer):
    """The output of a command that has succeeded without a word on standard error."""
    status, out, err = answer
    assert (status, err) == (0, ""), err
    return out


def refused(answer):
    """The line with which a command has refused its input."""
    status, out, err = answer
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err.removeprefix("fatcube: ").removesuffix("\n")


def modules(verilog):
    """The lines of Verilog that are no comments, which say the options."""
    return [line for line in verilog.splitlines() if not line.startswith("//")]


def add_arbiter(copy):
    add(copy, "fixed_priority.py", "rtl/arbiters/fixed_priority.py")
    replace(
        copy,
        "rtl/arbiters/__init__.py",
        (
            "from fatcube.rtl.arbiters.round_robin import",
            "from fatcube.rtl.arbiters.fixed_priority import FixedPriorityArbiter\nfrom fatcube.rtl.arbiters.round_robin import",
        ),
        (
            '    "round-robin": RoundRobinArbiter,',
            '    "round-robin": RoundRobinArbiter,\n    "fixed-priority": FixedPriorityArbiter,',
        ),
    )


def add_router_option(copy):
    arbiter = "    arbiter: str = option("
    spare = '    spare: int = option(0, "Bits that nobody uses.", minimum=0, maximum=8, reaches=reaches_in(""))\n'
    replace(copy, "rtl/router_options.py", (arbiter, spare + arbiter))
    text = 'format = "fatcube.sweep/1"\n[[points]]\nd = 1\ncollective = "OAB"\nspare = [0, {}]\n'
    for most in (3, 9):
        (copy / f"spare{most}.toml").write_text(text.format(most))


def add_topology(copy):
    add(copy, "torus.py", "noc/topologies/square_torus.py")


def add_family(copy):
    add(copy, "nand.py", "synth/families/nand.py")
    replace(
        copy,
        "synth/families/__init__.py",
        (
            "import ecp5, gates, gowin, ice40, osu018, xilinx\n",
            "import ecp5, gates, gowin, ice40, nand, osu018, xilinx\n",
        ),
        ("(ecp5, ice40, xilinx, gowin, gates, osu018)", "(ecp5, ice40, xilinx, gowin, gates, osu018, nand)"),
    )


ROUTER = ("generate", "router", "-d", 2)
EXPLORE = ("explore", "--processors", 8, "--results", STUDY, "--spare")
#: The commands of each addition.
ASKED = {
    add_arbiter: [
        [*ROUTER, "--help"],
        ROUTER,
        *([*ROUTER, "--arbiter", one] for one in ("round-robin", "fixed-priority", "fair")),
    ],
    add_router_option: [
        ["generate", "router", "--help"],
        ["explore", "--help"],
        *(["sweep", f"spare{most}.toml", "--dry-run"] for most in (3, 9)),
        *([*EXPLORE, spare] for spare in (3, 0)),
    ],
    add_topology: [
        ["schedule", "--topology", "square-torus", "-n", 3, "-c", "OAB", "-o", "s.json"],
        ["check", "s.json"],
        ["schedule", "--help"],
    ],
    add_family: [["synthesize", "-d", 1, "--width", 10, "--family", "nand", "--json", "r.json"]],
}
OPTION_IN_PYTHON = """
from fatcube import FatCube, Network, RouterOptions
assert Network(FatCube(1), RouterOptions(spare=3)).to_json()["spare"] == 3
"""


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of the sources with all of these additions, no two of which are of the same list, and the answers of each."""
    copy = copied(tmp_path_factory.mktemp("extended"))
    for addition in ASKED:
        addition(copy)
    found = iter(answers(copy, *(one for asked in ASKED.values() for one in asked), first=(OPTION_IN_PYTHON,)))
    return copy, {addition: [next(found) for _ in asked] for addition, asked in ASKED.items()}


@EXTENDED
def test_arbiter(extended):
    """Catches an arbiter that has to be named in a second place, and a router that does not take it."""
    listed, default, round_robin, fixed, unknown = extended[1][add_arbiter]
    assert "round-robin|fixed-priority|least-recent|deficit" in done(listed)
    assert done(default) == done(round_robin)
    assert modules(done(fixed)) != modules(done(round_robin))
    assert refused(unknown) == "arbiter must be one of round-robin, fixed-priority, least-recent, deficit, not 'fair'"


#: An all-gather in dataflow on lanes of the new kind, before the commands.
COLLECTIVE = """
import json, sys
from fatcube import Hypercube, Network, Problem, RouterOptions
from fatcube.schedules.construct import construct
from fatcube.schedules.step_model import StepModel
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate
given = {name.strip("-").replace("-", "_"): value for name, value in json.loads(sys.argv.pop()).items()}
network = Network(Hypercube(1), RouterOptions(links="arbitrated", **given))
schedule = construct(Problem(Hypercube(1), "1", "AAB", model=StepModel(links="half-duplex"))).schedule
result = simulate(fitting_machine(network), Run(schedule=schedule, payload_flits=5, lockstep=False))
assert (result.failures, result.delivered) == ((), 4), result
"""
LANE_OPTIONS = {
    "one channel": [],
    "virtual channels": [
        *("--virtual-channels", 2, "--injection-channels", 2, "--ejection-channels", 2),
        *("--switching", "virtual-cut-through", "--longest-packet", 8, "--buffer-depth", 8),
    ],
    "circuits": ["--switching", "circuit"],
    "circuits tried again": ["--switching", "circuit", "--setup-retry", 8],
}


@pytest.fixture(scope="module")
def copy_with_lanes(tmp_path_factory):
    """A copy of the sources with one more kind of lane."""
    copy = copied(tmp_path_factory.mktemp("lanes"))
    add(copy, "arbitrated_lane.py", "rtl/lanes/arbitrated.py")
    replace(
        copy,
        "rtl/lanes/__init__.py",
        (
            "from fatcube.rtl.lanes.half_duplex import",
            "from fatcube.rtl.lanes.arbitrated import ArbitratedLane\nfrom fatcube.rtl.lanes.half_duplex import",
        ),
        ('    "full-duplex": None,', '    "full-duplex": None,\n    "arbitrated": ArbitratedLane,'),
    )
    return copy


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(LANE_OPTIONS[name], marks=() if name == "virtual channels" else pytest.mark.long, id=name)
        for name in LANE_OPTIONS
    ],
)
def test_lane(copy_with_lanes, options):
    """Catches a kind of lane that has to be known in a second file, and signals of a lane that do not reach it."""
    lanes = ("--links", "arbitrated", *options)
    cube = ("-d", 2, "--routing", "default")
    plain, other, load = answers(
        copy_with_lanes,
        ["generate", "network", *cube],
        ["generate", "network", *cube, *lanes],
        ["load", "-d", 1, *cube[2:], *lanes, "--loads", "0.1,0.9", "--measured", 500, "--warm-up", 100],
        first=(COLLECTIVE, json.dumps(dict(zip(options[::2], options[1::2])))),
    )
    plain, other = modules(done(plain)), modules(done(other))
    assert not any("lane lane" in line for line in plain) and sum("lane lane" in line for line in other) == 4
    assert "0.100" in done(load)


@EXTENDED
def test_router_option(extended):
    """Catches a list of router options beside the fields that declare them."""
    *helps, sweep, too_high, none, some = extended[1][add_router_option]
    for text in map(done, helps):
        [line] = (line for line in text.splitlines() if "--spare" in line)
        assert "Bits that nobody uses." in line
    assert done(sweep).startswith("checked: 2 points can be measured")
    assert refused(too_high).endswith("spare must be an integer from 0 to 8, not 9")
    assert refused(none) == "results must have routers with spare=3 measured on ecp5, and these have none"
    assert "Pareto front" in done(some)


@EXTENDED
def test_topology(extended):
    """Catches a topology that has to be named anywhere."""
    schedule, check, listed = extended[1][add_topology]
    assert "square torus n = 3" in done(schedule)
    assert ": valid, " in done(check)
    assert "square-torus" in done(listed)


@EXTENDED
def test_family(extended):
    """Catches a target of synthesis that has to be named in a third place."""
    copy, found = extended
    [answer] = found[add_family]
    assert "NAND gates of two inputs" in done(answer)
    measured = json.loads((copy / "r.json").read_text())["measured"]
    assert measured["comb_equivalents"] > 0 and measured["ff"] > 0 and measured["transistors"] > 0


#: What a file may say of a collective alone, behind the value itself.
REGISTERED = """
from fatcube.schedules.bounds import BOUNDS
from fatcube.schedules.construct import CONSTRUCTIONS
from fatcube.schedules.constructions.greedy import greedy
from fatcube.schedules.counting import Bound

BOUNDS[SHIFT] = lambda problem: [Bound(2, "from processor 1 to 2 of a square")]
CONSTRUCTIONS[SHIFT] = greedy
"""
ASK_FOR_SHIFT = [
    ["schedule", "-c", "neighbour", "-d", 2, "-o", "s.json"],
    ["check", "s.json"],
    ["simulate", "--schedule", "s.json"],
    ["schedule", "-c", "shift", "-d", 2, "--half-duplex", "--from", "0,1", "--time-limit", 0.1],
    ["export", "s.json", "-o", "s.xml"],
    ["schedule", "-c", "all", "-d", 2],
]


@pytest.mark.parametrize("registered", [False, True])
def test_collective(copy, registered):
    """Catches a collective that is taken for another one where nothing is said of it alone, or has to be named in a second place."""
    add(copy, "shift.py", "schedules/collectives/shift.py")
    if registered:
        with (copy / "schedules" / "collectives" / "shift.py").open("a", encoding="utf-8") as file:
            file.write(REGISTERED)
    schedule, check, simulate, some, export, unknown = answers(copy, *ASK_FOR_SHIFT)
    shown = " ".join(done(schedule).split())
    assert "shift (shift) on the fat cube d = 2" in shown
    alone = "2: from processor 1 to 2 of a square" if registered else "there is no bound for shift alone"
    assert alone in shown and ("greedily as for any collective" in shown) != registered
    assert "proved optimal │ yes" in shown
    moved = {tuple(one["message"]) for one in json.loads((copy / "s.json").read_text())["transfers"]}
    assert moved == {(0, 1), (1, 2), (2, 3), (3, 0)}
    assert ": valid, 2 steps, " in done(check)
    assert "2 steps scheduled" in done(simulate)
    if not registered:
        assert "transfers │ 3 │" in " ".join(done(some).split())  # from 0 to 1, and from 1 to 2 in two steps
    assert "shift" in refused(export)
    assert "all-reduce, shift or broadcast" in refused(unknown)

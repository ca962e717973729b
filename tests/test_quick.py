"""The tests of what is changed: which are near, in what order, how many a budget is enough for, and what is said of it."""

import json
import re
import subprocess
import sys

import pytest

from tests.support import quick
from tests.support.mutations import QUICK, TABLE, Table
from tests.support.quick import BUDGET, ROOT, Prices, choose, main, nearest
from tests.support.reach import Reach


def written(folder, files):
    """The folder with files of these texts, and packages where they need them."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        for above in path.relative_to(folder).parents[:-1]:
            if above.parts[0] not in ("tests", "docs") and name.endswith(".py"):
                (folder / above / "__init__.py").touch()
    return folder


@pytest.mark.parametrize(
    ("files", "changed", "expected"),
    [
        pytest.param(
            {
                "tests/test_near.py": "from room.low import one",
                "tests/test_far.py": "import room.high",
                "tests/test_other.py": "import room.other",
                "room/high.py": "import os, room.low",
                "room/low.py": "",
                "room/other.py": "",
            },
            "room/low.py",
            {"tests/test_near.py": 1, "tests/test_far.py": 2},
            id="imports",
        ),
        pytest.param(
            {
                "tests/test_one.py": "def test():\n    from room import (\n        two,  # noqa (why)\n        one,\n    )",
                "tests/test_in_a_string.py": '"from os import path; import room.one"',
                "room/one.py": "",
            },
            "room/one.py",
            {"tests/test_one.py": 1, "tests/test_in_a_string.py": 1},
            id="imports within functions and strings",
        ),
        pytest.param(
            {"tests/test_one.py": "import room.inner.one", "room/inner/one.py": "", "room/inner/two.py": ""},
            "room/inner/__init__.py",
            {"tests/test_one.py": 2},
            id="the package of what is imported",
        ),
        pytest.param(
            {
                "tests/test_one.py": "from tests.support.harness import run",
                "tests/support/harness.py": "from tests.support import more",
                "tests/support/more.py": "import room.one",
                "room/one.py": "",
            },
            "room/one.py",
            {"tests/test_one.py": 1},
            id="helpers",
        ),
        pytest.param(
            {"tests/test_one.py": "from tests.support import harness", "tests/support/harness.py": ""},
            "tests/support/harness.py",
            {"tests/test_one.py": 0},
            id="a helper",
        ),
        pytest.param(
            {"tests/test_one.py": "", "tests/test_two.py": ""}, "tests/test_one.py", {"tests/test_one.py": 0}, id="a test"
        ),
        pytest.param(
            {
                "tests/room/inner/test_one.py": "",
                "tests/room/inner/test_one_again.py": "",
                "tests/room/test_inner_one.py": "",
                "tests/room/test_one.py": "",
                "room/inner/one.py": "",
            },
            "room/inner/one.py",
            {
                "tests/room/inner/test_one.py": 0,
                "tests/room/inner/test_one_again.py": 0,
                "tests/room/test_inner_one.py": 0,
            },
            id="tests named as the file",
        ),
        pytest.param(
            {
                "tests/test_one.py": "",
                "tests/support/mutations.toml": '[tests]\n"room/one.py" = ["tests/test_one.py"]',
                "room/one.py": "",
            },
            "room/one.py",
            {"tests/test_one.py": 0},
            id="tests that mutants meet",
        ),
        pytest.param(
            {
                "tests/test_named.py": "import room.commands\nrun('draw', 1)",
                "tests/test_option.py": "import room.commands\nrun('list --kind fat-cube -d 2')",
                "tests/test_all.py": "import room.commands",
                "tests/test_alone.py": "'draw'",
                "room/commands/__init__.py": 'for name in found:\n    importlib.import_module(f"{__name__}.{name}")',
                "room/commands/draw.py": "class FatCube:\n    pass",
                "room/commands/list.py": "",
            },
            "room/commands/draw.py",
            {"tests/test_named.py": 1, "tests/test_option.py": 1, "tests/test_all.py": 2},
            id="a registry",
        ),
        pytest.param(
            {
                "tests/test_one.py": "from door import One",
                "tests/test_other.py": "import door\ndoor.Other",
                "tests/test_inner.py": "import door.inner  # Of one: One",
                "door/__init__.py": '_HOMES = {\n    "One": "room.one",\n    "Other": "inner",\n}\ndef __getattr__(name): pass',
                "door/inner.py": "",
                "room/one.py": "",
            },
            "room/one.py",
            {"tests/test_one.py": 1},
            id="names that are loaded late",
        ),
        pytest.param(
            {
                "tests/test_one.py": "build.run('room.one')",
                "tests/test_patched.py": 'patch("room.one.function", None)',
                "tests/test_run.py": '[sys.executable, "-m", "room.one"]',
                "tests/test_loaded.py": "'room.one:Class'",
                "tests/test_not.py": "# 'room' one: room.one",
                "room/one.py": "",
            },
            "room/one.py",
            {"tests/test_loaded.py": 1, "tests/test_one.py": 1, "tests/test_patched.py": 1, "tests/test_run.py": 1},
            id="modules that strings name",
        ),
        pytest.param(
            {"tests/test_one.py": '"page.css"', "tests/test_two.py": '"templates"', "room/templates/page.css": ""},
            "room/templates/page.css",
            {"tests/test_one.py": 1},
            id="a file by its name",
        ),
        pytest.param(
            {
                "tests/room/test_one.py": "",
                "tests/test_two.py": '"templates"',
                "room/one.py": '"templates"',
                "room/templates.css/page.css": "",
                "room/two.py": '"templates.css"',
                "tests/test_three.py": "import room.two",
            },
            "room/templates.css/page.css",
            {"tests/test_three.py": 2},
            id="a file by its folder",
        ),
        pytest.param(
            {
                "tests/test_pages.py": 'sorted((ROOT / "pages").rglob("*.md"))',
                "tests/test_other.py": 'sorted((ROOT / "reports").rglob("*.md"))',
                "pages/one.md": "",
                "reports/two.md": "[one](../pages/one.md)",
                "room/one.py": '"pages/one.md"',
                "tests/room/test_one.py": "",
            },
            "pages/one.md",
            {"tests/test_pages.py": 2},
            id="pages by a pattern, and no links",
        ),
        pytest.param(
            {
                "tests/test_one.py": "import tests.support.table",
                "tests/support/table.py": "",
                "tests/support/table.toml": "",
            },
            "tests/support/table.toml",
            {"tests/test_one.py": 0},
            id="a table beside its module",
        ),
        pytest.param(
            {
                "tests/conftest.py": "import room.one\n@pytest.fixture(scope='module')\ndef made():\n    pass",
                "tests/test_one.py": "def test(made): pass",
                "tests/test_two.py": "",
                "room/one.py": "",
            },
            "room/one.py",
            {"tests/test_one.py": 2},
            id="a fixture",
        ),
        pytest.param(
            {"tests/conftest.py": "", "tests/inner/conftest.py": "", "tests/inner/test_one.py": "", "tests/test_two.py": ""},
            "tests/inner/conftest.py",
            {"tests/inner/test_one.py": 2},
            id="fixtures of a folder",
        ),
        pytest.param(
            {"tests/test_all.py": 'Path("tests").glob("*.py")', "tests/test_of_it.py": 'Path("tests").glob("test_a*.py")', "tests/test_one.py": ""},
            "tests/test_one.py",
            {"tests/test_one.py": 0, "tests/test_all.py": 3},
            id="a test that another one looks at",
        ),
        pytest.param(
            {"tests/test_one.py": "import room.gone", "room/one.py": ""}, "room/gone.py", {"tests/test_one.py": 1}, id="gone"
        ),
    ],
)  # fmt: skip
def test_distances(tmp_path, files, changed, expected):
    """From a changed file to the files of tests, each kind of step by itself."""
    assert Reach(written(tmp_path, files), gone=[changed]).distances([changed]) == expected


PRICES = Prices(
    {"tests/room/test_a.py": 5, "tests/room/test_b.py": 2, "tests/other/test_c.py": 1, "tests/room/test_d.py": 1},
    {"tests/room/test_a.py": {"one": 3, "two": 1.5}, "tests/other/test_c.py": {"three": 0.9}},
)


def test_changed_ones_and_the_nearest_come_first_then_those_of_the_room_then_the_cheap_ones(tmp_path):
    files = {
        "room/low.py": "",
        "room/high.py": "import room.low",
        "tests/room/test_d.py": "import room.high",
        **{test: "import room.low" for test in PRICES.files if not test.endswith("d.py")},
    }
    found = nearest(Reach(written(tmp_path, files)), ["room/low.py"], PRICES)
    assert list(found.items()) == [
        ("tests/room/test_b.py", 1),
        ("tests/room/test_a.py", 1),
        ("tests/other/test_c.py", 1),
        ("tests/room/test_d.py", 2),
    ]
    found = nearest(Reach(tmp_path), ["room/low.py", "room/high.py", "tests/room/test_a.py"], PRICES)
    assert found["tests/room/test_d.py"] == 1
    assert next(iter(found)) == "tests/room/test_a.py"


@pytest.mark.parametrize(
    ("budget", "files", "dropped", "seconds"),
    [
        (9, "bacd", [], 9),
        (8, "bac", [], 8),
        (7.5, "ba", [], 7),
        (6, "bacd", ["one"], 6),
        (4.5, "ba", ["one"], 4),
        (3, "ba", ["one", "two"], 2.5),
        (2, "b", [], 2),
        (1, "", [], 0),
    ],
)
def test_a_budget(budget, files, dropped, seconds):
    """Of the nearest file that is too dear the dearest tests are left out, and none of a farther one."""
    order = {
        f"tests/{room}/test_{name}.py": steps
        for room, name, steps in (("room", "b", 1), ("room", "a", 1), ("other", "c", 2), ("room", "d", 2))
    }
    found = choose(order, PRICES, budget)
    assert [re.fullmatch(r".*_(\w).py", file)[1] for file in found.files] == list(files)
    assert (found.dropped, found.seconds, found.others) == (dropped, pytest.approx(seconds), 4 - len(files))


def test_prices_are_those_of_the_last_run_or_those_that_are_stored(tmp_path):
    record, stored = tmp_path / "costs.json", tmp_path / "stored.json"
    shared = {
        "tests/a/test_1.py, fixture made": 2,
        "tests/a, fixture made": 1,
        "tests, fixture of all": 9,
        "build of x": 9,
    }
    tests = {"tests/a/test_1.py::one": 4, "tests/a/test_1.py::two[x::y]": 0.5, "tests/b/test_2.py::one": 3}
    made = Prices.of_run(tests, shared)
    assert made.files == {"tests/a/test_1.py": pytest.approx(7.6), "tests/b/test_2.py": pytest.approx(3.1)}
    stored.write_text(json.dumps(made.to_json()))
    found = Prices.read(record, stored)
    assert found.files == made.files and found.of("tests/new.py") == 1
    assert found.tests == {"tests/a/test_1.py": {"tests/a/test_1.py::one": 4}, "tests/b/test_2.py": {"tests/b/test_2.py::one": 3}}  # fmt: skip
    record.write_text(json.dumps({"tests": {"tests/b/test_2.py::one": 1}, "shared": {}, "workers": []}))
    found = Prices.read(record, stored)
    assert found.files == {**made.files, "tests/b/test_2.py": pytest.approx(1.1)}


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with a revision, in which the command works."""
    files = {
        "room/one.py": "x = 1\n",
        "tests/room/test_one.py": "from room.one import x\n\ndef test_x():\n    assert x == 1\n",
        "tests/test_other.py": "def test_nothing():\n    pass\n",
        "notes.txt": "",
        ".gitignore": "__pycache__/\n",
        "pytest.ini": "[pytest]\npythonpath = .\naddopts = --import-mode=importlib -p no:cacheprovider\n",
    }
    written(tmp_path, files)
    for command in ("init -q -b main", "add .", "commit -q -m All"):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *command.split()], cwd=tmp_path, check=True)
    monkeypatch.setattr(quick, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_is_changed(checkout, capfd):
    assert main([]) == 0
    assert capfd.readouterr() == ("quick: nothing is changed\n", "")


def test_what_is_changed_is_tested(checkout, capfd):
    """A committed change since a revision, and one that is not; the status is that of the tests."""
    (checkout / "room" / "one.py").write_text("x = 2\n")
    assert main([]) == 1
    out, _ = capfd.readouterr()
    assert out.startswith("quick: 1 test file of 1 changed file, 1 s expected\n") and "1 failed" in out
    subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-aqm", "Change"], check=True)
    assert main(["--list"]) == 0
    assert capfd.readouterr().out == "quick: nothing is changed\n"
    assert main(["--since", "HEAD~1", "--list"]) == 0
    assert "tests/room/test_one.py" in capfd.readouterr().out


def test_new_and_removed_files_are_changed(checkout, capfd):
    """So are both names of one that is moved."""
    subprocess.run(["git", "mv", "room/one.py", "room/two.py"], check=True)
    (checkout / "tests" / "test_new.py").write_text("def test_new():\n    pass\n")
    (checkout / "tests" / "test_other.py").unlink()
    (checkout / "notes.txt").write_text("x")
    assert main(["--list"]) == 0
    out, _ = capfd.readouterr()
    assert re.findall(r"tests/.*py", out) == ["tests/test_new.py", "tests/room/test_one.py"]
    assert out.splitlines()[-1] == "quick: 2 test files of 5 changed files, 2 s expected"


def test_files_are_named(checkout, capfd):
    assert main(["room/one.py"]) == 0
    out, _ = capfd.readouterr()
    assert out.startswith("quick: 1 test file of 1 changed file, 1 s expected\n") and "1 passed" in out
    assert main(["room/one.py", "--budget", "0.5"]) == 0
    assert capfd.readouterr().out.endswith("left out, and run by make test: 1 other test file\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--since", "no-such"], "--since must be a revision, not 'no-such'"),
        (["--since", "--all"], "--since must be a revision, not '--all'"),
        (["room/no.py"], "FILE must be a file, not 'room/no.py'"),
        (["room"], "FILE must be a file, not 'room'"),
    ],
)
def test_bad_input_costs_one_line(checkout, capfd, arguments, line):
    given = [f"--since={arguments[1]}"] if arguments[0] == "--since" else arguments
    assert main(given) == 2
    assert capfd.readouterr() == ("", f"{line}\n")


def test_the_tests_are_those_of_make_daily(monkeypatch):
    """With the same marks, in two processes where that is worth it, and without the record of whole runs."""
    called = []
    monkeypatch.setattr(subprocess, "call", lambda command, cwd, env: called.append((command, env)) or 5)
    monkeypatch.setenv("FATCUBE_COSTS", "build/costs.json")
    assert quick._run(quick.Choice(["a.py"], ["a.py::x"], 5, 0)) == 0
    quick._run(quick.Choice(["a.py"], [], 50, 0))
    [(short, environment), (long, _)] = called
    assert short == [sys.executable, "-m", "pytest", "-m", QUICK, "--deselect=a.py::x", "a.py"]
    assert long == [sys.executable, "-m", "pytest", "-m", QUICK, "-n", "2", "--dist", "loadgroup", "a.py"]
    assert "FATCUBE_COSTS" not in environment
    daily = re.search(r'^daily:.*\n.* -m "(.*)"', (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert daily[1] == QUICK


@pytest.fixture(scope="module")
def prices(tmp_path_factory):
    """The stored data."""
    return Prices.read(tmp_path_factory.mktemp("no") / "record.json")


@pytest.fixture(scope="module")
def reach():
    """The real sources, and two more that nobody uses."""
    return Reach(ROOT, gone=["rtl/of_no_use.py", "fatcube/of_no_use.py"])


class TestSources:
    """The real ones, with the prices that are stored."""

    def test_every_file_reaches_a_test(self, reach):
        """One that does not look at all files of a kind, as those do that reach a file of no use."""
        general = {*reach.distances(["rtl/of_no_use.py"]), *reach.distances(["fatcube/of_no_use.py"])}
        assert "tests/test_house.py" in general and len(general) < 10
        sources = [path for path in reach.files if path.partition("/")[0] in reach.rooms]
        assert len(sources) > 600
        missing = [path for path in sources if reach.distances([path]).keys() <= general]
        assert missing == ["fatcube/of_no_use.py", "rtl/of_no_use.py"]

    def test_what_mutants_meet_is_chosen(self, reach, prices):
        for path, tests in Table.read(TABLE).tests.items():
            files = {test.partition("::")[0] for test in tests}
            assert files <= {*choose(nearest(reach, [path], prices), prices, BUDGET).files}, path

    @pytest.mark.parametrize(
        ("path", "test", "most"),
        [
            ("fatcube/cli/draw.py", "tests/fatcube/cli/test_draw.py", 0),
            ("fatcube/cli/synthesize.py", "tests/fatcube/cli/test_streams.py", 1),
            ("fatcube/cli/board/build.py", "tests/fatcube/cli/test_board_build.py", 0),
            ("noc/routing/a1.py", "tests/noc/routing/test_a1.py", 0),
            ("rtl/arbiters/deficit.py", "tests/rtl/arbiters/test_arbiters.py", 2),
            ("sim/builds/testbench.py", "tests/sim/collectives/test_simulate.py", 3),
            ("sim/builds/native/board.cpp", "tests/sim/board/test_board.py", 2),
            ("noc/descriptions/templates/testbench.v.jinja", "tests/noc/descriptions/test_integration.py", 2),
            ("papers/ghc/claims/dense.py", "tests/papers/test_ghc_claims.py", 3),
            ("docs/tasks/choose.md", "tests/fatcube/test_manual.py", 2),
            ("docs/extensions/term_page.py", "tests/fatcube/test_manual_built.py", 3),
            ("synth_reports/peers.json", "tests/fatcube/test_readme.py", 1),
            ("tests/support/router_harness.py", "tests/rtl/test_proofs.py", 0),
            ("tests/support/kit_wires.py", "tests/fatcube/testing/test_kit.py", 0),
            ("tests/support/mutations.toml", "tests/test_mutations.py", 0),
        ],
    )
    def test_what_is_loaded_by_its_name_is_near(self, reach, path, test, most):
        assert path in reach.files
        assert reach.distances([path]).get(test, 99) <= most

    def test_a_topology_reaches_networks_and_schedules(self, reach):
        for path in (ROOT / "noc" / "topologies").glob("*.py"):
            near = [test for test, steps in reach.distances([path.relative_to(ROOT).as_posix()]).items() if steps <= 3]
            assert {"noc", "schedules"} <= {test.split("/")[1] for test in near}, path

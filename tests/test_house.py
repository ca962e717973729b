"""The house (CONTRIBUTING.md): which room may import which, how large a file may be, and that tests stand alone."""

import ast
import functools
import itertools
from pathlib import Path
import re

import networkx
import pytest

from tests.support.complexity import LIMITS, too_complex

ROOT = Path(__file__).parents[1]
#: From the ground upwards: a room imports only itself and those before it.
ROOMS = ("groundwork", "rtl", "noc", "schedules", "sim", "synth", "fatcube")
#: The same for the sub-rooms of the door; modules directly in a room stand beside its sub-rooms.
DOOR = ("fatcube.testing", "fatcube.reports", "fatcube.studies", "fatcube.papers", "fatcube.cli")
MOST_LINES = 400


#: What shares the trees of the sources, or those of the tests: one worker parses them once.
PARSED = pytest.mark.xdist_group("parsed")


@functools.cache
def modules(*folders):
    """The modules in folders, by name, with their trees."""
    found = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def statements(node):
    """The statements within a node, at any depth: where an import can stand, and few beside all nodes."""
    for part in ("body", "handlers", "cases", "orelse", "finalbody"):
        for child in getattr(node, part, ()):
            yield child
            yield from statements(child)


def imports(name, tree, known):
    """The modules among ``known`` that a module imports, those within functions too, in order."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in known:
                    yield full
                elif node.module in known:
                    yield node.module


@functools.cache
def edges():
    """Who imports whom in the rooms."""
    house = modules(*ROOMS)
    return [(name, other) for name, tree in house.items() for other in imports(name, tree, house)]


@PARSED
def test_rooms_are_all_there():
    """Catches a test that looks at nothing."""
    assert {name.partition(".")[0] for name in modules(*ROOMS)} == set(ROOMS)
    assert len(edges()) > 500


IMPORTING = """
import noc

if True:
    import rtl.flit
else:
    try:
        from schedules import search
    except ImportError:
        import synth
    finally:
        with open(noc):
            import sim, os
match noc:
    case 1:
        from fatcube import cli
class Outer:
    async def method(self):
        for one in two:
            while one:
                from groundwork import digest
        else:
            import typings
"""


def test_every_import_is_found():
    """Catches a kind of statement whose imports are not looked at."""
    rooms = [*ROOMS, "rtl.flit", "schedules.search", "typings"]
    found = {"noc", "rtl.flit", "schedules.search", "synth", "sim", "fatcube", "groundwork", "typings"}
    assert set(imports("planted", ast.parse(IMPORTING), rooms)) == found


@PARSED
def test_no_import_runs_upwards():
    upwards = [
        f"{name} imports {other}"
        for name, other in edges()
        if ROOMS.index(other.partition(".")[0]) > ROOMS.index(name.partition(".")[0])
    ]
    assert upwards == []


@PARSED
def test_no_import_runs_upwards_behind_the_door():
    def floor(name):
        return next((index for index, room in enumerate(DOOR) if name == room or name.startswith(f"{room}.")), None)

    upwards = [
        f"{name} imports {other}"
        for name, other in edges()
        if floor(name) is not None and floor(other) is not None and floor(other) > floor(name)
    ]
    assert upwards == []


@PARSED
def test_no_modules_import_each_other_in_a_circle():
    graph = networkx.DiGraph((name, other) for name, other in edges() if name != other)
    assert list(networkx.simple_cycles(graph)) == []


@PARSED
def test_no_sub_rooms_import_each_other_in_a_circle():
    def room(name):
        parts = name.split(".")
        return ".".join(parts[:2]) if ".".join(parts[:2]) in packages else None

    packages = {
        f"{path.parent.name}.{path.name}"
        for room in ROOMS
        for path in (ROOT / room).iterdir()
        if (path / "__init__.py").exists()
    }
    graph = networkx.DiGraph(
        (room(name), room(other)) for name, other in edges() if room(name) and room(other) and room(name) != room(other)
    )
    assert list(networkx.simple_cycles(graph)) == []


MOST_MODULES = 20


@pytest.mark.parametrize("room", ROOMS)
def test_few_modules_stand_in_the_root_of_a_room(room):
    """Catches a room that grows flat instead of by concept."""
    assert len(list((ROOT / room).glob("*.py"))) <= MOST_MODULES


def test_few_files_stand_at_the_door():
    assert len(list((ROOT / "fatcube").glob("*.py"))) <= 6


def test_no_file_is_too_long():
    long = [
        f"{path.relative_to(ROOT)}: {lines}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    ]
    assert long == []


def branching(complexity, indent=""):
    """A function with that many ways through it, counted as McCabe does: one, and one more for each branch."""
    branches = [f"{indent}    if value == {number}: return" for number in range(complexity - 1)]
    return "\n".join([f"{indent}def planted(value):", *branches, f"{indent}    return", ""])


@pytest.mark.parametrize("room", ROOMS)
def test_a_function_above_the_limit_of_its_room_is_reported(room, tmp_path):
    """Catches a room, a method or a function within another one that is not looked at."""
    (tmp_path / room / "deep").mkdir(parents=True)
    most = LIMITS[room]
    (tmp_path / room / "fine.py").write_text(branching(most), encoding="utf-8")
    (tmp_path / room / "deep" / "method.py").write_text(
        "class Outer:\n    class Inner:\n" + branching(most + 1, " " * 8), encoding="utf-8"
    )
    assert too_complex(tmp_path) == [f"{room}/deep/method.py:3 planted {most + 1}, at most {most}"]


def test_every_room_has_a_limit():
    assert set(LIMITS) == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_lives_there_and_what_may_not(room):
    for path in (ROOT / room).rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert text, path
        if len(path.relative_to(ROOT).parts) == 2:
            assert "ever here:" in text, path


@PARSED
def test_tests_import_no_tests():
    tests = modules("tests")
    found = [
        f"{name} imports {other}"
        for name, tree in tests.items()
        for other in imports(name, tree, tests)
        if other.rpartition(".")[2].startswith("test_")
    ]
    assert found == []


def test_what_make_test_leaves_out_another_command_runs(pytestconfig):
    """Catches tests that are lost: for every set of marks that a test may have there is a command that runs it."""
    marks = [re.match(r"\w+", line)[0] for line in pytestconfig.getini("markers") if "run by `make" in line]
    commands = re.findall(r"pytest .*-m (?:\"(.*?)\"|(\w+))", (ROOT / "Makefile").read_text(encoding="utf-8"))
    expressions = [quoted or word for quoted, word in commands]
    assert sorted(marks) == ["grid", "long", "prove"] and len(expressions) == 4
    for has in itertools.product([False, True], repeat=len(marks)):
        assert any(eval(expression, dict(zip(marks, has))) for expression in expressions), (marks, has)


@pytest.mark.xdist_group("together")
def test_groups_of_tests_stay_together(request):
    """Catches versions of pytest and pytest-xdist that do not go together: what a group shares is made by each worker."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("tests are not distributed by groups")
    assert request.node.nodeid.endswith("@together")


def test_processes_are_started_where_their_signals_are_reset():
    """Catches a test that signals a process which ignores that, as all do that a test run in the background starts."""
    starters = ("Popen", "fork", "posix_spawn", "spawnv")
    named = {
        path for path in (ROOT / "tests").rglob("*.py") if any(map(path.read_text("utf-8").__contains__, starters))
    }
    starting = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for path in named
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) in starters
    }
    # The second ends what it has started, and the third starts nothing that it signals but with SIGKILL.
    assert starting == {"tests.support.children", "tests.support.contained", "tests.support.mutations"}

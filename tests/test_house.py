"""The house (docs/contribute/house.md): which room may import which, how large a file may be, and that tests stand alone."""

import ast
import functools
import importlib.util
import itertools
from pathlib import Path
import re

import networkx
import pytest

from tests.support.complexity import LIMITS, too_complex
from tests.support.packages import PACKAGE, ROOMS

ROOT = Path(__file__).parents[1]
MOST_LINES = 400


#: What shares the trees of the sources, or those of the tests: one worker parses them once.
PARSED = pytest.mark.xdist_group("parsed")


@functools.cache
def modules(folder, *rooms):
    """The modules in a folder of the root, or in rooms in it, by name, with their trees."""
    found = {}
    for room in rooms or [""]:
        for path in sorted((ROOT / folder / room).rglob("*.py")):
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
    """The imports between modules in the rooms."""
    house = modules("fatcube", *ROOMS)
    return [(name, other) for name, tree in house.items() for other in imports(name, tree, house)]


def room(name):
    """The room of a module of fatcube's."""
    return name.split(".")[1]


@PARSED
def test_rooms_are_all_there():
    """Catches a test that looks at nothing."""
    assert {room(name) for name in modules("fatcube", *ROOMS)} == set(ROOMS)
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(ROOMS)
    assert len(edges()) > 500


@PARSED
def test_the_picture_is_of_the_rooms_and_their_imports():
    """Catches a room or an import between rooms that docs/figures/house.svg does not show."""
    figures = ROOT / "docs" / "figures"
    spec = importlib.util.spec_from_file_location("house", figures / "house.py")
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    imports = {one: set() for one in ROOMS}
    for name, other in edges():
        imports[room(name)] |= {room(other)} - {room(name)}
    assert tuple(drawing._ROOMS) == ROOMS
    assert drawing.house(imports) == (figures / "house.svg").read_text(encoding="utf-8")


IMPORTING = """
import fatcube.noc

if True:
    import fatcube.rtl.flit
else:
    try:
        from fatcube.schedules import search
    except ImportError:
        import fatcube.synth
    finally:
        with open(noc):
            import fatcube.sim, os
match noc:
    case 1:
        from fatcube import cli
class Outer:
    async def method(self):
        for one in two:
            while one:
                from fatcube.groundwork import digest
        else:
            import typings
"""


def test_every_import_is_found():
    """Catches a kind of statement whose imports are not looked at."""
    named = "fatcube fatcube.noc fatcube.rtl.flit fatcube.schedules.search fatcube.synth fatcube.sim fatcube.groundwork"
    found = {*named.split(), "typings"}
    rooms = [*found, *(f"fatcube.{room}" for room in ROOMS if room != "cli")]
    assert set(imports("planted", ast.parse(IMPORTING), rooms)) == found


@PARSED
def test_no_import_runs_upwards():
    upwards = [
        f"{name} imports {other}" for name, other in edges() if ROOMS.index(room(other)) > ROOMS.index(room(name))
    ]
    assert upwards == []


@PARSED
def test_no_modules_import_each_other_in_a_circle():
    graph = networkx.DiGraph((name, other) for name, other in edges() if name != other)
    assert list(networkx.simple_cycles(graph)) == []


@PARSED
def test_no_sub_rooms_import_each_other_in_a_circle():
    packages = {
        f"fatcube.{path.parent.name}.{path.name}"
        for one in ROOMS
        for path in (PACKAGE / one).iterdir()
        if (path / "__init__.py").exists()
    }
    within = [[".".join(name.split(".")[:3]) for name in edge] for edge in edges()]
    graph = networkx.DiGraph((one, other) for one, other in within if one != other and {one, other} <= packages)
    assert list(networkx.simple_cycles(graph)) == []


#: There is a file for each study and for each command.
MOST_MODULES = dict.fromkeys(ROOMS, 20) | {"studies": 40, "cli": 40}


@pytest.mark.parametrize("room", ROOMS)
def test_few_modules_stand_in_the_root_of_a_room(room):
    """Catches a room that grows flat instead of by concept."""
    assert len(list((PACKAGE / room).glob("*.py"))) <= MOST_MODULES[room]


def test_few_files_stand_at_the_door():
    assert len(list(PACKAGE.glob("*.py"))) <= 4


def test_the_package_stands_without_experiments():
    """Catches a command that works in a checkout only; and experiments that need the tests."""
    for folder, other in (("fatcube", "experiments"), ("experiments", "tests")):
        rooms = ROOMS if folder == "fatcube" else [""]
        known = modules(other)
        assert known and modules(folder, *rooms)
        found = [
            f"{name} imports {one}"
            for name, tree in modules(folder, *rooms).items()
            for one in imports(name, tree, known)
        ]
        assert found == []


def test_no_file_is_too_long():
    long = [
        f"{path.relative_to(ROOT)}: {lines}"
        for folder in (*(PACKAGE / room for room in ROOMS), ROOT / "experiments")
        for path in folder.rglob("*.py")
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


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_lives_there_and_what_may_not(room):
    for path in (PACKAGE / room).rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert text, path
        if path.parent == PACKAGE / room:
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

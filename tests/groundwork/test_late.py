"""Modules are loaded once something of them is used, and then once; sources that Amaranth reads late are read in time."""

import subprocess
import sys

import pytest

from fatcube.groundwork.digest import rooms
from fatcube.groundwork.late import import_late

PACKAGE = {"__init__.py": "print('loaded')\nfrom . import part\nVALUE = 3\n", "part.py": "OTHER = 4\n"}


@pytest.fixture
def run(tmp_path):
    (tmp_path / "large").mkdir()
    for name, text in PACKAGE.items():
        (tmp_path / "large" / name).write_text(text)
    (tmp_path / "broken.py").write_text("import missing_for_certain\n")

    def output(code):
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom fatcube.groundwork.late import import_late\n{code}"
        done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
        return done.stdout.split()

    return output


@pytest.mark.parametrize(
    "use",
    [
        "print(large.VALUE, large.part.OTHER)",
        "from large import VALUE; print(VALUE, large.part.OTHER)",
        "from large.part import OTHER; print(large.VALUE, OTHER)",
        "import large.part; print(large.VALUE, large.part.OTHER)",
    ],
)
def test_it_is_loaded_when_it_is_used(run, use):
    """Catches a plain ``import`` that loads it, a part of it that is loaded before it, and a second copy."""
    assert run(f"import_late('large')\nimport large\nprint('before')\n{use}") == ["before", "loaded", "3", "4"]
    assert run(f"import_late('large')\nimport large\nassert not hasattr(large, 'nothing')\n{use}") == [
        "loaded",
        "3",
        "4",
    ]


def test_it_is_loaded_once_by_many_threads(run):
    """Catches a thread that sees a module of which another one has executed a part."""
    code = (
        "import_late('large')\nimport large, threading\n"
        "threads = [threading.Thread(target=lambda: sys.stdout.write(f'{large.VALUE}\\n')) for _ in range(8)]\n"
        "for one in threads: one.start()\nfor one in threads: one.join()"
    )
    assert run(code) == ["loaded", *["3"] * 8]


def test_what_is_missing_is_missing_where_it_is_imported(run):
    code = (
        "import_late('nothing_of_this_name')\ntry: import nothing_of_this_name\nexcept ModuleNotFoundError: print('no')"
    )
    assert run(code) == ["no"]
    code = "import_late('broken')\nimport broken\ntry: broken.value\nexcept ModuleNotFoundError: print('no')"
    assert run(code) == ["no"]


def test_what_has_been_imported_stays():
    import_late("pytest", "sys")
    assert sys.modules["pytest"] is pytest and sys.modules["sys"] is sys


@pytest.mark.parametrize(
    ("command", "said"),
    [("board list", "ulx3s"), ("load --help", "Usage: fatcube load"), ("schedule -d 1 -c OAB", "OAB (broadcast) on")],
)
def test_the_command_line_starts_without_what_few_commands_need(command, said):
    """Catches an annotation or a constant of a module that loads Jinja2, NetworkX or NumPy in every command."""
    code = (
        f"import sys; sys.argv = ['fatcube', *{command.split()}]\nfrom fatcube.__main__ import main\n"
        "try: main()\nexcept SystemExit as ended: assert not ended.code\n"
        "print([name for name in ('networkx', 'numpy', 'jinja2') if f'{name}.exceptions' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n") and said in done.stdout


_AT_THE_END = """
import atexit, linecache, sys

atexit.register(lambda: print(linecache.cache[sys.argv[1]][2]))
from fatcube.groundwork.late import read_at_exit

read_at_exit(sys.argv[1])
assert sys.argv[1] not in linecache.cache
"""


def test_a_file_is_read_when_the_process_ends(tmp_path):
    (tmp_path / "made.py").write_text("# amaranth: UnusedElaboratable=no\n")
    command = [sys.executable, "-c", _AT_THE_END, str(tmp_path / "made.py")]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "['# amaranth: UnusedElaboratable=no\\n']\n", "")


def test_every_file_with_such_a_line_is_read():
    texts = {path: path.read_text(encoding="utf-8") for room in rooms().values() for path in room.rglob("*.py")}
    set_there = {path.name for path, text in texts.items() if text.startswith("# amaranth: ")}
    assert {"fabric.py", "embedded.py"} <= set_there
    assert {path.name for path, text in texts.items() if "\nread_at_exit(__file__)\n" in text} == set_there

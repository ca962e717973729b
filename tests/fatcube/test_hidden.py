"""Files of the user's that have the name of one of our rooms."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

from tests.support.cases import some

ROOT = Path(__file__).parents[2]


def start(folder, *command):
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("name", ["sim.py", "sim/__init__.py", "rtl.py", "noc/__init__.py"])
def test_file_that_hides_a_room_is_named(tmp_path, name):
    """Catches "No module named 'sim.collectives.simulate'", which says nothing of whose file is in the way."""
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.touch()
    room = name.partition("/")[0].removesuffix(".py")
    message = f"{file} hides the package {room} that fatcube is made of: rename it, or start in another folder"
    done = start(tmp_path, "-c", "from fatcube import simulate")
    assert done.stderr.endswith(f"ImportError: {message}\n")
    done = start(tmp_path, "-m", "fatcube", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"fatcube: {message}\n")


def test_other_files_are_in_nobodys_way(tmp_path):
    """A folder without modules, such as one of results, hides nothing."""
    (tmp_path / "results.py").touch()
    (tmp_path / "sim").mkdir()
    assert start(tmp_path, "-m", "fatcube", "--version").stdout.startswith("fatcube ")
    assert start(tmp_path, "-c", "from fatcube import simulate").returncode == 0


@pytest.mark.parametrize("name", some(["sim.py", "synth.py"], [0]))
def test_a_script_of_that_name_runs(tmp_path, name):
    """In the first process and in those that multiprocessing starts from it, which run the script once more."""
    room = name.removesuffix(".py")
    (tmp_path / name).write_text(
        "import multiprocessing\n"
        "from fatcube import simulate, synthesize\n"
        "def place(number):\n"
        f"    import {room}\n"
        f"    return {room}.__file__\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(place(0), *pool.map(place, [1]), sep='\\n')\n"
    )
    done = start(tmp_path, name)
    assert (done.stdout, done.stderr) == (f"{ROOT / room / '__init__.py'}\n" * 2, "")


def test_the_command_works_beside_files_of_any_name(tmp_path):
    """The installed command does not look for modules in the folder where it is started."""
    for name in ("sim.py", "rtl/__init__.py", "synth.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("raise SystemExit('a file of the user')\n")
    command = Path(sys.executable).with_name("fatcube")
    done = subprocess.run(
        [command, *"generate network -d 1 -o net.v".split()], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "net.v").is_file()

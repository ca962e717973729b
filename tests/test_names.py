"""The name of the package: each module has one, below ``fatcube``, and files of the user with the names of rooms are his own."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

from tests.support.caches import share_builds
from tests.support.packages import PACKAGE, ROOMS, ROOT

BESIDE = [room for room in ROOMS if (PACKAGE / room).is_symlink()]


def printed(folder, *command, path=ROOT, **environment):
    """The output of Python in a folder, with the packages of ``path``; it must succeed without a word on standard error."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(path), **environment},
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path):
    """A folder of a user who has packages and modules of his own, which end what imports them by mistake."""
    for room in (*BESIDE, "reports", "cli"):
        file = tmp_path / room / "__init__.py" if room in ("rtl", "noc") else tmp_path / f"{room}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text("import sys\nif __name__ != '__main__':\n    sys.exit('a file of the user')\n")
    return tmp_path


LOOK = """
import importlib, os, pkgutil, sys
import fatcube
for found in pkgutil.walk_packages(fatcube.__path__, "fatcube."):
    if not found.name.endswith("__main__") and ".native" not in found.name:
        importlib.import_module(found.name)
files = [os.path.realpath(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", None)]
package = os.path.dirname(fatcube.__file__)
homes = [os.path.realpath(package), *(os.path.realpath(f"{package}/{name}") for name in os.listdir(package))]
ours = [file for file in files if file.startswith(tuple(f"{home}/" for home in homes))]
assert len(ours) > 600 and not {"rtl", "noc", "sim"} & sys.modules.keys()
print(sorted(file for file in {*ours} if ours.count(file) > 1))
"""


def test_no_module_is_loaded_under_two_names(tmp_path):
    """Catches an import by the name of a folder, which makes a second class of the same name."""
    assert printed(tmp_path, "-c", LOOK) == "[]\n"


ASK = """
import importlib, sys
for room in sys.argv[1:]:
    try:
        importlib.import_module(room)
    except ModuleNotFoundError as error:
        print(error)
"""


def test_a_folder_of_the_checkout_says_its_name(tmp_path):
    """In the checkout itself, and with it on the path."""
    expected = [f"{room} is a package of fatcube: import fatcube.{room}" for room in BESIDE]
    assert printed(tmp_path, "-c", ASK, *BESIDE).splitlines() == expected
    assert printed(ROOT, "-c", ASK, *BESIDE).splitlines() == expected


SCRIPT = """
import multiprocessing
from fatcube import simulate, synthesize
def place(number):
    import sim
    return sim.__file__
if __name__ == '__main__':
    with multiprocessing.get_context('spawn').Pool(1) as pool:
        print(place(0), *pool.map(place, [1]), simulate.__module__, sep='\\n')
"""


def test_a_script_has_the_name_of_a_room(folder):
    """In the first process and in one that multiprocessing starts from it, which runs the script once more."""
    (folder / "sim.py").write_text(SCRIPT)
    assert printed(folder, "sim.py").splitlines() == [*[str(folder / "sim.py")] * 2, "fatcube.sim.collectives.simulate"]


RUN = "simulate -d 1 -c all-gather --payload-flits 2 --width 8".split()


@pytest.mark.parametrize("start", [["-m", "fatcube"], [str(Path(sys.executable).with_name("fatcube"))]])
def test_the_simulator_imports_nothing_of_the_user(folder, tmp_path, start):
    """Its process has the folder on its path, as the user's own tests are there."""
    share_builds(tmp_path / "cache")
    shown = printed(folder, *start, *RUN, FATCUBE_CACHE=str(tmp_path / "cache"))
    assert "1 step scheduled" in shown, shown

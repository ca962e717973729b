"""Files of the user's that have the name of one of our rooms."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

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

"""Commands in an environment that is set up for other programs: what they print is the same as without it."""

import os
import subprocess
import sys

import pytest

from fatcube.groundwork.cache import cache_folder
from tests.support.hostile import hostile

LOAD = "load --topology hypercube -d 2 --measured 300 --warm-up 50 --repeats 2 --loads 0.1"
SIMULATE = "simulate -d 1 -c AAB --payload-flits 4 --mode dataflow"


def printed(command, folder, variables):
    """The standard output of a command, which must end with status 0."""
    variables = {**os.environ, "FATCUBE_CACHE": str(cache_folder()), **variables}
    done = subprocess.run(
        [sys.executable, "-m", "fatcube", *command.split()],
        cwd=folder,
        env={name: value for name, value in variables.items() if value is not None},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("command", "home"), [(LOAD, None), (SIMULATE, "/proc/nowhere")])
def test_variables_of_other_programs(tmp_path, command, home):
    """Libraries, modules, and tests of theirs; a folder for temporary files with a blank; no home, or one that cannot be."""
    theirs = {"GPI_USERS": "theirs", "PYGPI_USERS": "theirs", "SIM": "questa"}
    assert printed(command, tmp_path, {**hostile(tmp_path, home=home), **theirs}) == printed(command, tmp_path, {})
    assert list((tmp_path / "for a while").iterdir()) == []

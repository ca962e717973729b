"""The processor time of tests: each second is charged once, and to what it was spent for."""

import json
import sys

import pytest

from tests.support import costs
from tests.support.children import child
from tests.support.costs import Costs, Purse, above, by_folder, reasons

#: A run whose clock goes on only where a test says so: what is charged is known by hand.
CONFTEST = """
import pytest
from fatcube.groundwork.cache import cached_folder
from tests.support import costs

now = [0.0]
costs.spent = lambda: now[0]

def pytest_configure(config):
    costs.register(config)

@pytest.fixture
def take():
    def take(seconds):
        now[0] += seconds
    return take

@pytest.fixture(scope="module")
def shared():
    now[0] += 5
    yield
    now[0] += 6

@pytest.fixture
def own(take, shared):
    take(1)
    yield
    take(2)

def build():
    def make(folder):
        now[0] += 40
    cached_folder("parts", "one", make)
"""
TESTS = """
import pytest
from conftest import build

def test_one(own, take):
    take(10)

@pytest.mark.parametrize("seconds", [3, 4])
def test_two(own, take, seconds):
    take(seconds)
    build()
"""


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(costs, "spent", lambda: now[0])

    def take(seconds):
        now[0] += seconds

    return take


def test_what_is_charged_within_another_charge_is_not_part_of_it(clock):
    purse = Purse()
    with purse.charge("test"):
        clock(1)
        with purse.charge("fixture"):
            clock(10)
            with purse.charge("build"):
                clock(100)
        clock(2)
        with purse.charge("build"):
            clock(200)
    with purse.charge("test"):
        clock(4)
    assert dict(purse.costs) == {"test": 7, "fixture": 10, "build": 300}


@pytest.mark.parametrize("workers", [(), ("-n", "2", "--dist", "loadfile")], ids=["one process", "workers"])
def test_a_run(tmp_path, workers):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    record = tmp_path / "costs.json"
    environment = {
        "PATH": "",
        "PYTHONPATH": f"{costs.ROOT}:{tmp_path}",
        "FATCUBE_CACHE": str(tmp_path / "cache"),
        "FATCUBE_COSTS": str(record),
    }
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, "test_it.py")
    with child(*command, cwd=tmp_path, env=environment, stdout=-1, text=True) as process:
        printed, _ = process.communicate()
        assert process.returncode == 0, printed
    found = json.loads(record.read_text())
    # The last test's end, 2, is counted among the end of its module's fixtures.
    assert found["tests"] == {
        "test_it.py::test_one": 1 + 10 + 2,
        "test_it.py::test_two[3]": 1 + 3 + 2,
        "test_it.py::test_two[4]": 1 + 4,
    }
    shared = {name.rpartition(", ")[2]: seconds for name, seconds in found["shared"].items()}
    assert shared == {"fixture shared": 5, "build of parts": 40, "end of fixtures": 2 + 6}
    assert found["makers"] == {"test_it.py::test_two[3]": 40}
    assert found["builds"] == ["parts/one"] and found["empty"]
    assert "13.0 s  test_it.py::test_one" in printed and "1 parts" in printed
    assert "without a reason" in printed and "test_two[3]" in printed.partition("without a reason")[2]


def test_folders_add_up_and_small_costs_are_not_shown():
    some = {"tests/rtl/test_a.py::b": 1.0, "tests/rtl/test_c.py::d[1]": 2.5, "tests/rtl/inputs/test_e.py::f": 0.5}
    assert by_folder(some) == [("rtl", 3.5), ("rtl/inputs", 0.5)]
    assert above(some, 1.0) == [("tests/rtl/test_c.py::d[1]", 2.5), ("tests/rtl/test_a.py::b", 1.0)]


def test_the_command_prints_the_record(tmp_path, capsys):
    file = tmp_path / "costs.json"
    found = Costs()
    found.add(
        {"tests/rtl/test_a.py::b": 2.5, "tests/rtl/test_a.py::c": 1.5, "build of parts": 7.0},
        ["build of parts"],
        {},
        12,
    )
    file.write_text(json.dumps(vars(found)))
    assert costs.main([str(file)]) == 0
    printed = capsys.readouterr().out
    assert "12 s of processor time in 1 processes: 4 s in 2 tests, 7 s in what they share" in printed
    assert "2.5  tests/rtl/test_a.py::b" in printed and "7.0  build of parts" in printed and "::c" not in printed
    assert costs.main([str(tmp_path / "none.json")]) == 2


def test_dear_tests_are_there(request):
    """Catches a reason whose test has another name by now; of the files that this run has collected."""
    names = [costs.name_of(item) for item in request.session.items]
    files = {name.partition("::")[0] for name in names}
    gone = [
        listed
        for listed in reasons()
        if listed.partition("::")[0] in files and not any(name.startswith(listed) for name in names)
    ]
    assert gone == []
    assert all(len(reason) > 20 for reason in reasons().values())

"""Fixtures of all tests."""

import os

from hypothesis import HealthCheck, settings
import pytest

from fatcube.groundwork.memory import collect_seldom
from fatcube.schedules.collective import Collective
from tests.support import costs
from tests.support.chromium import chromium, missing
from tests.support.kinds import COUNT, FAULTS, Part, count_of, faults_of, marks_of

collect_seldom()
# Drawn cases are the same in every run, and none fails because the machine is slow.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
# Nothing is said of what takes long, here or in a process that a test starts: on a slow machine that would be anything.
# Tests of progress switch it on again, with a time of their own.
os.environ["FATCUBE_QUIET"] = "1"


def pytest_addoption(parser):
    """Add the option that divides a run of hours into parts."""
    parser.addoption("--part", type=Part.parse, default="1/1", metavar="K/N", help="the K-th of N parts of the tests")


def pytest_configure(config):
    """Have the processor time of each test counted."""
    costs.register(config)


def pytest_make_parametrize_id(val):
    """Name the collective of a case."""
    return f"Collective.{val.value}" if isinstance(val, Collective) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Tests that stay together come first: one worker has them all, and the other must not wait for it in the end."""
    tests = [(costs.name_of(item), marks_of(item)) for item in items]
    config.stash[FAULTS], config.stash[COUNT] = faults_of(tests), count_of(tests)
    part = config.getoption("part")
    config.hook.pytest_deselected(items=[item for item in items if not part.has(costs.name_of(item))])
    items[:] = [item for item in items if part.has(costs.name_of(item))]
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium, which takes more than a second to start and to end."""
    if missing():
        pytest.skip(f"pages are not tested in a browser, because {missing()}")
    with chromium() as browser:
        yield browser

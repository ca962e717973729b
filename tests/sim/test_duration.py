"""Estimates of running times: what they grow with, and what is in the cache. Nothing is built and nothing runs."""

import pytest

from fatcube.groundwork.cache import NotCached, cached_folder, nothing_made
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.sim import duration
from fatcube.sim.builds import build as builds
from fatcube.sim.collectives.run import Run
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.saturation import SEARCHED, SHOWN


def seconds(d, **options):
    return duration.load_seconds(LoadTest(RoutedNetwork(Hypercube(d)), LoadOptions(**options)))


def test_a_build_that_is_in_the_cache_takes_no_time(monkeypatch, tmp_path):
    """The parts are looked for one after the other; what is not there is not made."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    machine = LoadTest(RoutedNetwork(Hypercube(2))).machine
    parts = []

    def program(machine, *_):
        parts.append(machine)
        return cached_folder("builds", "one", lambda folder: pytest.fail("it was made"))

    monkeypatch.setattr(builds, "_program", program)
    assert not duration.is_built(machine) and parts == [machine]
    assert duration.build_seconds(machine) == 0.06 * 3**2
    (tmp_path / "builds" / "one").mkdir(parents=True)
    assert duration.is_built(machine) and duration.build_seconds(machine) == 0


def test_nothing_is_made(monkeypatch, tmp_path):
    """Within it only, also if something goes wrong there."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    with pytest.raises(NotCached), nothing_made():
        cached_folder("kind", "key", lambda folder: pytest.fail("it was made"))
    there = cached_folder("kind", "key", lambda folder: (folder / "file").touch())
    with nothing_made():
        assert cached_folder("kind", "key", lambda folder: pytest.fail("it was made")) == there


def test_load_grows_with_runs_cycles_and_nodes(monkeypatch):
    monkeypatch.setattr(duration, "build_seconds", lambda machine: 0)
    one = seconds(6, loads=(0.1,), repeats=1)
    assert seconds(6, loads=(0.1, 0.2), repeats=3) == pytest.approx(6 * one)
    assert seconds(6, repeats=4) == pytest.approx((SEARCHED + 4 * SHOWN) * one)
    assert (SEARCHED, SHOWN) == (16 + 7, 12)
    further = seconds(6, loads=(0.1,), repeats=1, measured=3000 + 10**6) - one
    assert further == pytest.approx(10**6 * 64 * 3e-7)
    assert seconds(7, loads=(0.1,), repeats=1) > 2 * one
    monkeypatch.setattr(duration, "build_seconds", lambda machine: 100)
    assert seconds(6, loads=(0.1,), repeats=1) == pytest.approx(100 + one)


@pytest.mark.parametrize(
    ("simulator", "build"), [("verilator", 0.06 * 4**2), ("verilator-flat", 1.5 * 8), ("icarus", 0)]
)
def test_schedules_grow_with_steps_and_payload(monkeypatch, simulator, build):
    network = Network(FatCube(2, 2))
    machine = Machine(network=network)
    monkeypatch.setattr(duration, "is_built", lambda machine, simulator: False)
    assert network.router().crossbar_ports == 4
    short, long = (
        duration.schedule_seconds(
            machine, [Run(schedule=best(Problem(network.topology, "1", "AAB")).found, payload_flits=flits)], simulator
        )
        for flits in (10, 1000)
    )
    assert build < short < long and long - build > 50 * (short - build)

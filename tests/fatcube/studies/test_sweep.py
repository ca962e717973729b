"""Sweeps: nothing is measured twice or half-written, whoever is killed, and bad input costs one line."""

import contextlib
import dataclasses
import json
import os
from pathlib import Path
import re
import sqlite3
import subprocess
import sys
import threading
import types

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.cost import Price
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.collectives.simulate import fitting_machine
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies import keys
from fatcube.studies import sweep as sweeping
from fatcube.studies.duration import points_seconds
from fatcube.studies.keys import point_key
from fatcube.studies.measure import find_keys, measure
from fatcube.studies.measured import MeasuredRouter, MeasuredRun
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.studies.results import Results, read_records
from fatcube.studies.sweep_file import read_points, sweep_schema
from fatcube.synth.area import Area
from fatcube.synth.measure import SynthesisResult
from fatcube.synth.nextpnr import PlaceAndRoute
from tests.support.cases import some
from tests.support.children import HANG, child, until
from tests.support.commands import run

pytestmark = pytest.mark.xdist_group("sweep")  # They share a simulator build.
ROOT = Path(__file__).parents[3]
SIX = ROOT / "tests" / "data" / "six_points.toml"
HEAD = 'format = "fatcube.sweep/1"\nwidth = 10\n'
MANY = HEAD + 'd = 1\nm = 2\ncollective = ["OAB", "AAB", "AAS"]\nfamily = "gates"\npayload_flits = [1,2,3,4,5,6,7,8]\n'


def write(tmp_path, text):
    file = tmp_path / "study.toml"
    file.write_text(text)
    return file


def started(file, *arguments):
    command = (sys.executable, "-m", "fatcube", "sweep", file, *arguments)
    return child(*command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows(path):
    """Number of points in a results file that may be written at the same time; 0 if it is not there yet."""
    with contextlib.suppress(sqlite3.OperationalError):
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return database.execute("select count(*) from points").fetchone()[0]
    return 0


@contextlib.contextmanager
def in_this_process(monkeypatch):
    """Has sweeps run in threads of this process, so that what they call can be replaced; keys, which take netlists, are
    the words of the points."""
    from distributed import Client

    @contextlib.contextmanager
    def client(jobs, scheduler):
        with Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as found:
            yield found

    with monkeypatch.context() as patch:
        patch.setattr(sweeping, "dask_client", client)
        for name in ("known_key", "point_key"):
            patch.setattr(sweeping, name, str)
        yield patch


# What a file asks for


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'must begin with format = "fatcube.sweep/1"'),
        ("d = ", ", line 1: not TOML: a value must be a number"),
        ('format = "fatcube.sweep/2"', 'must begin with format = "fatcube.sweep/1"'),
        (HEAD + "d = 1", "block 1: collective must be given"),
        (HEAD + 'collective = "AAB"\ntopology = "ccc"', "block 1: topology ccc needs the parameter n (-n)"),
        (HEAD + "d = 1\ncollective = []", "block 1: collective must have at least one value, not []"),
        (HEAD + 'collective = "AAB"\ncolour = 1', "block 1: colour must be left out, as there is no such key"),
        (HEAD + 'collective = "AAB"\n[[points]]\nd = 1\n[[points]]\nformat = 1', "block 2: format must be left out, "),
        (
            HEAD + 'd = 1\ncollective = "AAB"\nfamily = ["ecp5", "ecp6"]',
            "block 1, point family=ecp6: FPGA family must be one of ecp5, ice40, xilinx, gowin, gates, osu018, not 'ecp6'",
        ),
        (
            HEAD + 'collective = "AAB"\n[[points]]\nd = 1\n[[points]]\nd = [1, 0]\nm = [1, 2]',
            "block 2, point d=0, m=1: FatCube d must be an integer from 1 to 16, not 0",
        ),
        (HEAD + 'd = [1, 4]\ncollective = "AAB"', "block 1, point d=4: width must be an integer of at least "),
        (HEAD + 'd = "1"\ncollective = "AAB"', "block 1: FatCube d must be an integer from 1 to 16, not '1'"),
        (HEAD + 'd = 1\ncollective = "AAB"\nseeds = 1', "block 1: seeds must be a valid list, not 1"),
        (
            HEAD + 'd = 1\ncollective = "AAB"\nseeds = []',
            "block 1: seeds must be one or more different integers, not ()",
        ),
        (HEAD + 'd = 1\ncollective = "OAB"\nroot = 2', "block 1: root of OAB must be an integer from 0 to 1, not 2"),
        (
            HEAD + 'd = 1\ncollective = "OAB"\nfamily = "gates"\nfmax = true',
            "block 1: Fmax requires an FPGA family with place and route, not ",
        ),
        (HEAD + 'd = 1\ncollective = "OAB"\nfmax = "no"', 'block 1: fmax must be a valid boolean, not "no"'),
        (
            HEAD + 'd = 1\ncollective = "OAB"\nfmax = 1979-05-27',
            'block 1: fmax must be a valid boolean, not "1979-05-27"',
        ),
        (
            HEAD + 'd = 1\ncollective = "OAB"\npayload_flits = [4, 0]',
            "block 1, point payload_flits=0: payload flits must",
        ),
        (HEAD + 'd = 1\ncollective = "OAB"\npoints = 3', ": points must be blocks that begin with [[points]]"),
    ],
)
def test_bad_file_is_refused_in_one_line_before_anything_is_measured(monkeypatch, capsys, tmp_path, text, message):
    monkeypatch.setattr(sweeping, "sweep", None)
    file = write(tmp_path, text)
    status, out, err = run(monkeypatch, capsys, "sweep", file)
    assert (status, out) == (2, "")
    assert err.startswith(f"fatcube: {file}") and message in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [file]


def test_published_schema_is_the_one_that_is_read():
    published = Path(__file__).parents[3] / "docs" / "schemas" / "sweep.json"
    schema = sweep_schema()
    assert json.loads(published.read_text()) == schema, "python -m fatcube.studies.sweep_file writes it"
    assert schema["properties"].keys() == {
        *("format", "points", "topology", "topology_file", "failed", "failures", "d", "n", "k", "w", "m", "f"),
        *RouterOptions.names(),
        *("collective", "root", "payload_flits", "family", "seeds", "fmax"),
        *("load", *RoutingOptions.names(), "routing_file", *LoadOptions.names()),
    }
    ports, width = (schema["properties"][name] for name in ("ports", "width"))
    assert (ports["anyOf"][0], ports["default"]) == ({"type": "string", "examples": ["1", "b", "d", "*"]}, ["1"])
    assert (width["anyOf"][0], width["default"]) == ({"type": "integer", "minimum": 1, "maximum": 4096}, [32])


def test_points_are_the_combinations_of_each_block_once(tmp_path):
    points = read_points(
        write(
            tmp_path,
            HEAD + 'family = ["ecp5", "gates"]\ncollective = "AAB"\n'
            "[[points]]\nd = [1, 2]\n"
            '[[points]]\ntopology = "hypercube"\nd = 1\n'
            '[[points]]\nd = 1\ncollective = "all-gather"\nroot = 1',
        )
    )
    assert [str(point).replace("AAB of 16 flits on ", "") for point in points] == [
        "the fat cube d = 1, ecp5",
        "the fat cube d = 1, gates",
        "the fat cube d = 2, ecp5",
        "the fat cube d = 2, gates",
        "the hypercube of 2 nodes, ecp5",
        "the hypercube of 2 nodes, gates",
    ]
    assert [point.fmax for point in points[:2]] == [True, False]


#: A run, of which only the cycles count here.
TEN_CYCLES = MeasuredRun(
    steps=1,
    lower_bound=1,
    proved=True,
    found_by="constructed",
    cycles=10,
    dataflow_cycles=10,
    predicted_cycles=10,
    conflicts=0,
    dataflow_conflicts=0,
    delivered=2,
    lane_utilisation=0.5,
)


def silicon(commands=()):
    """A router of 2 MHz."""
    timing = PlaceAndRoute({1: 2.0}, {})
    area = Area(luts={4: 1}, ff=1, comb_equivalents=1, cells={})
    router = SynthesisResult("router", "gates", area, timing, None, {}, tuple(commands))
    return MeasuredRouter(router=router, crossbar=area, cost=Price(2, 2, 2, 2))


def test_full_disk_is_said_in_one_line(monkeypatch, capsys, tmp_path):
    """Catches a traceback, and results that are lost: what was measured before stays."""
    file = write(tmp_path, HEAD + 'd = 1\ncollective = ["OAB", "AAB", "OAS", "AAS"]\nfamily = "gates"')
    whole = Results.__init__

    def small(self, path, **keywords):
        whole(self, path, **keywords)
        self._database.execute("pragma max_page_count = 4")

    monkeypatch.setattr(Results, "__init__", small)
    with in_this_process(monkeypatch) as patch:
        for name, function in (
            ("build_simulator", lambda machine: None),
            ("measure_cycles", lambda points, *others: [(TEN_CYCLES, []) for _ in points]),
            ("measure_silicon", lambda point: silicon(commands=["x" * 5000])),
        ):
            patch.setattr(sweeping, name, function)
        status, out, err = run(monkeypatch, capsys, "sweep", file)
    assert (status, out) == (2, "")
    assert re.fullmatch(r"fatcube: .*study\.sqlite cannot be written: database or disk is full\n", err)
    with contextlib.closing(sqlite3.connect(tmp_path / "study.sqlite")) as database:
        assert database.execute("pragma quick_check").fetchone() == ("ok",)


# Through everything


@pytest.mark.parametrize(
    ("collectives", "family", "jobs"), some([(["OAB"], "ice40", 1), (["OAB", "AAB", "AAS"], "ecp5", 2)], [0])
)
def test_points_and_again(monkeypatch, capsys, tmp_path, collectives, family, jobs):
    """Of each collective two points, the six of the file in all; an iCE40 is placed in half the time of an ECP5."""
    given = SIX.read_text().replace('["OAB", "AAB", "AAS"]', json.dumps(collectives)).replace("ecp5", family)
    study = write(tmp_path, given)
    count, folder = 2 * len(collectives), tmp_path / "results"
    folder.mkdir()
    results = folder / "six.sqlite"
    status, out, err = run(monkeypatch, capsys, "sweep", study, "--results", results, "--jobs", jobs)
    assert (status, out, err) == (0, f"{count} points: {count} measured now, 0 found in {results}, 0 failed\n", "")
    assert [file.name for file in folder.iterdir()] == ["six.sqlite"]
    before = results.read_bytes()
    with Results(results) as store:
        points = {point_key(point): point for point in read_points(study)}
        records = {record["key"]: record for record in store.records()}
    assert set(records) == set(points)
    for index, (key, point) in enumerate(points.items()):
        if index == 1:  # of the family that is measured soon
            assert point.family == "gates"
            found, problems = measure(point)
            assert problems == []
            for part in ("parameters", "measured"):
                assert records[key][part] == json.loads(json.dumps(found[part]))
        assert " sweep " in records[key]["how"]["command"]
        measured = records[key]["measured"]
        assert measured["steps"] == measured["lower_bound"]
        assert measured["cycles"] == measured["predicted_cycles"]
        assert (measured["fmax_mhz"] is not None) == (point.family == family)
    monkeypatch.setattr(sweeping, "dask_client", None)
    status, out, err = run(monkeypatch, capsys, "sweep", study, "--results", results, "--json", folder / "six.jsonl")
    assert (status, out) == (0, f"{count} points: 0 measured now, {count} found in {results}, 0 failed\n")
    assert results.read_bytes() == before
    assert {record["key"]: record for record in read_records(folder / "six.jsonl")} == records
    # The JSON lines beside a sweep file count as measured, though there is no database.
    (folder / "six.toml").write_text(given)
    results.unlink()
    status, out, err = run(monkeypatch, capsys, "sweep", folder / "six.toml")
    assert (status, out) == (0, f"{count} points: 0 measured now, {count} found in {results}, 0 failed\n")
    with Results(results) as store:
        assert {record["key"]: record for record in store.records()} == records


@pytest.mark.grid
@pytest.mark.parametrize("kills", [3])
def test_killed_sweep_goes_on_where_it_was(monkeypatch, capsys, tmp_path, kills):
    file = write(tmp_path, MANY)
    results = tmp_path / "study.sqlite"
    have = 0
    for _ in range(kills):
        with started(file) as process:
            until(lambda: rows(results) > have, process)
        have, before = rows(results), have
        assert before < have < 24
        with contextlib.closing(sqlite3.connect(results)) as database:
            assert database.execute("pragma quick_check").fetchone() == ("ok",)
    status, out, err = run(monkeypatch, capsys, "sweep", file)
    assert (status, out) == (0, f"24 points: {24 - have} measured now, {have} found in {results}, 0 failed\n")
    assert rows(results) == 24


def test_failure_is_a_row_with_its_reason(monkeypatch, tmp_path):
    points = read_points(write(tmp_path, HEAD + 'd = 1\nm = 2\ncollective = ["OAB", "AAB", "AAS"]\nfamily = "gates"'))

    def cycles(points, *others):
        outcomes = {"OAB": (TEN_CYCLES, []), "AAB": "it broke, badly", "AAS": (TEN_CYCLES, ["message lost"])}
        return [outcomes[point.collective.value] for point in points]

    with Results(tmp_path / "r.sqlite") as results, in_this_process(monkeypatch) as patch:
        for name, function in (
            ("build_simulator", lambda machine: None),
            ("measure_cycles", cycles),
            ("measure_silicon", lambda point: silicon()),
        ):
            patch.setattr(sweeping, name, function)
        summary = sweeping.sweep(points, results)
        assert (summary.measured, summary.looked_up) == (3, 0)
        where = "16 flits on the fat cube d = 1, m = 2, gates"
        assert summary.failures == [f"AAB of {where}: it broke, badly", f"AAS of {where}: message lost"]
        assert [record["measured"]["microseconds"] for record in results.records()] == [5.0]

        patch.setattr(sweeping, "measure_cycles", lambda points, *others: [(TEN_CYCLES, []) for _ in points])
        assert sweeping.sweep(points, results) == sweeping.Summary(0, 3, summary.failures)
        assert sweeping.sweep(points, results, retry=True) == sweeping.Summary(2, 1, [])
        assert len(results.records()) == 3


def test_network_is_built_once_for_all_that_runs_on_it(monkeypatch, tmp_path):
    monkeypatch.setattr(sweeping, "point_key", str)
    points = read_points(
        write(
            tmp_path,
            HEAD + 'd = 1\nm = [1, 2]\ncollective = ["OAB", "AAR"]\nfamily = "gates"\npayload_flits = [4, 2000]',
        )
    )
    asked = {}

    class Client:
        def submit(self, function, *arguments, key, **options):
            asked.setdefault(function, []).append(arguments)
            return key

    # The last two points of each network only, as in a sweep that goes on: the builds are those of all points.
    waiting = {place: point for place, point in enumerate(points) if point.payload_flits == 4}
    machines = sweeping.machines_of(points)
    sweeping._submit(Client(), waiting, machines)
    built = [machine for [machine] in asked[sweeping.build_simulator]]
    assert built == [machines[point.network] for point in (points[0], points[4])]
    for together, _, machine, _ in asked[sweeping.measure_cycles]:
        assert {point.network for point in together} == {machine.network} and machine in built and machine.reductions
        assert machine == fitting_machine(machine.network, payload_flits=2000, reductions=True)


WHOLE = Network(FatCube(1, 2), RouterOptions(width=16))
#: What differs of a point, and the tasks whose figures depend on it.
OF_A_POINT = [
    ({"network": Network(FatCube(1, 2), RouterOptions(width=17))}, {"build", "schedule", "cycles", "silicon"}),
    ({"root": 1}, {"schedule", "cycles"}),
    ({"collective": "OAS"}, {"schedule", "cycles"}),
    ({"payload_flits": 5}, {"schedule", "cycles"}),
    ({"family": "ice40"}, {"silicon"}),
    ({"fmax": False}, {"silicon"}),
    ({"seeds": (1, 2)}, {"silicon"}),
]
OF_A_NETWORK = [
    ({"test": LoadTest(RoutedNetwork(Hypercube(2)), LoadOptions(measured=77))}, {"load", "router"}),
    ({"test": LoadTest(RoutedNetwork(Hypercube(3)))}, {"load", "router"}),
    ({"family": "ice40"}, {"router"}),
    ({"fmax": False}, {"router"}),
    ({"seeds": (1, 2)}, {"router"}),
]


def keys_of_tasks(monkeypatch, point, sources):
    """The key of each task, without the point itself, whose key is tested elsewhere."""
    asked = {}

    class Client:
        def submit(self, function, *arguments, key, **options):
            asked[key.split("-")[1]] = key
            return key

    monkeypatch.setattr(sweeping, "point_key", lambda point: "key")
    monkeypatch.setattr(sweeping, "source_revision", lambda: ("a commit", sources))
    sweeping._submit(Client(), {0: point}, sweeping.machines_of([point]))
    return {name: key for name, key in asked.items() if name != "point"}


@pytest.mark.parametrize("changes", [OF_A_POINT, OF_A_NETWORK], ids=["collective", "load"])
def test_tasks_that_points_share_are_of_what_they_depend_on(monkeypatch, changes):
    """Catches a task of one point that another one takes for its own, and one that is done again for nothing."""
    whole = (
        Point(network=WHOLE, collective="OAB", root=0, family="ecp5", payload_flits=4)
        if changes is OF_A_POINT
        else LoadedNetwork(test=LoadTest(RoutedNetwork(Hypercube(2))), family="ecp5")
    )
    before = keys_of_tasks(monkeypatch, whole, "sources")
    for change, expected in changes:
        after = keys_of_tasks(monkeypatch, dataclasses.replace(whole, **change), "sources")
        found = {name for name in before if before[name] != after[name]}
        assert found >= expected and found <= expected | {"build"}, change  # A machine has room for what runs on it.
    others = keys_of_tasks(monkeypatch, whole, "other sources")
    assert not {*before.values()} & {*others.values()} and before.keys() == others.keys()


def test_worker_with_other_sources_is_not_believed():
    answer = {"key": "another", "how": {"source_hash": "abc"}}, []
    future = types.SimpleNamespace(status="finished", result=lambda: answer)
    assert sweeping._outcome(None, future) == (None, "the worker has other sources than this sweep (abc)")


# Keys


LOADS = [
    LoadedNetwork(test=LoadTest(RoutedNetwork(Hypercube(d)), LoadOptions(measured=measured)))
    for d, measured in ((2, 50), (2, 60), (3, 50))
]


# What the tasks below do; Dask finds these by their names, and would make copies of what is inside a test.
DONE = []
BEGAN = threading.Event()


def joined(point, key, *rest):
    DONE.append(point)
    return {"key": key, "how": {"source_hash": sweeping.source_revision()[1]}}, []


def no_load(test):
    BEGAN.set()


def keys_of(points, before=None):
    """The simulators of the last network when something is measured."""
    assert LOADS[2] not in points or BEGAN.wait(HANG)
    return find_keys(points)


def keys_with_other_sources(points, before=None):
    return {**keys.surroundings(), "fatcube": "abc"}, ["key"] * len(points)


def keys_with_other_tools(points, before=None):
    return {**keys.surroundings(), "verilator": "abc"}, ["key"] * len(points)


def no_keys(points, before=None):
    raise ParameterError("width must be another")


@contextlib.contextmanager
def made_up(monkeypatch, tmp_path, **others):
    """Has sweeps run in threads of this process, with an empty cache; what takes long is made up, and ``others`` besides."""
    DONE.clear()
    BEGAN.clear()
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(keys, "measured_by", lambda point: point.parameters)
    with in_this_process(monkeypatch) as patch:
        for name in ("known_key", "point_key"):
            patch.setattr(sweeping, name, getattr(keys, name))
        for name, function in {"measure_load": no_load, "join_load": joined, **others}.items():
            patch.setattr(sweeping, name, function)
        yield patch


def test_nobody_waits_for_all_keys(monkeypatch, tmp_path):
    """Catches netlists of all networks before anything is measured: those of the last one wait here for a measurement."""
    with Results(tmp_path / "r") as store:
        with made_up(monkeypatch, tmp_path, find_keys=keys_of) as patch:
            assert sweeping.sweep(LOADS, store) == sweeping.Summary(3, 0, [])
            assert {*DONE} == {*LOADS} and len(DONE) == 3
            # What the workers computed is in the cache of this machine.
            patch.setattr(sweeping, "dask_client", None)
            assert sweeping.sweep(LOADS, store) == sweeping.Summary(0, 3, [])


def test_keys_of_a_network_are_tasks_one_after_the_other():
    """Catches netlists that two workers make at the same time, points whose keys nobody computes, and a late point first."""
    network = LOADS[0].network
    of_one = [LoadedNetwork(test=LoadTest(network, LoadOptions(measured=100 + place))) for place in range(10)]
    points = [LOADS[2], *of_one]

    class Client:
        def submit(self, function, *arguments, key, priority, pure):
            assert function is sweeping.find_keys
            asked.append((*arguments, priority))
            return key

    asked = []
    places = sweeping._submit_keys(Client(), points, [0, *range(2, 11)])
    [one, first, second] = places
    assert [*places.values()] == [[0], [*range(2, 10)], [10]]
    assert asked == [([points[0]], None, 0), (points[2:10], None, -2), ([points[10]], first, -10)]
    assert one != second


def test_keys_of_workers_are_looked_up(monkeypatch, tmp_path):
    """Points measured under other keys are found by their keys, and the time foretold leaves them out."""
    foretold = []
    with Results(tmp_path / "r") as store, made_up(monkeypatch, tmp_path) as patch:
        sweeping.sweep(LOADS[:2], store)
        patch.setenv("FATCUBE_CACHE", str(tmp_path / "another"))
        assert sweeping.sweep(LOADS, store, foretell=foretold.append) == sweeping.Summary(1, 2, [])
        assert DONE[2:] == LOADS[2:]
        assert foretold == [points_seconds(LOADS[2:], {}) / 2]


#: Points of one key, as nothing is placed, whose keys are computed by two tasks.
OF_ONE_KEY = [LoadedNetwork(test=LOADS[0].test, seeds=(seed, seed + 1)) for seed in range(9)]


def test_points_of_one_key_are_measured_once(monkeypatch, tmp_path):
    with Results(tmp_path / "r") as store, made_up(monkeypatch, tmp_path):
        summary = sweeping.sweep([*OF_ONE_KEY, LOADS[1]], store)
        assert (summary.measured + summary.looked_up, summary.failures) == (10, [])
        assert sorted(point.test.options.measured for point in DONE) == [50, 60] and len(store.records()) == 2


@pytest.mark.parametrize("retry", [False, True])
def test_a_failure_of_points_of_one_key_is_tried_once(monkeypatch, tmp_path, retry):
    """Catches a point that is measured again because its key came when another with that key had failed already."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(keys, "measured_by", lambda point: point.parameters)
    with Results(tmp_path / "r") as store:
        store.put(keys.point_key(LOADS[1]), {}, reason="it broke before")
        run = sweeping._Run([*OF_ONE_KEY, LOADS[1]], store, retry)
        assert run.waiting(range(8)) == {0: OF_ONE_KEY[0]} and run.done == 7
        run.put(OF_ONE_KEY[0], None, "it broke")
        assert run.waiting([8]) == {} and run.done == 9
        assert [*run.waiting([9])] == [9] * retry and run.done == 10 - retry
        before = [] if retry else [f"{LOADS[1]}: it broke before"]
        failures = [*(f"{point}: it broke" for point in OF_ONE_KEY), *before]
        assert run.summary() == sweeping.Summary(9 + retry, 1 - retry, failures)


@pytest.mark.parametrize(
    ("find_keys", "error", "message"),
    [
        (keys_with_other_sources, RuntimeError, "a worker has other sources than this sweep (abc)"),
        (keys_with_other_tools, RuntimeError, "a worker has another verilator than this sweep (abc)"),
        (no_keys, ParameterError, "width must be another"),
    ],
)
def test_what_goes_wrong_with_a_key_ends_the_sweep(monkeypatch, tmp_path, find_keys, error, message):
    """Catches a key of other sources and tools, by which nothing here is found."""
    with Results(tmp_path / "r") as store, made_up(monkeypatch, tmp_path, find_keys=find_keys):
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            sweeping.sweep(LOADS, store)
        assert not DONE and not store.records() and keys.known_key(LOADS[0]) is None


# Schedulers


@contextlib.contextmanager
def cluster(tmp_path, workers):
    """A scheduler and workers, each with a cache of its own, as one starts them by hand; yields the address and the processes."""

    def start(*command):
        cache = tmp_path / f"cache-{len(processes)}"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "FATCUBE_CACHE": str(cache)}
        command = (sys.executable, "-m", f"distributed.cli.{command[0]}", *command[1:])
        nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return stack.enter_context(child(*command, cwd=ROOT, env=environment, **nowhere))

    contact, processes = tmp_path / "scheduler.json", []
    with contextlib.ExitStack() as stack:
        given = "--host 127.0.0.1 --port 0 --no-dashboard --scheduler-file"
        processes.append(start("dask_scheduler", *given.split(), str(contact)))
        until(contact.exists, processes[0])
        address = json.loads(contact.read_text())["address"]
        for _ in range(workers):
            given = f"{address} --nthreads 1 --no-nanny --no-dashboard --local-directory"
            processes.append(start("dask_worker", *given.split(), str(tmp_path)))
        yield address, processes


@pytest.mark.grid  # processes of their own that a loaded machine may keep waiting
def test_sweep_on_a_cluster_survives_a_worker_and_says_when_the_scheduler_is_gone(monkeypatch, capsys, tmp_path):
    file = write(tmp_path, MANY)
    results = tmp_path / "study.sqlite"
    with (
        cluster(tmp_path, 2) as (address, (scheduler, worker, other)),
        started(file, "--scheduler", address) as process,
    ):
        until(lambda: rows(results) > 1, process)
        worker.kill()
        have = rows(results)
        until(lambda: rows(results) > have + 1, process)
        scheduler.kill()
        out, err = process.communicate(timeout=HANG)
        have = rows(results)
        assert (process.returncode, out) == (1, "")
        [last] = [line for line in err.splitlines() if line.startswith("fatcube: ")]
        assert last == (
            f"fatcube: the connection to the scheduler was lost; {have} of 24 points are in {results}, and the same command "
            "continues from there"
        )
    status, out, err = run(monkeypatch, capsys, "sweep", file)
    assert (status, out) == (0, f"24 points: {24 - have} measured now, {have} found in {results}, 0 failed\n")


@pytest.mark.grid  # processes of their own that a loaded machine may keep waiting
def test_a_cluster_measures_what_this_machine_does(monkeypatch, tmp_path):
    """The keys too, each worker in a cache of its own, as on machines that share nothing."""
    points = read_points(write(tmp_path, HEAD + 'd = 1\nm = [1, 2]\ncollective = ["OAB", "AAB"]\nfamily = "gates"\n'))
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "here"))
    with cluster(tmp_path, 2) as (address, _), Results(tmp_path / "r") as store:
        assert sweeping.sweep(points, store, scheduler=address) == sweeping.Summary(4, 0, [])
        assert [path.name for path in (tmp_path / "here").iterdir()] == ["keys"]
        found = {record["key"]: record for record in store.records()}
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "alone"))
    for point in points:
        record, _ = measure(point)
        assert found[record["key"]]["measured"] == json.loads(json.dumps(record["measured"]))
        assert found[record["key"]]["parameters"] == json.loads(json.dumps(record["parameters"]))


@pytest.mark.grid  # names are looked up, which takes as long as the machine's network lets it
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "carrier-pigeon://x:1"])
def test_scheduler_that_is_not_there(monkeypatch, capsys, tmp_path, address):
    monkeypatch.setattr(sweeping, "_PATIENCE", 1)
    status, out, err = run(monkeypatch, capsys, "sweep", SIX, "--results", tmp_path / "r", "--scheduler", address)
    assert (status, out) == (2, "")
    assert (
        err.startswith(
            "fatcube: scheduler must be the address of a running Dask scheduler (as in "
            f"tcp://10.0.0.1:8786), not '{address}': "
        )
        and err.count("\n") == 1
    )


def test_missing_extra_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)  # as if it were not installed
    for name in ("known_key", "point_key"):
        monkeypatch.setattr(sweeping, name, str)
    status, out, err = run(monkeypatch, capsys, "sweep", SIX, "--results", tmp_path / "r")
    assert (status, out, err) == (2, "", "fatcube: fatcube sweep needs Dask: pip install 'fatcube[cluster]'\n")
    status, out, err = run(monkeypatch, capsys, "sweep", SIX, "--results", tmp_path / "r", "--jobs", 0)
    assert (status, out, err) == (2, "", "fatcube: jobs must be an integer of at least 1, not 0\n")
    assert list(tmp_path.iterdir()) == []  # no results file that nothing was put into


# Results


def filled(path, number=200):
    with Results(path) as results:
        for index in range(number):
            results.put(f"key{index}", {"d": index}, record={"key": f"key{index}", "text": "x" * 200})
    return path.read_bytes()


def test_results_are_found_again(tmp_path):
    filled(tmp_path / "r")
    with Results(tmp_path / "r") as results:
        assert results.find("key7")[0]["key"] == "key7" and results.find("key7")[1] is None
        assert results.find("nothing") is None
        assert len(results.records()) == 200
        results.put("failed", {}, reason="why")
        assert results.find("failed") == (None, "why")
        assert len(results.records()) == 200


@pytest.mark.parametrize("left", [1, 50, 100, 4096, 5000, 0.5, 0.9, -4096, -1])
def test_results_cut_short_are_refused_and_left_alone(monkeypatch, capsys, tmp_path, left):
    path = tmp_path / "r"
    whole = filled(path)
    path.write_bytes(whole[: int(left * len(whole)) if isinstance(left, float) else left])
    before = path.read_bytes()
    status, out, err = run(monkeypatch, capsys, "sweep", SIX, "--results", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"fatcube: results file must be whole, but {path} is damaged or cut short (")
    assert err.endswith("; it was left as it is\n") and err.count("\n") == 1
    assert path.read_bytes() == before


def test_other_files_are_refused_and_left_alone(tmp_path):
    path = tmp_path / "r"
    for prepare, message in (
        ("pragma user_version = 2", r"results file must be of version 1, but .* is of version 2; it was left as"),
        ("pragma application_id = 3", "results file must be one that fatcube wrote, not "),
        ("pragma user_version = 1; create table x (y)", "results file must be one that fatcube wrote, not "),
    ):
        if "create" in prepare:
            path = tmp_path / "foreign"
        else:
            filled(path, 1)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.executescript(prepare)
        before = path.read_bytes()
        with pytest.raises(ParameterError, match=f"^{message}"):
            Results(path)
        assert path.read_bytes() == before
        path.unlink()
    path.write_text("text, and nothing else, but long enough to be taken for something\n" * 20)
    with pytest.raises(ParameterError, match="is damaged or cut short .file is not a database"):
        Results(path)
    with pytest.raises(ParameterError, match="^results file must be in a folder that exists, not "):
        Results(tmp_path / "no" / "r")


def test_two_sweeps_do_not_write_the_same_file(tmp_path):
    with Results(tmp_path / "r"):
        with pytest.raises(ParameterError, match="^results file must be one that no other sweep writes, not "):
            Results(tmp_path / "r")
    with Results(tmp_path / "r"):
        pass


def test_results_killed_at_their_birth_are_begun_again(tmp_path):
    (tmp_path / "r").touch()
    assert filled(tmp_path / "r", 1)


def test_point_is_written_whole_or_not_at_all(tmp_path):
    """Kills a process that writes as fast as it can, at any moment."""
    code = (
        "import sys; from fatcube.studies.results import Results\n"
        "with Results(sys.argv[1]) as results:\n"
        "    n = len(results.records())\n"
        "    while True:\n"
        "        n += 1; results.put(f'{n:06}', {}, record={'key': n, 'text': 'x' * 5000, 'end': n})\n"
    )
    path, have = tmp_path / "r", 0
    for _ in range(2):
        with child(sys.executable, "-c", code, path, cwd=ROOT) as process:
            until(lambda: rows(path) > have + 20, process)
        with Results(path) as results:
            records = results.records()
        assert len(records) > have and [record["key"] for record in records] == list(range(1, len(records) + 1))
        assert all(record["end"] == record["key"] for record in records)
        have = len(records)

"""The options that say which schedule: the same in all commands that are about one."""

import importlib
import json

import pytest

from fatcube.cli import commands
from fatcube.cli.schedules import building
from fatcube.papers.algorithms import ALGORITHMS
from tests.support.commands import run

simulate = importlib.import_module("fatcube.cli.simulate")

WAYS = [
    "-c AAB -d 2 -m 2 --ports d",
    "-c OAB --topology hypercube -d 3 --ports d --along nesbt --parts 3 --one-partner",
    "-c AAS --by a7 --topology ccc -n 3 --ports d",
    "-c OAB --topology hypercube -d 2 --parts auto --payload-flits 64",
    "-c multicast --root 1 --to 2,3 --topology hypercube -d 2 --half-duplex",
]


def _flags(name):
    return {flag for one in commands()[name].params for flag in one.opts if flag.startswith("-")}


def test_one_set_of_options():
    """Catches a way to name a schedule that one of the commands does not have."""
    own = {"-o", "--json", "--page", "--compact"}
    for name in ("view", "export"):
        assert _flags(name) - own == _flags("schedule") - own
    assert _flags("schedule") - own <= _flags("simulate")
    ways = {
        "-c",
        "--root",
        "--from",
        "--to",
        "--subset",
        "--by",
        "--along",
        "--parts",
        "--order",
        "--optimal",
        "--time-limit",
    }
    assert ways <= _flags("compare") and ways <= _flags("schedule")


@pytest.mark.parametrize("words", WAYS, ids=["built", "along", "by", "parts", "some"])
def test_a_schedule_is_the_same_by_flags_and_from_its_file(monkeypatch, capsys, tmp_path, words):
    """Catches a command that builds for another network, another step model or in another way than `schedule` does."""
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, capsys, "schedule", *words.split(), "-o", "s.json")[0] == 0
    assert run(monkeypatch, capsys, "view", "s.json")[0] == 0
    assert run(monkeypatch, capsys, "view", *words.split(), "-o", "flags.html")[0] == 0
    assert (tmp_path / "flags.html").read_text() == (tmp_path / "s.html").read_text()
    exported = run(monkeypatch, capsys, "export", "s.json", "-o", "s.xml")[0]
    assert run(monkeypatch, capsys, "export", *words.split(), "-o", "flags.xml")[0] == exported
    if exported == 0:
        assert (tmp_path / "flags.xml").read_text() == (tmp_path / "s.xml").read_text()


@pytest.mark.parametrize("command", ["view", "export"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("s.json -d 3", "-d must be left out with the schedule file s.json, which defines it, not 3"),
        ("s.json --ports d", "--ports must be left out with the schedule file s.json, which defines it, not 'd'"),
        ("s.json --seed 3", "--seed must be left out with the schedule file s.json, which defines it, not 3"),
        ("-c OAB --payload-flits 3", "--payload-flits requires --parts auto"),
        ("", "collective must be given (-c), as in -c all-gather"),
        ("-c OAB --payload-flits 0", "payload flits must be an integer from 1 to 65534, not 0"),
        (
            "-c OAB --by a2 --along sbt",
            "--along must be left out with --by, which takes these from the algorithm, not 'sbt'",
        ),
    ],
)
def test_refused(monkeypatch, capsys, tmp_path, command, words, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, command, *words.split(), "-o", "made")
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert not list(tmp_path.iterdir())


def test_a_page_of_no_file_needs_a_name(monkeypatch, capsys):
    status, out, err = run(monkeypatch, capsys, "view", "-c", "AAB")
    assert (status, out, err) == (2, "", "fatcube: output must be given (-o) where no schedule file is\n")


def test_a_file_is_checked_in_the_step_model_that_is_given(monkeypatch, capsys, tmp_path):
    """Catches `view FILE --one-partner` that shows a schedule of another machine."""
    file = tmp_path / "s.json"
    assert run(monkeypatch, capsys, "schedule", "-c", "AAB", "-d", 2, "--ports", "d", "-o", file)[0] == 0
    for command in ("check", "view", "export", "simulate"):
        named = ["--schedule", file] if command == "simulate" else [file]
        output = ["-o", tmp_path / "made"] if command in ("view", "export") else []
        status, _, err = run(monkeypatch, capsys, command, *named, "--half-duplex", *output)
        assert status == 1 and err.count("\n") == 1 and "(half duplex)" in err


def test_a_step_model_is_said(monkeypatch, capsys, tmp_path):
    """Catches a command that says nothing of the step model that was asked for."""
    words = "-c OAB -d 2 --half-duplex -o".split()
    for command in ("schedule", "view", "export"):
        status, out, _ = run(monkeypatch, capsys, command, *words, tmp_path / "made")
        assert status == 0 and "on the fat cube d = 2, half-duplex" in out


@pytest.mark.parametrize("command", ["view", "export", "check"])
def test_the_step_model_that_a_file_was_checked_in_is_named(monkeypatch, capsys, tmp_path, command):
    """Catches a line that names the file's own step model where flags had it checked in a narrower one."""
    file = tmp_path / "s.json"
    words = "schedule -c OAB --topology hypercube -d 2 -o".split()
    assert run(monkeypatch, capsys, *words, file)[0] == 0
    output = [] if command == "check" else ["-o", tmp_path / "made"]
    status, out, _ = run(monkeypatch, capsys, command, file, "--half-duplex", *output)
    assert status == 0 and "OAB on the hypercube of 4 nodes, half-duplex" in out


def _rows(file):
    return json.loads(file.read_text())["measured"]["schedules"]


def test_ways_are_compared_on_networks(monkeypatch, capsys, tmp_path):
    """Steps, bounds and parts are those that `schedule` prints for each network and each way."""
    monkeypatch.chdir(tmp_path)
    words = "-c OAB --ports d --one-partner --along sbt --along nesbt --parts 6 --optimal".split()
    for page in ("found.html", "found.md"):
        status, out, err = run(
            monkeypatch, capsys, "compare", "hypercube:3", "hypercube:2", *words, "--json", "f.json", "--page", page
        )
        assert (status, err) == (0, "") and f"Written to {page}" in out
    rows = _rows(tmp_path / "f.json")
    ways = ["--along sbt --parts 6", "--along nesbt --parts 6", "--optimal"]
    assert [row["schedule"] for row in rows] == ways * 2
    for row, d in zip(rows, (3, 3, 3, 2, 2, 2)):
        same = f"-c OAB --topology hypercube -d {d} --ports d --one-partner {row['schedule']}".split()
        assert run(monkeypatch, capsys, "schedule", *same, "--json", "s.json")[0] == 0
        made = json.loads((tmp_path / "s.json").read_text())
        assert (row["steps"], row["bound"]) == (made["measured"]["steps"], made["measured"]["lower_bound"])
        assert (row["parts"], row["model"]) == (made["parameters"]["parts"], "one-partner")
    assert all(way in (tmp_path / "found.html").read_text() for way in ways)
    assert (tmp_path / "found.md").read_text().startswith("# Schedules compared\n")


def test_ours_are_compared_for_what_a_file_does(monkeypatch, capsys, tmp_path):
    """Catches schedules that are built for another collective, another root or another step model than those of the file."""
    monkeypatch.chdir(tmp_path)
    words = "-c gather --root 1 --topology mesh -w 3 -d 2 --ports d --half-duplex".split()
    assert run(monkeypatch, capsys, "schedule", *words, "-o", "theirs.json")[0] == 0
    status, _, err = run(
        monkeypatch, capsys, *"compare --schedule theirs.json --optimal --time-limit 5 --parts 2 --json f.json".split()
    )
    assert (status, err) == (0, "")
    theirs, parts, ours = _rows(tmp_path / "f.json")
    assert [one["parts"] for one in (theirs, parts, ours)] == [1, 2, 1]
    assert [one["schedule"] for one in (theirs, parts, ours)] == ["theirs.json", "--parts 2", "--optimal"]
    for name in ("network", "collective", "ports", "model"):
        assert theirs[name] == parts[name] == ours[name]
    assert theirs["bound"] == ours["bound"] and theirs["model"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-c AAS", "networks must be given, as in fatcube compare hypercube:3 -c OAB --along sbt"),
        ("--by a7", "networks must be given, as in fatcube compare hypercube:3 -c OAB --along sbt"),
        ("hypercube:3 --optimal", "--optimal requires schedules to compare (--schedule or -c)"),
        ("hypercube:3 --root 1", "--root requires schedules to compare (--schedule or -c)"),
        ("hypercube:3 --one-partner", "--one-partner requires schedules to compare (--schedule or -c)"),
        ("hypercube:3 --by a7", "topology must be ccc with k = n and m = f = 1 by a7, not the hypercube of 8 nodes"),
        ("hypercube:3 -c OAB --order postorder", "--order requires a spanning graph (--along)"),
        (
            "hypercube:3 -c OAB --along sbt --time-limit 3",
            "--time-limit requires a search (--optimal) beside other ways",
        ),
        ("hypercube:3 -c OAB --load uniform", "--load must be left out where schedules are compared, not 'uniform'"),
        ("hypercube:3 -c OAB --along tree", "spanning graph must be one of"),
        ("mesh:3x3 -c OAB --along sbt", "topology must be a hypercube (--topology hypercube) along a spanning graph"),
    ],
)
def test_comparisons_that_are_refused(monkeypatch, capsys, tmp_path, words, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "compare", *words.split(), "--json", "f.json")
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hypercube:3 mesh:3x3 -c OAB --along sbt", "mesh:3x3: topology must be a hypercube"),
        ("hypercube:3 hypercube:2 -c multicast --to 7", "hypercube:2: processor of to must be an integer from 0 to 3"),
        ("hypercube:3 -c OAB --parts 0", "parts must be an integer of at least 1"),
        (
            "hypercube:3 -c OAB --along sbt --parts auto",
            "parts must be an integer of at least 1 along a spanning graph",
        ),
        (
            "hypercube:3 -c OAB --along sbt --order postorder",
            "order must be left out along a spanning graph except for",
        ),
        ("hypercube:3 -c OAB --along sbt --ports b", "ports must be 1, d or * along a spanning graph, not b"),
        ("small.toml mesh:3x3 -c AAS", "small.toml: buffer depth must be at least 17 for packets of 17 flits"),
        ("--schedule s.json --topology-file a.json", "networks must be left out with --schedule"),
    ],
)
def test_comparisons_are_refused_before_anything_is_built(monkeypatch, capsys, tmp_path, words, message):
    """Catches `--dry-run` that promises a comparison which is then refused, after seconds of building."""
    monkeypatch.chdir(tmp_path)
    routers = 'switching = "store-and-forward"\nbuffer_depth = 8\n'
    (tmp_path / "small.toml").write_text(
        f'format = "fatcube.network-file/1"\ntopology = "mesh"\nw = 3\nd = 2\n{routers}'
    )
    status, out, err = run(monkeypatch, capsys, "compare", *words.split(), "--dry-run")
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1


def test_a_comparison_is_in_the_step_model_that_is_given(monkeypatch, capsys):
    """Catches a row of a schedule that breaks the rules of the steps that were asked for."""
    words = "hypercube:3 -c AAS --along sbt --half-duplex".split()
    status, out, err = run(monkeypatch, capsys, "compare", *words)
    assert (status, out, err.count("\n")) == (2, "", 1) and "AAS along sbt must be done without half-duplex" in err


@pytest.mark.parametrize(
    ("network", "words"),
    [
        ("mesh:3x3 --topology mesh -w 3", "-c OAB --half-duplex"),
        ("hypercube:2 --topology hypercube", "-c AAS --links simplex --ports d"),
        ("ring:4 --topology ring -n 4", "-c OAB --ports b"),
        ("hypercube:3 --topology hypercube -d 3", "-c multicast --root 1 --to 2,3,7 --half-duplex"),
    ],
)
def test_a_comparison_has_the_machine_and_the_bound_of_schedule(monkeypatch, capsys, tmp_path, network, words):
    """Catches a refusal for what only other traffic needs, and a bound below the one that a search proves."""
    monkeypatch.chdir(tmp_path)
    name, *flags = network.split()
    assert run(monkeypatch, capsys, "compare", name, *words.split(), "--json", "f.json")[0] == 0
    assert run(monkeypatch, capsys, "schedule", *flags, *words.split(), "--json", "s.json", "-o", "file.json")[0] == 0
    made = json.loads((tmp_path / "s.json").read_text())["measured"]
    (row,) = _rows(tmp_path / "f.json")
    assert (row["steps"], row["bound"]) == (made["steps"], made["lower_bound"])
    assert run(monkeypatch, capsys, *"compare --schedule file.json --optimal --json g.json".split())[0] == 0
    of_file, best = _rows(tmp_path / "g.json")
    assert of_file["bound"] == best["bound"] == row["bound"] and of_file.get("model") == row.get("model")


def test_schedules_run_on_the_routers_of_a_network_file(monkeypatch, capsys, tmp_path):
    """Catches cycles of default routers beside the name of a file that says others, and links that are not those of the file."""
    monkeypatch.chdir(tmp_path)
    shape = 'format = "fatcube.network-file/1"\ntopology = "mesh"\nw = 3\nd = 2\n'
    own = 'links = "half-duplex"\nturn_round = 3\nbuffer_depth = 32\nswitching = "store-and-forward"\n'
    (tmp_path / "a.toml").write_text(shape + own)
    (tmp_path / "b.toml").write_text(shape)
    assert run(monkeypatch, capsys, *"compare a.toml b.toml mesh:3x3 -c OAB --json f.json".split())[0] == 0
    first, second, short = _rows(tmp_path / "f.json")
    assert [one["schedule"] for one in (first, second, short)] == [
        "a.toml: best known",
        "b.toml: best known",
        "best known",
    ]
    assert first["cycles"] > second["cycles"] == short["cycles"] and first["steps"] == short["steps"]
    assert (first["model"], first["machine"]["turn_round"]) == ("half-duplex", 3) and "model" not in second


def test_schedules_are_built_on_topology_files(monkeypatch, capsys, tmp_path):
    """Catches networks of files, whole and with failures, that are left out or are of other routers than were asked for."""
    monkeypatch.chdir(tmp_path)
    graph = {"format": "fatcube.topology/1", "links": [["a", "b"], ["b", "c"], ["c", "a"]]}
    graph["nodes"] = [{"name": one, "processors": 1} for one in "abc"]
    (tmp_path / "ring.json").write_text(json.dumps(graph))
    words = "compare --topology-file ring.json -c OAB --ports d --failed link:0-1 --json f.json".split()
    assert run(monkeypatch, capsys, *words)[0] == 0
    whole, broken = _rows(tmp_path / "f.json")
    assert (whole["steps"], broken["steps"], whole["ports"], broken["ports"]) == (1, 2, "d", "d")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "schedule -c OAB -d 2 --parts 2 --seed 3",
            "--seed must be left out in several parts, where nothing is searched",
        ),
        (
            "schedule --by a7 --topology ccc -n 3 --ports d --payload-flits 3",
            "--payload-flits must be left out with --by",
        ),
        (
            "schedule --by list --page p.md",
            "--page must be left out with --by list, which builds no schedule, not p.md",
        ),
        ("view --by list -o p.html", "-o must be left out with --by list, which builds no schedule, not p.html"),
        ("simulate --schedule s.json --ports d", "--ports must be left out with the schedule file s.json"),
    ],
)
def test_what_would_change_nothing_is_refused(monkeypatch, capsys, words, message):
    status, out, err = run(monkeypatch, capsys, *words.split(), "--dry-run")
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1


def test_a_search_gets_its_seed_and_its_limit(monkeypatch, capsys):
    asked = []

    def best(problem, **how):
        asked.append(how)
        return building.lower_bound(problem)

    monkeypatch.setattr(building, "best", best)
    for words in ("schedule --seed 5 -d 2", "compare hypercube:2 --optimal"):
        with pytest.raises(AttributeError):
            run(monkeypatch, capsys, *words.split(), "-c", "OAB", "--time-limit", 3)
    assert [(how["seed"], how["time_limit"]) for how in asked] == [(5, 3.0), (0, 3.0)]


def test_the_parts_are_for_the_payload(monkeypatch, capsys, tmp_path):
    parts = []
    for flits in (4, 64):
        words = f"schedule -c OAB --topology mesh -w 3 -d 1 --parts auto --payload-flits {flits} --json".split()
        assert run(monkeypatch, capsys, *words, tmp_path / "s.json")[0] == 0
        parts.append(json.loads((tmp_path / "s.json").read_text())["parameters"]["parts"])
    assert parts[0] < parts[1]


def test_a_schedule_by_an_algorithm_is_in_its_step_model(monkeypatch, capsys, tmp_path):
    """Catches a table and a record that say the default step model of a schedule of another one."""
    words = "schedule --by nrsbt-alternative --topology hypercube -d 3 --ports d --json".split()
    status, out, _ = run(monkeypatch, capsys, *words, tmp_path / "s.json")
    model = ALGORITHMS["nrsbt-alternative"].model
    assert status == 0 and str(model) and f"{model}\n" in out
    parameters = json.loads((tmp_path / "s.json").read_text())["parameters"]
    assert model.to_file().items() <= parameters.items()


def test_a_file_runs_on_the_links_that_are_given(monkeypatch, capsys, tmp_path):
    """Catches a run on half-duplex links of a schedule for them where full-duplex ones were asked for."""
    file, found = tmp_path / "s.json", []
    network_of = simulate.network_of

    def seen(*given, **how):
        found.append(network_of(*given, **how).options.links)
        return network_of(*given, **how)

    monkeypatch.setattr(simulate, "network_of", seen)
    assert run(monkeypatch, capsys, "schedule", "-c", "OAB", "-d", 2, "--half-duplex", "-o", file)[0] == 0
    for links in ([], ["--links", "full-duplex"]):
        assert run(monkeypatch, capsys, "simulate", "--schedule", file, *links, "--dry-run")[0] == 0
    assert found == ["half-duplex", "full-duplex"]


@pytest.mark.parametrize("order", ["postorder", "reverse-breadth-first"])
def test_the_order_is_that_which_is_given(monkeypatch, capsys, tmp_path, order):
    words = f"-c OAS --topology hypercube -d 3 --along sbt --order {order}".split()
    status, out, _ = run(monkeypatch, capsys, "schedule", *words, "-o", tmp_path / "s.json")
    assert status == 0 and f"sbt, {order} " in out
    words = f"hypercube:3 -c OAS --along sbt --order {order}".split()
    orders = []
    along = building.construct_along
    monkeypatch.setattr(building, "construct_along", lambda *given, order: [orders.append(order), along(*given)][1])
    assert run(monkeypatch, capsys, "compare", *words)[0] == 0
    assert orders == [order]


def test_a_file_in_parts_is_compared_with_whole_messages(monkeypatch, capsys, tmp_path):
    """Catches ours that are built for parts of a file that others have chosen."""
    monkeypatch.chdir(tmp_path)
    words = "schedule -c OAB --topology mesh -w 3 -d 1 --parts 4 -o s.json".split()
    assert run(monkeypatch, capsys, *words)[0] == 0
    words = "compare --schedule s.json --optimal --parts 2 --json f.json --page f.md --csv f.csv".split()
    assert run(monkeypatch, capsys, *words)[0] == 0
    rows = _rows(tmp_path / "f.json")
    assert [one["parts"] for one in rows] == [4, 2, 1]


@pytest.mark.parametrize(
    ("command", "name", "what"),
    [("view", "page.pdf", ".html, as a page"), ("export", "s.json", ".xml, as a schedule of MSCCL")],
)
def test_a_file_of_another_format_is_refused(monkeypatch, capsys, tmp_path, command, name, what):
    """Catches HTML in a file that is called a PDF."""
    status, out, err = run(monkeypatch, capsys, command, "-c", "AAB", "-o", tmp_path / name)
    ending = name.rpartition(".")[2]
    assert (status, out, err) == (2, "", f"fatcube: output must end in {what} is one, not .{ending}\n")
    assert list(tmp_path.iterdir()) == []

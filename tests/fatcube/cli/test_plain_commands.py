"""Commands that say only what they are about: options that are not given take the values that the others need."""

import dataclasses
import json
from pathlib import Path

import pytest

from fatcube.groundwork.options import Option
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Ring, Torus
from fatcube.noc.topology import kinds
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.switching import SWITCHING
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies.result_record import network_of
from fatcube.studies.results import read_records
from fatcube.studies.sweep_file import read_points
from tests.support.cases import some
from tests.support.commands import run

ROOT = Path(__file__).parents[3]
ROUTINGS = Option.of(dataclasses.fields(RoutingOptions)[0]).choices
TRUE_REFUSALS = (
    "must be one whose nodes have coordinates, not",
    "must have bidirectional links, not",
    "must have no channels that wait for each other in a cycle, not",
    "routing must take one virtual channel of each lane with circuit switching, not",
    "topology of a1 routing must be cube-connected cycles (ccc), not",
    "bits of route and",  # of a header that is wider than a flit
)


def sized(kind, n=4):
    """The arguments of a topology of a kind, of the least size at which every routing of it needs what it ever needs."""
    names = [field.name for field in dataclasses.fields(kinds()[kind])]
    return ["--topology", kind, *(part for name, size in (("w", 4), ("d", 2), ("n", n)) if name in names for part in (f"-{name}", size))]  # fmt: skip


def accepted(monkeypatch, capsys, kind, *arguments, n=4):
    """Whether the command is accepted; if not, it must be for what cannot be."""
    status, out, err = run(monkeypatch, capsys, "generate", "network", *sized(kind, n), *arguments, "--dry-run")
    if status == 0:
        assert out.startswith("checked: ")
        return True
    assert status == 2 and any(words in err for words in TRUE_REFUSALS), err
    return False


SEVERAL_CLASSES = ("butterfly", "wrapped-butterfly", "ccc", "sparse-ghc", "torus", "ring", "oriented-cube")


@pytest.mark.parametrize("kind", kinds())
def test_every_topology_and_switching(monkeypatch, capsys, kind):
    """With the routing that suits the topology; only circuits cannot be had with several classes of channels."""
    n = 4 if kind == "ring" else 3  # of which butterflies and cycles need the same for the routing that suits them
    refused = [
        switching
        for switching in SWITCHING
        if not accepted(monkeypatch, capsys, kind, "--interface", "axi4-stream", "--switching", switching, n=n)
    ]
    assert refused == (["circuit"] if kind in SEVERAL_CLASSES else [])
    assert accepted(monkeypatch, capsys, kind, n=n)
    assert accepted(monkeypatch, capsys, kind, "--interface", "axi4-stream", n=n)


@pytest.mark.long(stays="tests/fatcube/cli/test_plain_commands.py::test_every_topology_and_switching")
@pytest.mark.parametrize("kind", kinds())
def test_the_grid(monkeypatch, capsys, kind):
    found = [
        accepted(
            monkeypatch, capsys, kind, "--routing", routing, "--interface", interface, *(["--switching", switching] if switching else [])
        )
        for routing in ROUTINGS
        for switching in (None, *SWITCHING)
        for interface in ("flits", "axi4-stream")
    ]  # fmt: skip
    assert found[0] and sum(found) >= 16


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [
        (
            "--topology torus -w 4 -d 1 --interface axi4-stream",
            "--buffer-depth 3 --virtual-channels 2 --channel-classes 2",
        ),
        pytest.param(
            "--topology ring -n 5 --interface axi4-stream",
            "--buffer-depth 3 --virtual-channels 2 --channel-classes 2",
            marks=pytest.mark.long,
        ),
        ("-d 1 --switching store-and-forward", "--buffer-depth 8 --longest-packet 8"),
        (
            "-d 1 --ports b --interface axi4-stream",
            "--buffer-depth 8 --switching virtual-cut-through --longest-packet 8",
        ),
    ],
)
def test_what_was_chosen_is_said_and_written(monkeypatch, capsys, tmp_path, arguments, chosen):
    """Files are, byte for byte, those of a command that gives what was chosen."""
    line = f"implied by the other options: {chosen}\n"
    files = tmp_path / "one", tmp_path / "other"
    for folder, given in zip(files, (arguments, f"{arguments} {chosen}")):
        folder.mkdir()
        status, out, _ = run(monkeypatch, capsys, "generate", "network", *given.split(), "-o", folder / "net.v")
        said = f"Written to {folder / 'net.v'}, {folder / 'net.json'}\n"
        assert (status, out) == (0, (line if given == arguments else "") + said)
    for name in ("net.v", "net.json"):
        assert (files[0] / name).read_bytes() == (files[1] / name).read_bytes()
    about = json.loads((files[0] / "net.json").read_text())["parameters"]
    flags = chosen.split()
    assert {name[2:].replace("-", "_"): str(about[name[2:].replace("-", "_")]) for name in flags[::2]} == dict(
        zip((name[2:].replace("-", "_") for name in flags[::2]), flags[1::2])
    )


def test_what_was_chosen_is_said_beside_verilog_on_standard_output(monkeypatch, capsys, tmp_path):
    """On standard error, and the Verilog is that of a file."""
    arguments = "generate network -d 1 --switching store-and-forward".split()
    line = "implied by the other options: --buffer-depth 8 --longest-packet 8\n"
    said = f"Written to {tmp_path / 'net.v'}, {tmp_path / 'net.json'}\n"
    assert run(monkeypatch, capsys, *arguments, "-o", tmp_path / "net.v")[:2] == (0, line + said)
    status, out, err = run(monkeypatch, capsys, *arguments)
    assert status == 0 and err.startswith(line) and out.strip() == (tmp_path / "net.v").read_text().strip()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "--topology torus -w 4 --virtual-channels 1",
            "virtual channels must be an integer of at least 2 for dateline",
        ),
        (
            "--topology torus -w 4 --buffer-depth 2",
            "buffer depth must be at least 3 for virtual channels with a pipeline of 1 and 0 link stages, not 2",
        ),
        ("--topology torus -w 4 --channel-classes 1", "channel classes must be the 2 of dateline routing"),
        ("--switching store-and-forward --longest-packet 0", "longest packet must be given"),
        ("--hops 1", "hops must be the 2 of dimension-order routing"),
    ],
)
def test_what_is_given_and_contradictory(monkeypatch, capsys, arguments, message):
    """Also where what is given equals the default."""
    status, out, err = run(monkeypatch, capsys, "generate", "network", "--interface", "axi4-stream", *arguments.split())
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [
        ("load --reply-flits 12", "--message-classes 2 --buffer-depth 3 --virtual-channels 2 --channel-classes 2"),
        ("load --switching virtual-cut-through --packet-flits 8,30", "--buffer-depth 30 --longest-packet 30"),
        ("simulate -c AAB --switching store-and-forward --payload-flits 4,20", "--buffer-depth 21 --longest-packet 21"),
        ("synthesize --injection-channels 2", "--buffer-depth 3 --virtual-channels 2 --ejection-channels 2"),
        (
            "board build ulx3s-85f --width 16 --virtual-channels 2",
            "--buffer-depth 3 --injection-channels 2 --ejection-channels 2",
        ),
    ],
)
def test_other_commands(monkeypatch, capsys, arguments, chosen):
    status, out, _ = run(monkeypatch, capsys, *arguments.split(), "--dry-run")
    assert status == 0 and out.startswith(f"implied by the other options: {chosen}\n")


def points(folder, text):
    """The points of a sweep file."""
    (folder / "sweep.toml").write_text(f'format = "fatcube.sweep/1"\n{text}')
    return read_points(folder / "sweep.toml")


LOADED = '[[load]]\ntopology = "torus"\nw = 4\nswitching = "store-and-forward"\npacket_flits = 12\n'
RUN = '[[points]]\ncollective = "AAB"\nswitching = "store-and-forward"\npayload_flits = 20\n'


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        (LOADED, "virtual_channels = 2\nchannel_classes = 2\nbuffer_depth = 12\nlongest_packet = 12\n"),
        (RUN, "buffer_depth = 21\nlongest_packet = 21\n"),
    ],
)
def test_sweeps(tmp_path, text, chosen):
    """A point has the parameters, and so the key, that it has with everything given."""
    [short], [whole] = points(tmp_path, text), points(tmp_path, text + chosen)
    assert short.parameters == whole.parameters and short.network == whole.network
    with pytest.raises(ParameterError, match="must be"):
        points(tmp_path, text + "buffer_depth = 2\n")


def test_committed_networks_are_the_same():
    """The networks of all committed results follow from what is not default in them, and those of the study have no
    options but what its file gives."""
    records = read_records(ROOT / "synth_reports" / "study.jsonl")
    for record in records:
        network = network_of(record["parameters"])
        different = {
            name: value for name, value in network.options.to_json().items() if value != getattr(RouterOptions(), name)
        }
        assert RouterOptions(**different) == network.options and not RouterOptions(**different).chosen
    asked = [point.parameters for point in read_points(ROOT / "synth_reports" / "study.toml")]
    # Options that came after the study have their defaults.
    known = {
        **dict.fromkeys(asked[0]),
        **{name: value for name, value in RouterOptions().to_json().items() if name in asked[0]},
    }
    assert sorted(map(str, asked)) == sorted(str({**known, **one["parameters"]}) for one in records)


PLAIN = [
    (Torus(w=4, d=1), {"switching": "virtual-cut-through", "link_stages": 1}, {"packet_flits": (5, 12)}),
    (Ring(5), {"switching": "store-and-forward"}, {"packet_flits": (5, 12)}),
    (Torus(w=4, d=2), {}, {"reply_flits": 5}),
    (Hypercube(3), {"switching": "store-and-forward", "injection_channels": 2}, {}),
    (FatCube(2, 2), {"ports": "b"}, {"packet_flits": (5,)}),
    (Hypercube(3), {"setup_retry": 5}, {}),
    *(
        (topology, {"switching": switching}, traffic)
        for topology in (Torus(w=4, d=2), Ring(5), CubeConnectedCycles(3))
        for switching in SWITCHING
        if switching != "circuit"
        for traffic in ({"packet_flits": (7, 11)}, {"reply_flits": 5})
    ),
]


@pytest.mark.parametrize(
    "topology, options, traffic",
    some(PLAIN, [0, 1]),
    ids=str,
)
def test_what_is_chosen_is_enough(topology, options, traffic):
    """Every packet arrives under full load: nothing is cut, nothing stands still."""
    test = LoadTest(
        RoutedNetwork(topology, RouterOptions(**options)),
        LoadOptions(warm_up=200, measured=800, repeats=1, **traffic),
    )
    assert test.network.chosen
    [point] = test.points([1.0])
    assert not point.failures and point.accepted > 0.1

import json
import os
import re

from hypothesis import given, settings, strategies
import pytest

from groundwork.validation import ParameterError
from noc.topologies.cubes import FatCube, Hypercube
from rtl.port_model import PortModel
from schedules.collective import Collective, Message
from schedules.schedule import Schedule, Transfer
from schedules.spanning.graphs import NRSBT
from schedules.spanning.trees import along


def refuses(message):
    return pytest.raises(ParameterError, match=f"^{re.escape(message)}$")


NO_MESSAGE = "message must be [origin, destination], each a processor or null, or [origin, destination, part], not"

EXAMPLE = Schedule(
    FatCube(2, 2, 1),
    PortModel.D_PORT,
    Collective.AAB,
    None,
    (
        Transfer(1, 0, 2, (0, None), 0),
        Transfer(1, 0, 1, (0, None)),
    ),
)

EXAMPLE_TEXT = """\
{"format": "fatcube.schedule/1",
 "topology": {"type": "fat-cube", "d": 2, "m": 2, "f": 1},
 "ports": "d",
 "collective": "AAB",
 "root": null,
 "transfers": [
  {"step": 1, "src": 0, "dst": 1, "message": [0, null], "lane": null},
  {"step": 1, "src": 0, "dst": 2, "message": [0, null], "lane": 0}
 ]}
"""


def whole(messages):
    """The ends of messages that are not divided into parts."""
    messages = tuple(messages)
    assert not any(message.part for message in messages)
    return tuple(message[:2] for message in messages)


class TestCollective:
    @pytest.mark.parametrize(
        "text, collective",
        [
            ("OAB", Collective.OAB),
            ("broadcast", Collective.OAB),
            ("oab", Collective.OAB),
            ("OAS", Collective.OAS),
            ("Scatter", Collective.OAS),
            ("AOG", Collective.AOG),
            ("gather", Collective.AOG),
            ("AOR", Collective.AOR),
            ("reduce", Collective.AOR),
            ("AAB", Collective.AAB),
            ("all-gather", Collective.AAB),
            ("AllGather", Collective.AAB),
            ("AAR", Collective.AAR),
            ("reduce-scatter", Collective.AAR),
            ("AAS", Collective.AAS),
            ("all-to-all", Collective.AAS),
            ("alltoall", Collective.AAS),
            ("all-reduce", Collective.ALL_REDUCE),
            ("AllReduce", Collective.ALL_REDUCE),
            (Collective.AAS, Collective.AAS),
        ],
    )
    def test_parse(self, text, collective):
        assert Collective.parse(text) is collective
        assert Collective.parse(collective.word) is collective

    @pytest.mark.parametrize("text", ["", "all", None, 1, ["OAB"]])
    def test_parse_refuses(self, text):
        with refuses(
            "collective must be one of OAB, OAS, AOG, AOR, AAB, AAR, AAS, all-reduce or broadcast, scatter, "
            f"gather, reduce, all-gather, reduce-scatter, all-to-all, not {text!r}"
        ):
            Collective.parse(text)

    def test_rooted(self):
        assert [collective.value for collective in Collective if collective.rooted] == ["OAB", "OAS", "AOG", "AOR"]

    def test_messages(self):
        topology = FatCube(1, 2)
        assert whole(Collective.OAB.messages(topology, 3)) == ((3, None),)
        assert whole(Collective.OAS.messages(topology, 1)) == ((1, 0), (1, 2), (1, 3))
        assert whole(Collective.AOG.messages(topology, 1)) == ((0, 1), (2, 1), (3, 1))
        assert whole(Collective.AAB.messages(topology)) == ((0, None), (1, None), (2, None), (3, None))
        assert whole(Collective.AAS.messages(topology)) == tuple(
            (origin, destination) for origin in range(4) for destination in range(4) if origin != destination
        )
        assert whole(Collective.AOR.messages(topology, 2)) == ((None, 2),)
        assert whole(Collective.AAR.messages(topology)) == ((None, 0), (None, 1), (None, 2), (None, 3))
        assert whole(Collective.ALL_REDUCE.messages(topology)) == (
            (None, 0),
            (None, 1),
            (None, 2),
            (None, 3),
            (0, None),
            (1, None),
            (2, None),
            (3, None),
        )

    def test_messages_of_some(self):
        topology = FatCube(1, 2)
        assert list(whole(Collective.AAS.each_message(topology, homes=[2]))) == [(2, 0), (2, 1), (2, 3)]
        assert list(whole(Collective.ALL_REDUCE.each_message(topology, homes=[1]))) == [(None, 1), (1, None)]
        assert list(whole(Collective.OAB.each_message(topology, 3, homes=[1]))) == []

    @pytest.mark.parametrize(
        "collective, root",
        [
            (Collective.OAB, 3),
            (Collective.OAS, 1),
            (Collective.AOG, 2),
            (Collective.AOR, 2),
            (Collective.AAB, None),
            (Collective.AAR, None),
            (Collective.AAS, None),
            (Collective.ALL_REDUCE, None),
        ],
    )
    def test_moves_exactly_its_messages(self, collective, root):
        topology = Hypercube(2)
        ends = (None, 0, 1, 2, 3, 4)
        moved = {
            (origin, destination)
            for origin in ends
            for destination in ends
            if collective.moves(Message(origin, destination), topology, root)
        }
        assert moved == set(whole(collective.messages(topology, root)))
        assert not collective.moves(Message(*next(iter(moved)), 1), topology, root)

    def test_parts(self):
        assert Collective.OAB.messages(Hypercube(1), 1, 3) == tuple(Message(1, None, part) for part in range(3))
        assert len(Collective.AAS.messages(Hypercube(1), parts=2)) == 4
        assert Collective.AAB.moves(Message(0, None, 1), Hypercube(1), parts=2)
        assert not Collective.AAB.moves(Message(0, None, 2), Hypercube(1), parts=2)

    def test_parts_in_a_file(self, tmp_path):
        schedule = along(NRSBT(2), "d", "AAB", parts=2)
        schedule.write(tmp_path / "parts.json")
        assert Schedule.read(tmp_path / "parts.json") == schedule
        assert '"parts": 2' in (tmp_path / "parts.json").read_text()
        assert {transfer.message.part for transfer in schedule.expanded().transfers} == {0, 1}
        assert schedule.expanded().parts == 2

    def test_destinations(self):
        topology = FatCube(1, 2)
        assert list(Message(3, None).destinations(topology)) == [0, 1, 2, 3]
        assert list(Message(3, 1).destinations(topology)) == [1]

    def test_messages_are_written_as_in_a_file(self):
        assert str(Message(0, None)) == "[0, null]"
        assert str(Message(4, 17)) == "[4, 17]"
        assert str(Message(4, None, 2)) == "[4, null, 2]"

    @pytest.mark.parametrize("root", [-1, 4, None, "0", 1.0, True])
    def test_root_of_a_rooted_collective(self, root):
        with refuses(f"root of OAS must be an integer from 0 to 3, not {root!r}"):
            Collective.OAS.messages(Hypercube(2), root)

    def test_root_of_an_unrooted_collective(self):
        with refuses("root of AAB must be None (null in a file), not 0"):
            Collective.AAB.messages(Hypercube(2), 0)


class TestTransfer:
    @pytest.mark.parametrize(
        "values, message",
        [
            ((0, 0, 1, (0, 1), 0), "step must be an integer of at least 1, not 0"),
            ((1.0, 0, 1, (0, 1), 0), "step must be an integer of at least 1, not 1.0"),
            ((True, 0, 1, (0, 1), 0), "step must be an integer of at least 1, not True"),
            ((1, -1, 1, (0, 1), 0), "src must be an integer of at least 0, not -1"),
            ((1, 0, "1", (0, 1), 0), "dst must be an integer of at least 0, not '1'"),
            ((1, 0, 1, (0, 1), -1), "lane must be an integer of at least 0, or null within a node, not -1"),
            ((1, 0, 1, (0, 1), False), "lane must be an integer of at least 0, or null within a node, not False"),
            ((1, 0, 1, 5, 0), f"{NO_MESSAGE} 5"),
            ((1, 0, 1, (0,), 0), f"{NO_MESSAGE} (0,)"),
            ((1, 0, 1, [0, 1, 2, 3], 0), f"{NO_MESSAGE} [0, 1, 2, 3]"),
            ((1, 0, 1, [0, -1], 0), f"{NO_MESSAGE} [0, -1]"),
            ((1, 0, 1, [0, "1"], 0), f"{NO_MESSAGE} [0, '1']"),
            ((1, 0, 1, "01", 0), f"{NO_MESSAGE} '01'"),
        ],
    )
    def test_refuses(self, values, message):
        with refuses(message):
            Transfer(*values)

    def test_message_is_a_message(self):
        assert Transfer(1, 0, 1, [0, None]).message == Message(0, None)
        assert isinstance(Transfer(1, 0, 1, [0, None]).message, Message)


class TestSchedule:
    def test_transfers_are_sorted(self):
        transfers = [
            Transfer(2, 0, 1, (0, 1)),
            Transfer(1, 3, 0, (3, 0), 1),
            Transfer(1, 3, 0, (3, 0), 0),
            Transfer(1, 3, 0, (3, None), 0),
            Transfer(1, 1, 2, (1, 2), 0),
            Transfer(1, 1, 0, (1, 0)),
        ]
        schedule = Schedule(FatCube(1, 2), "1", "AAS", None, transfers)
        assert schedule.transfers == tuple(transfers[place] for place in (5, 4, 3, 2, 1, 0))

    def test_names_are_parsed(self):
        schedule = Schedule(Hypercube(2), "all-port", "scatter", 3, iter(()))
        assert schedule.ports is PortModel.ALL_PORT
        assert schedule.collective is Collective.OAS
        assert schedule.transfers == ()

    def test_steps(self):
        assert EXAMPLE.steps == 1
        assert Schedule(Hypercube(1), "1", "AAB", None, ()).steps == 0
        assert Schedule(Hypercube(1), "1", "OAB", 0, [Transfer(7, 0, 1, (0, None), 0)]).steps == 7

    def test_lanes_are_numbered_by_link_and_step(self):
        moves = [
            (1, 0, 2, Message(0, 2)),
            (1, 1, 3, Message(1, 3)),
            (1, 2, 0, Message(2, 0)),
            (2, 0, 3, Message(0, 3)),
            (2, 0, 1, Message(0, 1)),
        ]
        schedule = Schedule.from_moves(FatCube(1, 2, 2), "1", "AAS", None, moves)
        assert [(transfer.step, transfer.src, transfer.dst, transfer.lane) for transfer in schedule.transfers] == [
            (1, 0, 2, 0),
            (1, 1, 3, 1),
            (1, 2, 0, 1),
            (2, 0, 1, None),
            (2, 0, 3, 0),
        ]

    def test_a_lane_is_used_in_both_directions_only_where_there_are_no_more(self):
        moves = [(1, src, dst, Message(src, dst)) for src, dst in ((0, 3), (1, 4), (3, 0), (4, 1), (5, 2))]
        schedule = Schedule.from_moves(FatCube(1, 3, 4), "1", "AAS", None, moves)
        assert [(transfer.src, transfer.lane) for transfer in schedule.transfers] == [
            (0, 0),
            (1, 1),
            (3, 3),
            (4, 2),
            (5, 1),
        ]

    @pytest.mark.parametrize(
        "change, message",
        [
            ({"topology": "hypercube"}, "topology must be a Topology, not 'hypercube'"),
            ({"ports": "2"}, "ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not '2'"),
            ({"root": 0}, "root of AAB must be None (null in a file), not 0"),
            ({"collective": "OAB"}, "root of OAB must be an integer from 0 to 7, not None"),
            ({"collective": "OAB", "root": 8}, "root of OAB must be an integer from 0 to 7, not 8"),
            ({"transfers": [5]}, "transfers must be of Transfer, not 5"),
        ],
    )
    def test_refuses(self, change, message):
        values = {"topology": FatCube(2, 2), "ports": "1", "collective": "AAB", "root": None, "transfers": ()}
        with refuses(message):
            Schedule(**{**values, **change})


numbers = strategies.integers(0, 20)


@strategies.composite
def schedules(draw):
    topology = draw(strategies.sampled_from([Hypercube(3), FatCube(2, 2, 1), FatCube(1, 5, 3)]))
    collective = draw(strategies.sampled_from(list(Collective)))
    root = draw(strategies.integers(0, topology.processors - 1)) if collective.rooted else None
    ends = strategies.tuples(strategies.none() | numbers, strategies.none() | numbers)
    transfers = draw(
        strategies.lists(
            strategies.builds(
                Transfer, numbers.map(lambda step: step + 1), numbers, numbers, ends, strategies.none() | numbers
            )
        )
    )
    return Schedule(topology, draw(strategies.sampled_from(list(PortModel))), collective, root, transfers)


class TestFile:
    def test_text(self, tmp_path):
        EXAMPLE.write(tmp_path / "schedule.json")
        assert (tmp_path / "schedule.json").read_text() == EXAMPLE_TEXT

    def test_read(self, tmp_path):
        (tmp_path / "schedule.json").write_text(EXAMPLE_TEXT)
        assert Schedule.read(tmp_path / "schedule.json") == EXAMPLE
        assert Schedule.read(str(tmp_path / "schedule.json")) == EXAMPLE

    def test_empty(self, tmp_path):
        schedule = Schedule(Hypercube(1), "1", "AAB", None, ())
        schedule.write(tmp_path / "schedule.json")
        assert Schedule.read(tmp_path / "schedule.json") == schedule

    @settings(max_examples=200, deadline=None)
    @given(schedules())
    def test_round_trip(self, tmp_path_factory, schedule):
        assert Schedule.from_json(json.loads(json.dumps(schedule.to_json()))) == schedule
        path = tmp_path_factory.getbasetemp() / "round_trip.json"
        schedule.write(path)
        assert Schedule.read(path) == schedule

    def test_write_leaves_the_old_file_where_it_fails(self, tmp_path, monkeypatch):
        path = tmp_path / "schedule.json"
        path.write_text("old")

        def replace(source, target):
            assert open(source).read() == EXAMPLE_TEXT
            raise OSError("no space left on device")

        monkeypatch.setattr(os, "replace", replace)
        with pytest.raises(OSError, match="^no space left on device$"):
            EXAMPLE.write(path)
        assert path.read_text() == "old"
        assert [file.name for file in tmp_path.iterdir()] == ["schedule.json"]

    def test_write_leaves_nothing_where_it_is_interrupted(self, tmp_path, monkeypatch):
        def replace(source, target):
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            EXAMPLE.write(tmp_path / "schedule.json")
        assert list(tmp_path.iterdir()) == []

    def test_write_leaves_only_the_file(self, tmp_path):
        EXAMPLE.write(tmp_path / "schedule.json")
        EXAMPLE.write(tmp_path / "schedule.json")
        assert [file.name for file in tmp_path.iterdir()] == ["schedule.json"]

    def test_no_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            Schedule.read(tmp_path / "schedule.json")


class TestMalformedFile:
    """The example with one change; the message is the whole line after the path."""

    KEYS = "a schedule has format, topology, ports, collective, root, transfers"
    TRANSFER_KEYS = "a transfer has step, src, dst, message, lane"

    def refuses(self, tmp_path, content, message):
        path = tmp_path / "schedule.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with refuses(f"{path}: {message}"):
            Schedule.read(path)

    @pytest.mark.parametrize(
        "old, new, message",
        [
            ('"format"', '"fromat"', f'unknown key "fromat", {KEYS}'),
            ('"format"', '"for\\nmat"', f'unknown key "for\\nmat", {KEYS}'),
            ('"root": null,', "", f'missing key "root", {KEYS}'),
            ('"root": null,', '"root": null, "root": null,', 'key "root" is there twice'),
            ("schedule/1", "schedule/2", "format must be fatcube.schedule/1, not 'fatcube.schedule/2'"),
            ('"fatcube.schedule/1"', "1", "format must be fatcube.schedule/1, not 1"),
            (
                '"AAB"',
                '"AAX"',
                "collective must be one of OAB, OAS, AOG, AOR, AAB, AAR, AAS, all-reduce or broadcast, scatter, "
                "gather, reduce, all-gather, reduce-scatter, all-to-all, not 'AAX'",
            ),
            (
                '"AAB"',
                "null",
                "collective must be one of OAB, OAS, AOG, AOR, AAB, AAR, AAS, all-reduce or broadcast, scatter, "
                "gather, reduce, all-gather, reduce-scatter, all-to-all, not None",
            ),
            (
                '"ports": "d"',
                '"ports": 2',
                "ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not 2",
            ),
            ('"root": null,', '"root": null, "symmetric": 1,', "symmetric must be true or false, not 1"),
            ('"root": null,', '"root": null, "parts": 0,', "parts must be an integer of at least 1, not 0"),
            (
                '"dst": 2, "message": [0, null]',
                '"dst": 2, "message": [0, null, -1]',
                f"transfer 2: {NO_MESSAGE} [0, None, -1]",
            ),
            ('"root": null', '"root": 0', "root of AAB must be None (null in a file), not 0"),
            ('"AAB"', '"OAB"', "root of OAB must be an integer from 0 to 7, not None"),
            ('"AAB",\n "root": null', '"OAB",\n "root": 8', "root of OAB must be an integer from 0 to 7, not 8"),
            ('"AAB",\n "root": null', '"OAB",\n "root": "0"', "root of OAB must be an integer from 0 to 7, not '0'"),
            ('"fat-cube", "d": 2', '"fat-cube", "d": 0', "FatCube d must be an integer from 1 to 16, not 0"),
            ('"fat-cube", "d": 2,', '"fat-cube",', "topology fat-cube needs the parameter d"),
            ('"d": 2,', '"d": 2, "g": 2,', "topology fat-cube has parameters d, m, f, not 'g'"),
            ('{"type": "fat-cube", "d": 2, "m": 2, "f": 1}', "[]", "topology must be an object with a type, not []"),
            ('"lane": 0}', '"lan": 0}', f'transfer 2: unknown key "lan", {TRANSFER_KEYS}'),
            (', "lane": 0}', "}", f'transfer 2: missing key "lane", {TRANSFER_KEYS}'),
            (', "lane": 0}', ', "lane": 0, "lane": 1}', 'key "lane" is there twice'),
            (
                '"lane": 0}',
                '"lane": "0"}',
                "transfer 2: lane must be an integer of at least 0, or null within a node, not '0'",
            ),
            (
                '"step": 1, "src": 0, "dst": 1',
                '"step": 0, "src": 0, "dst": 1',
                "transfer 1: step must be an integer of at least 1, not 0",
            ),
            (
                '"src": 0, "dst": 2',
                '"src": null, "dst": 2',
                "transfer 2: src must be an integer of at least 0, not None",
            ),
            ('"dst": 2', '"dst": 2.0', "transfer 2: dst must be an integer of at least 0, not 2.0"),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": [0]', f"transfer 2: {NO_MESSAGE} [0]"),
            (
                '"dst": 2, "message": [0, null]',
                '"dst": 2, "message": {"origin": 0}',
                f"transfer 2: {NO_MESSAGE} {{'origin': 0}}",
            ),
            (
                '"dst": 2, "message": [0, null]',
                '"dst": 2, "message": [true, null]',
                f"transfer 2: {NO_MESSAGE} [True, None]",
            ),
        ],
    )
    def test_change(self, tmp_path, old, new, message):
        assert EXAMPLE_TEXT.count(old) == 1
        self.refuses(tmp_path, EXAMPLE_TEXT.replace(old, new), message)

    @pytest.mark.parametrize(
        "content, message",
        [
            ("[]", "a schedule must be an object with format, topology, ports, collective, root, transfers, not []"),
            (
                "null",
                "a schedule must be an object with format, topology, ports, collective, root, transfers, not None",
            ),
            ("", "not JSON: Expecting value: line 1 column 1 (char 0)"),
            (b"\xff\xfe{", "not JSON: 'utf-16-le' codec can't decode byte 0x7b in position 2: truncated data"),
            (b"\x80", "not JSON: 'utf-8' codec can't decode byte 0x80 in position 0: invalid start byte"),
        ],
    )
    def test_content(self, tmp_path, content, message):
        self.refuses(tmp_path, content, message)

    @pytest.mark.parametrize(
        "transfers, message",
        [
            ("{}", "transfers must be a list, not {}"),
            ("null", "transfers must be a list, not None"),
            ("[[]]", "transfer 1: a transfer must be an object with step, src, dst, message, lane, not []"),
        ],
    )
    def test_transfers(self, tmp_path, transfers, message):
        head, _ = EXAMPLE_TEXT.split('"transfers": ')
        self.refuses(tmp_path, f'{head}"transfers": {transfers}}}', message)

    def test_truncated_anywhere(self, tmp_path):
        path = tmp_path / "schedule.json"
        for length in range(len(EXAMPLE_TEXT.rstrip())):
            path.write_text(EXAMPLE_TEXT[:length])
            with pytest.raises(ParameterError) as error:
                Schedule.read(path)
            assert str(error.value).startswith(f"{path}: not JSON: ")
            assert "\n" not in str(error.value)

    def test_nested_too_deeply(self, tmp_path):
        path = tmp_path / "schedule.json"
        path.write_text("[" * 100_000)
        with pytest.raises(ParameterError) as error:
            Schedule.read(path)
        assert str(error.value).startswith(f"{path}: not JSON: maximum recursion depth exceeded")

import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import StepModel


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
            Move(1, 0, 2, Message(0, 2)),
            Move(1, 1, 3, Message(1, 3)),
            Move(1, 2, 0, Message(2, 0)),
            Move(2, 0, 3, Message(0, 3)),
            Move(2, 0, 1, Message(0, 1)),
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
        moves = [Move(1, src, dst, Message(src, dst)) for src, dst in ((0, 3), (1, 4), (3, 0), (4, 1), (5, 2))]
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


@pytest.mark.parametrize("path", [[[1, 0]], "a", 5])
def test_a_path_is_of_two_links(path):
    """Catches the path over a single link, which is a lane."""
    with refuses(f"path must be two links or more, each [node, lane], not {path!r}"):
        Transfer(1, 0, 1, (0, 1), path=path)


def test_packets_by_hand():
    """To processor 1 two messages and then one, to processor 2 one; without combining each is a packet."""
    transfers = [Transfer(1, 0, dst, (0, target), dst - 1) for dst, target in ((1, 1), (1, 3), (1, 5), (2, 2))]
    together = {1: [1, 1, 1, 1], 2: [2, 1, 1], 3: [3, 1], "unlimited": [3, 1]}
    for most, sizes in together.items():
        model = StepModel(per_packet=most)
        schedule = Schedule(Hypercube(3), "d", "OAS", 0, transfers, model=model)
        packets = schedule.packets(schedule.transfers)
        assert [len(packet) for packet in packets] == sizes
        assert {one for packet in packets for one in packet} == set(schedule.transfers)

"""TE-CCL's flows."""

import json

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.grids import Ring
from fatcube.schedules.formats.teccl import read_flows


def flow(origin, src, dst, epoch, chunk=0, switches=""):
    via = f" via switches {switches}" if switches else ""
    return f"Chunk {chunk} from {origin} traveled over {src}->{dst} in epoch {epoch}{via}"


def file(*flows):
    return json.dumps({"1-Epoch_Duration": 1.0, "7-Flows": flows, "Solver_Time": 0.1}).encode()


#: Three GPUs of which number 2 is a switch, in a row 1 - 3 - 5; epochs are a tenth of what a packet takes.
ROW = [
    flow(1, 1, 3, 0),
    flow(3, 3, 1, 0, switches="2"),
    flow(3, 3, 5, 0),
    flow(5, 5, 3, 3),
    flow(1, 3, 5, 12),
    flow(5, 3, 1, 14),
]


def test_epochs_are_an_order():
    found = read_flows(file(*ROW))
    assert found.names == ("1", "3", "5")
    schedule = found.schedule(None, "d")
    assert [(one.step, one.src, one.dst, one.message.origin) for one in schedule.transfers] == [
        (1, 0, 1, 0),
        (1, 1, 0, 1),
        (1, 1, 2, 1),
        (1, 2, 1, 2),
        (2, 1, 0, 2),
        (2, 1, 2, 0),
    ]


def test_switches_of_a_flow():
    """The second packet, after the task that nothing waits for, goes through a switch, and a last one through two."""
    through = read_flows(file(*ROW, flow(5, 3, 1, 15, switches="2, 4"))).through
    assert {task: names for task, names in through.items() if names} == {2: ("2",), 7: ("2", "4")}


def test_earlier_epochs_go_first():
    """On a ring of four, chunk 1 ends where it goes first, and chunk 0 goes on from there; the file has chunk 1 go first."""
    flows = []
    for o in range(4):
        one, two, three = ((o + hop) % 4 for hop in range(1, 4))
        flows += [flow(o, o, one, 1), flow(o, one, two, 2), flow(o, two, three, 3)]
        flows += [flow(o, o, one, 0, 1), flow(o, o, three, 0, 1), flow(o, three, two, 1, 1)]
    schedule = read_flows(file(*flows)).schedule(Ring(4), "d")
    assert [one.message.part for one in schedule.transfers if one.src == one.message.origin] == [1] * 8 + [0] * 4
    assert schedule.parts == 2


def test_a_missing_link_is_named():
    with pytest.raises(ParameterError) as error:
        read_flows(file(*[flow(o, o, d, 0) for o in range(4) for d in range(4) if o != d])).schedule(Ring(4), "d")
    assert str(error.value).startswith(
        "topology must have a link for the packets from 0 to 2, but nodes 0 and 2 of the ring"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "a TE-CCL file must be an object with a list '7-Flows', of an all-gather"),
        (b"7", "a TE-CCL file must be an object with a list '7-Flows', of an all-gather"),
        (
            b'{"6-Flows": []}',
            "a TE-CCL file must be an object with a list '7-Flows', of an all-gather, not of an all-to-all, whose flows are "
            "fractions of chunks",
        ),
        (file(), "processors of a TE-CCL file must be an integer from 2 to 1024, not 0"),
        (
            file("Chunk 0 from 0 traveled over 0->1"),
            'a flow must be "Chunk c from o traveled over a->b in epoch e", or that and " via switches s", not '
            "'Chunk 0 from 0 traveled over 0->1'",
        ),
        (file(flow(0, 1, 1, 0)), f"a flow must be between two processors, not {flow(0, 1, 1, 0)!r}"),
        (
            file(flow(0, 0, 1, 3), flow(0, 1, 2, 3)),
            "flows must carry on what has arrived, not chunk 0 of 0 from 1 in epoch 3",
        ),
    ],
)
def test_refused(content, message):
    with pytest.raises(ParameterError) as error:
        read_flows(content)
    assert str(error.value) == message


def test_what_is_not_delivered_is_named():
    with pytest.raises(ParameterError) as error:
        read_flows(file(*ROW[:-1])).schedule(None, "d")
    assert str(error.value) == (
        "schedule must keep to the step model: after step 2: processor 0 has not received message [2, null]"
    )

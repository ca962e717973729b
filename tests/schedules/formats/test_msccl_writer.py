"""A schedule written as MSCCL's XML does its collective on a machine of the tests, and is read again as itself."""

import random
import re
from xml.etree import ElementTree

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.schedules.construct import construct
from fatcube.schedules.formats.msccl import read_msccl
from fatcube.schedules.formats.msccl_file import WORDS
from fatcube.schedules.formats.msccl_writer import beyond_limits, msccl_xml, write_msccl
from fatcube.schedules.participants import Participants
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.schedules.step_model import StepModel
from tests.support.along import made_along
from tests.support.msccl_machine import run, wanted

COLLECTIVES = [word for word in WORDS if word != "reducescatter"]


def made(topology, ports, word):
    collective = WORDS[word]
    return construct(Problem(topology, ports, collective, 0 if collective.rooted else None)).found.expanded()


def packets(schedule):
    return sorted((one.src, one.dst, one.message.order) for one in schedule.transfers)


def says_who_is_waited_for(root):
    """Exactly the steps that another one of the same GPU waits for say that one does, of which there must be some."""
    for gpu in root.iter("gpu"):
        steps = {(block.get("id"), step.get("s")): step for block in gpu.iter("tb") for step in block.iter("step")}
        waited = {(step.get("depid"), step.get("deps")) for step in steps.values()} - {("-1", "-1")}
        assert {place for place, step in steps.items() if step.get("hasdep") == "1"} == waited
        assert {step.get("hasdep") for step in steps.values()} <= {"0", "1"}
    assert any(step.get("hasdep") == "1" for step in root.iter("step"))


@pytest.mark.parametrize("word", COLLECTIVES)
@pytest.mark.parametrize(
    ("topology", "ports"),
    [(FatCube(2, 2, 2), "d"), (Mesh(w=3, d=2), "b"), (Ring(5), "1")],
    ids=["fat-cube", "mesh", "ring"],
)
def test_written_is_done_and_read_again(topology, ports, word):
    schedule = made(topology, ports, word)
    text = ElementTree.tostring(msccl_xml(schedule), encoding="unicode")
    assert read_msccl(text.encode()).schedule(topology, ports) == schedule
    root = ElementTree.fromstring(text)
    for seed in range(3):
        assert run(text, random.Random(seed)) == wanted(word, topology.processors, int(root.get("nchunksperloop")))
    says_who_is_waited_for(root)
    # Without the steps that are written for us, the packets are the same, timed anew.
    timed = read_msccl(re.sub(r' at="\d+"', "", text).encode()).schedule(topology, ports)
    assert packets(timed) == packets(schedule)


def test_parts_are_chunks():
    schedule = made_along(spanning_graph("nesbt", 3), "d", "OAB", parts=6).found
    text = ElementTree.tostring(msccl_xml(schedule), encoding="unicode")
    assert read_msccl(text.encode()).schedule(schedule.topology, "d") == schedule
    assert run(text, random.Random(1)) == wanted("broadcast", 8, 6)


@pytest.mark.parametrize("word", COLLECTIVES)
def test_parts_of_every_collective(word):
    """Catches a part that is taken for another one where it is read, written or waited for."""
    collective = WORDS[word]
    schedule = best_in_parts(
        Problem(Ring(4), "d", collective, 0 if collective.rooted else None, parts=2)
    ).schedule.expanded()
    text = ElementTree.tostring(msccl_xml(schedule), encoding="unicode")
    assert read_msccl(text.encode()).schedule(schedule.topology, "d") == schedule
    chunks = int(ElementTree.fromstring(text).get("nchunksperloop"))
    for seed in range(5):
        assert run(text, random.Random(seed)) == wanted(word, 4, chunks)


@pytest.mark.parametrize(
    "moves",
    [
        [(1, 1, 0), (1, 2, 3), (2, 3, 1), (3, 1, 0)],  # what was sent on is replaced
        [(1, 1, 0), (2, 2, 3), (2, 3, 1), (3, 3, 1), (4, 1, 0)],  # and then added to
        [(1, 1, 0), (1, 3, 1), (2, 1, 0), (2, 2, 3), (3, 3, 1), (4, 1, 0)],  # twice
    ],
)
def test_what_was_sent_on_is_replaced_and_not_added_to(moves):
    """Processor 1 sends what it has of the sum, and later what it gets from processor 3, in whatever order blocks go on."""
    transfers = [Transfer(step, src, dst, (None, 0), 0) for step, src, dst in moves]
    schedule = Schedule(Hypercube(2), "1", "AOR", 0, tuple(transfers))
    text = ElementTree.tostring(msccl_xml(schedule), encoding="unicode")
    for seed in range(20):
        assert run(text, random.Random(seed)) == wanted("reduce", 4, 1)
    assert read_msccl(text.encode()).schedule(schedule.topology, "1") == schedule


def test_beyond_limits(tmp_path):
    schedule = made(Ring(5), "1", "allgather")
    assert write_msccl(schedule, tmp_path / "a.xml") == []
    root = msccl_xml(schedule)
    root.set("nchannels", "33")
    assert beyond_limits(root) == ["33 channels, at most 32"]


def test_limits_of_msccl():
    """By hand: 256 steps in the largest block, 216 blocks on a GPU and 32 channels are read, and no more."""
    for beyond in (0, 1):
        blocks = [f"<tb>{'<step/>' * steps}</tb>" for steps in (3, 256 + beyond, *[1] * (214 + beyond))]
        text = f'<algo nchannels="{32 + beyond}"><gpu><tb/></gpu><gpu>{"".join(blocks)}</gpu></algo>'
        assert (
            beyond_limits(ElementTree.fromstring(text))
            == (
                ["257 steps in a thread block, at most 256", "217 thread blocks on a GPU, at most 216"]
                + ["33 channels, at most 32"]
            )
            * beyond
        )


DIRECT = [
    Transfer(1, 0, 3, (0, None), path=((1, 0), (3, 0))),
    Transfer(2, 0, 1, (0, None), 0),
    Transfer(2, 3, 2, (0, None), 0),
]


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (
            lambda: construct(Problem(Hypercube(2), "1", "OAS", 0)).found,
            "collective must be one of all-gather, all-reduce, all-to-all, broadcast, reduce, reduce-scatter in MSCCL's XML, "
            "not scatter",
        ),
        (
            lambda: construct(Problem(Hypercube(2), "1", "AAB", None, among=Participants((0, 1), (0, 1)))).found,
            "collective must be among all processors in MSCCL's XML, not some",
        ),
        (
            lambda: construct(Problem(damaged(Hypercube(2), ["node:1"]), "1", "AAB", None)).found,
            "collective must be among all processors in MSCCL's XML, not some",
        ),
        (
            lambda: Schedule(Hypercube(2), "1", "OAB", 0, (), model=StepModel(per_packet=2)),
            "per_packet must be 1 in MSCCL's XML, not 2",
        ),
        (
            lambda: Schedule(Hypercube(2), "1", "OAB", 0, DIRECT, model=StepModel(transfers="direct")),
            "transfers must go over one link each in MSCCL's XML, not over several",
        ),
    ],
)
def test_refused(schedule, message):
    with pytest.raises(ParameterError) as error:
        msccl_xml(schedule())
    assert str(error.value) == message

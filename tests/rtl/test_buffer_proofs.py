# amaranth: UnusedElaboratable=no
"""Buffers of every kind proved, whatever comes in."""

import pytest

from fatcube.rtl.buffer import TwoFlitBuffer
from fatcube.rtl.deep_buffer import MemoryBuffer, QueuedBuffer
from fatcube.rtl.queue import FlitQueue, next_place
from tests.support.buffer_harness import BufferHarness
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove
from tests.support.reference_buffer import ReferenceBuffer

WIDTH = 2
SHOWN = 1


def checked(buffer, *, depth=None):
    harness = BufferHarness(buffer)
    return prove(harness, ports=harness.ports, depth=depth, seconds=1800)


def queued(depth, memory="block"):
    return QueuedBuffer(WIDTH, depth, SHOWN, memory=memory)


def in_memory(depth):
    return MemoryBuffer(WIDTH, depth, SHOWN)


@pytest.mark.parametrize("shown", range(WIDTH + 1))
def test_two_flits(shown):
    assert checked(TwoFlitBuffer(WIDTH, shown)) == Outcome(True)


@pytest.mark.parametrize("depth", [3, *(pytest.param(depth, marks=pytest.mark.prove) for depth in (4, 5, 8))])
def test_memory(depth):
    assert checked(in_memory(depth)) == Outcome(True)


@pytest.mark.parametrize("memory", ["registers", "block"])
@pytest.mark.parametrize("depth", [3, *(pytest.param(depth, marks=pytest.mark.prove) for depth in (4, 5, 8))])
def test_queue_before_two_flits(depth, memory):
    assert checked(queued(depth, memory)) == Outcome(True)


@pytest.mark.parametrize("depth", [3, 8])
def test_the_reference(depth):
    assert checked(ReferenceBuffer(WIDTH, depth, shown=SHOWN)) == Outcome(True)


FAULTS = {
    "full one flit too early": (MemoryBuffer, "full.eq(level_next == self.depth)", "full.eq(level_next == self.depth - 1)"),
    "full one flit too late": (MemoryBuffer, "full.eq(level_next == self.depth)", "full.eq(level_next > self.depth)"),
    "room a cycle late": (MemoryBuffer, "~full | left", "~full"),
    "what left counts twice": (MemoryBuffer, "more | two & ~left", "more & ~left | two & ~left"),
    "one flit is two": (MemoryBuffer, "more | two & ~left", "more | two"),
    "what left never counts": (MemoryBuffer, "level + enters - left", "level + enters"),
    "nothing is behind": (MemoryBuffer, "two.eq(level_next == 2)", "two.eq(0)"),
    "written at another place": (MemoryBuffer, "writer.addr.eq(place)", "writer.addr.eq(place + 1)"),
    "written when full": (MemoryBuffer, "writer.en.eq(self.i.ready)", "writer.en.eq(1)"),
    "the one in front is shown next": (MemoryBuffer, "place, second), shown", "place, first), shown"),
    "the next one is in front": (MemoryBuffer, "place, first))", "place, second))"),
    "the first place twice": (MemoryBuffer, "init=1)", "init=0)"),
    "a step while it is empty": (MemoryBuffer, "first.eq(Mux(self.o.valid, second, first))", "first.eq(second)"),
    "a place without a flit": (MemoryBuffer, "with m.If(enters):", "with m.If(self.i.valid):"),
    "the entering flit passes those behind": (MemoryBuffer, "Mux(waiting, self._memory", "Mux(waiting & ~enters, self._memory"),
    "the last place is left out": (next_place, "place == depth - 1", "place == depth - 2"),
    "the queue is passed by": (QueuedBuffer, "self.i.valid & (waiting | ~front.i.ready)", "self.i.valid & ~front.i.ready"),
    "a flit in both": (QueuedBuffer, "self.i.valid & (waiting | ~front.i.ready)", "self.i.valid"),
    "a flit out of order": (QueuedBuffer, "Mux(waiting, queue.o.payload.as_value()", "Mux(waiting & ~self.i.valid, queue.o.payload.as_value()"),
    "one flit more": (QueuedBuffer, "self.depth - 2, memory", "self.depth - 1, memory"),
    "the queue takes without room": (FlitQueue, "room | self.o.ready if self.replaces else room", "1"),
    "no flit for the one that leaves": (FlitQueue, "room | self.o.ready if", "room if"),
    "what was just written is read": (FlitQueue, "push & (stays | (stored != leaves))", "push & (stays | (stored != 0))"),
}  # fmt: skip
QUICK = {
    "full one flit too late",
    "written when full",
    "the entering flit passes those behind",
    "the queue is passed by",
}


@pytest.mark.parametrize("fault", some_of(FAULTS, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    part, line, instead = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    buffers = {MemoryBuffer: [in_memory(4)], next_place: [in_memory(4), queued(4, "registers")]}.get(part, [queued(4)])
    assert all(checked(buffer, depth=14).frame is not None for buffer in buffers)

"""Tracebacks in cocotb's log: the frames of the kit are left out, and those of a test are not."""

import logging

import pytest

from fatcube.testing.frames import hide_frames
from fatcube.testing.packet import Packet
from fatcube.testing.scoreboard import Scoreboard

LOG = "cocotb.regression"


@pytest.fixture
def log(monkeypatch):
    """The log of cocotb, without filters of others."""
    found = logging.getLogger(LOG)
    monkeypatch.setattr(found, "filters", [])
    return found


def failing():
    Scoreboard().received(1, Packet([5]))


def failure():
    """The error with which a test of cocotb fails."""
    try:
        failing()
    except AssertionError as error:
        return error
    return None


def functions(record):
    """The functions of the frames of a record, from the outermost on."""
    _, _, frames = record.exc_info
    names = []
    while frames is not None:
        names.append(frames.tb_frame.f_code.co_name)
        frames = frames.tb_next
    return names


def test_without_it_all_frames_are_there(log, caplog):
    log.warning("failed", exc_info=failure())
    assert functions(caplog.records[0]) == ["failure", "failing", "received", "_unknown"]


def test_frames_of_the_kit_are_left_out(log, caplog):
    hide_frames()
    log.warning("failed", exc_info=failure())
    assert functions(caplog.records[0]) == ["failure", "failing"]
    assert caplog.records[0].exc_info[1].args == ("unknown: [5], which was never sent, arrived at port 1",)


def test_a_function_can_hide_itself(log, caplog):
    def hidden():
        __tracebackhide__ = True
        failing()

    hide_frames()
    try:
        hidden()
    except AssertionError as error:
        log.warning("failed", exc_info=error)
    assert functions(caplog.records[0]) == ["test_a_function_can_hide_itself", "failing"]


def test_it_is_done_once(log, caplog):
    hide_frames()
    hide_frames()
    assert len(log.filters) == 1
    log.warning("passed")
    assert [record.message for record in caplog.records] == ["passed"]

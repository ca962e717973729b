"""Progress in a pipe: a line for what takes long, the innermost of it, and none for what is quick."""

import time

import pytest

from groundwork import progress


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(progress, "_FIRST", 0.1)
    monkeypatch.setattr(progress, "_EVERY", 0.4)


def lines(capsys):
    return capsys.readouterr().err.splitlines()


def test_what_is_quick_says_nothing(capsys):
    with progress.doing("a quick thing"):
        pass
    time.sleep(0.2)
    assert lines(capsys) == []


def test_what_takes_long_says_so_once_and_then_now_and_then(capsys):
    with progress.doing("the first") as update:
        time.sleep(0.3)
        assert lines(capsys) == ["fatcube: the first"]
        update("the second")
        time.sleep(0.4)
        assert lines(capsys) == ["fatcube: the second"]
    time.sleep(0.5)
    assert lines(capsys) == []


def test_innermost_is_said_and_the_outer_does_not_speak_as_it_ends(capsys):
    with progress.doing("the whole"):
        with progress.doing("a part"):
            time.sleep(0.3)
    time.sleep(0.2)
    assert lines(capsys) == ["fatcube: a part"]


def test_bar_counts(capsys):
    for number in progress.tracked(range(3), "counting", 3):
        time.sleep(0.15 if number else 0.25)
    assert lines(capsys)[0] in ("fatcube: counting: 0 of 3", "fatcube: counting: 1 of 3")


def test_quiet_process_says_nothing(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_quiet", False)  # put back after the test
    progress.be_quiet()
    with progress.doing("a long thing"), progress.Bar("many", 2) as bar:
        time.sleep(0.2)
        bar.advance()
    assert lines(capsys) == []

"""Calls in processes of their own: results with their positions, errors handed on, and no process left."""

import functools
import multiprocessing
import operator
import time

import pytest

from fatcube.groundwork.workers import in_processes
from tests.support.children import HANG, until


def test_results_come_with_their_positions():
    calls = [functools.partial(operator.mul, number, number) for number in range(5)]
    assert sorted(in_processes(calls, jobs=2)) == [(number, number * number) for number in range(5)]


def test_error_is_handed_on_and_no_process_is_left():
    """Catches an error that is only seen when what else was begun has ended."""
    calls = [functools.partial(operator.truediv, 1, 0), functools.partial(time.sleep, 2 * HANG)]
    with pytest.raises(ZeroDivisionError):
        list(in_processes(calls, jobs=2))
    until(lambda: not multiprocessing.active_children())

"""Fixtures of all tests."""

import pytest

from groundwork import progress
from groundwork.memory import collect_seldom

collect_seldom()


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch):
    """Nothing is said of what takes long: on a slow machine that would be anything. Tests of it set times of their own."""
    monkeypatch.setattr(progress, "_FIRST", 3600.0)

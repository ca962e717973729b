"""Faults in hardware, planted for a test to find."""

import inspect

import pytest

__all__ = ["plant", "some_of"]


def plant(monkeypatch, part, line, instead):
    """Have the class or function ``part`` do what its file says with ``instead`` in place of its one ``line``."""
    module = inspect.getmodule(part)
    source = inspect.getsource(module)
    assert source.count(line) == 1, f"{line!r} is there {source.count(line)} times"
    names = {"__name__": module.__name__}
    exec(compile(source.replace(line, instead), module.__file__, "exec"), names)
    changed = names[part.__name__]
    if inspect.isfunction(part):
        monkeypatch.setattr(part, "__code__", changed.__code__)
        return
    for name, method in vars(changed).items():
        if inspect.isfunction(method) and name != "__init__":
            monkeypatch.setattr(part, name, method)


def some_of(faults, quick):
    """Parameters for all ``faults``, by name: those in ``quick`` for every day, the others for ``make prove``.

    Each takes a second, nearly all of it for starting Yosys.
    """
    assert quick <= set(faults)
    return [name if name in quick else pytest.param(name, marks=pytest.mark.prove) for name in faults]

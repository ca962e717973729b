"""Files that are read late: modules when something of them is first used, sources when the process ends."""

import atexit
import importlib.util
import linecache
import sys
import threading
from types import ModuleType
from typing import Any

__all__ = ["import_late", "read_at_exit"]


def import_late(*names: str) -> None:
    """Let ``import NAME`` cost nothing until an attribute of this top-level module is used.

    It is called before anything imports them. A module that has been imported stays as it is, and one that is not
    installed is missing where it is imported, as it would be otherwise. :class:`importlib.util.LazyLoader` does not do
    it: Python 3.11 asks the module for ``__spec__`` in every ``import``, which loads it.
    """
    for name in names:
        if name in sys.modules or (spec := importlib.util.find_spec(name)) is None or spec.loader is None:
            continue
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        vars(module).pop("__path__", None)  # which is read before a module of the package is imported
        module.__class__ = _LateModule


def read_at_exit(file: str) -> None:
    """Read a source file at the end of the process, while Python can still open files.

    When a component ends that was never elaborated, Amaranth looks for ``# amaranth: UnusedElaboratable=no`` in the file
    that made it. Where the component lives as long as the process, Python 3.13 can no longer read that file then, and
    prints a traceback, unless :mod:`linecache` has it.
    """
    atexit.register(linecache.getline, file, 1)


class _LateModule(ModuleType):
    """A module that has not been executed. Until then it has no attributes, so every access comes here."""

    def __getattr__(self, attribute: str) -> Any:
        with _loading:
            spec = self.__spec__
            if spec in _now:  # The module itself reads it while it is executed.
                raise AttributeError(f"module {self.__name__!r} has no attribute {attribute!r}")
            if type(self) is _LateModule:  # No other thread has executed it meanwhile.
                assert spec is not None and spec.loader is not None
                _now.append(spec)
                try:
                    if spec.submodule_search_locations is not None:
                        self.__path__ = spec.submodule_search_locations
                    spec.loader.exec_module(self)
                    object.__setattr__(self, "__class__", ModuleType)
                finally:
                    _now.remove(spec)
        return getattr(self, attribute)


_loading = threading.RLock()
_now: list[Any] = []  # the specifications of the modules that are being executed

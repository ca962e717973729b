"""The start of cocotb in a simulator, without pytest.

cocotb imports pytest for the errors that a test's assertions raise, and to rewrite these. Our testbench asserts nothing, and to
load pytest takes longer than all else until a run begins. So stand-ins have the names that cocotb needs; any other
name is taken from pytest itself, which then takes their places.
"""

import importlib
import sys
import types
from typing import Any

__all__ = ["USERS", "leave_out_pytest"]


USERS = ",".join(
    [
        f"{__name__}:leave_out_pytest",
        "cocotb.logging:_configure",
        "cocotb._init:init_package_from_simulation",
        "cocotb.regression:_run_regression",
    ]
)
"""The value of ``PYGPI_USERS``: what cocotb starts by itself, after :func:`leave_out_pytest`."""


class _Raised:
    """The error of one of pytest's functions, which nothing raises."""

    class Exception(Exception):
        """It has this name in pytest."""


_NAMES = {
    "pytest": {"raises": _Raised, "skip": _Raised, "xfail": _Raised},
    "_pytest": {},
    "_pytest.assertion": {"install_importhook": None},
    "_pytest.config": {"Config": None},
}
_ABSENT = ("RaisesExc", "RaisesGroup", "__path__")
"""Names that older versions of pytest do not have, without which cocotb works; and none of these is a package."""


class _StandIn(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name in _ABSENT:
            raise AttributeError(name)
        for module in _NAMES:
            if isinstance(sys.modules.get(module), _StandIn):
                del sys.modules[module]
        return getattr(importlib.import_module(self.__name__), name)


def leave_out_pytest() -> None:
    """Have cocotb find the stand-ins, unless pytest is there already."""
    if "pytest" not in sys.modules:
        for module, names in _NAMES.items():
            sys.modules[module] = _StandIn(module)
            vars(sys.modules[module]).update(names)

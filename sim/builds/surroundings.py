"""The environment variables of a simulator, whatever the user has set for other programs.

cocotb's runner lets variables of the environment win over its own arguments: a user's LD_LIBRARY_PATH, which modules and vendor
tools set, would hide cocotb's libraries.
"""

import os

from fatcube.sim.builds import verilator

__all__ = ["surroundings"]


_LIBRARIES = "LD_LIBRARY_PATH"
_OF_COCOTB = ("COCOTB_", "GPI_", "PYGPI_")
#: Variables that select the tests of a run, their names and further settings: a run sets them itself.
_OF_A_RUN = (
    *("COCOTB_PLUSARGS", "COCOTB_RESULTS_FILE", "COCOTB_TESTCASE", "COCOTB_TEST_FILTER", "COCOTB_TEST_MODULES", "COCOTB_TOPLEVEL"),
    *("GUI", "PYTEST_CURRENT_TEST", "WAVES"),
)  # fmt: skip


def surroundings(*, ours: bool) -> dict[str, str | None]:
    """The changes to the environment of a simulator with cocotb; ``None`` stands for no such variable.

    Parameters
    ----------
    ours : :class:`bool`
        True for our own tests, to which none of the variables for cocotb apply. A user's tests may take from them what to
        log, or which random seed to use.
    """
    folders = [str(verilator.home("cocotb") / "libs"), *filter(None, [os.environ.get(_LIBRARIES)])]
    apart = [name for name in os.environ if name in _OF_A_RUN or ours and name.startswith(_OF_COCOTB)]
    return {_LIBRARIES: os.pathsep.join(folders), **dict.fromkeys(apart)}

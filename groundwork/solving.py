"""CP-SAT, so that Ctrl-C ends it."""

import concurrent.futures
from typing import Any

__all__ = ["solve"]


def solve(solver: Any, model: Any) -> int:
    """The status that ``solver.solve(model)`` returns; at Ctrl-C the search is stopped and KeyboardInterrupt raised.

    CP-SAT's own care for Ctrl-C would leave it to the operating system afterwards, which ends Python at
    once; and while Python waits for CP-SAT in the main thread, it notices nothing.

    Parameters
    ----------
    solver : ``ortools.sat.python.cp_model.CpSolver``
    model : ``ortools.sat.python.cp_model.CpModel``
    """
    solver.parameters.catch_sigint_signal = False
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        solving = thread.submit(solver.solve, model)
        try:
            return solving.result()
        except KeyboardInterrupt:
            solver.stop_search()
            raise

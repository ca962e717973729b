"""Processes that work for this one: calls several at a time, and what a Dask worker loads first."""

from collections.abc import Callable, Iterator, Sequence
import concurrent.futures
import multiprocessing
from typing import Any

from fatcube.groundwork.ending import held
from fatcube.groundwork.progress import be_quiet

__all__ = ["dask_setup", "in_processes"]


def in_processes(calls: Sequence[Callable[[], Any]], *, jobs: int) -> Iterator[tuple[int, Any]]:
    """The position and the result of each of ``calls``, as they come, ``jobs`` of them at a time.

    When the iteration ends early, by an error or Ctrl-C, nothing more is begun and the processes are killed.

    Raises
    ------
    Exception
        The exception of a call.
    """
    # A new interpreter and no copy of this one: a copy would have our handlers of signals, and locks as they stand.
    pool = concurrent.futures.ProcessPoolExecutor(
        min(jobs, max(1, len(calls))), mp_context=multiprocessing.get_context("spawn"), initializer=be_quiet
    )
    others = {process.pid for process in multiprocessing.active_children()}
    with held():
        running = {pool.submit(call): number for number, call in enumerate(calls)}
    mine = [process for process in multiprocessing.active_children() if process.pid not in others]
    try:
        for future in concurrent.futures.as_completed(running):
            yield running[future], future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in mine:
            process.kill()
        raise
    pool.shutdown()


def dask_setup(worker: object) -> None:
    """Keep a Dask worker that preloads this module quiet, as the processes above are."""
    be_quiet()

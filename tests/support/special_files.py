"""Devices, FIFOs, sockets and links of a test's own, so that nothing of the machine is at risk."""

import contextlib
import os
from pathlib import Path
import socket
import stat
import threading

import pytest

__all__ = ["FULL", "NULL", "ZERO", "device", "drained", "listening"]

#: The numbers of Linux's devices that swallow everything and that are always full, and of one that has zeros without end.
NULL, FULL, ZERO = (1, 3), (1, 7), (1, 5)


def device(path, numbers=NULL):
    """Make a private device at ``path``; the test is skipped where that is not permitted or it cannot be opened."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(*numbers))
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(path)
        pytest.skip(f"no device can be made here: {error.strerror}")
    return path


@contextlib.contextmanager
def drained(path):
    """A FIFO at ``path`` with a reader; yields a list that has all that was written once the block has been left."""
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(Path(path).read_bytes()))
    reader.start()
    try:
        yield read
    finally:
        # If nothing was written, the reader still waits for the other end to be opened.
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        reader.join()


@contextlib.contextmanager
def listening(path):
    """A socket at ``path``."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))
        yield made

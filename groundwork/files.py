"""Files that are written whole or not at all; what is not a regular file is written to, and never replaced."""

from collections.abc import Callable, Iterable, Iterator, Mapping
import contextlib
import errno
import functools
import os
from pathlib import Path
import secrets
import shutil
import stat
import sys
from typing import BinaryIO, TypeAlias

from fatcube.groundwork.ending import keep, remove_at_end
from fatcube.groundwork.validation import ParameterError

__all__ = [
    "check_target",
    "copy_file",
    "is_special",
    "read_bytes",
    "target_of",
    "write_bytes",
    "write_files",
    "write_folder",
    "write_parts",
    "write_text",
]


_Writer: TypeAlias = Callable[[BinaryIO], object]
_MODE = 0o666  # of a new file, less what the umask takes away


def is_special(path: Path | str) -> bool:
    """Return whether ``path`` leads to something that is neither a regular file nor a folder: a device, FIFO or socket.

    There is nothing beside such a file: what is made of its name is written into the wrong folder, ``/dev`` say.

    Raises
    ------
    OSError
        If that cannot be known, as in a loop of links.
    """
    found = _stat(path)
    return found is not None and not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode)


def target_of(path: Path | str) -> Path:
    """The file that ``path`` stands for: the end of its links, which need not be there.

    Raises
    ------
    OSError
        If the links form a loop.
    """
    _stat(path)
    return Path(os.path.realpath(path))


def check_target(path: Path | str) -> None:
    """Refuse a file that can be seen not to be writable, before anything is made for it. Nothing is changed.

    Raises
    ------
    OSError
        If it is there and may not be written, is a folder, or if a link leads to itself or into no folder.
    """
    found, target = _stat(path), target_of(path)
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise _error(errno.EISDIR, path)
    if found is None and not target.parent.is_dir():
        raise _error(errno.ENOENT, path)
    if found is not None and not os.access(path, os.W_OK):
        raise _error(errno.EACCES, path)


def read_bytes(path: Path | str, *, most: int, what: str) -> bytes:
    """Return all of a file; ``what`` is the kind of file it is, as in ``"a sweep file"``.

    Raises
    ------
    ParameterError
        If it has more than ``most`` bytes: a device that never ends has. No more are read.
    OSError
        If there is no such file, or it cannot be read; the error names it.
    """
    with open(path, "rb") as file, _naming(path):
        content = file.read(most + 1)
    if len(content) > most:
        raise ParameterError(f"{path}: {what} must have at most {most:,} bytes")
    return content


def write_text(path: Path | str, text: str) -> None:
    """Write a text, as UTF-8, as :func:`write_bytes` does."""
    write_bytes(path, text.encode())


def write_parts(path: Path | str, parts: Iterable[str]) -> None:
    """Write a text, as :func:`write_text` does, whose parts are made while it is written."""

    def write(file: BinaryIO) -> None:
        for part in parts:
            file.write(part.encode())

    _write_all({path: write})


def write_bytes(path: Path | str, content: bytes) -> None:
    """Write all of a file or nothing.

    A regular file, or a new one, is written under another name in the same folder and then renamed. It keeps its
    permissions, and its owner where that is permitted; a new one has those of the umask. Other hard links to it keep
    the old content. A symbolic link stays, and the file that it leads to is written, a new one if there is none.

    A device, FIFO or socket is opened and written to, as is the file that standard output or standard error is
    connected to. These can be left with a part of the content if writing fails.

    Raises
    ------
    OSError
        If the file cannot be written; the error names it.
    """
    write_files({path: content})


def write_files(files: Mapping[Path | str, bytes] | Mapping[Path, bytes]) -> None:
    """Write all of several files, each as :func:`write_bytes` does, or none of the regular ones among them.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    _write_all({path: lambda file, content=content: file.write(content) for path, content in files.items()})


def copy_file(source: Path | str, path: Path | str) -> None:
    """Write the content of the file ``source``, which may be large, to ``path``, as :func:`write_bytes` does.

    Raises
    ------
    OSError
        If one cannot be read, or the other not be written.
    """
    with open(source, "rb") as content:
        _write_all({path: lambda file: shutil.copyfileobj(content, file)})


def write_folder(folder: Path | str, files: Mapping[str, bytes]) -> None:
    """Write all of several files into a folder, which is made if it is not there, or none of them.

    Other files in the folder stay.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    folder = Path(folder)
    new = not folder.is_dir()
    folder.mkdir(exist_ok=True)
    try:
        write_files({folder / name: content for name, content in files.items()})
    except BaseException:
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _write_all(writers: Mapping[Path, _Writer] | Mapping[Path | str, _Writer]) -> None:
    """Write the regular files aside, then to those that are not regular, and rename the former last."""
    with contextlib.ExitStack() as stack:
        finishers = [stack.enter_context(_written_aside(path, write)) for path, write in writers.items()]
        for finish in sorted(finishers, key=lambda finish: finish.func is os.replace):
            finish()


@contextlib.contextmanager
def _written_aside(path: Path | str, write: _Writer) -> "Iterator[functools.partial[None]]":
    """Within it, a regular file is written under another name, which is removed again unless it was renamed."""
    check_target(path)
    found, opened, target = _stat(path), _standard_stream(path), target_of(path)
    if opened is not None or found is not None and not (stat.S_ISREG(found.st_mode) and _is(found, target)):
        yield functools.partial(_write_through, path, opened, write)
        return
    aside = target.with_name(f".fatcube-{secrets.token_hex(8)}")
    remove_at_end(aside)
    try:
        with _naming(path, aside):
            with open(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, _MODE), "wb") as file:
                write(file)
            if found is not None:
                with contextlib.suppress(PermissionError):
                    os.chown(aside, found.st_uid, found.st_gid)
                os.chmod(aside, stat.S_IMODE(found.st_mode))
            yield functools.partial(os.replace, aside, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(aside)
        keep(aside)


def _write_through(path: Path | str, opened: int | None, write: _Writer) -> None:
    """Write to what is there: to ``opened``, a standard stream, if there is one."""
    # Not created: whatever takes a device away meanwhile, no file takes its place.
    number = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC) if opened is None else os.dup(opened)
    with _naming(path), open(number, "wb") as file:
        write(file)


def _standard_stream(path: Path | str) -> int | None:
    """The number of the standard stream that is connected to the file at ``path``, which ``/dev/stdout`` is, if any."""
    found = _stat(path)
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        with contextlib.suppress(OSError):
            if found is not None and os.path.samestat(found, os.fstat(number)):
                if stream is not None:
                    stream.flush()  # Earlier output comes first.
                return number
    return None


def _is(found: os.stat_result, target: Path) -> bool:
    """Whether the file has this name: one that was removed is still behind a link in ``/dev/fd``, and has none."""
    there = _stat(target)
    return there is not None and os.path.samestat(found, there)


def _stat(path: Path | str) -> os.stat_result | None:
    """The status of the file that the path leads to, ``None`` if nothing is there."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _naming(path: Path | str, aside: Path | None = None) -> Iterator[None]:
    """Let errors of the operating system name the file that was to be written, and not the one aside."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename in (None, str(aside)):
            raise _error(error.errno, path) from None
        raise


def _error(number: int, path: Path | str) -> OSError:
    return OSError(number, os.strerror(number), str(path))

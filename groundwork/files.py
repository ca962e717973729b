"""Files that are written as a whole or not at all."""

from collections.abc import Mapping
import os
from pathlib import Path
import tempfile

__all__ = ["write_bytes", "write_folder", "write_text"]


def write_text(path: Path | str, text: str) -> None:
    """Write all of a file or nothing; raises as :func:`write_bytes` does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path | str, content: bytes) -> None:
    """Write all of a file or nothing.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def write_folder(folder: Path | str, files: Mapping[str, bytes]) -> None:
    """Write all of several files into a folder, which is made if it is not there, or none of them.

    What else is in the folder stays.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    folder = Path(folder)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as aside:
        for name, content in files.items():
            write_bytes(Path(aside) / name, content)
        folder.mkdir(exist_ok=True)
        for name in files:
            os.replace(Path(aside) / name, folder / name)

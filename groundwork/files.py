"""Files that are written as a whole or not at all."""

import os
from pathlib import Path
import tempfile

__all__ = ["write_bytes", "write_text"]


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

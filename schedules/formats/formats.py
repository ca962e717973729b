"""The formats of other programs, and which of them a file has."""

from pathlib import Path

from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.strict.malformed import within
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.schedules.collective import Collective
from fatcube.schedules.formats.foreign import Foreign
from fatcube.schedules.formats.forestcoll import read_trees
from fatcube.schedules.formats.msccl import read_msccl
from fatcube.schedules.formats.teccl import read_flows

__all__ = ["FORMATS", "MOST_BYTES", "foreign_from", "read_foreign"]


MOST_BYTES = 1 << 25
FORMATS = "msccl", "forestcoll", "te-ccl"
_HEAD = 4096  # bytes in which the first element of a file stands, behind its comments


def read_foreign(path: Path, kind: str = "auto", collective: str | None = None) -> Foreign:
    """The contents of the file ``path``, in a format of :data:`FORMATS` or, with ``"auto"``, as its beginning suggests.

    A ``collective`` is one that the trees of ForestColl are for; other formats name theirs, and it must be the same.

    Raises
    ------
    ParameterError
        If the file is none of its format; the message begins with the path and gives the reason.
    OSError
        If there is no such file, or it cannot be read.
    """
    check_choice("format", kind, ("auto", *FORMATS))
    content = read_bytes(path, most=MOST_BYTES, what="a schedule of another program")
    with within(path):
        return foreign_from(content, kind, collective)


def foreign_from(content: bytes, kind: str = "auto", collective: str | None = None) -> Foreign:
    """The contents of a file, given as bytes: see :func:`read_foreign`; here no path is in the message."""
    if not content.strip():
        raise ParameterError(f"must be a schedule of another program ({', '.join(FORMATS)}), and is empty")
    if kind == "auto" and content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"<", b"{", b"["):
        raise ParameterError(f"must be a schedule of another program ({', '.join(FORMATS)}), in XML or JSON")
    asked = None if collective is None else Collective.parse(collective)
    found = _read(content, _looks_like(content) if kind == "auto" else kind, asked)
    if asked not in (None, found.collective):
        raise ParameterError(f"collective must be that of the file, {found.collective.word}, not {collective}")
    return found


def _looks_like(content: bytes) -> str:
    if b"<" not in content[:_HEAD]:
        return "te-ccl"
    return "forestcoll" if b"<Algo" in content[:_HEAD] else "msccl"


def _read(content: bytes, kind: str, asked: Collective | None) -> Foreign:
    if kind == "forestcoll":
        return read_trees(content, asked or Collective.AAB)
    return read_msccl(content) if kind == "msccl" else read_flows(content)

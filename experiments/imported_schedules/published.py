"""The published schedules, and where their files are found: in a commit of a repository, or as written by its program."""

from collections.abc import Mapping, Sequence
import dataclasses
import hashlib
from pathlib import Path
import tomllib
from typing import Any

from experiments.checkout import file_of
from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.graph import Link, make_graph
from fatcube.noc.topology import Topology
from fatcube.schedules.formats.formats import MOST_BYTES

__all__ = ["PUBLISHED", "Published", "read_published"]


PUBLISHED = Path(__file__).with_name("published.toml")
GENERATED = "generated"  # the folder of what programs have written, beside the checkouts


@dataclasses.dataclass(frozen=True, kw_only=True)
class Published:
    """A schedule that others have published.

    Members
    -------
    name : :class:`str`
    by : :class:`str`
        The synthesizer.
    repository, commit, path : :class:`str`
        Where the file stands, or the program that has written it: then ``path`` is in the folder ``generated``.
    sha256 : :class:`str` or ``None``
        The digest of a file that a program has written.
    made : :class:`str` or ``None``
        The program that wrote it.
    collective : :class:`str` or ``None``
        The collective that trees are for.
    topology : :class:`Topology` or ``None``
        The network, if it is not just the links that the file uses.
    """

    name: str
    by: str
    repository: str
    commit: str
    path: str
    sha256: str | None = None
    made: str | None = None
    collective: str | None = None
    topology: Topology | None = None

    def content(self, checkouts: Path) -> bytes:
        """The file.

        Raises
        ------
        MissingCheckout, ToolError
            If the repository or the commit is not there, or what a program has written is another file.
        OSError
            If what a program has written is not there.
        """
        if self.sha256 is None:
            return file_of(checkouts, self.repository, self.commit, self.path)
        content = read_bytes(checkouts / GENERATED / self.path, most=MOST_BYTES, what="a schedule of another program")
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise ToolError(f"{self.path} is not the file with SHA-256 {self.sha256}")
        return content


def read_published(path: Path = PUBLISHED) -> list[Published]:
    """The schedules that a file describes.

    Raises
    ------
    ParameterError
        If it describes none.
    """
    described = tomllib.loads(path.read_text(encoding="utf-8"))
    topologies = {name: _topology(value) for name, value in described["topologies"].items()}
    names = {field.name for field in dataclasses.fields(Published)}
    found = []
    for one in described["schedule"]:
        if unknown := one.keys() - names:
            raise ParameterError(f"a published schedule must have members of {', '.join(sorted(names))}, not {unknown}")
        found.append(Published(**one | {"topology": topologies[one["topology"]] if "topology" in one else None}))
    return found


def _topology(value: Mapping[str, Any]) -> Topology:
    """A topology as in schedule files, or one of ``nodes`` and ``links`` of two nodes and a number of lanes."""
    if "links" not in value:
        return topology_from_json(dict(value))
    links: Sequence[tuple[int, int, int]] = value["links"]
    named = [Link(str(node), str(other), False, lanes) for node, other, lanes in links]
    return make_graph([(str(node), 1) for node in range(value["nodes"])], named)

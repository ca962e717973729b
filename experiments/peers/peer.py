"""A router of somebody else's, and the format of the files that describe some, ``fatcube.peers/1``:

    format = "fatcube.peers/1"

    [[peers]]
    name = "example, 5 ports"
    ports = 5
    commits = {"owner/name" = "0123456789abcdef0123456789abcdef01234567"}
    sources = ["name/rtl/package.sv", "name/rtl/*.sv"]
    wrapper = "example.sv"            # beside this file; its top module has one clock, one reset and plain ports
    top = "example"
    parameters = {ports = 5, width = 32}
    settings = "32 bits of data, 2 flits an input"
    turns = "all 25"
    cycles_per_hop = 1
    published = {comb = 800, ff = 100, mhz = 100.0}

The members of :class:`Peer` are the keys. A router of several sizes lists them, each with the keys in which it differs:

    sizes = [
      {ports = 5, parameters = {ports = 5}},
      {ports = 8, parameters = {ports = 8}, settings = "32 bits of data, 4 flits an input"},
    ]
"""

import dataclasses
from pathlib import Path
import re
import tomllib
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, StrictFloat, StrictInt, TypeAdapter
from pydantic.dataclasses import dataclass

from fatcube.groundwork.digest import digest
from fatcube.groundwork.schema import validated
from fatcube.groundwork.validation import ParameterError, shown

__all__ = ["PUBLISHED", "Edit", "Peer", "Published", "read_peers"]


PUBLISHED = Path(__file__).parent / "published.toml"
"""Descriptions of routers that are published."""

_FORMAT = "fatcube.peers/1"
_Positive = Annotated[StrictInt, Field(ge=1)]
_Texts = tuple[str, ...]


def _commits(value: dict[str, str]) -> dict[str, str]:
    if not value:
        raise ParameterError("commits must name at least one repository, not {}")
    for repository, commit in value.items():
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
            raise ParameterError(f"repository must be an owner/name, not {shown(repository)}")
        # A branch or a tag is not the same files tomorrow, nor is the beginning of a hash.
        if not re.fullmatch("[0-9a-f]{40}", commit):
            raise ParameterError(f"commit of {repository} must be 40 hexadecimal digits, not {shown(commit)}")
    names = [repository.rpartition("/")[2] for repository in value]
    if len(set(names)) < len(names):
        raise ParameterError(f"repositories must have different names, not {', '.join(value)}")
    return value


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Published:
    """Figures that somebody has printed of a router: COMB equivalents, flip-flops, MHz; ``None`` where there is none."""

    comb: StrictInt | None = None
    ff: StrictInt | None = None
    mhz: StrictInt | StrictFloat | None = None


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Edit:
    """A change without which a source cannot be read.

    Members
    -------
    source : :class:`str`
        The file, beginning with the name of its repository.
    old, new : :class:`str`
        A text that stands in it once, and what takes its place.
    """

    source: str
    old: str
    new: str


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Peer:
    """A router of one size, and all that decides what is measured of it.

    Members
    -------
    name : :class:`str`
        As in a table.
    ports : :class:`int`
        Its inputs, and its outputs.
    virtual_channels : :class:`int`
        The virtual channels of each port, 1 if it has none.
    commits : mapping of :class:`str` to :class:`str`
        The commits, 40 hexadecimal digits each, by their repository, an owner/name. The first is the router's own, the
        others are what it is built with.
    sources : :class:`tuple` of :class:`str`
        Files or patterns of files, each beginning with the name of its repository; packages come first.
    libraries : :class:`tuple` of :class:`str`
        Folders, likewise, where a module that is missing is looked for by its name.
    includes : :class:`tuple` of :class:`str`
        Folders, likewise, of included files.
    included : :class:`tuple` of :class:`str`
        Files beside the description that are found, by their names, before all others that are included: what a generator
        of theirs would write.
    edits : :class:`tuple` of :class:`Edit`
        Changes to sources, named above or found in ``libraries``. ``settings`` describes them.
    wrapper : :class:`str` or ``None``
        A file beside the description whose module has plain ports. It holds no logic of its own.
    top : :class:`str`
        The module that is measured.
    parameters : mapping
        Parameters of the module.
    defines, options : :class:`tuple` of :class:`str`
        Macros, and further options of Yosys' ``read_slang``.
    clock, reset : :class:`str`
        The clock and the reset input of the module.
    reset_active_low : :class:`bool`
        Whether it is in reset while that input is 0.
    unread_inputs, constant_outputs : :class:`int`
        Bits of ports that it does without. If they are others than these, the wrapper is wrong.
    settings : :class:`str`
        A phrase for the parameters: data, buffers, arbitration.
    turns : :class:`str`
        From which inputs to which outputs it can send.
    cycles_per_hop : :class:`int`
        Cycles from a flit at the input of a router to the same flit at the input of the next.
    published : :class:`Published`
        The published figures of the router.
    unmeasured : :class:`str`
        The reason why it is not even tried; empty for all others.
    wrapper_text : :class:`str`
        The text of ``wrapper``; read with the description.
    included_texts : mapping
        The text of each file of ``included``, by its name; likewise.
    """

    name: str
    ports: _Positive
    virtual_channels: _Positive = 1
    commits: Annotated[dict[str, str], AfterValidator(_commits)]
    sources: _Texts = ()
    libraries: _Texts = ()
    includes: _Texts = ()
    included: _Texts = ()
    edits: tuple[Edit, ...] = ()
    wrapper: str | None = None
    top: str
    parameters: dict[str, StrictInt | str] = dataclasses.field(default_factory=dict)
    defines: _Texts = ()
    options: _Texts = ()
    clock: str = "clk"
    reset: str = "rst"
    reset_active_low: bool = False
    unread_inputs: Annotated[StrictInt, Field(ge=0)] = 0
    constant_outputs: Annotated[StrictInt, Field(ge=0)] = 0
    settings: str
    turns: str
    cycles_per_hop: _Positive
    published: Published = Published()
    unmeasured: str = ""
    wrapper_text: str = ""
    included_texts: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def repository(self) -> str:
        """The router's own repository."""
        return next(iter(self.commits))

    @property
    def digest(self) -> str:
        """The digest of the whole description, with the texts of our own files."""
        described = dataclasses.asdict(self)
        if self.virtual_channels == 1:  # as in descriptions of before there were others
            del described["virtual_channels"]
        return digest(described)


_PEER = TypeAdapter(Peer)


def read_peers(path: Path) -> list[Peer]:
    """The routers that a file describes, in its order.

    Raises
    ------
    ParameterError
        If the file is none of this format; the message names the block.
    OSError
        If it, or a wrapper, cannot be read.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ParameterError(f"{path} must be a TOML file: {error}") from None
    if given.pop("format", None) != _FORMAT:
        raise ParameterError(f'{path} must begin with format = "{_FORMAT}"')
    blocks = given.pop("peers", [])
    if given or not (isinstance(blocks, list) and all(isinstance(block, dict) for block in blocks)):
        raise ParameterError(f"{path} must hold blocks that begin with [[peers]], and nothing else")
    peers: list[Peer] = []
    for number, block in enumerate(blocks, 1):
        try:
            peers += [_peer(path.parent, size) for size in _sizes(block)]
        except ParameterError as error:
            raise ParameterError(f"{path}, block {number}: {error}") from None
    return peers


def _sizes(block: dict[str, Any]) -> list[dict[str, Any]]:
    """A block for each size of a block."""
    sizes = block.get("sizes", [{}])
    if not (isinstance(sizes, list) and sizes and all(isinstance(size, dict) for size in sizes)):
        raise ParameterError(f"sizes must be a list of tables, at least one, not {shown(sizes)}")
    common = {key: value for key, value in block.items() if key != "sizes"}
    for size in sizes:
        if twice := sorted(common.keys() & size.keys()):
            raise ParameterError(f"{twice[0]} must be in the block or in its sizes, not in both")
    return [common | size for size in sizes]


def _peer(folder: Path, block: dict[str, Any]) -> Peer:
    if texts := sorted({"wrapper_text", "included_texts"} & block.keys()):
        raise ParameterError(f"{texts[0]} must be left out, as there is no such key")
    peer = validated(_PEER, block, "block")
    return dataclasses.replace(
        peer,
        wrapper_text=(folder / peer.wrapper).read_text(encoding="utf-8") if peer.wrapper else "",
        included_texts={(file := folder / path).name: file.read_text(encoding="utf-8") for path in peer.included},
    )

"""Measurements of routers, theirs and ours, as rows of one table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
import dataclasses
from pathlib import Path
import re
import tempfile
from typing import Any

from amaranth.lib import wiring

from experiments.checkout import extract
from experiments.peers.peer import Peer, Published
from experiments.peers.system_verilog import Elaborated, SystemVerilogComponent, elaborate
from fatcube.groundwork.cache import cache_folder
from fatcube.groundwork.digest import digest
from fatcube.groundwork.record import source_revision
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError, shown
from fatcube.noc.axi_network import AxiInDomain
from fatcube.noc.latency import interface_latency, latency_without_load
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.switch import Switch
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.synth.families import find_family
from fatcube.synth.measure import synthesize

__all__ = ["Ours", "Row", "measure_ours", "measure_peer", "our_routers"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """A router of the table.

    Members
    -------
    name, settings, turns : :class:`str`
        As in :class:`~experiments.peers.peer.Peer`.
    ports, virtual_channels, cycles_per_hop : :class:`int`
        Likewise.
    repository : :class:`str` or ``None``
        Its own; ``None``: ours.
    commit : :class:`str` or ``None``
        The commit of the repository; ``None``: ours, outside a work tree.
    commits : mapping of :class:`str` to :class:`str`
        All that it is built from, by repository.
    description : :class:`str` or ``None``
        Its :attr:`~experiments.peers.peer.Peer.digest`: the same one, and the same router was measured.
    published : :class:`~experiments.peers.peer.Published`
        The published figures of the router.
    comb, ff : :class:`int` or ``None``
        COMB equivalents (:class:`~fatcube.synth.area.Area`) and flip-flops of the bare router.
    cells : mapping of :class:`str` to :class:`int`
        Its cells by type.
    mhz : :class:`float` or ``None``
        The median of the seeds, between registers at all inputs and outputs.
    seeds_mhz : list of pairs
        A seed and its frequency, MHz.
    problem : :class:`str` or ``None``
        Why it has not been measured.
    commands : list of :class:`str`
        The commands that it was measured with; empty in older rows.
    """

    name: str
    ports: int
    settings: str
    turns: str
    cycles_per_hop: int
    virtual_channels: int = 1
    repository: str | None = None
    commit: str | None = None
    commits: dict[str, str] = dataclasses.field(default_factory=dict)
    description: str | None = None
    published: Published = Published()
    comb: int | None = None
    ff: int | None = None
    cells: dict[str, int] = dataclasses.field(default_factory=dict)
    mhz: float | None = None
    seeds_mhz: list[list[Any]] = dataclasses.field(default_factory=list)
    problem: str | None = None
    commands: list[str] = dataclasses.field(default_factory=list)

    @property
    def as_today(self) -> bool:
        """Whether it was placed as it would be today, if it was: rows of an older flow stay in a table of their own."""
        return self.mhz is None or find_family("ecp5").placed_as_today({"commands": self.commands})

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Row":
        """The row that stands in a result record."""
        return cls(**{**value, "published": Published(**value["published"])})

    def to_json(self) -> dict[str, Any]:
        """The row as it stands in a result record."""
        return dataclasses.asdict(self)


_BARE, _STREAMS = "fatcube's switch", "fatcube's switch with AXI4-Streams"


def measure_peer(peer: Peer, *, checkouts: Path, seeds: Sequence[int], fmax: bool = True) -> Row:
    """The row of a peer; where it cannot be measured it says why.

    Parameters
    ----------
    peer : :class:`~experiments.peers.peer.Peer`
        The router.
    checkouts : path
        A folder with a checkout of each repository (:func:`~experiments.checkout.extract`).
    seeds : sequence of :class:`int`
        Of place and route.
    fmax : :class:`bool`
        Whether it is placed and routed.
    """
    row = Row(
        name=peer.name,
        ports=peer.ports,
        virtual_channels=peer.virtual_channels,
        settings=peer.settings,
        turns=peer.turns,
        cycles_per_hop=peer.cycles_per_hop,
        repository=peer.repository,
        commit=peer.commits[peer.repository],
        commits=peer.commits,
        description=peer.digest,
        published=peer.published,
        problem=peer.unmeasured or None,
    )
    if row.problem:
        return row
    with tempfile.TemporaryDirectory(prefix="fatcube-") as trees:
        try:
            module = _elaborated(peer, checkouts, Path(trees))
            component = SystemVerilogComponent(
                module, clock=peer.clock, reset=peer.reset, reset_active_low=peer.reset_active_low
            )
            return _measured(row, component, seeds=seeds, fmax=fmax, modules=module.rtlil)
        except (ToolError, ParameterError) as error:
            # The folder is another one in each run.
            return dataclasses.replace(row, problem=re.sub(rf"\S*{re.escape(Path(trees).name)}/", "", str(error)))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ours:
    """A router of ours.

    Members
    -------
    name, settings, turns : :class:`str`
        As in :class:`Row`.
    ports, cycles_per_hop : :class:`int`
        Likewise.
    options : :class:`RouterOptions`
    build : callable
        The router with these options, with the RTLIL of what it instantiates.
    """

    name: str
    ports: int
    options: RouterOptions
    settings: str
    turns: str
    cycles_per_hop: int
    build: Callable[[RouterOptions], tuple[wiring.Component, str]]

    @property
    def virtual_channels(self) -> int:
        """The channels of a lane."""
        return self.options.virtual_channels


def measure_ours(one: Ours, *, seeds: Sequence[int], fmax: bool = True) -> Row:
    """The row of a router of ours; parameters are those of :func:`measure_peer`."""
    row = Row(
        name=one.name,
        ports=one.ports,
        virtual_channels=one.virtual_channels,
        settings=one.settings,
        turns=one.turns,
        cycles_per_hop=one.cycles_per_hop,
        commit=source_revision()[0],
    )
    component, modules = one.build(one.options)
    return _measured(row, component, seeds=seeds, fmax=fmax, modules=modules)


def our_routers() -> Iterator[Ours]:
    """Routers of 5, 8 and 16 ports, of 5 with 2 virtual channels, and the switch of 8 processors, each with and without
    ``--pipeline 2``."""
    for parameters, options in _ROUTERS:
        for changed in _pipelines(options):
            yield Ours(
                name="fatcube",
                ports=parameters.crossbar_ports,
                options=changed,
                settings=f"32 bits, header among them; {_buffers(options)}",
                turns="all but the one back",
                cycles_per_hop=changed.pipeline,
                build=lambda options, parameters=parameters: (
                    FatNodeRouter(dataclasses.replace(parameters, options=options)),
                    "",
                ),
            )
    flags = f"`--topology switch -n {_SWITCH.n}"
    for changed in _pipelines(RouterOptions()):
        yield Ours(
            name=_BARE,
            ports=_SWITCH.n,
            options=changed,
            settings=f"{flags}`: 32 bits, header among them; {_buffers(RouterOptions())}",
            turns="all",
            cycles_per_hop=changed.pipeline,
            build=lambda options: (FatNodeRouter(RoutedNetwork(_SWITCH, options).router()), ""),
        )
    for changed in _pipelines(RouterOptions()):
        yield Ours(
            name=_STREAMS,
            ports=_SWITCH.n,
            options=changed,
            settings=f"{flags} --interface axi4-stream`: 32 bits beside TLAST, TDEST and TID; {_buffers(RouterOptions())}, "
            "and registers of interfaces, which count what they drop",
            turns="all",
            # Of a packet of one beat, before which a header goes.
            cycles_per_hop=latency_without_load(changed, 1, 2) + sum(interface_latency(changed, 1, crossing=False)),
            build=_with_streams,
        )


def _pipelines(options: RouterOptions) -> list[RouterOptions]:
    return [dataclasses.replace(options, pipeline=pipeline) for pipeline in (1, 2)]


def _with_streams(options: RouterOptions) -> tuple[wiring.Component, str]:
    axi = AxiInDomain(RoutedNetwork(_SWITCH, options))
    return axi, "\n".join(text for shared in axi.parts for text in shared.modules().values())


def _buffers(options: RouterOptions) -> str:
    if options.virtual_channels == 1:
        return f"{options.buffer_depth} flits an input"
    return f"{options.buffer_depth} flits a channel, credits; one channel to and from the processor"


_ONE = RouterOptions(turns="forward")
_CHANNELS = RouterOptions(
    turns="forward", virtual_channels=2, buffer_depth=8, injection_channels=1, ejection_channels=1
)
_SWITCH = Switch(8)
_ROUTERS = (
    (RouterParameters(processors=3, channels=2), _ONE),
    (RouterParameters(processors=4, channels=4), _ONE),
    (RouterParameters(processors=8, channels=4, lanes=2), _ONE),
    (RouterParameters(processors=1, channels=4), _CHANNELS),
)


def _elaborated(peer: Peer, checkouts: Path, trees: Path) -> Elaborated:
    folders: dict[str, Path] = {}
    for repository, commit in peer.commits.items():
        name = repository.rpartition("/")[2]
        needed = sorted(_folders(peer, name))
        tree = trees / f"{name}-{commit}-{digest(needed)}"
        if not tree.exists():
            extract(checkouts, repository, commit, tree, needed)
        folders[name] = tree

    def found(place: str) -> list[Path]:
        name, _, path = place.partition("/")
        if name not in folders:
            raise ParameterError(f"path must begin with the name of a repository, not {place!r}")
        files = sorted(folders[name].glob(path))
        if not files:
            raise ParameterError(f"path must be in its commit, not {place!r}")
        return files

    def written(text: str) -> Path:
        file = trees / f"{digest(text)}.sv"
        file.write_text(text, encoding="utf-8")
        return file

    edited: dict[Path, str] = {}
    for edit in peer.edits:
        original = found(edit.source)[0]
        text = edited.get(original) or original.read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            raise ParameterError(f"edit must replace a text that occurs once in {edit.source}, not {shown(edit.old)}")
        edited[original] = text.replace(edit.old, edit.new)
    # A file takes the place of its original: what is read as a source is not looked for in libraries.
    named = dict.fromkeys([*(file for place in peer.sources for file in found(place)), *edited])
    sources = [written(edited[file]) if file in edited else file for file in named]
    if peer.wrapper_text:
        sources.append(written(peer.wrapper_text))
    ours = trees / f"included-{digest(peer.included_texts)}"
    ours.mkdir(exist_ok=True)
    for name, text in peer.included_texts.items():
        (ours / name).write_text(text, encoding="utf-8")
    module = elaborate(
        sources,
        top=peer.top,
        parameters=peer.parameters,
        includes=[ours, *(folder for place in peer.includes for folder in found(place))],
        libraries=[folder for place in peer.libraries for folder in found(place)],
        defines=peer.defines,
        options=peer.options,
    )
    for what, expected, bits in (
        ("inputs that nothing reads", peer.unread_inputs, module.unread_inputs),
        ("outputs that are constant", peer.constant_outputs, module.constant_outputs),
    ):
        if bits != expected:
            raise ToolError(f"{peer.top} has {bits} bits of {what}, but its description states {expected}")
    return module


def _folders(peer: Peer, repository: str) -> set[str]:
    """The folders of a repository that a router is built from: of its sources, libraries and included files."""
    files = [*peer.sources, *(edit.source for edit in peer.edits)]
    places = [*(place.rpartition("/")[0] for place in files), *peer.libraries, *peer.includes]
    return {path for place in places for name, _, path in [place.partition("/")] if name == repository}


def _measured(row: Row, component: wiring.Component, *, seeds: Sequence[int], fmax: bool, modules: str = "") -> Row:
    result = synthesize(
        component,
        name="router",
        modules=modules,
        wide=False,
        fmax=fmax,
        seeds=seeds,
        cache=cache_folder() / "synthesis",
    )
    return dataclasses.replace(
        row,
        comb=result.area.comb_equivalents,
        ff=result.area.ff,
        cells=dict(result.area.cells),
        mhz=result.fmax_mhz,
        seeds_mhz=result.to_json()["seeds_mhz"] or [],
        commands=list(result.commands),
    )

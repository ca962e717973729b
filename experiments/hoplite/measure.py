"""Area, clock, throughput and latency of Hoplite and of our networks, under packets of one flit."""

from collections.abc import Sequence
import dataclasses
import statistics
from typing import Any

from experiments.hoplite.torus import HopliteRouter, HopliteTorus
from experiments.hoplite.traffic import run_traffic, uniform
from fatcube.groundwork.cache import cache_folder
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topology import Topology
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies.figures import Figures
from fatcube.studies.load import plain_network
from fatcube.synth.measure import SynthesisResult, synthesize
from fatcube.synth.silicon import network_silicon, router_silicon

__all__ = ["LOADS", "NAMES", "Row", "measure"]


LOADS = (0.1, 0.2, 1.0)
"""Offered loads, in flits per cycle and processor; the last is more than any of these networks accepts."""
_SIDE = 4
_HOPLITE = "Hoplite, written by us from the paper"
_OURS: dict[str, Topology] = {
    "fatcube's mesh": Mesh(w=_SIDE, d=2),
    "fatcube's torus": Torus(w=_SIDE, d=2),
}
NAMES = (_HOPLITE, *_OURS)
"""The networks of 4 x 4 processors that are measured."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row(Figures):
    """A network.

    Members
    -------
    name : :class:`str`
        One of :data:`NAMES`.
    processors : :class:`int`
    settings : :class:`str`
        A phrase for the flits and buffers.
    router_comb, router_ff, router_mhz
        COMB equivalents and flip-flops of a router by itself, and its Fmax between registers; ``None`` if it was not placed.
    comb, ff, mhz
        Figures of the whole network, as one flat design; ``None`` if they were not measured.
    commands : list of :class:`str`
        Of the tools that measured the router.
    unloaded : :class:`float`
        The mean latency of packets that nothing holds up, in cycles.
    points : list of lists
        For each of :data:`LOADS`: the load, the flits accepted per cycle and processor, the mean latency in cycles.
    """

    name: str
    processors: int
    settings: str
    router_comb: int
    router_ff: int
    router_mhz: float | None
    comb: int | None
    ff: int | None
    mhz: float | None
    commands: list[str]
    unloaded: float
    points: list[list[float]]

    @property
    def accepted(self) -> float:
        """The most flits per cycle and processor that it was seen to accept."""
        return max(accepted for _, accepted, _ in self.points)

    @property
    def flits_per_second(self) -> float | None:
        """The flits that the whole network accepts in a second, at its clock."""
        return None if self.mhz is None else self.accepted * self.processors * self.mhz * 1e6

    @property
    def flits_per_second_and_comb(self) -> float | None:
        """Flits per second for each COMB equivalent of the whole network."""
        return None if self.flits_per_second is None or not self.comb else self.flits_per_second / self.comb


def measure(
    name: str, *, seeds: Sequence[int], fmax: bool = True, whole: bool = True, options: LoadOptions | None = None
) -> Row:
    """The row of a network.

    Parameters
    ----------
    name : :class:`str`
        One of :data:`NAMES`.
    seeds : sequence of :class:`int`
        Of place and route.
    fmax : :class:`bool`
        Whether it is placed and routed.
    whole : :class:`bool`
        Whether the whole network is synthesized too, and not the router alone.
    options : :class:`LoadOptions` or ``None``
        How long traffic is measured, and how often.
    """
    traffic = dataclasses.replace(options or LoadOptions(), loads=LOADS, packet_flits=(1,))
    flow: dict[str, Any] = {"seeds": seeds, "fmax": fmax, "wide": False}
    if name == _HOPLITE:
        torus, kept = HopliteTorus(_SIDE, _SIDE), cache_folder() / "synthesis"
        return _row(
            name,
            "32 bits beside the address, no buffers",
            synthesize(HopliteRouter(_SIDE, _SIDE, 1, 1), name="hoplite_router", cache=kept, **flow),
            synthesize(torus, name="hoplite", cache=kept, **flow) if whole else None,
            unloaded=1.0 + (_SIDE - 1),  # half a row, half a column, and the register to the processor
            points=[_hoplite_point(torus, load, traffic) for load in traffic.loads],
        )
    test = LoadTest(plain_network(_OURS[name]), traffic)
    channels = test.network.options.virtual_channels
    return _row(
        name,
        f"32 bits, header among them; {test.network.options.buffer_depth} flits an input"
        + (f" and channel, {channels} channels" if channels > 1 else ""),
        router_silicon(test.network, **flow),
        network_silicon(test.network, **flow) if whole else None,
        unloaded=test.latency_without_load,
        points=[[point.load, point.accepted, point.latency] for point in test.points(traffic.loads)],
    )


def _row(
    name: str,
    settings: str,
    router: SynthesisResult,
    whole: SynthesisResult | None,
    *,
    unloaded: float,
    points: list[list[float]],
) -> Row:
    return Row(
        name=name,
        processors=_SIDE**2,
        settings=settings,
        router_comb=router.area.comb_equivalents,
        router_ff=router.area.ff,
        router_mhz=router.fmax_mhz,
        comb=whole and whole.area.comb_equivalents,
        ff=whole and whole.area.ff,
        mhz=whole and whole.fmax_mhz,
        commands=list(router.commands),
        unloaded=unloaded,
        points=points,
    )


def _hoplite_point(torus: HopliteTorus, load: float, options: LoadOptions) -> list[float]:
    runs = [
        run_traffic(
            torus,
            load=load,
            pattern=uniform(torus.columns * torus.rows),
            warm_up=options.warm_up,
            measured=options.measured,
            seed=options.seed + number,
        )
        for number in range(options.repeats)
    ]
    return [load, statistics.fmean(run.accepted for run in runs), statistics.fmean(run.latency for run in runs)]

"""The choice: the Pareto front of area and time for a workload, from what was measured before."""

from collections.abc import Iterable, Iterator, Mapping
import dataclasses
import functools
import itertools
import math
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.cost import price
from fatcube.noc.network import Network
from fatcube.noc.topology import Topology
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.problem import Problem
from fatcube.schedules.size import check_size
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.studies.explore_steps import Work, flits_of_message, least_cycles, least_in_parts, work_in_parts, work_of
from fatcube.studies.pareto import undominated
from fatcube.studies.steps import MOST, candidates
from fatcube.studies.study import Study
from fatcube.synth.ab_model import Sample
from fatcube.synth.families import find_family

__all__ = ["Choice", "Exploration", "SCOPE", "explore", "parse_workload", "pareto_front"]


SCOPE = "hypercubes and fat cubes of 1, 2 and 4 lanes per link"
"""The networks to choose from: see :func:`fatcube.studies.steps.candidates`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Choice:
    """One configuration, its cost and its time.

    Members
    -------
    network : :class:`Network`
    ab, router_cost : :class:`int`
        The papers' price a b of a router, and C_R, that of all routers.
    links : :class:`int`
        C_L, its lanes.
    luts : :class:`float`
        Area of all its routers in the unit of the family, COMB equivalents on an FPGA.
    luts_from : :class:`str`
        The key of the record that measured the router, or ``"model"``, or ``"extrapolated"``: a model of smaller
        routers.
    mhz : :class:`float`
        Fmax of its router.
    mhz_from : :class:`str`
        The source of the Fmax, likewise.
    workload : mapping of :class:`Collective` to :class:`float`
        The times that each runs.
    payload_flits : :class:`int`
        Payload flits of every message.
    allowed : :class:`StepModel`
        The rules of a step.
    message_bytes : :class:`int` or ``None``
        The bytes that a processor has, in place of ``payload_flits``: messages are then divided into the number of parts that
        takes the fewest cycles.
    family : :class:`str`
        The family whose routers these are.
    """

    network: Network
    ab: int
    router_cost: int
    links: int
    luts: float
    luts_from: str
    mhz: float
    mhz_from: str
    workload: Mapping[Collective, float]
    payload_flits: int
    allowed: StepModel = STANDARD
    message_bytes: int | None = None
    family: str = "ecp5"

    @functools.cached_property
    def _works(self) -> dict[Collective, Work]:
        if self.message_bytes is not None:
            flits = {one: flits_of_message(self.message_bytes, one, self.network) for one in self.workload}
            return {one: work_in_parts(self.network, one, flits[one]) for one in self.workload}
        return {one: work_of(self.network, one, self.allowed, self.payload_flits) for one in self.workload}

    @property
    def steps(self) -> dict[str, int]:
        """Steps of each collective by its name; schedules that are not known yet are constructed for it."""
        return {collective.value: work.steps for collective, work in self._works.items()}

    @property
    def parts(self) -> dict[str, int]:
        """The parts of each message of each collective by its name."""
        return {collective.value: work.parts for collective, work in self._works.items()}

    @property
    def cycles(self) -> float:
        """Cycles of the workload in lockstep, which are exact."""
        return sum(times * self._works[one].cycles for one, times in self.workload.items())

    @property
    def microseconds(self) -> float:
        """Time of the workload."""
        return self.cycles / self.mhz

    @functools.cached_property
    def least_microseconds(self) -> float:
        """A lower bound of :attr:`microseconds`, known without a schedule: every step is a short one."""
        if self.message_bytes is not None:
            flits = {one: flits_of_message(self.message_bytes, one, self.network) for one in self.workload}
            return (
                sum(times * least_in_parts(self.network, one, flits[one]) for one, times in self.workload.items())
                / self.mhz
            )
        cycles = sum(
            times * least_cycles(self.network, one, self.allowed, self.payload_flits)
            for one, times in self.workload.items()
        )
        return cycles / self.mhz

    def to_json(self) -> dict[str, Any]:
        """The choice in JSON values."""
        return {
            **self.network.to_json(),
            "a": (cost := price(self.network.topology, self.network.options.ports)).a,
            "b": cost.b,
            "ab": self.ab,
            "C_R": self.router_cost,
            "links": self.links,
            (key := find_family(self.family).unit_key): self.luts,
            f"{key}_from": self.luts_from,
            "fmax_mhz": self.mhz,
            "fmax_from": self.mhz_from,
            "cycles": self.cycles,
            "steps": self.steps,
            "microseconds": self.microseconds,
            **({} if self.message_bytes is None else {"parts": self.parts}),
            **({} if self.allowed == STANDARD else {"step_model": self.allowed.to_file()}),
        }


@dataclasses.dataclass(frozen=True)
class Exploration:
    """The configurations to choose from.

    Members
    -------
    choices : list of :class:`Choice`
        In no order.
    left_out : list of :class:`str`
        The reason for each configuration that is no choice, as its router was not measured and cannot be predicted.
    """

    choices: list[Choice]
    left_out: list[str]


def parse_workload(text: str) -> dict[Collective, float]:
    """The collectives of a workload and the times that each runs: ``"alltoall:4,allgather:1"``; once if not given.

    Raises
    ------
    ParameterError
        If it is no such text, or a collective stands in it twice.
    """
    workload: dict[Collective, float] = {}
    for part in text.split(","):
        name, colon, times = part.strip().partition(":")
        collective = Collective.parse(name.strip())
        try:
            weight = float(times) if colon else 1.0
        except ValueError:
            weight = 0.0
        if not 0 < weight < 1e12:
            raise ParameterError(
                f"workload must say how often {collective.value} runs as a number above 0, not {times.strip()!r}"
            )
        if collective in workload:
            raise ParameterError(f"workload must have each collective once, but it has {collective.value} twice")
        workload[collective] = weight
    return workload


def explore(
    processors: int,
    workload: Mapping[Collective, float],
    study: Study,
    *,
    payload_flits: int = 16,
    options: RouterOptions = RouterOptions(),
    allowed: StepModel = STANDARD,
    measured_only: bool = False,
    message_bytes: int | None = None,
    topology: Topology | None = None,
    ports: PortModel | None = None,
) -> Exploration:
    """The :class:`Exploration` of hypercubes and fat cubes with that number of processors, or of one topology.

    Routers that ``study`` has not measured are predicted by its models, where they can be. A network whose headers do
    not fit into a flit is no choice.

    Parameters
    ----------
    processors : :class:`int`
    workload : mapping of :class:`Collective` to :class:`float`
        The times that each runs.
    study : :class:`Study`
    payload_flits : :class:`int`
        Payload flits of every packet.
    options : :class:`RouterOptions`
        The routers, but for their model, which is chosen too.
    allowed : :class:`StepModel`
        The rules of a step; its links are those of ``options``. For direct transfers, routers have all turns that routes of as
        many hops as there are dimensions take. A router model that cannot do these steps is no choice, and neither is model b
        with direct transfers.
    message_bytes : :class:`int` or ``None``
        As in :class:`Choice`; steps are the default ones then.
    measured_only : :class:`bool`
        Predict nothing: only networks whose router was measured and placed are choices. Cycles are exact.
    topology : :class:`Topology` or ``None``
        The only topology to choose from, which has that number of processors.
    ports : :class:`PortModel` or ``None``
        The only model of routers to choose from.

    Raises
    ------
    ParameterError
        If a parameter is out of range, there is no such network, or no router was measured and none can be predicted.
    """
    check_integer("payload flits", payload_flits, minimum=1, maximum=MOST_FLITS - 1)
    width = options.width
    topologies = candidates(processors) if topology is None else [topology]
    if topology is not None:
        check_integer(f"processors of the {topology.name}", topology.processors, minimum=2, maximum=MOST)
        for collective in workload:
            _check_size(topology, collective, ports)
    if not topologies:
        raise ParameterError(f"processors must be a multiple of 2, as those of every cube are, not {processors}")
    largest = max(router.network.router().crossbar_ports for router in study.routers.values())
    found = Exploration([], [])
    for network in _networks(topologies, options, allowed, tuple(PortModel) if ports is None else (ports,)):
        try:
            if measured_only and not ((router := study.routers.get(network)) and router.mhz):
                raise ParameterError("its router was not measured and placed")
            found.choices.append(_choice(network, workload, study, payload_flits, largest, allowed, message_bytes))
        except ParameterError as error:
            found.left_out.append(str(error))
    if found.left_out and not found.choices and not measured_only:
        widths = sorted({router.network.options.width for router in study.routers.values()} - {width})
        raise ParameterError(
            found.left_out[0]
            + (
                f"; they have routers of flits of {', '.join(map(str, widths))} bits (--width), not of {width}"
                if widths and not any(router.network.options.width == width for router in study.routers.values())
                else ""
            )
        )
    if not found.left_out and not found.choices:
        raise ParameterError(f"width must be enough for the headers of {processors} processors, not {width}")
    return found


def _choice(
    network: Network,
    workload: Mapping[Collective, float],
    study: Study,
    payload_flits: int,
    largest: int,
    allowed: StepModel,
    message_bytes: int | None,
) -> Choice:
    """The choice of a network; what was not measured of its router is predicted, up to ``largest`` ports by a model."""
    router, cost = study.routers.get(network), price(network.topology, network.options.ports)
    sample = Sample.of_router(network)
    model = "model" if sample.a <= largest else "extrapolated"
    if router:
        luts, luts_from = router.luts, router.key
    else:
        luts, luts_from = _above_0(study.unit, study.luts.fit.predict(sample)), model
    if router and router.mhz:
        mhz, mhz_from = router.mhz, router.key
    else:
        mhz, mhz_from = 1000 / _above_0("period", study.frequency.fit.predict(sample)), model
    return Choice(
        network=network,
        ab=cost.ab,
        router_cost=cost.router_cost,
        links=cost.links,
        luts=luts * cost.routers,
        luts_from=luts_from,
        mhz=mhz,
        mhz_from=mhz_from,
        workload=workload,
        payload_flits=payload_flits,
        allowed=allowed,
        message_bytes=message_bytes,
        family=study.family,
    )


def _check_size(topology: Topology, collective: Collective, ports: PortModel | None) -> None:
    """Refuse a schedule that would take long to construct, as it does where what is built for one node holds for no other."""
    if len(topology.translations) == 1:
        for phase in collective.phases:
            check_size(Problem(topology, ports or PortModel.ONE, phase))


def _networks(
    topologies: Iterable[Topology], options: RouterOptions, allowed: StepModel, models: Iterable[PortModel]
) -> Iterator[Network]:
    """The topologies with each of the router models that can do the steps, as far as headers fit into flits."""
    for topology, ports in itertools.product(topologies, models):
        try:
            allowed.check_ports(ports)
            if allowed.direct and ports.copies:
                continue  # Direct transfers need virtual cut-through, and buffers for whole packets, which no model predicts.
            hops = {"hops": topology.degree} if allowed.direct else {}
            yield Network(topology, options.changed(ports=ports, **hops))
        except ParameterError:
            continue


def _above_0(name: str, predicted: float) -> float:
    if not 0 < predicted < math.inf:
        raise ParameterError(
            f"results must have routers from which the model can extrapolate: the predicted {name} are not above 0"
        )
    return predicted


def pareto_front(choices: Iterable[Choice], *, max_luts: int | None = None) -> list[Choice]:
    """The Pareto front of area and time over ``choices``, by area; of several that are equal in both, all are there.

    ``max_luts`` leaves out larger ones. Schedules are constructed only for those that a lower bound of their time does
    not rule out.
    """
    best = math.inf
    open_: list[Choice] = []
    for choice in sorted(choices, key=lambda one: (one.luts, one.least_microseconds)):
        if (max_luts is None or choice.luts <= max_luts) and choice.least_microseconds <= best:
            open_.append(choice)
            best = min(best, choice.microseconds)
    return undominated(open_, lambda one: (one.luts, one.microseconds))

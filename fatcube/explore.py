"""The choice: the networks that nothing beats in area and time for a workload, from what was measured before."""

import dataclasses

from fatcube.steps import candidates, steps_of
from noc.cost import price
from noc.network import Network
from rtl.monitor import MOST_FLITS
from rtl.parameters import ParameterError, check_integer
from rtl.port_model import PortModel
from schedules.collective import Collective
from schedules.cycles import lockstep_cycles
from synth.ab_model import Sample

__all__ = ["Choice", "explore", "front", "parse_workload"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Choice:
    """One configuration, and what it costs and takes.

    Members
    -------
    network : :class:`Network`
    ab : :class:`int`
        C_R, the papers' price of all its routers.
    links : :class:`int`
        C_L, its lanes.
    luts : :class:`float`
        COMB equivalents of all its routers.
    luts_from : :class:`str`
        The key of the record that measured the router, or ``"model"``, or ``"extrapolated"``: a model of smaller
        routers.
    mhz : :class:`float`
        Fmax of its router.
    mhz_from : :class:`str`
        The same of that.
    cycles : :class:`float`
        Of the workload in lockstep, which are exact.
    steps : mapping of :class:`str` to :class:`int`
        Steps of each collective.
    """

    network: Network
    ab: int
    links: int
    luts: float
    luts_from: str
    mhz: float
    mhz_from: str
    cycles: float
    steps: dict

    @property
    def microseconds(self):
        """Time of the workload."""
        return self.cycles / self.mhz

    def to_json(self):
        """The choice in JSON values."""
        return {**self.network.to_json(), "ab": self.ab, "links": self.links, "luts": self.luts,
                "luts_from": self.luts_from, "fmax_mhz": self.mhz, "fmax_from": self.mhz_from, "cycles": self.cycles,
                "steps": self.steps, "microseconds": self.microseconds}


def parse_workload(text):
    """The collectives of a workload and how often each runs: ``"alltoall:4,allgather:1"``; once if nothing is said.

    Raises
    ------
    ParameterError
        If it is no such text, or a collective stands in it twice.
    """
    workload = {}
    for part in text.split(","):
        name, colon, times = part.strip().partition(":")
        collective = Collective.parse(name.strip())
        try:
            weight = float(times) if colon else 1.0
        except ValueError:
            weight = 0.0
        if not 0 < weight < 1e12:
            raise ParameterError(f"workload must say how often {collective.value} runs as a number above 0, not "
                                 f"{times.strip()!r}")
        if collective in workload:
            raise ParameterError(f"workload must have each collective once, but {collective.value} stands in it twice")
        workload[collective] = weight
    return workload


def explore(processors, workload, study, *, payload_flits=16, measured_only=False):
    """Every :class:`Choice` for that number of processors, with 32-bit flits, in no order.

    What ``study`` has not measured is predicted by its models. A network whose headers do not fit into a flit is no
    choice.

    Parameters
    ----------
    processors : :class:`int`
    workload : mapping of :class:`Collective` to :class:`float`
        How often each runs.
    study : :class:`Study`
    payload_flits : :class:`int`
        Payload flits of every packet.
    measured_only : :class:`bool`
        Leave out what has a router that was not measured, or not placed. Cycles are exact, so nothing is predicted.

    Raises
    ------
    ParameterError
        If a parameter is out of range, there is no such network, or there is too little in the study to predict from.
    """
    check_integer("payload flits", payload_flits, minimum=1, maximum=MOST_FLITS - 1)
    topologies = candidates(processors)
    if not topologies:
        raise ParameterError(f"processors to choose for must be a multiple of 2, for there to be a cube, not "
                             f"{processors}")
    largest = max(router.network.router().crossbar_ports for router in study.routers.values())
    choices = []
    for topology in topologies:
        for ports in PortModel:
            try:
                network = Network(topology=topology, ports=ports)
            except ParameterError:
                continue
            router = study.routers.get(network)
            if measured_only and not (router and router.mhz):
                continue
            sample = Sample.of_router(network)
            model = "model" if sample.a <= largest else "extrapolated"
            luts, luts_from = (router.luts, router.key) if router else (study.luts.fit.predict(sample), model)
            mhz, mhz_from = (router.mhz, router.key) if router and router.mhz else (
                1000 / study.frequency.fit.predict(sample), model)
            steps = {collective: steps_of(topology, ports, collective) for collective in workload}
            cost = price(topology, ports)
            choices.append(Choice(
                network=network, ab=cost.router_cost, links=cost.links, luts=luts * cost.routers, luts_from=luts_from,
                mhz=mhz, mhz_from=mhz_from, steps={one.value: kinds.steps for one, kinds in steps.items()},
                cycles=sum(times * lockstep_cycles(steps[one], network, payload_flits)
                           for one, times in workload.items())))
    return choices


def front(choices, *, max_luts=None):
    """Those of ``choices`` that no other beats, by area: none is as small and as fast, and better in one of them.

    Of several that are equal in both, all are there. ``max_luts`` leaves out what is larger.
    """
    best, kept = None, []
    for choice in sorted(choices, key=lambda one: (one.luts, one.microseconds)):
        if max_luts is not None and choice.luts > max_luts:
            continue
        equal = kept and (kept[-1].luts, kept[-1].microseconds) == (choice.luts, choice.microseconds)
        if best is None or choice.microseconds < best or equal:
            kept.append(choice)
            best = choice.microseconds
    return kept

"""The steps of the collectives on the networks that `fatcube explore` chooses from, known without a search.

A schedule for 64 processors takes up to seconds to construct, and only its steps are needed to compare networks.
They stand in steps.json, which this command makes anew from the constructions, in half an hour:

    python -m fatcube.studies.steps

For powers of two it has all networks, for other numbers of processors those whose schedules take seconds: all-to-all
with one port. It has broadcast, scatter, all-gather and all-to-all only, as the others are made of them.
"""

from collections.abc import Iterable, Iterator
import functools
from importlib import resources
import json
from pathlib import Path

from fatcube.groundwork.files import write_text
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.all_to_all import most_steps
from fatcube.schedules.constructions.reversal import forwards
from fatcube.schedules.cycles import StepKinds, count_steps
from fatcube.schedules.problem import Problem

__all__ = ["MOST", "candidates", "fewest_steps", "steps_of"]


MOST = 256  # processors to choose for
_LANES = (1, 2, 4)
_KNOWN = (2, 4, 8, 16, 32, 64, 128, 256)  # processors
_COUNTED = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)


def candidates(processors: int) -> list[Topology]:
    """The hypercube and the fat cubes with that number of processors, of 1, 2 and 4 lanes per link.

    Never more lanes than processors on a node.

    Raises
    ------
    ParameterError
        If there can be none.
    """
    check_integer("processors to choose for", processors, minimum=2, maximum=MOST)
    found: list[Topology] = []
    for d in range(1, processors.bit_length()):
        m, rest = divmod(processors, 1 << d)
        if rest == 0 and m == 1:
            found.append(Hypercube(d))
        elif rest == 0:
            found += [FatCube(d, m, f) for f in _LANES if f <= m]
    return found


def steps_of(topology: Topology, ports: PortModel | str, collective: Collective | str) -> StepKinds:
    """The :class:`StepKinds` of the schedule that :func:`fatcube.schedules.construct.construct` gives, from processor 0.

    Raises
    ------
    ParameterError
        If there is no such model or collective.
    """
    ports, collective = PortModel.parse(ports), Collective.parse(collective)
    if len(collective.phases) > 1:
        return StepKinds(*map(sum, zip(*(steps_of(topology, ports, phase) for phase in collective.phases))))
    if reversed_ := forwards(ports, collective):
        return steps_of(topology, *reversed_)
    return _counted(topology, ports, collective)


def fewest_steps(topology: Topology, ports: PortModel | str, collective: Collective | str) -> int:
    """A lower bound of the steps of :func:`steps_of`, in milliseconds where a schedule takes seconds to construct."""
    collective = Collective.parse(collective)
    return sum(lower_bound(Problem(topology, ports, phase)).steps for phase in collective.phases)


@functools.cache
def _counted(topology: Topology, ports: PortModel, collective: Collective) -> StepKinds:
    if ports is PortModel.D_PORT and topology.degree == 1:
        return _counted(topology, PortModel.ONE, collective)  # A processor has one port in both.
    known = _table().get(_name(topology, ports, collective))
    if known:
        return StepKinds(*known)
    if collective is Collective.AAS and ports is PortModel.ONE and _lanes_never_idle(topology):
        return StepKinds(_lane_steps(topology), 0, 0)
    return count_steps(construct(Problem(topology, ports, collective)).found)


def _lane_steps(topology: Topology) -> int:
    """The steps in which all-to-all on a cube has to use lanes: :func:`fatcube.schedules.bounding.totals.lanes_in_total`."""
    return -(-topology.processors * topology.m // (2 * topology.f))


def _lanes_never_idle(topology: Topology) -> bool:
    """Return true if all-to-all takes no other steps, so that no schedule need be constructed to count them."""
    d, m, f = topology.degree, topology.m, topology.f
    return m > d * f and most_steps(d, m, f) == _lane_steps(topology)


def _name(topology: Topology, ports: PortModel, collective: Collective) -> str:
    return f"{topology} ports={ports.value} {collective.value}"


@functools.cache
def _table() -> dict[str, list[int]]:
    return json.loads(resources.files("fatcube.studies").joinpath("steps.json").read_text(encoding="utf-8"))


def _lines(known: Iterable[int] = _KNOWN) -> Iterator[tuple[str, list[int]]]:
    """The names and steps by kind of all networks that 32-bit flits can address, counted anew."""
    for processors in known:
        for topology in candidates(processors):
            for ports in PortModel:
                try:
                    Network(topology, RouterOptions(ports=ports))
                except ParameterError:
                    continue
                for collective in _COUNTED:
                    yield _line(topology, ports, collective)


def _slow_lines(most: int = MOST) -> Iterator[tuple[str, list[int]]]:
    """The names and steps by kind of all-to-all on other numbers of processors, where they take seconds to count."""
    for processors in sorted(set(range(2, most + 1, 2)).difference(_KNOWN)):
        for topology in candidates(processors):
            if topology.m > topology.degree * topology.f and not _lanes_never_idle(topology):
                yield _line(topology, PortModel.ONE, Collective.AAS)


def _line(topology: Topology, ports: PortModel, collective: Collective) -> tuple[str, list[int]]:
    return _name(topology, ports, collective), list(count_steps(construct(Problem(topology, ports, collective)).found))


if __name__ == "__main__":
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(steps)}" for name, steps in [*_lines(), *_slow_lines()])
    write_text(Path(__file__).with_name("steps.json"), f"{{\n{text}\n}}\n")

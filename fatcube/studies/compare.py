"""Topologies side by side at about the same number of processors."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
import dataclasses

from fatcube.groundwork.progress import tracked
from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.noc.cost import price
from fatcube.noc.measures import measure
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.size import check_size
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.sim.collectives.simulate import Run, simulate_all
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.saturation import curve, saturation
from fatcube.studies.comparing.candidates import candidates, each_with_failures, with_lanes, with_ports
from fatcube.studies.comparing.silicon import Flow, silicon_of
from fatcube.studies.comparison import COLLECTIVES, Compared, GivenNetwork, Steps, UnderLoad
from fatcube.studies.load import plain_network
from fatcube.studies.models import PAYLOAD_FLITS, machine_of

__all__ = [
    "candidates",
    "check_comparison",
    "check_given",
    "check_load",
    "check_steps",
    "compare",
    "compare_given",
    "each_with_failures",
    "own_options",
    "with_lanes",
    "with_ports",
]


MOST_NODES = 2048
MOST_PROCESSORS = 1024
_OF_A_ROUTING = (
    "hops",
    "channel_classes",
    "turns",
    "links",
)  # options that a schedule sets otherwise, or its steps say


def check_comparison(topology: Topology) -> None:
    """Refuse a topology that is too large to be compared.

    Raises
    ------
    ParameterError
        If it has more than 2,048 nodes or 1,024 processors.
    """
    check_count("nodes", topology.nodes, maximum=MOST_NODES, what=f"to compare the {topology.name}")
    check_count("processors", topology.processors, maximum=MOST_PROCESSORS, what=f"to compare the {topology.name}")


def check_steps(model: PortModel, steps: StepModel, load: str | None) -> None:
    """Refuse steps that routers of this model cannot do, and other steps than the usual ones with a load.

    Raises
    ------
    ParameterError
        If they are refused.
    """
    steps.check_ports(model)
    if load is not None and steps != STANDARD:
        raise ParameterError(f"load must be measured without {steps}, as only collectives go in steps")


def compare(
    topologies: Sequence[Topology],
    ports: PortModel | str,
    *,
    steps: StepModel = STANDARD,
    run: bool = False,
    load: str | None = None,
    flow: Flow | None = None,
) -> list[Compared]:
    """The figures of each topology: measures of its graph, its price, and the steps of the four collectives.

    A collective is left out if steps cannot do it, or building it would take long (:func:`fatcube.schedules.size.check_size`).

    Parameters
    ----------
    topologies : list of :class:`Topology`
    ports : :class:`PortModel` or :class:`str`
        The router model of all of them.
    steps : :class:`StepModel`
        The rules of a step: links, reach of transfers, and messages per packet. With simplex links, the graph and its price
        count the lanes in their one direction.
    run : :class:`bool`
        Run the schedules on the RTL too, in lockstep with 16 payload flits: steps, cycles, and failures.
    load : :class:`str` or ``None``
        Measure the networks on the RTL under this pattern too: latency without load, saturation, and what is accepted.
    flow : :class:`Flow` or ``None``
        Measure area too, and the clock as far as it says.

    Raises
    ------
    ParameterError
        If there is no such pattern, the model has no networks for anyone's traffic, or no such steps.
    """
    model = PortModel.parse(ports)
    check_load(model, load)
    check_steps(model, steps, load)
    if flow is not None:
        for topology in topologies:
            plain_network(topology, model)  # Refuses what has no such routers, before others are measured.
    return [
        _compared(topology, model, steps, run=run, load=load, flow=flow)
        for topology in tracked(topologies, "comparing", len(topologies))
    ]


def compare_given(
    networks: Sequence[GivenNetwork],
    *,
    steps: StepModel = STANDARD,
    run: bool = False,
    load: str | None = None,
    flow: Flow | None = None,
) -> list[Compared]:
    """The figures of networks of a user's, each with its own router model and kind of links.

    Parameters
    ----------
    networks : list of :class:`GivenNetwork`
    steps : :class:`StepModel`
        The rules of a step, besides the links, which each network has.
    run : :class:`bool`
        Run the schedules on the RTL with routers of these options.
    load : :class:`str` or ``None``
        Measure these networks, with their routing, under this pattern.
    flow : :class:`Flow` or ``None``
        Measure area too, and the clock as far as it says.

    Raises
    ------
    ParameterError
        If there is no such pattern, or a network cannot have these steps or this traffic; the message begins with its name.
    """
    check_given(networks, steps, load)
    found = []
    for one in tracked(networks, "comparing", len(networks)):
        network, allowed = one.network, _steps_on(one.network, steps)
        row = _compared(network.topology, network.options.ports, allowed, run=run, load=load, flow=flow, given=network)
        found.append(dataclasses.replace(row, network=str(one), machine=network.to_json()))
    return found


def check_given(networks: Iterable[GivenNetwork], steps: StepModel, load: str | None) -> None:
    """Refuse networks of a user's that cannot have these steps or this traffic.

    Raises
    ------
    ParameterError
        At the first; the message begins with its name.
    """
    for one in networks:
        try:
            check_steps(one.network.options.ports, _steps_on(one.network, steps), load)
            if load is not None:
                LoadOptions(pattern=load)
                _routed(one.network)
        except ParameterError as error:
            raise ParameterError(f"{one.name}: {error}") from None


def _steps_on(network: Network, steps: StepModel) -> StepModel:
    """The steps with the links of a network. The links of a one-way topology follow from it."""
    return steps.changed(links=network.options.links)


def _routed(network: Network) -> RoutedNetwork:
    if not isinstance(network, RoutedNetwork):
        raise ParameterError("routing must be given for a comparison under load, not none")
    return network


def _compared(
    topology: Topology,
    model: PortModel,
    allowed: StepModel,
    *,
    run: bool,
    load: str | None,
    flow: Flow | None = None,
    given: Network | None = None,
) -> Compared:
    measured = None if flow is None else plain_network(topology, model) if given is None else _routed(given)
    lanes = allowed.lanes_of(topology)
    graph, cost = measure(lanes), price(lanes, model)
    findings = [
        construct(Problem(topology, model, one, topology.working[0], model=allowed))
        for one in _possible(topology, model)
    ]
    steps = {
        finding.found.collective.value: Steps(steps=check(finding.found).steps, lower_bound=finding.bound.steps)
        for finding in findings
    }
    if flow is not None:
        options = RouterOptions() if given is None else given.options
        steps = _with_cycles([finding.found for finding in findings], steps, options)
    if run and findings:
        steps = _run(
            [finding.found for finding in findings], steps, RouterOptions() if given is None else given.options
        )
    return Compared(
        network=str(topology),
        topology=topology.to_json(),
        ports=model.value,
        steps=allowed.to_file() or None,
        processors=len(topology.working),
        nodes=topology.nodes,
        degree=topology.degree,
        links=graph.links,
        bisection=graph.bisection.width,
        bisection_at_least=graph.bisection.at_least,
        diameter=graph.diameter,
        average_distance=float(graph.average_distance),
        connectivity=graph.connectivity,
        ab=cost.ab,
        router_cost=cost.router_cost,
        collectives=steps,
        load=None if load is None else _under_load(given, topology, model, load),
        silicon=None if measured is None or flow is None else silicon_of(measured, flow),
        machine=None if measured is None else measured.to_json(),
    )


def _with_cycles(schedules: Sequence[Schedule], steps: Mapping[str, Steps], options: RouterOptions) -> dict[str, Steps]:
    """``steps`` with the cycles of each schedule in lockstep by formula, on a machine with routers of these options."""
    if not schedules:
        return {}
    network = machine_of(schedules, own_options(options)).network
    return {
        one.collective.value: dataclasses.replace(
            steps[one.collective.value], lockstep_cycles=lockstep_cycles(one, network, PAYLOAD_FLITS)
        )
        for one in schedules
    }


def own_options(options: RouterOptions) -> RouterOptions:
    """The options of routers that schedules do not set otherwise."""
    return RouterOptions(**{name: getattr(options, name) for name in options.given if name not in _OF_A_ROUTING})


def _run(schedules: Sequence[Schedule], steps: Mapping[str, Steps], options: RouterOptions) -> dict[str, Steps]:
    """``steps`` with what the schedules took on the RTL, all on one machine with routers of these options."""
    runs = [Run(schedule=schedule, payload_flits=PAYLOAD_FLITS) for schedule in schedules]
    return {
        schedule.collective.value: dataclasses.replace(
            steps[schedule.collective.value],
            measured_steps=result.steps,
            cycles=result.cycles,
            delivered=result.delivered,
            failures=list(result.failures),
        )
        for schedule, result in zip(schedules, simulate_all(machine_of(schedules, own_options(options)), runs))
    }


def check_load(model: PortModel, pattern: str | None) -> None:
    """Refuse a pattern that there is not, and one with routers that no traffic of anyone's goes through.

    Raises
    ------
    ParameterError
        If it is refused.
    """
    if pattern is not None:
        LoadOptions(pattern=pattern)
        plain_network(Hypercube(1), model)


def _under_load(given: Network | None, topology: Topology, model: PortModel, pattern: str) -> UnderLoad:
    """The figures under a pattern, with one run a load; none if the pattern does not suit the topology."""
    try:
        network = plain_network(topology, model) if given is None else _routed(given)
        test = LoadTest(network, LoadOptions(pattern=pattern, repeats=1))
    except ParameterError:
        return UnderLoad(
            pattern=pattern, latency_without_load=None, saturation=None, accepted=None, bound=None, failures=[]
        )
    found = curve(test, [1.0], saturation(test))
    cause = found.cause(test.network.options)
    return UnderLoad(
        pattern=pattern,
        latency_without_load=found.latency_without_load,
        saturation=found.saturation,
        accepted=found.throughput,
        bound=found.bound,
        failures=found.failures,
        limit=found.limit(test.network.options, max(test.options.packet_flits)),
        cause=cause.value if cause else "-",
    )


def _possible(topology: Topology, ports: PortModel) -> Iterator[Collective]:
    """The collectives that can be built on ``topology``, in about ten seconds each.

    They are the ones with translations: a schedule that is built for one node holds for all.
    """
    for collective in COLLECTIVES:
        try:
            if len(topology.translations) == 1:
                check_size(Problem(topology, ports, collective, topology.working[0]))
        except ParameterError:
            continue
        yield collective

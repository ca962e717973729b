"""The capabilities of a network in a step, and a schedule in terms of its lanes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.orientation import lanes_leaving
from fatcube.noc.path_network import PathNetwork
from fatcube.noc.topology import Topology
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.switching import Switching
from fatcube.schedules.routes import turns_of
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import UNLIMITED, Links, StepModel, Transfers

__all__ = ["check_fits", "common_network", "empty_network", "network_of", "steps_of", "wired"]


def steps_of(network: Network) -> StepModel:
    """The widest steps that the routers and lanes of a network can do.

    Packets cross several links in a step where routes have several hops, unless each router stores them. Routers that copy
    packets take one message in each.
    """
    options = network.options
    direct = options.hops > 1 and options.switching != Switching.STORE_AND_FORWARD
    return StepModel(
        transfers=Transfers.DIRECT if direct else Transfers.ADJACENT,
        links=Links.HALF_DUPLEX if options.shared_lanes else Links.FULL_DUPLEX,
        per_packet=1 if options.ports.copies else UNLIMITED,
    )


def wired(schedule: Schedule) -> Schedule:
    """The schedule on the lanes that the hardware has: that of simplex links written out on lanes of one direction each.

    See :func:`fatcube.noc.orientation.oriented`: an even number of simplex lanes is half as many full-duplex lanes, and one
    is a one-way link.
    """
    if schedule.model.links is not Links.SIMPLEX:
        return schedule
    topology, written = schedule.topology, schedule.expanded()

    def lane(here: int, there: int, number: int) -> int:
        return number - lanes_leaving(topology, here, there).start

    transfers = []
    for transfer in written.transfers:
        hops = [(there, lane(here, there, number)) for here, there, number in transfer.hops(topology)]
        if transfer.path:
            transfers.append(replace(transfer, path=tuple(hops)))
        else:
            transfers.append(replace(transfer, lane=hops[0][1] if hops else None))
    return replace(
        written,
        topology=schedule.model.lanes_of(topology),
        transfers=tuple(transfers),
        model=schedule.model.changed(links=Links.FULL_DUPLEX),
    )


def empty_network(topology: Topology, options: RouterOptions, model: StepModel) -> Network:
    """The network of schedules of a step model over single links, to see whether it can be built."""
    needed = {"links": Links.HALF_DUPLEX.value} if model.links is Links.HALF_DUPLEX else {}
    return Network(model.lanes_of(topology), options.needing(**needed))


def network_of(schedule: Schedule, options: RouterOptions, *, links: Links | None = None) -> Network:
    """The network that a schedule runs on: see :func:`common_network`."""
    return common_network([schedule], options, links=links)


def common_network(schedules: Sequence[Schedule], options: RouterOptions, *, links: Links | None = None) -> Network:
    """The network that schedules run on: with their lanes, and with what their steps need where ``options`` do not say it.

    Its links are those of the model, routes are as long as the longest path, and routers that copy packets of several hops
    have virtual cut-through. Where routes have several hops, routers have the turns that the packets of these schedules take
    (:class:`~fatcube.noc.path_network.PathNetwork`), unless ``options`` say others.

    Parameters
    ----------
    schedules : list of :class:`Schedule`
        One or more, for the same topology, router model and links.
    options : :class:`RouterOptions`
        The options of its routers except the kind of links.
    links : :class:`Links` or ``None``
        The links of the hardware; those of the model if not given.

    Raises
    ------
    ParameterError
        If the network could not do what a schedule allows, or cannot be built.
    """
    found = [wired(schedule) for schedule in schedules]
    first = schedules[0]
    hops = max((len(transfer.path) for one in found for transfer in one.transfers), default=0)
    needed: dict[str, Any] = {"hops": max(1, hops)}
    links = first.model.links if links is None else Links(links)
    for schedule, one in zip(schedules, found):
        if (links is Links.SIMPLEX) != (one is not schedule):
            raise _too_narrow(schedule.model.links, links)
    if links is Links.HALF_DUPLEX:
        needed["links"] = Links.HALF_DUPLEX.value
    if hops > 1 and first.ports.copies:
        needed["switching"] = Switching.VIRTUAL_CUT_THROUGH.value
    parts = max(schedule.parts for schedule in schedules)
    network = Network(found[0].topology, options.changed(ports=first.ports).needing(**needed), parts=parts)
    for schedule in schedules:
        check_fits(schedule, network)
    if network.options.hops == 1 or network.options.turns != "used":
        return network
    taken = frozenset().union(*(turns_of(one, network.router()) for one in found))
    return PathNetwork(network.topology, network.options, parts=parts, taken_turns=taken)


def check_fits(schedule: Schedule, network: Network) -> Schedule:
    """Return the :func:`wired` schedule if it is one for this network, whose steps are as wide as those of its model.

    Raises
    ------
    ParameterError
        If it is for another topology or router model, its paths are longer than routes of the network, its model exceeds
        the capabilities of the network, or its packets take turns that the routers do not have.
    """
    found = wired(schedule)
    if found.topology != network.topology or found.ports is not network.options.ports:
        raise ParameterError(
            f"schedule must be for the {network.name}, not for the {found.topology.name}{found.ports.suffix}"
        )
    longest = max((len(transfer.path) for transfer in found.transfers), default=0)
    # A schedule that may send packets over several links need not do so.
    needs = found.model if longest > 1 else found.model.changed(transfers=Transfers.ADJACENT)
    options = network.options
    if longest > 1 and options.switching == Switching.STORE_AND_FORWARD:
        raise ParameterError(
            f"switching must be another one than {options.switching} for packets that cross several links in a step"
        )
    if longest > options.hops:
        raise ParameterError(f"hops must be at least {longest} for the paths of the schedule, not {options.hops}")
    found_links = steps_of(network).links
    if not needs <= needs.changed(links=found_links):
        raise _too_narrow(needs.links, found_links)
    if not needs <= steps_of(network):
        raise ParameterError(
            f"network must do what a step of the schedule allows ({needs}), and the {network.name} with {options.links} links does not"
        )
    if isinstance(network, PathNetwork):
        network.check_turns(turns_of(found, network.router()))
    return found


def _too_narrow(needed: Links, found: Links) -> ParameterError:
    return ParameterError(f"links must be {needed} for this schedule, or wider, not {found}")

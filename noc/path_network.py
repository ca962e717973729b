"""A network for packets that take known paths: its routers have the turns of these."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.routing.turns import Turns
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["PathNetwork"]


@dataclasses.dataclass(frozen=True)
class PathNetwork(Network):
    """A network without a routing, whose routers have the turns of given paths instead of all that routes can take.

    Nodes with the same ports have the same router, so that one module serves them all. As a router has no input or output
    without a turn, ports that no path takes keep the first of the turns that routes can take.

    Parameters
    ----------
    taken_turns : set of (:class:`int`, :class:`int`)
        The turns of the paths at any node, from input to output, numbered as in :class:`RouterParameters`.

    Raises
    ------
    ParameterError
        If the options say which turns there are, or a turn is none that a route can take.
    """

    _: dataclasses.KW_ONLY
    taken_turns: Turns = frozenset()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.options.turns != "used":
            raise ParameterError(f"turns must be used for those of given paths, not {self.options.turns}")
        if self.taken_turns - self._possible:
            wrong = self._named(self.taken_turns - self._possible)
            raise ParameterError(f"taken turns must be ones that a route can take, not {wrong}")

    def check_turns(self, turns: Turns) -> None:
        """Refuse packets that take turns which the paths of this network do not take.

        Raises
        ------
        ParameterError
            If they do; the message names the first such turn.
        """
        if turns - self.taken_turns:
            raise ParameterError(
                f"schedule must take turns that the routers of its machine have, not {self._named(turns - self.taken_turns)}"
            )

    def _named(self, turns: Turns) -> str:
        """The first of these turns, by the names of its input and output."""
        number, output = min(turns)
        router = self.router()
        return f"that from {router.input_names[number]} to {router.output_names[output]}"

    def router(self, *, counters: bool = False) -> RouterParameters:
        """The parameters of the router at every node."""
        return dataclasses.replace(self._of_paths, counters=counters)

    @cached_property
    def routers(self) -> Sequence[tuple[RouterParameters, Sequence[int]]]:
        """See :class:`Network`. Where nodes have ports of their own only, each of these has a turn at every such router."""
        own = self._with_own_ports([(self._router(), range(self.topology.nodes))])
        return [(self._with_turns(router), nodes) for router, nodes in own]

    @cached_property
    def _of_paths(self) -> RouterParameters:
        return self._with_turns(self._router())

    def _with_turns(self, router: RouterParameters) -> RouterParameters:
        """A router that has all turns that routes can take, with those of the paths and one for every other port."""
        possible = _turns_of(router)
        turns = self.taken_turns.intersection(possible)
        for side, ports in enumerate((router.inputs, router.outputs)):
            for number in set(ports) - {turn[side] for turn in turns}:
                turns |= {next(turn for turn in possible if turn[side] == number)}
        return dataclasses.replace(router, turns=turns)

    @cached_property
    def _possible(self) -> Turns:
        """The turns that routes of a number of hops can take."""
        return frozenset(_turns_of(self._router()))

    def to_json(self) -> dict[str, Any]:
        """The parameters as in a result record."""
        return {**super().to_json(), "taken_turns": sorted(map(list, self.taken_turns))}


def _turns_of(router: RouterParameters) -> list[tuple[int, int]]:
    """The turns of a router, in order."""
    return [(number, output) for number in sorted(router.inputs) for output in sorted(router.reach(number))]

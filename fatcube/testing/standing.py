"""Lanes between routers on which a flit waits, for the message of a test that hangs."""

from typing import Any

from fatcube.rtl.protocols.flits import FLITS
from fatcube.testing.description import Description
from fatcube.testing.ends import high

__all__ = ["standing_lanes"]

_FABRIC = "fabric"  # the instance of the routers and lanes in a network with interfaces


def standing_lanes(entity: Any, about: Description) -> list[str]:
    """A phrase for each lane of a network that offers a flit which the next router does not take.

    Only lanes with ready are checked, and only where the simulator shows the wires inside the network, as Icarus Verilog does.
    """
    inside = entity if about.protocol.name == FLITS.name else getattr(entity, _FABRIC, None)
    found = []
    for link in about.about.get("links", ()):
        for lane in range(link["lanes"]):
            valid = f"node{link['node']}__channel{link['channel']}_lane{lane}_out__valid"
            ready = f"node{link['to']}__channel{link['channel_there']}_lane{lane}_in__ready"
            wires = getattr(inside, valid, None), getattr(inside, ready, None)
            if None not in wires and high(wires[0]) and not high(wires[1]):
                found.append(
                    f"lane {lane} of channel {link['channel']} of node {link['node']}, to node {link['to']}, is stalled"
                )
    return found

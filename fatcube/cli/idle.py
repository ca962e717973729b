"""Notes on options that were given without an effect on the hardware; they are not refused."""

from collections.abc import Mapping
from typing import Any

from fatcube.cli.output import note
from fatcube.noc.network import Network

__all__ = ["say_idle"]


_OF_LINKS = ("links", "turn_round", "link_stages", "lanes", "hops")
"""Options that reach links, and lanes on them, alone."""


def say_idle(network: Network, given: Mapping[str, Any]) -> Network:
    """Say on standard error which of the options of a network that were given change no bit of it; returns the network."""
    topology, ports = network.topology, network.options.ports
    several = ports.processor_ports(topology.degree, topology.m) > 1
    if "ports" in given and not ports.copies and ports.value != "1" and not several:
        note(f"--ports {given['ports']} is the same as model 1 here, where processors have one port")
    for name in _OF_LINKS if topology.degree == 0 else ():
        if name in given:
            note(f"--{name.replace('_', '-')} {given[name]} changes nothing here, where there are no links")
    if "lanes" in given and topology.f == 1 and topology.degree:
        note(f"--lanes {given['lanes']} changes nothing here, where links have one lane")
    return network

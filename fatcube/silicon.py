"""Synthesis of a network's router, kept between runs."""

from rtl.crossbar import Crossbar
from rtl.router import FatNodeRouter
from sim.build import cache_folder
from synth.measure import synthesize

__all__ = ["crossbar_area", "router_silicon"]


def router_silicon(network, *, seeds=(1, 2, 3), fmax=True, family="ecp5", jobs=1):
    """Area and Fmax of a network's router, as :class:`synth.measure.SynthesisResult`."""
    return synthesize(FatNodeRouter(network.router()), name="fat_node_router", seeds=seeds, fmax=fmax, family=family,
                      jobs=jobs, cache=cache_folder() / "synthesis")


def crossbar_area(network, *, family="ecp5"):
    """Area of the full a x b crossbar alone, which is what the papers' a b prices."""
    ports = network.router().crossbar_ports
    component = Crossbar(network.width + 1, ports, [range(ports)] * ports)
    return synthesize(component, name="crossbar", fmax=False, family=family,
                      cache=cache_folder() / "synthesis").area

"""The price of a network in the papers: a b for each crossbar, and one for each link.

Fat-cube paper, section 3: C_R is the number of routers times a b (Table 1), C_L the number of links
(equation 2). Table 2 lists the d for which the routers of a fat cube cost at most as much as the routers of a hypercube
with the same number of processors.
"""

import dataclasses

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel

__all__ = ["Price", "price", "cheaper_dimensions"]


@dataclasses.dataclass(frozen=True)
class Price:
    """The cost of a network in the ab model.

    Attributes
    ----------
    a, b : :class:`int`
        Inputs and outputs of a router's crossbar.
    routers : :class:`int`
        Number of routers.
    links : :class:`int`
        C_L: lanes; the two directions of a bidirectional lane count once.
    """

    a: int
    b: int
    routers: int
    links: int

    @property
    def ab(self) -> int:
        """The price of one router."""
        return self.a * self.b

    @property
    def router_cost(self) -> int:
        """C_R: the price of all routers."""
        return self.routers * self.ab


def price(topology: Topology, ports: PortModel | str) -> Price:
    """The :class:`Price` of a network of any topology."""
    crossbar = PortModel.parse(ports).crossbar_ports(topology.degree, topology.m, topology.f)
    return Price(
        a=crossbar,
        b=crossbar,
        routers=topology.nodes,
        links=topology.lanes // (1 if topology.directed else 2),
    )


def cheaper_dimensions(ports: PortModel | str, m: int, f: int, *, most: int = 16) -> list[int]:
    """The d, from 1 to ``most``, for which a fat cube's routers cost no more than the hypercube's.

    The hypercube has the same number of processors, so it has d + log2 m dimensions and m is a power of 2 (equation 1).

    Raises
    ------
    ParameterError
        If m is not a power of 2.
    """
    check_integer("m", m, minimum=1)
    if m & (m - 1):
        raise ParameterError(f"m must be a power of 2 for a hypercube with as many processors, not {m}")
    extra = m.bit_length() - 1
    check_integer("most dimensions", most, minimum=1)
    found = []
    for d in range(1, most + 1):
        crossbar = PortModel.parse(ports).crossbar_ports
        fat = (1 << d) * crossbar(d, m, f) ** 2
        thin = (1 << d + extra) * crossbar(d + extra, 1, 1) ** 2
        if fat <= thin:
            found.append(d)
    return found

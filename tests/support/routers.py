"""Routers that the models of area are held against: measured once, as that takes minutes, into data/routers.jsonl.

python -m tests.support.routers tests/data/routers.jsonl
"""

import sys

from fatcube.groundwork.record import record
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.results import write_records
from fatcube.synth.silicon import crossbar_area, router_silicon

_MOST_OF_CROSSBAR = 12  # ports; a full crossbar alone is not worth more


def networks():
    """Of 2 to 22 ports, smallest first: shapes of 32 bits, some of them of other widths and depths too."""
    shapes = [
        *((Hypercube(d), "1bd") for d in range(1, 7)),
        *((FatCube(d, 2), "1bd*") for d in range(1, 6)),
        *((FatCube(d, 4), "1bd") for d in range(1, 5)),
        *((FatCube(d, 4), "*") for d in (1, 2)),
        *((FatCube(d, 8), "1b") for d in (1, 2, 3)),
        *((FatCube(d, 8), "d") for d in (1, 2)),
        *((FatCube(d, 2, 2), "1b") for d in range(1, 5)),
        (FatCube(2, 2, 2), "d*"),
        (FatCube(3, 2, 2), "d"),
        (FatCube(3, 4, 2), "1bd"),
        (FatCube(2, 4, 2), "1bd"),
        (FatCube(2, 4, 4), "1d"),
    ]
    cases = [(*shape, {}) for shape in shapes]
    for width in (16, 24, 48):
        cases += [
            (topology, ports, {"width": width})
            for topology, ports in (
                (FatCube(2, 2), "1bd*"),
                (Hypercube(3), "1d"),
                (FatCube(1, 4), "1b"),
                (FatCube(2, 4), "1d"),
            )
        ]
    for depth in (1, 4, 8, 16):
        cases += [(FatCube(2, 2), "1bd", {"buffer_depth": depth}), (FatCube(2, 4), "1", {"buffer_depth": depth})]
    cases.append((FatCube(2, 2), "1bd*", {"width": 64}))
    found = [
        Network(topology, RouterOptions(ports=ports, **hardware))
        for topology, models, hardware in cases
        for ports in models
    ]
    return sorted(found, key=lambda network: network.router().crossbar_ports * network.options.width)


def main(path):
    records = []
    for network in networks():
        area = router_silicon(network, fmax=False).area
        small = network.router().crossbar_ports <= _MOST_OF_CROSSBAR
        records.append(
            record(
                {**network.to_json(), "family": "ecp5"},
                {
                    "comb_equivalents": area.comb_equivalents,
                    "ff": area.ff,
                    "crossbar_comb_equivalents": crossbar_area(network).comb_equivalents if small else None,
                },
                command="python -m tests.support.routers",
            )
        )
        print(len(records), network, area.comb_equivalents, flush=True)
    write_records(path, records)


if __name__ == "__main__":
    main(sys.argv[1])

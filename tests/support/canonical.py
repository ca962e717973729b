"""Digests of netlists that names and hierarchy do not change, and those of many routers, to hold two checkouts together.

    python -m tests.support.canonical FILE             # write the digests of the routers of this checkout
    python -m tests.support.canonical FILE --compare   # compare them with those that another checkout wrote

Routers are those of the pair cover of the proofs, and a seeded sample of all options and topologies.
"""

import hashlib
import json
from pathlib import Path
import random
import sys

from groundwork.validation import ParameterError
from groundwork.yosys import run
from noc.network import Network
from noc.routed_network import RoutedNetwork
from noc.shared import Shared
from noc.topologies.ccc import CubeConnectedCycles
from noc.topologies.cubes import FatCube, Hypercube
from noc.topologies.generalized import DenseGHC, SparseGHC
from noc.topologies.grids import Mesh, Ring, Torus
from noc.topologies.star import Star
from rtl.router import FatNodeRouter
from rtl.router_options import RouterOptions
from tests.support.pair_cover import CHOICES, CONFIGURATIONS, wide

__all__ = ["canonical_digest", "routers"]

SAMPLE = 240  # routers, besides those of the pair cover


def canonical_digest(shared):
    """The digest of the netlist of a :class:`Shared` component: flattened, cleaned, and without inner names.

    A cell is named by a hash of its type, its parameters and the names of what drives its inputs, over and over until no
    two cells that were alike become different; a register starts from its initial value. So cells with one name behave
    alike, and two netlists with one digest have the same ports, the same cells and the same behaviour.
    """
    text = run(
        [
            "read_rtlil design.il",
            f"hierarchy -check -top {shared.name}",
            "proc",
            "flatten",
            "opt_expr -fine",
            "opt_merge",
            "opt_clean -purge",
            "memory_collect",
            "opt_clean -purge",
            "write_json design.json",
        ],
        files={"design.il": "\n".join(shared.modules().values())},
        outputs=["design.json"],
    ).outputs["design.json"]
    [module] = [one for one in json.loads(text)["modules"].values() if "top" in one["attributes"]]
    return _digest(module)


def _hash(*values):
    return hashlib.blake2b(repr(values).encode(), digest_size=12).hexdigest()


def _digest(module):
    starts = {}  # initial values by bit
    for net in module["netnames"].values():
        values = net["attributes"].get("init", "")
        starts |= {bit: value for bit, value in zip(net["bits"], reversed(values)) if value != "x"}
    names = {bit: _hash("constant", bit) for bit in "01xz"}
    for name, port in module["ports"].items():
        if port["direction"] == "input":
            names |= {bit: _hash("input", name, place) for place, bit in enumerate(port["bits"])}
    cells = [
        (
            _hash(cell["type"], sorted((name, value) for name, value in cell["parameters"].items() if name != "MEMID")),
            [
                (name, bits)
                for name, bits in sorted(cell["connections"].items())
                if cell["port_directions"][name] == "input"
            ],
            [
                (name, bits)
                for name, bits in sorted(cell["connections"].items())
                if cell["port_directions"][name] == "output"
            ],
        )
        for cell in module["cells"].values()
    ]
    for kind, _, outputs in cells:
        names |= {
            bit: _hash(kind, name, place, starts.get(bit)) for name, bits in outputs for place, bit in enumerate(bits)
        }
    found, rounds, stable = [], 0, 0
    while stable <= 1 + rounds // 2:  # goes on for half as long again: another netlist may become different later
        rounds += 1
        fresh = dict(names)
        before = len(set(found))
        found = []
        for kind, inputs, outputs in cells:
            color = _hash(kind, [(name, [names[bit] for bit in bits]) for name, bits in inputs])
            found.append(color)
            for name, bits in outputs:
                for place, bit in enumerate(bits):
                    fresh[bit] = _hash(color, name, place, starts.get(bit))
        names = fresh
        stable = stable + 1 if len(set(found)) == before else 0
    ports = [
        (name, port["direction"], [names[bit] if port["direction"] == "output" else "" for bit in port["bits"]])
        for name, port in sorted(module["ports"].items())
    ]
    return _hash(ports, sorted(found), rounds)


def routers():
    """The routers that are compared, by a name that says all of each."""
    found = {f"pair {one}": wide(dict(zip(CHOICES, one, strict=True))) for one in CONFIGURATIONS}
    choose = random.Random(31)
    topologies = [
        Hypercube(1), Hypercube(2), Hypercube(3), FatCube(1, 2), FatCube(2, 2), FatCube(2, 2, 2), FatCube(2, 3, 2),
        CubeConnectedCycles(3), DenseGHC(3, 1), SparseGHC(3, 2), Mesh(3, 2), Torus(3, 2), Ring(4), Star(3),
    ]  # fmt: skip
    options = {
        "ports": ("1", "b", "d", "*"),
        "width": (32, 48, 64),
        "buffer_depth": (1, 2, 3, 4, 8),
        "buffer_memory": ("auto", "registers", "distributed"),
        "pipeline": (1, 2),
        "link_stages": (0, 1, 2),
        "hops": (1, 2),
        "switching": ("wormhole", "virtual-cut-through", "store-and-forward", "circuit"),
        "setup_retry": (0, 0, 8),
        "longest_packet": (0, 0, 3, 8),
        "stop_timeout": (0, 0, 5),
        "virtual_channels": (1, 2, 4),
        "channel_classes": (1, 2),
        "injection_channels": (1, 2),
        "ejection_channels": (1, 2),
        "turns": ("used", "forward", "all"),
        "arbiter": ("round-robin", "deficit", "least-recent"),
    }
    while len(found) < len(CONFIGURATIONS) + SAMPLE:
        topology = choose.choice(topologies)
        names = choose.sample(sorted(options), choose.randint(1, 5))
        given = {name: choose.choice(options[name]) for name in names}
        routed, counters = choose.random() < 0.6, choose.random() < 0.5
        try:
            network = (RoutedNetwork if routed else Network)(topology, RouterOptions(**given))
            found[f"{topology} {routed} {counters} {json.dumps(given)}"] = network.router(counters=counters)
        except ParameterError:
            continue
    return found


def main(path, compare):
    before = json.loads(Path(path).read_text()) if compare else {}
    digests = {}
    for name, parameters in routers().items():
        digests[name] = canonical_digest(Shared(FatNodeRouter(parameters), "router"))
        if compare and before.get(name) != digests[name]:
            print(f"differs: {name}", flush=True)
    if compare:
        different = sum(before.get(name) != digest for name, digest in digests.items())
        print(f"{len(digests)} routers, {different} differ")
        return int(different > 0 or set(before) != set(digests))
    Path(path).write_text(json.dumps(digests, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--compare" in sys.argv[2:]))

"""Digests of netlists that names and hierarchy do not change, and those of many routers, to hold two checkouts together.

    python -m tests.support.canonical FILE             # write the digests of the routers of this checkout
    python -m tests.support.canonical FILE --compare   # compare them with those that another checkout wrote

Routers are those of the pair cover of the proofs, and a seeded sample of all options and topologies.
"""

import hashlib
import json
from pathlib import Path
import random
import re
import sys

import numpy as np

from fatcube.groundwork.cache import Cache
from fatcube.groundwork.validation import ParameterError
from fatcube.groundwork.yosys import run
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import Shared
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from tests.support.pair_cover import CHOICES, CONFIGURATIONS, wide

__all__ = ["Canonical", "canonical_digest", "flat_modules", "kind_of", "routers", "uses_of"]

SAMPLE = 240  # routers, besides those of the pair cover


def canonical_digest(shared):
    """The digest of the netlist of a :class:`Shared` component: flattened, cleaned, and without inner names.

    What it has copies of counts by the digest of that, and by the names of its ports.
    """
    return Canonical().of_modules(shared.modules())[shared.name]


class Canonical:
    """Makes digests of netlists, each distinct text once.

    Parameters
    ----------
    folder : path or ``None``
        Of a :class:`Cache` of digests.
    equivalent : dict or ``None``
        Digests that count as others, because the netlists were proved to do the same; it may grow.
    """

    def __init__(self, folder=None, equivalent=None):
        self._cache, self._found = Cache(folder), {}
        self._equivalent = {} if equivalent is None else equivalent

    def of_modules(self, modules, keep=()):
        """The digests of ``modules``, RTLIL texts by name, of which each may have copies of those before.

        ``keep`` are Yosys commands that mark modules within one of these which synthesis maps on their own: that they are
        there counts, and their names do not.
        """
        digests = {}
        for name, text in modules.items():
            uses = uses_of(text, digests)
            source = [_hash(text), name, uses, list(keep), _PROGRAM]
            found = self._found.get(_hash(source))
            if found is None:
                found = self._cache.look_up(source, lambda: self._make(name, modules, uses, keep))
                self._found[_hash(source)] = found
            digests[name] = self._equivalent.get(found, found)
        return digests

    def _make(self, name, modules, uses, keep):
        return _digest(flat_modules(name, modules, uses, keep), name, uses)


_PROGRAM = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def uses_of(text, digests):
    """The digests of those modules of which a module has copies."""
    cells = set(re.findall(r"^ *cell \\(\S+) ", text, re.MULTILINE))
    return {name: digest for name, digest in digests.items() if name in cells}


def _ports_alone(text, name):
    """The RTLIL text of a module with its ports and nothing in it."""
    body = text[text.index(f"module \\{name}\n") :].partition("\nend\n")[0]
    ports = re.findall(r"^ *wire .*\b(?:input|output) \d+ .*$", body, re.MULTILINE)
    return "\n".join([f"module \\{name}", *ports, "end", ""])


def flat_modules(name, modules, uses=(), keep=(), then=()):
    """The one of ``modules`` with that ``name`` as Yosys' JSON, flattened and cleaned, and those within that it keeps.

    Of those that it ``uses`` it has copies as they stand. ``then`` are more commands of Yosys, at the end.
    """
    text = run(
        [
            "read_rtlil design.il",
            *(f"blackbox {other}" for other in uses),
            *keep,
            f"hierarchy -check -top {name}",
            "proc",
            "flatten -noscopeinfo",
            "opt_expr -fine",
            "opt_merge",
            "opt_clean -purge",
            "memory_collect",
            "opt_clean -purge",
            *then,
            "write_json design.json",
        ],
        files={"design.il": "\n".join([modules[name], *(_ports_alone(modules[other], other) for other in uses)])},
        outputs=["design.json"],
    ).outputs["design.json"]
    return json.loads(text)["modules"]


def _hash(*values):
    return hashlib.blake2b(repr(values).encode(), digest_size=16).hexdigest()


def kind_of(cell, known):
    """A digest of what a cell does; ``known`` has those of the modules that there are copies of."""
    if cell["type"] in known:
        return _hash("copy", known[cell["type"]])
    parameters = sorted((name, value) for name, value in cell["parameters"].items() if name != "MEMID")
    return _hash(cell["type"], parameters)


class _Flat:
    """A module of Yosys' JSON with the modules that it keeps put in its place, each of their ports as a cell.

    Members
    -------
    cells : list
        Of each cell a digest of what it does, and its inputs and outputs: lists of names and bits. A bit is a constant, or
        its number with the path of the module that it stands in.
    starts : dict
        Initial values by bit.
    """

    def __init__(self, modules, name, known):
        self._modules, self._known = modules, known
        self.cells, self.starts = [], {}
        self._add(modules[name], ())

    def _add(self, module, path):
        for net in module["netnames"].values():
            values = net["attributes"].get("init", "")
            self.starts |= {(path, bit): value for bit, value in zip(net["bits"], reversed(values)) if value != "x"}
        for name, cell in module["cells"].items():
            ends = {"input": [], "output": []}
            for port, bits in sorted(cell["connections"].items()):
                ends[cell["port_directions"][port]].append((port, [_at(path, bit) for bit in bits]))
            if cell["type"].startswith("$") or cell["type"] in self._known:
                self.cells.append((kind_of(cell, self._known), ends["input"], ends["output"]))
            else:
                self._keep(self._modules[cell["type"]], (*path, name), ends)

    def _keep(self, module, path, ends):
        """Put a module that is kept in its place: names of its ports do not count, but that they are there."""
        for port, bits in ends["input"]:
            for outer, inner in zip(bits, module["ports"][port]["bits"], strict=True):
                self.cells.append((_hash("kept input"), [("", [outer])], [("", [_at(path, inner)])]))
        for port, bits in ends["output"]:
            for outer, inner in zip(bits, module["ports"][port]["bits"], strict=True):
                self.cells.append((_hash("kept output"), [("", [_at(path, inner)])], [("", [outer])]))
        self._add(module, path)


def _at(path, bit):
    return bit if isinstance(bit, str) else (path, bit)


def _digest(modules, name, known):
    """The digest of module ``name`` of Yosys' JSON, where ``known`` has the digests of the modules that are not there.

    Every bit of the netlist has a color of 128 bits: first what is known of it alone, then, over and over, a hash of the
    kind of the cell that drives it, of its place there, its initial value, and the colors of all inputs of that cell,
    until no two bits that were alike become different. So bits of one color behave alike, also those of two netlists
    with one digest, which have the same ports, the same number of cells of each color, and the same behaviour.
    """
    flat, module_ports = _Flat(modules, name, known), modules[name]["ports"]
    number, first = {}, []  # of each bit, and its first color

    def add(bits, *what):
        for place, bit in enumerate(bits):
            assert bit not in number, f"bit {bit} of {name} must have one driver, not {what} besides"
            number[bit] = len(first)
            first.append(_hash(*what, place, flat.starts.get(bit)))

    for constant in "01xz":
        add([constant], "constant", constant)
    for port, one in module_ports.items():
        if one["direction"] == "input":
            add([_at((), bit) for bit in one["bits"]], "input", port)
    fixed, drivers = len(first), []
    for place, (_, _, outputs) in enumerate(flat.cells):
        for port, bits in outputs:
            add(bits, "output", port)
            drivers += [place] * len(bits)
    salts, sources, ends = [], [], [0]
    for _, inputs, _ in flat.cells:
        for port, bits in inputs:
            salts += [_hash("to", port, place) for place in range(len(bits))]
            sources += [number[bit] for bit in bits]
        ends.append(len(sources))
    kinds = [kind for kind, _, _ in flat.cells]
    drivers, sources, ends = (np.array(values, int) for values in (drivers, sources, ends))
    rounds, bits, cells = _colors(_numbers(first), fixed, _numbers(kinds), drivers, _numbers(salts), sources, ends)
    outputs = [
        (port, one["direction"], [bits[number[_at((), bit)]].tolist() for bit in one["bits"]])
        for port, one in sorted(module_ports.items())
    ]
    return _hash(outputs, sorted(map(tuple, cells.tolist())), rounds)


def _numbers(hashes):
    """Hashes as pairs of integers of 64 bits."""
    return np.frombuffer(bytes.fromhex("".join(hashes)), np.uint64).reshape(-1, 2)


def _mixed(values):
    """Each 64 bits hashed, as splitmix64 does; the second ones begin elsewhere."""
    values = values + np.array([0x9E3779B97F4A7C15, 0xD1B54A32D192ED03], np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        values = (values ^ (values >> np.uint64(shift))) * np.uint64(factor)
    return values ^ (values >> np.uint64(31))


def _colors(first, fixed, kinds, drivers, salts, sources, ends):
    """The rounds that were needed, and the colors of bits and of cells after them."""
    bits, found, rounds, stable = first, 0, 0, 0
    cells = kinds
    while stable <= 1 + rounds // 2:  # goes on for half as long again: another netlist may become different later
        rounds += 1
        sums = np.zeros((len(sources) + 1, 2), np.uint64)
        np.cumsum(_mixed(_mixed(bits[sources]) ^ salts), axis=0, out=sums[1:])
        cells = _mixed(sums[ends[1:]] - sums[ends[:-1]] ^ kinds)
        bits = np.concatenate([first[:fixed], _mixed(cells[drivers] ^ first[fixed:])])
        before, found = found, len(np.unique(cells[:, 0]))
        stable = stable + 1 if found == before else 0
    return rounds, bits, cells


def routers():
    """The routers that are compared, by a name that says all of each."""
    found = {f"pair {one}": wide(dict(zip(CHOICES, one, strict=True))) for one in CONFIGURATIONS}
    choose = random.Random(31)
    topologies = [
        Hypercube(1), Hypercube(2), Hypercube(3), FatCube(1, 2), FatCube(2, 2), FatCube(2, 2, 2), FatCube(2, 3, 2),
        CubeConnectedCycles(3), DenseGHC(3, 1), SparseGHC(3, 2), Mesh(w=3, d=2), Torus(w=3, d=2), Ring(4), Star(3),
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

"""Measurements of records, as the sources of one checkout make them: keys, netlists, and everything else in a key.

    python -P tests/support/measured.py FOLDER < asked.jsonl

Runs in the folder of any checkout and knows little more of it than `fatcube.studies.keys`. For each line it prints a
line. For {"point": parameters of a record} it has the key; the netlists by the place where the key has their digest, each
a list of modules and what is to be kept of their hierarchy; and the rest. For {"machine": ...}, as
tests/support/compare_machines.py makes them, it has the netlists. The texts of modules go into FOLDER, named by their
digests.
"""

import hashlib
import importlib
import json
from pathlib import Path
import sys

__all__ = []


class Watch:
    """Stands where `fatcube.studies.keys` has netlists made, and notes them by the digest that the key gets."""

    def __init__(self, keys, folder):
        self._keys, self._folder = keys, folder
        self._made = {}  # by what was asked for: the answer
        self.found = {}  # by the digest in the key: netlists, and what else the digest covers
        self._netlist_digest, self._silicon_source = keys.netlist_digest, keys.silicon_source
        keys.netlist_digest, keys.silicon_source = self.netlist_digest, self.silicon_source

    def netlist_digest(self, name, parameters, make):
        asked = json.dumps([name, parameters], sort_keys=True)
        if asked not in self._made:
            modules = make().modules()
            self._made[asked] = self._keys.digest(modules)
            self.found[self._made[asked]] = [self.netlist(modules)]
        return self._made[asked]

    def netlist(self, modules):
        """A netlist that runs: modules by name, of which each may have copies of those before."""
        texts = [self._text(text) for text in modules.values()]
        return {"names": list(modules), "texts": texts, "keep": [], "rest": None}

    def silicon_source(self, network, **flow):
        asked = str((network, sorted(flow.items())))
        if asked not in self._made:
            self._made[asked] = sources = self._silicon_source(network, **flow)
            self.found[self._keys.digest(sources)] = [
                {
                    "names": [None],
                    "texts": [self._text(source["design"])],
                    "keep": [
                        line for line in source["commands"] if line.startswith("setattr -mod -set keep_hierarchy")
                    ],
                    "rest": {name: value for name, value in source.items() if name != "design"},
                }
                for source in sources
            ]
        return self._made[asked]

    def _text(self, text):
        name = hashlib.sha256(text.encode()).hexdigest()[:24]
        path = self._folder / f"{name}.il"
        if not path.exists():
            path.write_text(text)
        return name


def point_of(point, network, parameters):
    """The point with these parameters of a record."""
    names = ("collective", "payload_flits", "family", "fmax")
    seeds = parameters["placement_seeds"]
    return point(
        network=network,
        **{name: parameters[name] for name in names},
        root=parameters["root"] or 0,
        **({"seeds": tuple(seeds)} if seeds else {}),
    )


def machine_of(parts, network):
    """The function that makes a machine: of a network, and what else it is given."""

    def make(kind, topology, options, routed, given):
        made = network({"topology": topology, **options})
        if routed:
            # Before version 0.3 rooms were packages of their own: `noc`, beside `fatcube`.
            home = parts.__name__.removesuffix("sim.builds.parts")
            router = importlib.import_module(f"{home}rtl.router_options").RouterOptions(**options)
            made = importlib.import_module(f"{home}noc.routed_network").RoutedNetwork(made.topology, router)
        return getattr(parts, kind)(network=made, **given)

    return make


def shared_of(parts, machine):
    """The netlists that run a machine: the node and the controller of a simulation, and the system of Verilog and of a board."""
    package, kind = type(machine).__module__.rpartition(".")[0], type(machine).__name__
    file, name = ("system", "System") if kind == "Machine" else ("traffic_system", "TrafficSystem")
    system = getattr(importlib.import_module(f"{package}.{file}"), name)
    made = parts.parts_of(machine)
    found = {"node": made.node(), "controller": made.controller()}
    return found if getattr(machine, "alone", False) else {**found, "system": system(machine).shared()}


def main(folder):
    from fatcube.studies import keys
    from fatcube.studies.result_record import network_of

    watch, parts = Watch(keys, Path(folder)), sys.modules[keys.parts_of.__module__]

    def answer(point=None, machine=None):
        if machine:
            made = shared_of(parts, machine_of(parts, network_of)(**machine))
            return {"netlists": {part: watch.netlist(shared.modules()) for part, shared in made.items()}}
        measured = keys.measured_by(point_of(keys.Point, network_of(point), point))
        netlists = {part: watch.found[value] for part, value in measured.items() if str(value) in watch.found}
        rest = {part: value for part, value in measured.items() if part not in netlists}
        return {"key": keys.digest(measured), "netlists": netlists, "rest": rest}

    for line in sys.stdin:
        try:
            found = answer(**json.loads(line))
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

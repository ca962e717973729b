"""Carries the measurements of a results file over to the keys of today, where what was measured is still the same.

python -m tests.support.carry_over OLD_CHECKOUT RESULTS.jsonl

OLD_CHECKOUT is a checkout of the sources that measured it. In it and in this one the netlists of router, registered
router and crossbar are made, with the commands of synthesis and of place and route, and the schedules are built. Where
all of these are equal, but for names that were changed on purpose, area and speed need not be measured again. The
runs are: every one of them, here and now. A record gets the key of today if every number comes out again; the others
are named and left out.
"""

import functools
import hashlib
import json
from pathlib import Path
import subprocess
import sys

from fatcube.studies.keys import compute_keys, point_key
from fatcube.studies.point import Point
from fatcube.studies.result_record import network_of
from fatcube.studies.results import read_records, write_records
from groundwork.digest import digest
from schedules.construct import best
from synth.silicon import silicon_source
from tests.support.rerun import rerun, stored_by_point

RENAMED = {"wishes": "requests", "accept": "advance", "stride": "slot_shift", "patience": "timeout"}

# The same of the old sources, by their own names: it prints a digest of each text for every line of parameters.
OLD = """
import dataclasses, functools, hashlib, json, re, sys
from noc.network import Network
from noc.topology import topology_from_json
from rtl.crossbar import Crossbar
from rtl.router import FatNodeRouter
from schedules.construct import best
from synth.families import find_family
from synth.mapping import Design, mapping_script
from synth.wrapper import registered_design

def renamed(text):
    for old, new in RENAMED.items():
        text = re.sub(rf"(?<![a-z]){old}(?![a-z])", new, text)
    return text

def digest(value):
    return hashlib.sha256(renamed(json.dumps(value, sort_keys=True)).encode()).hexdigest()[:24]

@functools.cache
def silicon(network, family, fmax, seeds):
    family, router, ports = find_family(family), FatNodeRouter(network.router()), network.router().crossbar_ports
    designs = [Design.of(router, name="fat_node_router")]
    scripts = [mapping_script(designs[0], family=family)]
    if fmax:
        registered = registered_design(FatNodeRouter(network.router()), name="fat_node_router", few_pins=family.few_pins)
        for wide in (False, True) if family.wide_luts else (False,):
            designs.append(registered)
            scripts.append([*mapping_script(registered, family=family, wide_luts=wide),
                            *(family.place_and_route_command(registered.top, seed) for seed in seeds)])
    designs.append(Design.of(Crossbar(network.width + 1, ports, [range(ports)] * ports), name="crossbar"))
    scripts.append(mapping_script(designs[-1], family=family))
    return digest([design.text for design in designs]), digest(scripts)

for line in sys.stdin:
    given = json.loads(line)
    hardware = {name: given[name] for name in HARDWARE}
    network = Network(topology=topology_from_json(given["topology"]), **hardware)
    netlists, commands = silicon(network, given["family"], given["fmax"], tuple(given["placement_seeds"] or ()))
    found = best(network.topology, network.ports, given["collective"], given["root"] or 0, seed=0)
    print(json.dumps({"router and crossbar": netlists, "commands": commands, "schedule": digest([found.steps, found.bound.steps, found.proved, found.by])}), flush=True)
"""


def point_of(parameters):
    names = ("collective", "payload_flits", "family", "fmax")
    return Point(
        network=network_of(parameters),
        **{name: parameters[name] for name in names},
        root=parameters["root"] or 0,
        **({"seeds": tuple(parameters["placement_seeds"])} if parameters["fmax"] else {}),
    )


@functools.cache
def silicon(network, seeds, fmax, family):
    sources = silicon_source(network, seeds=seeds, fmax=fmax, family=family)
    return digest_of([source["design"] for source in sources]), digest_of([source["commands"] for source in sources])


def today(point):
    network = point.network
    found = best(network.topology, network.options.ports, point.collective, point.root or 0, seed=0)
    netlists, commands = silicon(network, point.seeds, bool(point.fmax), point.family)
    return {
        "router and crossbar": netlists,
        "commands": commands,
        "schedule": digest_of([found.steps, found.bound.steps, found.proved, found.by]),
    }


def digest_of(value):
    """As in the old sources: of the text that JSON makes of one value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:24]


def main(checkout, file):
    records = read_records(Path(file))
    hardware = ("ports", "width", "buffer_depth", "pipeline", "hops", "turns")
    lines = "".join(json.dumps(record["parameters"]) + "\n" for record in records)
    program = f"RENAMED = {RENAMED!r}\nHARDWARE = {hardware!r}\n{OLD}"
    old = subprocess.run(
        [sys.executable, "-c", program], cwd=checkout, input=lines, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    points = [point_of(record["parameters"]) for record in records]
    compute_keys(points, jobs=2)
    carried, kept = [], []
    for record, point, line in zip(records, points, old, strict=True):
        before, now = json.loads(line), today(point)
        different = [name for name in now if now[name] != before[name]]
        if different:
            print(f"{point}: {', '.join(different)} changed", flush=True)
        else:
            carried.append({**record, "key": point_key(point)})
            kept.append(point)
    print(f"{len(kept)} of {len(records)} records are of the same netlists, commands and schedules", flush=True)
    if lines := rerun(kept, stored_by_point(file), jobs=2):
        sys.exit("\n".join([*lines, "nothing is written: these runs are not what was measured"]))
    write_records(Path(file), carried)
    print(
        f"{len(carried)} of {len(records)} records carried over, every run again; "
        f"set of keys: {digest(sorted(r['key'] for r in carried))}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

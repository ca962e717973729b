"""Proofs that two netlists do the same in every cycle from reset on, where their digests differ: an FSM for flags, say.

Memories, and modules that they have copies of, are cut out of both: what they are given must be the same in every cycle,
whatever they give. As each has the same memories and copies, they then give the same, and so on from cycle to cycle.
"""

import json
import re

from fatcube.groundwork.yosys import run
from tests.support.canonical import flat_modules, kind_of
from tests.support.prove import abc_log

__all__ = ["Different", "prove_equivalent"]


class Different(Exception):
    """Two modules that do not do the same, or of which that cannot be proved."""


def prove_equivalent(name, old, new, uses, *, seconds=600, mapped=False):
    """Prove that two modules ``name`` have the same outputs in every cycle, and return what the proof was.

    Parameters
    ----------
    name : :class:`str`
    old, new : dict
        RTLIL texts by name: of each the module, and before it those that it may have copies of.
    uses : dict
        The digests of those that both have copies of, by name.
    seconds : :class:`int`
        The time to give up after.
    mapped : :class:`bool`
        Make memories into registers, in place of cutting them out; what has no initial value has zeros.

    Raises
    ------
    Different
        If they have not, if they cannot be held together, or if that was not proved in time.
    """
    sides = {}
    for side, modules in {"gold": old, "gate": new}.items():
        # The register behind a memory's port is one of the module.
        then = ["memory_nordff", "memory_map", "opt_clean", "setundef -init -zero"] if mapped else ["memory_nordff"]
        flat = flat_modules(name, modules, uses, then=[*then, "opt_clean"])
        sides[side] = _Cut(flat[name], uses)
    gold, gate = sides.values()
    for what in ("ports", "kinds"):
        before, after = getattr(gold, what), getattr(gate, what)
        if before != after:
            other = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
            raise Different(f"{name} has other {'memories or copies' if what == 'kinds' else what}: {', '.join(other)}")
    text = run(
        [
            *(f"read_json {side}.json" for side in sides),
            "miter -equiv -make_assert -flatten gold gate top",
            "hierarchy -top top",
            "write_rtlil design.il",
        ],
        files={f"{side}.json": json.dumps({"modules": {side: cut.module}}) for side, cut in sides.items()},
        outputs=["design.il"],
    ).outputs["design.il"]
    log = abc_log(text, f"dprove -T {seconds}")
    if re.search("Networks are equivalent|UNSATISFIABLE", log):
        return (
            f"dprove of yosys-abc: {sum(way == 'output' for way, _ in gold.ports.values())} outputs, with the inputs of "
            f"{len(gold.kinds)} memories and copies among them, are equal in every cycle"
        )
    raise Different(f"{name} is not proved equivalent: {' '.join(log.split())[-100:]}")


class _Cut:
    """A flat module without its memories and copies.

    Members
    -------
    module : dict
        As Yosys' JSON, with ports for the ends of what was cut out.
    ports : dict
        Direction and bits of the ports by name.
    kinds : dict
        What was cut out, by name.
    """

    def __init__(self, module, uses):
        self.kinds = {}
        clock = module["ports"]["clk"]["bits"]
        ports, cells = dict(module["ports"]), {}
        for name, cell in module["cells"].items():
            if cell["type"].startswith("$") and cell["type"] != "$mem_v2":
                cells[name] = cell
                continue
            place = cell["parameters"].get("MEMID", name).replace("\\", "")
            assert place not in self.kinds, place
            self.kinds[place] = kind_of(_as_it_counts(cell), uses)
            for port, bits in cell["connections"].items():
                if port in ("clk", "RD_CLK", "WR_CLK"):
                    assert all(bit == clock[0] or isinstance(bit, str) for bit in bits), f"other clock at {place}"
                    continue
                direction = "output" if cell["port_directions"][port] == "input" else "input"
                ports[f"{place} {port}".replace(" ", "__").replace(".", "__")] = {"direction": direction, "bits": bits}
        self.module = {**module, "attributes": {}, "ports": ports, "cells": cells}
        self.ports = {name: (port["direction"], len(port["bits"])) for name, port in ports.items()}


def _as_it_counts(cell):
    """The cell without what makes no difference: the edge of a clock that it has not, and that a memory starts as zeros.

    Written Verilog leaves memories of zeros as they are: nothing is read from them before it was written.
    """
    parameters = dict(cell["parameters"])
    if set(parameters.get("RD_CLK_ENABLE", "1")) == {"0"}:
        parameters.pop("RD_CLK_POLARITY", None)
    if "1" not in parameters.get("INIT", "1"):
        parameters.pop("INIT")
    return {**cell, "parameters": parameters}

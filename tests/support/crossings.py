"""Names in constraints, found in a netlist after synthesis: the cells, and the paths from one clock to another."""

import json
import re
import tkinter

from fatcube.groundwork import yosys

__all__ = ["Netlist", "evaluate"]


class Netlist:
    """The registers of a module after Yosys' generic synthesis, by the names that vendors' tools give them.

    Those name a register after what it holds, ``NAME_reg``, and its bits ``NAME_reg[BIT]`` (Vivado: UG901, "Naming of
    registers"; Design Compiler and Genus by default).
    """

    def __init__(self, verilog, module):
        finished = yosys.run(
            [
                "read_verilog net.v",
                f"hierarchy -top {module}",
                "proc",
                "flatten -noscopeinfo -separator /",
                f"synth -top {module}",
                "write_json net.json",
            ],
            files={"net.v": verilog},
            outputs=["net.json"],
        )
        found = json.loads(finished.outputs["net.json"])["modules"][module]
        nets = {}
        for name, net in found["netnames"].items():
            of, word = re.fullmatch(r"(.*?)(\[\d+\])?", name).groups("")
            for number, bit in enumerate(net["bits"]):
                label = f"{of}_reg{word}[{number}]" if len(net["bits"]) > 1 else f"{of}_reg{word}"
                # The name of a register is that of the variable which has its initial value, and none that Yosys makes.
                made = name.startswith(("$", "\\$", "_"))
                nets.setdefault(bit, []).append((made, "init" not in net["attributes"], label))
        self.clocks, self.asynchronous, self._inputs, self._driver, self._register = {}, set(), {}, {}, {}
        for about in found["cells"].values():
            pins = {pin: bits[0] for pin, bits in about["connections"].items()}
            if "Q" in pins:
                *_, name = min(nets[pins["Q"]])
                self.clocks[name] = self._port_of(found, pins["C"])
                if re.fullmatch(r"\$_DFFE?_[PN]{2,3}[01]P?_", about["type"]):
                    self.asynchronous.add(name)
                self._inputs[name] = [bit for pin, bit in pins.items() if pin not in ("C", "Q")]
                self._register[pins["Q"]] = name
            else:
                self._driver[pins.pop("Y")] = list(pins.values())

    @staticmethod
    def _port_of(found, bit):
        return next(name for name, port in found["ports"].items() if port["bits"] == [bit])

    def crossings(self):
        """The pairs of registers of different clocks between which there is a path through logic."""
        for name, inputs in self._inputs.items():
            seen, waiting = set(), list(inputs)
            while waiting:
                bit = waiting.pop()
                if bit in seen:
                    continue
                seen.add(bit)
                if bit not in self._register:
                    waiting += self._driver.get(bit, [])
                elif self.clocks[self._register[bit]] != self.clocks[name]:
                    yield self._register[bit], name


#: What an XDC file may have besides constraints and queries (Vivado: UG903, "Supported XDC and SDC commands").
_TCL = ("set", "expr", "list")
_PERIOD = "8.0"


def evaluate(text, match):
    """The constraints in a file, in Tcl with commands in place of those of a tool: each its words, with cells by names.

    ``match`` gives the cells of a pattern, those of ``get_cells``. An unknown command ends with ``tkinter.TclError``, and a
    pattern without a cell with ``LookupError``.
    """
    tcl, made, unmatched = tkinter.Tcl(), [], []

    def cells(*words):
        names = []
        for pattern in tcl.splitlist(words[-1]):
            found = match(str(pattern))
            if not found:
                unmatched.append(f"no cells match {pattern}")
            names += found
        return tuple(names)

    def pins(*words):
        found = []
        for pattern in tcl.splitlist(words[-1]):
            cell, _, pin = str(pattern).rpartition("/")
            assert pin == "PRE", pattern
            found += cells(cell)
        return tuple(found)

    def clocks(*words):
        assert words[0] == "-of_objects"
        return f"clock:{words[1]}"

    def constraint(name):
        return lambda *words: made.append(
            (name, *(tuple(map(str, tcl.splitlist(word))) if word else () for word in words))
        )

    commands = {
        "get_cells": cells,
        "get_pins": pins,
        "get_ports": lambda name: name,
        "get_clocks": clocks,
        "get_property": lambda *words: _PERIOD,
        "tcl::mathfunc::min": lambda *values: min(map(float, values)),  # has other commands in its body
        **{name: constraint(name) for name in ("create_clock", "set_max_delay", "set_false_path", "set_property")},
    }
    for name in tcl.splitlist(tcl.eval("info commands")):
        if name not in (*_TCL, "rename"):
            tcl.call("rename", name, "")
    for name, command in commands.items():
        tcl.createcommand(name, command)
    tcl.call("rename", "rename", "")
    tcl.eval(text)
    if unmatched:
        raise LookupError("; ".join(unmatched))
    return made

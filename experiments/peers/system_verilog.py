"""Components written in SystemVerilog, to be measured like those of fatcube."""

from collections.abc import Mapping, Sequence
import dataclasses
import json
from pathlib import Path
import shlex
from typing import Any

from amaranth.hdl import ClockSignal, Instance, Module, ResetSignal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork import yosys
from fatcube.groundwork.validation import ParameterError

__all__ = ["Elaborated", "SystemVerilogComponent", "elaborate"]


_PREFIX = "system_verilog."


@dataclasses.dataclass(frozen=True)
class Elaborated:
    """A module of SystemVerilog with its parameters set.

    Members
    -------
    rtlil : :class:`str`
        The module and all that it instantiates, as RTLIL.
    top : :class:`str`
        The name of the module in ``rtlil``.
    inputs, outputs : mapping of :class:`str` to :class:`int`
        Its ports by name, with their numbers of bits.
    unread_inputs, constant_outputs : :class:`int`
        Number of input bits that no output depends on, and of output bits that depend on no input: synthesis removes
        the logic behind them, so a wrongly connected module appears small.
    """

    rtlil: str
    top: str
    inputs: Mapping[str, int]
    outputs: Mapping[str, int]
    unread_inputs: int
    constant_outputs: int


def elaborate(
    sources: Sequence[Path],
    *,
    top: str,
    parameters: Mapping[str, int | str] | None = None,
    libraries: Sequence[Path] = (),
    includes: Sequence[Path] = (),
    defines: Sequence[str] = (),
    options: Sequence[str] = (),
) -> Elaborated:
    """Read SystemVerilog, or Verilog, with Yosys' slang front end.

    Parameters
    ----------
    sources : sequence of paths
        Files, packages before those that import them.
    top : :class:`str`
        The module.
    parameters : mapping
        Its parameters, by name: integers, or SystemVerilog literals.
    libraries : sequence of paths
        Folders that are searched for missing modules, each in a file of its name.
    includes : sequence of paths
        Folders that are searched for included files.
    defines : sequence of :class:`str`
        Macros, as in ``"NAME"`` or ``"NAME=1"``.
    options : sequence of :class:`str`
        Further options of ``read_slang``.

    Raises
    ------
    ToolError
        If slang refuses the sources; the message is its first error.
    """
    arguments = [
        *(f"-I{folder.absolute()}" for folder in includes),
        *(f"-y{folder.absolute()}" for folder in libraries),
        *("-Y.sv", "-Y.v"),
        *(f"-D{macro}" for macro in defines),
        *(f"-G{name}={value}" for name, value in (parameters or {}).items()),
        *options,
        f"--top={top}",
        *(str(path.absolute()) for path in sources),
    ]
    # slang reads its command line from a file, in which a quoted argument may contain any character.
    finished = yosys.run(
        [
            "read_slang -f arguments",
            f"hierarchy -check -top {top}",
            # Assertions and messages are for simulators; names of files would give one design two keys in the cache.
            "delete t:$check t:$print",
            # A product would use a multiplier block of the chip, which is not counted in LUTs, so it is made of LUTs.
            "techmap t:$mul",
            "setattr -mod -unset src *",
            "setattr -unset src *",
            # No identifier has a dot, so the name is not that of a module around this one.
            f"rename {top} {_PREFIX}{top}",
            "write_rtlil design.il",
            "flatten",
            "opt -full",
            "write_json design.json",
        ],
        files={"arguments": "\n".join(map(shlex.quote, arguments)) + "\n"},
        outputs=("design.il", "design.json"),
    )
    module = json.loads(finished.outputs["design.json"])["modules"][f"{_PREFIX}{top}"]
    bits = {
        direction: {name: port["bits"] for name, port in module["ports"].items() if port["direction"] == direction}
        for direction in ("input", "output")
    }
    outputs = [bit for port in bits["output"].values() for bit in port]
    read = {
        bit
        for cell in module["cells"].values()
        for port, connected in cell["connections"].items()
        if cell["port_directions"][port] == "input"
        for bit in connected
    }.union(outputs)
    return Elaborated(
        finished.outputs["design.il"],
        f"{_PREFIX}{top}",
        inputs={name: len(port) for name, port in bits["input"].items()},
        outputs={name: len(port) for name, port in bits["output"].items()},
        unread_inputs=sum(bit not in read for port in bits["input"].values() for bit in port),
        # Nets are numbers, constants are strings.
        constant_outputs=sum(isinstance(bit, str) for bit in outputs),
    )


class SystemVerilogComponent(wiring.Component):
    """An :class:`Elaborated` module as a component in the ``sync`` domain; its RTLIL is passed as ``modules``.

    It has the ports of the module except clock and reset.

    Parameters
    ----------
    module : :class:`Elaborated`
        The module.
    clock : :class:`str`
        Its clock input.
    reset : :class:`str`
        Its reset input.
    reset_active_low : :class:`bool`
        True if the module is in reset while that input is 0.

    Raises
    ------
    ParameterError
        If the module has no such inputs.
    """

    def __init__(self, module: Elaborated, *, clock: str, reset: str, reset_active_low: bool = False) -> None:
        for what, name in (("clock", clock), ("reset", reset)):
            if module.inputs.get(name) != 1:
                raise ParameterError(
                    f"{what} of {module.top.removeprefix(_PREFIX)} must be one of its inputs of one bit, not {name!r}"
                )
        self._module = module
        reset_signal = ResetSignal()
        self._connected: dict[str, Value] = {
            clock: ClockSignal(),
            reset: ~reset_signal if reset_active_low else reset_signal,
        }
        inputs = {name: In(width) for name, width in module.inputs.items() if name not in self._connected}
        super().__init__({**inputs, **{name: Out(width) for name, width in module.outputs.items()}})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        ports: dict[str, Any] = {f"i_{name}": self._connected.get(name) for name in self._module.inputs}
        for path, member, port in self.signature.flatten(self):
            ports[f"{'i' if member.flow == In else 'o'}_{path[0]}"] = port
        m.submodules.module = Instance(self._module.top, **ports)
        return m

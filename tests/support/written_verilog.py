"""Written Verilog as netlists, to hold it together with those that are simulated and measured."""

from fatcube.groundwork.yosys import run
from fatcube.noc.verilog import to_verilog

__all__ = ["written_modules"]


def written_modules(shared):
    """RTLIL texts of the Verilog of a :class:`Shared` component and of all that it uses, by name, as :meth:`Shared.modules`."""
    names = list(shared.modules())
    text = to_verilog(shared)
    found = {}
    for name in names:
        others = [other for other in names if other != name]
        found[name] = (
            run(
                [
                    "read_verilog design.v",
                    *(f"blackbox {other}" for other in others),
                    f"hierarchy -check -top {name}",
                    "proc -noopt",
                    "setattr -mod -unset keep_hierarchy *",
                    "flatten -noscopeinfo",
                    "delete =A:blackbox" if others else "",
                    "write_rtlil design.il",
                ],
                files={"design.v": text},
                outputs=["design.il"],
            )
            .outputs["design.il"]
            .replace("buffer_unit", "buffer")
        )
    return found

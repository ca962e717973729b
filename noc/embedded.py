"""A network, or a router, as a part of a reader's own Amaranth design."""

from typing import Any

from amaranth.hdl import Instance

from noc.shared import Copy, Shared
from noc.verilog import to_verilog

__all__ = ["Embedded"]


class Embedded(Copy):
    """What stands in a design for an Amaranth platform as one module, with the Verilog of it among the sources.

    It has the ports of the component that it stands for, and is clocked and reset by the domain ``sync``.

    Parameters
    ----------
    shared : :class:`Shared`
        The component with all that it uses, as of :meth:`noc.fabric.Fabric.shared`.
    comment : :class:`str`
        What stands at the head of its Verilog.
    """

    def __init__(self, shared: Shared, *, comment: str = "") -> None:
        self.shared = shared
        self.comment = comment
        super().__init__(shared.component.signature, shared.name)

    @property
    def file(self) -> str:
        """The name of its Verilog among the files of the platform."""
        return f"{self.shared.name}.v"

    def elaborate(self, platform: Any) -> Instance:
        if platform is not None:
            platform.add_file(self.file, to_verilog(self.shared, comment=self.comment))
        return super().elaborate(platform)

"""A network, or a router, as a part of a user's Amaranth design."""

from typing import Any

from amaranth.hdl import Instance

from noc.shared import Copy, Shared
from noc.verilog import to_verilog

__all__ = ["Embedded"]


class Embedded(Copy):
    """A component as one module of a design for an Amaranth platform, with its Verilog among the sources.

    It has the ports of the component, and is clocked and reset by the domain ``sync``.

    Parameters
    ----------
    shared : :class:`Shared`
        The component with all that it uses, as of :meth:`noc.fabric.Fabric.shared`.
    comment : :class:`str`
        The comment at the head of its Verilog.
    """

    def __init__(self, shared: Shared, *, comment: str = "") -> None:
        self.shared = shared
        self.comment = comment
        super().__init__(shared.component.signature, shared.name)

    @property
    def file(self) -> str:
        """The name of its Verilog file in the platform."""
        return f"{self.shared.name}.v"

    def elaborate(self, platform: Any) -> Instance:
        if platform is not None:
            platform.add_file(self.file, to_verilog(self.shared, comment=self.comment))
        return super().elaborate(platform)

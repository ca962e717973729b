"""The four router models of the fat-cube paper (section 2, Fig. 2), which differ in the ports of a processor.

    =====  ================  ===========  =========================
    model  name              ports k      crossbar a = b (Table 1)
    =====  ================  ===========  =========================
    1      one-port          1            m + d f
    b      all-output-port   1            m + d f
    d      d-port            d            d (m + f)
    \\*     all-port          d + m - 1    d (m + f) + m (m - 1)
    =====  ================  ===========  =========================

In model b the router can copy a processor's packet to any set of outputs at once.
"""

import enum
from typing import assert_never

from fatcube.groundwork.validation import ParameterError, shown

__all__ = ["PortModel"]


class PortModel(enum.Enum):
    """A router model; its value is the paper's symbol."""

    ONE = "1"
    BROADCAST = "b"
    D_PORT = "d"
    ALL_PORT = "*"

    @classmethod
    def parse(cls, text: object) -> "PortModel":
        """The model named by the paper's symbol or by its word (which no shell expands).

        Raises
        ------
        ParameterError
            If ``text`` is neither.
        """
        words = {"one": cls.ONE, "broadcast": cls.BROADCAST, "d-port": cls.D_PORT, "all-port": cls.ALL_PORT}
        if isinstance(text, cls):
            return text
        for model in cls:
            if text == model.value:
                return model
        if isinstance(text, str) and text in words:
            return words[text]
        raise ParameterError(f"ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not {shown(text)}")

    @property
    def suffix(self) -> str:
        """The model after the name of a topology in text for people, as in ``", model d"``; empty for model 1."""
        return "" if self is PortModel.ONE else f", model {self.value}"

    @property
    def word(self) -> str:
        """The model's name as a word that is safe in a file name and in a shell."""
        return {"1": "one", "b": "broadcast", "d": "d-port", "*": "all-port"}[self.value]

    @property
    def copies(self) -> bool:
        """``True`` if the router can copy one packet of a processor to several outputs."""
        return self is PortModel.BROADCAST

    def processor_ports(self, dimensions: int, processors: int) -> int:
        """Ports k of each of ``processors`` processors on a router with ``dimensions`` neighbours.

        Raises
        ------
        ParameterError
            In model d without neighbours, where processors would have no ports.
        """
        match self:
            case PortModel.ONE | PortModel.BROADCAST:
                return 1
            case PortModel.D_PORT:
                if dimensions == 0:
                    raise ParameterError(
                        "ports must be 1, b or * on a node without links, as model d has a port for each link, not d"
                    )
                return dimensions
            case PortModel.ALL_PORT:
                return dimensions + processors - 1
            case _:
                assert_never(self)

    def crossbar_ports(self, dimensions: int, processors: int, lanes: int) -> int:
        """Inputs a (and outputs b) of the crossbar: every processor port and every lane."""
        return processors * self.processor_ports(dimensions, processors) + dimensions * lanes

"""The collectives (fat-cube paper, section 4), and the messages that each of them moves."""

import enum
from typing import NamedTuple

from rtl.parameters import ParameterError, check_integer

__all__ = ["Collective", "Message"]


class Message(NamedTuple):
    """What a collective moves: the processor that has it first, and the one that it is for.

    ``destination`` is ``None`` where every processor shall have the message. (In reductions ``origin``
    is ``None``, because everybody contributes.)
    """

    origin: int | None
    destination: int | None

    def destinations(self, topology):
        """The processors that must hold the message in the end."""
        return range(topology.processors) if self.destination is None else (self.destination,)

    def __str__(self):
        """The message as it stands in a schedule file, as in ``[0, null]``."""
        return "[" + ", ".join("null" if end is None else str(end) for end in self) + "]"


class Collective(enum.Enum):
    """A collective communication of all processors; its value is the papers' symbol."""

    OAB = "OAB"
    OAS = "OAS"
    AOG = "AOG"
    AOR = "AOR"
    AAB = "AAB"
    AAR = "AAR"
    AAS = "AAS"

    @classmethod
    def parse(cls, text):
        """The collective named by the papers' symbol or by its word, in capitals or not.

        Raises
        ------
        ParameterError
            If ``text`` is neither.
        """
        if isinstance(text, cls):
            return text
        if isinstance(text, str):
            for collective in cls:
                if text.lower() in (collective.value.lower(), *_words[collective]):
                    return collective
        raise ParameterError(f"collective must be one of {', '.join(cls.__members__)} or "
                             f"{', '.join(words[0] for words in _words.values())}, not {text!r}")

    @property
    def word(self):
        """The collective's everyday name."""
        return _words[self][0]

    @property
    def rooted(self):
        """Whether one processor, the root, has all the messages in the beginning or in the end."""
        return self in (Collective.OAB, Collective.OAS, Collective.AOG, Collective.AOR)

    @property
    def reduction(self):
        """Whether messages are combined on their way."""
        return self in (Collective.AOR, Collective.AAR)

    def check_built(self):
        """Returns the collective if schedules of it can be built and checked.

        Raises
        ------
        ParameterError
            For a reduction.
        """
        if self.reduction:
            built = ", ".join(collective.value for collective in Collective if not collective.reduction)
            raise ParameterError(f"collective must be one of {built}, not {self.value} ({self.word}): "
                                 f"reductions are not built yet")
        return self

    def check_root(self, topology, root):
        """Returns ``root`` if it is a processor and the collective has a root, or if both are absent.

        Raises
        ------
        ParameterError
            If it is anything else.
        """
        if self.rooted:
            return check_integer(f"root of {self.value}", root, minimum=0, maximum=topology.processors - 1)
        if root is not None:
            raise ParameterError(f"root of {self.value} must be None (null in a file), not {root!r}")
        return None

    def messages(self, topology, root=None):
        """The messages that the collective moves, as a tuple of :class:`Message`.

        Raises
        ------
        ParameterError
            If ``root`` is out of range, missing, or given where there is none; for a reduction.
        """
        return tuple(self.each_message(topology, root))

    def each_message(self, topology, root=None):
        """The messages one by one, where there may be too many for a tuple; raises the same."""
        origins, destinations = self._ends(topology, root)
        return (Message(origin, destination) for origin in origins for destination in destinations
                if origin != destination)

    def moves(self, message, topology, root=None):
        """Whether ``message`` is one of :meth:`messages`; raises the same."""
        origins, destinations = self._ends(topology, root)
        return (message.origin in origins and message.destination in destinations
                and message.origin != message.destination)

    def _ends(self, topology, root):
        """What origins and what destinations messages have."""
        self.check_built()
        self.check_root(topology, root)
        everybody = range(topology.processors)
        return {
            Collective.OAB: ((root,), (None,)),
            Collective.OAS: ((root,), everybody),
            Collective.AOG: (everybody, (root,)),
            Collective.AAB: (everybody, (None,)),
            Collective.AAS: (everybody, everybody),
        }[self]


_words = {
    Collective.OAB: ("broadcast",),
    Collective.OAS: ("scatter",),
    Collective.AOG: ("gather",),
    Collective.AOR: ("reduce",),
    Collective.AAB: ("all-gather", "allgather"),
    Collective.AAR: ("reduce-scatter", "reducescatter"),
    Collective.AAS: ("all-to-all", "alltoall"),
}

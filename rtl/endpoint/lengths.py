"""The payload flits of a message by its id, where the last part of a divided message may have fewer than the others."""

from amaranth.hdl import Mux, Value

__all__ = ["flits_of", "settings_of_parts"]


def settings_of_parts(message_bits: int) -> dict[str, int]:
    """The inputs that define which messages are shorter, with their widths: messages with ids from ``last_from`` to
    ``last_to`` - 1 have ``last_flits`` payload flits, and all others ``payload_flits``."""
    return {"last_flits": 16, "last_from": message_bits + 1, "last_to": message_bits + 1}


def flits_of(message: Value, payload_flits: Value, last: tuple[Value, Value, Value] | None) -> Value:
    """The payload flits of a message, with the inputs of :func:`settings_of_parts` in their order; ``None`` for equal lengths."""
    if last is None:
        return payload_flits
    flits, first, end = last
    return Mux((message >= first) & (message < end), flits, payload_flits)

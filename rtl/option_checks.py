"""The checks of the options of a router that do not go together, or that reach no unit of it."""

import dataclasses
from typing import Any

from fatcube.groundwork.options import Option
from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.needed_options import credit_depth
from fatcube.rtl.queue import check_buffer_memory
from fatcube.rtl.switching import WHOLE_PACKETS, check_switching

__all__ = ["KINDS", "check_together", "reaches_in"]


KINDS = ("packets", "copies", "circuits", "channels", "side by side")
"""The kinds of routers: lanes of one channel, with packets that are copied, with circuits; several channels, and packets side
by side at processors."""


def reaches_in(units: str, **elsewhere: str | None) -> dict[str, str]:
    """The units that an option reaches in each kind of router, and ``elsewhere`` in some; ``None`` where it reaches none."""
    named: dict[str, str | None] = {kind.replace("_", " "): some for kind, some in elsewhere.items()}
    found = {kind: named.get(kind, units) for kind in KINDS}
    return {kind: some for kind, some in found.items() if some is not None}


def check_together(options: Any) -> None:
    """Refuse options, a :class:`~fatcube.rtl.router_options.RouterOptions`, that do not go together.

    Raises
    ------
    ParameterError
        If two of them do not go together, or one reaches no unit of the router.
    """
    check_buffer_memory(options.buffer_memory, options.buffer_depth)
    _check_circuits(options)
    check_switching(options.switching, longest=options.longest_packet, depth=options.buffer_depth)
    _check_reach(options)
    _check_channels(options)
    _check_copies(options)
    _check_lanes(options)


def _check_channels(options: Any) -> None:
    """Refuse virtual channels that do not go together with classes, buffers and registers of lanes."""
    if options.virtual_channels % options.channel_classes:
        raise ParameterError(
            f"channel classes must divide the {options.virtual_channels} virtual channels evenly, not be "
            f"{options.channel_classes}"
        )
    for name in ("injection", "ejection"):
        channels = getattr(options, f"{name}_channels")
        if channels > 1 and options.virtual_channels == options.channel_classes:
            raise ParameterError(
                f"{name} channels must be 1 without several virtual channels of a class, which keep packets in order, not "
                f"{channels}"
            )
    if options.virtual_channels > 1:
        least = credit_depth(options.link_stages, options.pipeline)
        if options.buffer_depth < least:
            raise ParameterError(
                f"buffer depth must be at least {least} for virtual channels"
                f" with a pipeline of {options.pipeline} and {options.link_stages} link stages, not {options.buffer_depth}"
            )
    if options.switching == "virtual-cut-through" and options.link_stages and options.virtual_channels == 1:
        raise ParameterError(
            "link stages must be 0 with virtual cut-through and one virtual channel, as a header in a register of the "
            f"lane would wait for room, not {options.link_stages}"
        )


def _check_copies(options: Any) -> None:
    """Refuse options that do not fit routers that copy packets."""
    if options.copies and options.hops > 1 and options.switching != "virtual-cut-through":
        raise ParameterError(f"hops must be 1 in model b without virtual cut-through, not {options.hops}")


def _check_lanes(options: Any) -> None:
    """Refuse options that do not fit lanes whose directions wait for each other, and options that need such lanes."""
    if not options.shared_lanes:
        return
    if options.virtual_channels > 1 and not options.whole_packets:
        raise ParameterError(
            f"switching must be {' or '.join(WHOLE_PACKETS)} with several virtual channels on {options.links} links, as a "
            f"packet requests the direction only with room for all of it, not {options.switching}"
        )
    if options.setup_retry and options.link_stages:
        raise ParameterError(
            f"link stages must be 0 with setup retry on {options.links} links, as a header in a register of the lane could "
            f"not be refused, not {options.link_stages}"
        )
    if options.virtual_channels == 1 and options.link_stages and options.whole_packets:
        raise ParameterError(
            f"link stages must be 0 with {options.switching} switching and one virtual channel on {options.links} links, as a "
            f"header in a register of the lane would wait for room, not {options.link_stages}"
        )


def _check_circuits(options: Any) -> None:
    """Refuse copies with circuit switching."""
    if options.switching == "circuit" and options.copies:
        raise ParameterError(
            "switching must not be circuit in model b, as the copies of a packet would need a circuit each"
        )


def _check_reach(options: Any) -> None:
    """Refuse options that reach no unit of the router, by their declarations."""
    for field in dataclasses.fields(options):
        declared, value = Option.of(field), getattr(options, field.name)
        if value == declared.default or set(declared.reaches) & set(options.kinds):
            continue
        if "half-duplex" in declared.reaches:
            kind = f"with {options.links} links"
        elif options.copies and declared.reaches.keys() != {"circuits"}:
            kind = "in model b"
        else:
            kind = f"with {options.switching} switching"
        name = field.name.replace("_", " ")
        raise ParameterError(f"{name} must be {declared.default} {kind}, not {value}")

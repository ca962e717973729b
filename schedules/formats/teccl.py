"""TE-CCL's schedules: which chunk goes over which link in which epoch.

The format is the JSON that microsoft/TE-CCL writes at commit c128bf24 (teccl/solvers/allgather.py) for an all-gather, as in
teccl/examples/schedules/mesh_4.json. Read is ``"7-Flows"``, a list of texts such as ``"Chunk 0 from 9 traveled over 9->5 in
epoch 0 via switches 0"``. An epoch may be much shorter than a packet takes, so that epochs are no steps: they are taken for
the order in which packets go over a link. Numbers of switches are left out of those of processors.

An all-to-all has flows of fractions of chunks, of which no packets can be made, and is refused.
"""

import re
from typing import NamedTuple

from fatcube.groundwork.strict.json_text import parse_json
from fatcube.groundwork.validation import ParameterError, check_count, check_integer, shown
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.formats.early import MOST_PACKETS, Packet, Task
from fatcube.schedules.formats.foreign import MOST_PROCESSORS, Foreign

__all__ = ["read_flows"]


_FLOWS = "7-Flows"
_NUMBER = "([0-9]{1,6})"
_FLOW = re.compile(
    f"Chunk {_NUMBER} from {_NUMBER} traveled over {_NUMBER}->{_NUMBER} in epoch {_NUMBER}"
    f"(?: via switches ([0-9]{{1,6}}(?:[, ]+[0-9]{{1,6}})*))?"
)


class _Flow(NamedTuple):
    """A chunk of a processor that goes from one to another in an epoch, through switches."""

    epoch: int
    chunk: int
    origin: int
    src: int
    dst: int
    switches: tuple[str, ...]


def _kind(value: object) -> object:
    """The format that a file of fatcube names."""
    return value.get("format") if isinstance(value, dict) else None


def read_flows(content: bytes) -> Foreign:
    """The contents of a TE-CCL file.

    Raises
    ------
    ParameterError
        If it is none, or a chunk leaves a processor in an epoch before it can have arrived.
    """
    value = parse_json(content, most_keys=MOST_PACKETS)  # it has a key for each chunk at each processor
    if not isinstance(value, dict) or not isinstance(flows := value.get(_FLOWS), list):
        fractions = isinstance(value, dict) and "6-Flows" in value
        raise ParameterError(
            f"a TE-CCL file must be an object with a list {shown(_FLOWS)}, of an all-gather"
            f"{', not of an all-to-all, whose flows are fractions of chunks' if fractions else ''}"
            f"{f', not one with the format {shown(kind)}' if (kind := _kind(value)) else ''}"
        )
    check_count("flows", len(flows), maximum=MOST_PACKETS, what="of a TE-CCL file")
    found = sorted(map(_flow, flows))
    numbers = sorted({end for flow in found for end in (flow.origin, flow.src, flow.dst)})
    check_integer("processors of a TE-CCL file", len(numbers), minimum=2, maximum=MOST_PROCESSORS)
    place = {number: index for index, number in enumerate(numbers)}
    parts = max(flow.chunk for flow in found) + 1
    arrived: dict[tuple[int, int, int], tuple[int, int]] = {}  # the epoch and the task of a chunk at a processor
    tasks = [Task(())]
    through: dict[int, tuple[str, ...]] = {}
    for flow in found:
        at = (-1, 0) if flow.src == flow.origin else arrived.get((flow.origin, flow.chunk, flow.src))
        if at is None or at[0] >= flow.epoch:
            raise ParameterError(
                f"flows must carry on what has arrived, not chunk {flow.chunk} of {flow.origin} from {flow.src} in epoch "
                f"{flow.epoch}"
            )
        message = Message(place[flow.origin], None, flow.chunk)
        tasks.append(Task((at[1],), Packet(place[flow.src], place[flow.dst], message), flow.epoch))
        through[len(tasks) - 1] = flow.switches
        arrived.setdefault((flow.origin, flow.chunk, flow.dst), (flow.epoch, len(tasks) - 1))
    return Foreign(Collective.AAB, None, parts, tuple(map(str, numbers)), tuple(tasks), through)


def _flow(text: object) -> _Flow:
    match = _FLOW.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ParameterError(
            f'a flow must be "Chunk c from o traveled over a->b in epoch e", or that and " via switches s", not {shown(text)}'
        )
    chunk, origin, src, dst, epoch = map(int, match.groups()[:5])
    if src == dst:
        raise ParameterError(f"a flow must be between two processors, not {shown(text)}")
    switches = re.split("[, ]+", match[6]) if match[6] else []
    return _Flow(epoch, chunk, origin, src, dst, tuple(switches))

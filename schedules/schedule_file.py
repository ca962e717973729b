"""Schedule files: the format of docs/design.md, written, read, and published as a JSON Schema.

``python -m schedules.schedule_file`` prints the schema, which is docs/schemas/schedule.json.
"""

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired

from pydantic import (
    ConfigDict,
    FailFast,
    Field,
    PlainValidator,
    Strict,
    TypeAdapter,
    WithJsonSchema,
    with_config,
)
from typing_extensions import TypedDict

from groundwork.files import read_bytes, write_text
from groundwork.schema import Sentence, validated
from groundwork.strict_json import parse_json
from groundwork.validation import ParameterError
from noc.topologies import named_topologies, topology_from_json
from noc.topologies.graph import Graph, graph_schema
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Collective, Message
from schedules.schedule import Schedule, Transfer

__all__ = [
    "ScheduleRecord",
    "TransferRecord",
    "read_schedule",
    "schedule_from_json",
    "schedule_schema",
    "schedule_to_json",
    "write_schedule",
]


FORMAT = "fatcube.schedule/1"
MOST_BYTES = 1 << 25  # about 400,000 transfers

_STRICT = ConfigDict(strict=True, extra="forbid")


_MESSAGE = Sentence(
    "message", "[origin, destination] or [origin, destination, part], where an end is a processor or null"
)


_Processor = Annotated[int, Field(ge=0)]
_Positive = Annotated[int, Field(ge=1)]
# A JSON value has lists for tuples.
_Undivided = Annotated[tuple[_Processor | None, _Processor | None], Strict(False)]
_Divided = Annotated[tuple[_Processor | None, _Processor | None, Annotated[int, Field(ge=0)]], Strict(False)]


@with_config(_STRICT)
class TransferRecord(TypedDict):
    """One transfer of a schedule file."""

    step: _Positive
    src: _Processor
    dst: _Processor
    message: Annotated[_Undivided | _Divided, Field(union_mode="left_to_right"), _MESSAGE]
    lane: Annotated[int, Field(ge=0)] | None


@with_config(_STRICT)
class ScheduleRecord(TypedDict):
    """A schedule file: the transfers of every step for one collective on one network."""

    format: Literal["fatcube.schedule/1"]
    topology: Annotated[Topology, PlainValidator(topology_from_json), WithJsonSchema({"type": "object"})]
    ports: Annotated[
        PortModel,
        PlainValidator(PortModel.parse),
        WithJsonSchema({"enum": [name for model in PortModel for name in (model.value, model.word)]}),
    ]
    collective: Annotated[
        Collective,
        PlainValidator(Collective.parse),
        WithJsonSchema({"enum": sorted({name for one in Collective for name in (one.value, one.word)})}),
    ]
    root: _Processor | None
    symmetric: NotRequired[bool]
    parts: NotRequired[_Positive]
    per_packet: NotRequired[_Positive]
    transfers: Annotated[list[TransferRecord], FailFast()]


_SCHEDULE = TypeAdapter(ScheduleRecord)


def schedule_schema() -> dict[str, Any]:
    """Return the JSON Schema of schedule files.

    It says less than the checker: whether processors and lanes are there, and what is delivered. Of the names of
    collectives it has one spelling, which is read in capitals or not.
    """
    schema = _SCHEDULE.json_schema()
    families = sorted(named_topologies().items())
    graph = graph_schema()
    schema["$defs"] |= graph.pop("$defs")
    graph["properties"] = {"type": {"const": Graph.kind}, **graph["properties"]}
    graph["required"] = ["type", *graph["required"]]
    schema["properties"]["topology"] = {"oneOf": [*(_topology_schema(cls) for _, cls in families), graph]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _topology_schema(cls: type[Topology]) -> dict[str, Any]:
    """The JSON Schema of one family: integers, of which those without a default must be given."""
    fields = dataclasses.fields(cls)
    return {
        "type": "object",
        "properties": {"type": {"const": cls.kind}}
        | {field.name: {"type": "integer", "minimum": 1} for field in fields},
        "required": ["type", *(field.name for field in fields if field.default is dataclasses.MISSING)],
        "additionalProperties": False,
    }


def schedule_to_json(schedule: Schedule) -> dict[str, Any]:
    """Return the schedule as it stands in a file."""
    optional = {"symmetric": False, "parts": 1, "per_packet": 1}
    given = {name: getattr(schedule, name) for name in optional}
    return {
        "format": FORMAT,
        "topology": schedule.topology.to_json(),
        "ports": schedule.ports.value,
        "collective": schedule.collective.value,
        "root": schedule.root,
        **{name: value for name, value in given.items() if value != optional[name]},
        "transfers": [_transfer_to_json(transfer) for transfer in schedule.transfers],
    }


def _transfer_to_json(transfer: Transfer) -> dict[str, Any]:
    return {
        "step": transfer.step,
        "src": transfer.src,
        "dst": transfer.dst,
        "message": transfer.message.to_json(),
        "lane": transfer.lane,
    }


def schedule_from_json(value: object) -> Schedule:
    """Return the schedule that ``value``, read from a file, describes.

    Raises
    ------
    ParameterError
        If it describes none; the message says where.
    """
    record = validated(_SCHEDULE, value, "schedule")
    return Schedule(
        record["topology"],
        record["ports"],
        record["collective"],
        record["root"],
        tuple(
            Transfer(one["step"], one["src"], one["dst"], _message(one["message"]), one["lane"])
            for one in record["transfers"]
        ),
        record.get("symmetric", False),
        record.get("parts", 1),
        record.get("per_packet", 1),
    )


def _message(value: _Undivided | _Divided) -> Message:
    return Message(value[0], value[1], value[2] if len(value) == 3 else 0)


def write_schedule(schedule: Schedule, path: str | Path) -> None:
    """Write the schedule to the file ``path``, one transfer per line, as a whole or not at all.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    value = schedule_to_json(schedule)
    transfers = ",\n  ".join(json.dumps(transfer) for transfer in value.pop("transfers"))
    head = ",\n ".join(f"{json.dumps(key)}: {json.dumps(part)}" for key, part in value.items())
    write_text(path, f'{{{head},\n "transfers": [\n  {transfers}\n ]}}\n')


def read_schedule(path: str | Path) -> Schedule:
    """Return the schedule in the file ``path``.

    Raises
    ------
    ParameterError
        If the file holds no schedule; the message begins with the path and says where.
    OSError
        If there is no such file, or it cannot be read.
    """
    content = read_bytes(path, most=MOST_BYTES, what="a schedule file")
    try:
        return schedule_from_json(parse_json(content))
    except ParameterError as error:
        raise ParameterError(f"{path}: {error}") from None


if __name__ == "__main__":
    print(json.dumps(schedule_schema(), indent=2))

"""Schedule files: the format of docs/reference/schedule-files.md, written, read, and published as a JSON Schema.

``python -m fatcube.schedules.schedule_file`` prints the schema, which is docs/schemas/schedule.json.
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

from fatcube.groundwork.files import write_text
from fatcube.groundwork.options import Option
from fatcube.groundwork.schema import Sentence, validated
from fatcube.groundwork.strict.json_text import read_json
from fatcube.groundwork.validation import ParameterError, shown
from fatcube.noc.topologies import named_topologies, topology_from_json
from fatcube.noc.topologies.damaged import Damaged
from fatcube.noc.topologies.graph import Graph, graph_schema
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.participants import Participants
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import STANDARD, UNLIMITED, StepModel

__all__ = [
    "ScheduleRecord",
    "TransferRecord",
    "read_schedule",
    "schedule_from_json",
    "schedule_schema",
    "schedule_to_json",
    "write_schedule",
]


FORMAT = "fatcube.schedule/2"
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
_Hop = Annotated[tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]], Strict(False)]
_PATH = Sentence("path", "[[node, lane], ...], two links or more")
_SIDES = ("from", "to", "subset", "homes")
"""Keys for a collective among some of the processors only; a subset is the same as both of the first."""


def _model_from_json(value: object) -> StepModel:
    """The step model of which ``value`` has what differs from the default."""
    if not isinstance(value, dict):
        raise ParameterError(f"model must be an object, not {shown(value)}")
    if isinstance(number := value.get("per_packet"), str) and number != UNLIMITED:  # digits are for flags
        raise ParameterError(f'per_packet must be an integer of at least 1 or "{UNLIMITED}", not {shown(number)}')
    for name in value:
        if name not in StepModel.names():
            raise ParameterError(f"model must have keys of {', '.join(StepModel.names())}, not {shown(name)}")
    return StepModel(**value)


@with_config(_STRICT)
class TransferRecord(TypedDict):
    """One transfer of a schedule file; it has a lane or a path."""

    step: _Positive
    src: _Processor
    dst: _Processor
    message: Annotated[_Undivided | _Divided, Field(union_mode="left_to_right"), _MESSAGE]
    lane: NotRequired[Annotated[int, Field(ge=0)] | None]
    path: NotRequired[Annotated[list[_Hop], Field(min_length=2), _PATH]]


_Some = Annotated[
    list[_Processor], Field(min_length=1), Sentence("some_processors", "a list of processors, at least one")
]
# "from" is a keyword of Python.
_Among = TypedDict("_Among", {"from": NotRequired[_Some], "to": NotRequired[_Some]})


@with_config(_STRICT)
class ScheduleRecord(_Among):
    """A schedule file: the transfers of every step for one collective on one network."""

    format: Literal["fatcube.schedule/1", "fatcube.schedule/2"]
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
    subset: NotRequired[_Some]
    homes: NotRequired[_Some]
    symmetric: NotRequired[bool]
    parts: NotRequired[_Positive]
    per_packet: NotRequired[Annotated[_Positive, Field(description="Of version 1; later it is in the model.")]]
    model: NotRequired[
        Annotated[
            Any,  # a StepModel, of whose fields Pydantic is to make nothing
            PlainValidator(_model_from_json),
            WithJsonSchema(
                {
                    "type": "object",
                    "properties": {field.name: Option.of(field).schema() for field in dataclasses.fields(StepModel)},
                    "additionalProperties": False,
                }
            ),
        ]
    ]
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
    whole = [*(_topology_schema(cls) for _, cls in families), graph]
    schema["properties"]["topology"] = {"oneOf": [*whole, _damaged_schema(whole)]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _damaged_schema(whole: list[dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of a topology with failures, that of a ``whole`` one and their names."""
    failed = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    return {
        "type": "object",
        "properties": {"type": {"const": Damaged.kind}, "whole": {"oneOf": whole}, "failed": failed},
        "required": ["type", "whole", "failed"],
        "additionalProperties": False,
    }


def _topology_schema(cls: type[Topology]) -> dict[str, Any]:
    """The JSON Schema of one family: integers, of which those without a default must be given."""
    fields = dataclasses.fields(cls)
    one: dict[str, Any] = {"type": "integer", "minimum": 1}
    several = {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}
    return {
        "type": "object",
        "properties": {"type": {"const": cls.kind}}
        | {field.name: several if field.metadata.get("several") else one for field in fields},
        "required": ["type", *(field.name for field in fields if field.default is dataclasses.MISSING)],
        "additionalProperties": False,
    }


def schedule_to_json(schedule: Schedule) -> dict[str, Any]:
    """Return the schedule as it stands in a file."""
    optional: dict[str, object] = {"symmetric": False, "parts": 1}
    given = {name: getattr(schedule, name) for name in optional}
    return {
        "format": FORMAT,
        "topology": schedule.topology.to_json(),
        "ports": schedule.ports.value,
        "collective": schedule.collective.value,
        "root": schedule.root,
        **schedule.among.to_file(),
        **{name: value for name, value in given.items() if value != optional[name]},
        **({} if schedule.model == STANDARD else {"model": schedule.model.to_file()}),
        "transfers": [_transfer_to_json(transfer) for transfer in schedule.transfers],
    }


def _transfer_to_json(transfer: Transfer) -> dict[str, Any]:
    return {
        "step": transfer.step,
        "src": transfer.src,
        "dst": transfer.dst,
        "message": transfer.message.to_json(),
        **({"path": [list(hop) for hop in transfer.path]} if transfer.path else {"lane": transfer.lane}),
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
        tuple(_transfer(number, one, record["format"]) for number, one in enumerate(record["transfers"])),
        record.get("symmetric", False),
        record.get("parts", 1),
        _model(record),
        _among(record),
    )


def _among(record: ScheduleRecord) -> Participants:
    """The processors that a file's collective is among; version 1 has all."""
    for key in _SIDES:
        if key in record and record["format"] != FORMAT:
            raise ParameterError(f"{key} must be left out in {record['format']}, as there is none before {FORMAT}")
    return record["collective"].among(*map(record.get, _SIDES))


def _model(record: ScheduleRecord) -> StepModel:
    """The step model of a file: version 1 has only the most messages in a packet."""
    if record["format"] == FORMAT:
        if "per_packet" in record:
            raise ParameterError(f"per_packet must be in the model in {FORMAT}, not beside it")
        return record.get("model", STANDARD)
    if "model" in record:
        raise ParameterError(f"model must be left out in {record['format']}, as there is none before {FORMAT}")
    return StepModel(per_packet=record.get("per_packet", 1))


def _transfer(number: int, record: TransferRecord, version: str) -> Transfer:
    """A transfer of a file, which has a lane or a path."""
    if "lane" not in record and "path" not in record:
        raise ParameterError(f"transfers.{number}.lane must be given")
    if "path" in record and version != FORMAT:
        raise ParameterError(f"transfers.{number}.path must be left out in {version}, as there is none before {FORMAT}")
    if "path" in record and "lane" in record:
        raise ParameterError(
            f"transfers.{number}.lane must be left out beside a path, which has the lane of every link"
        )
    return Transfer(
        record["step"],
        record["src"],
        record["dst"],
        _message(record["message"]),
        record.get("lane"),
        tuple(record.get("path", ())),
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
    return read_json(Path(path), schedule_from_json, most=MOST_BYTES, what="a schedule file")


if __name__ == "__main__":
    print(json.dumps(schedule_schema(), indent=2))

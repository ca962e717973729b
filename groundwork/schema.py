"""Values from files checked by Pydantic, whose errors become one line that names the place."""

import dataclasses
import json
from typing import Any, TypeVar

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

from fatcube.groundwork.validation import ParameterError

__all__ = ["Sentence", "place", "validated"]


_Checked = TypeVar("_Checked")


@dataclasses.dataclass(frozen=True)
class Sentence:
    """An annotation: one sentence for what is no ``kind``, instead of what is wrong with it as each thing that it may be.

    Parameters
    ----------
    kind : :class:`str`
        The name of what is described.
    expected : :class:`str`
        The expected form, as in ``"[node, node], or an object with from and to"``.
    """

    kind: str
    expected: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.custom_error_schema(
            handler(source), custom_error_type=self.kind, custom_error_message=f"Input should be {self.expected}"
        )


def validated(adapter: TypeAdapter[_Checked], value: object, name: str) -> _Checked:
    """Return what ``adapter`` makes of ``value``, read from a file; ``name`` is that of the whole value.

    Raises
    ------
    ParameterError
        If the value is not what the adapter describes: the message says where, as in ``transfers.3.src``, and what must
        be there. A :class:`ParameterError` of a validator keeps its message.
    """
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        first = next((one for one in errors if one["loc"] == ("format",)), errors[0])  # a file of another kind
    if first["type"] == "value_error":
        raise ParameterError(str(first.get("ctx", {}).get("error")))
    where = ".".join(map(place, first["loc"])) or name
    if first["type"] == "missing":
        raise ParameterError(f"{where} must be given")
    if first["type"] in ("extra_forbidden", "unexpected_keyword_argument"):  # of a model, and of a dataclass
        raise ParameterError(f"{where} must be left out, as there is no such key")
    wanted = first["msg"].removeprefix("Input should ").replace("dictionary", "object")
    raise ParameterError(f"{where} must {wanted}, not {_shown(first['input'])}")


def place(part: str | int) -> str:
    """A key or a number of a list in a message."""
    return str(part) if isinstance(part, int) or part.isidentifier() and len(part) < 40 else _shown(part)


def _shown(value: Any) -> str:
    """A value on one line, as it stands in JSON, or a date of TOML; of what is long only the beginning."""
    if isinstance(value, (dict, list)) and len(value) > 4:
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:60]}..."

"""The base of values that are measured: frozen dataclasses that stand in records as JSON objects."""

from collections.abc import Mapping
import dataclasses
from typing import Any, Self

__all__ = ["Figures"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Figures:
    """Base of what is measured; a subclass is a frozen dataclass, and its members are those of the JSON object.

    A member with a default is one that not every measurement has: while it has its default it is left out there.
    """

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The value that stands in a record."""
        return cls(**value)

    def to_json(self) -> dict[str, Any]:
        """The value as it stands in a record: its members in their order."""
        members = ((field, getattr(self, field.name)) for field in dataclasses.fields(self))
        return {field.name: _json(value) for field, value in members if value is not field.default}


def _json(value: Any) -> Any:
    """A member in JSON values."""
    if isinstance(value, Figures):
        return value.to_json()
    if isinstance(value, Mapping):
        return {name: _json(one) for name, one in value.items()}
    return list(value) if isinstance(value, tuple) else value

"""The fields that records of all kinds have, and the numbers in them."""

from typing import Annotated, NotRequired

from pydantic import ConfigDict, Field, Strict, with_config
from typing_extensions import TypedDict

__all__ = ["MOST", "STRICT", "Count", "How", "Key", "Megahertz", "Number", "Positive", "Seeds"]


STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
MOST = 1 << 53
"""What every reader of JSON reads exactly; no count comes near it."""

Count = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[int, Field(ge=1, le=MOST)]
Number = Annotated[float, Field(ge=0, le=MOST)]
Megahertz = Annotated[float, Field(ge=0.001, le=1_000_000)]
Seeds = Annotated[list[Annotated[tuple[Count, Megahertz], Strict(False)]], Field(min_length=1)]
Key = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[!-~]+$")]


@with_config(STRICT)
class How(TypedDict):
    """How it was measured, as :func:`fatcube.groundwork.record.record` writes it.

    ``counted_at_revision`` is there only if cycles were counted again later than area and speed were measured.
    """

    command: str
    seed: int | None
    source_revision: str | None
    source_hash: str
    python: str
    tools: dict[str, str]
    counted_at_revision: NotRequired[str | None]

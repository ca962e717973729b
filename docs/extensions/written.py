"""Pages that are made when the manual is built, each written only where it differs, so that Sphinx reads it only then; their text."""

from pathlib import Path
import re

__all__ = ["escaped", "only_these"]


def escaped(text: str) -> str:
    """The text in reStructuredText, where nothing of it is markup."""
    return re.sub(r"([\\*|_`])", r"\\\1", text)


def only_these(folder: Path, pages: dict[str, str]) -> None:
    """Have these pages, by their names, and no others in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")

"""The lines of a TOML or JSON file on which its keys stand, for messages about what is wrong with a value."""

import json
import re
import tomllib

__all__ = ["json_line", "toml_line"]


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]')
_HEADER = re.compile(r"\s*\[{1,2}\s*([^\].]+?)\s*[\].]")


def toml_line(text: str, key: str, table: int = 1) -> int | None:
    """The line, counted from 1, of a key that stands above all tables of a TOML text, or of the header of its table.

    Of several tables it is the one with that number, counted from 1.

    ``None`` if it stands nowhere.
    """
    lines = text.splitlines()
    assigned = re.compile(rf"""\s*(["']?){re.escape(key)}\1\s*[=.]""")
    above = True
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line)
        found = header is not None and header[1].strip("\"'") == key or above and assigned.match(line) is not None
        if (found or header and above) and _ends("\n".join(lines[: number - 1])):
            table -= found
            if found and (table == 0 or header is None):
                return number
            above = above and header is None
    return None


def _ends(text: str) -> bool:
    """Whether a beginning of a TOML text ends behind a statement, and not in a string or a list of several lines."""
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True


def json_line(text: str, *path: str, table: int = 0) -> int | None:
    """The line, counted from 1, of the key in a JSON text that these keys lead to; ``None`` if they lead nowhere.

    With ``table``, counted from 1, it is that of the object with this number in the list that is the value of the key.
    """
    opened: list[str | None] = []  # the key of each object and list that is open, the outermost first
    key: str | None = None
    before: re.Match[str] | None = None
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "{" | "[":
                if token[0] == "{" and tuple(opened[1:]) == path:
                    table -= 1
                    if not table:
                        return text.count("\n", 0, token.start()) + 1
                opened.append(key)
                key = None
            case "}" | "]":
                opened.pop()
                key = None
            case ",":
                key = None
            case ":" if before is not None:
                key = json.loads(before[0])
                if (*opened[1:], key) == path and not table:
                    return text.count("\n", 0, before.start()) + 1
            case _:
                before = token
    return None

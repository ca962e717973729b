"""The directive ``schema``: the keys of a format, from its JSON Schema in ``schemas/``."""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx know the directive."""
    app.add_directive("schema", _Schema)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class _Schema(SphinxDirective):
    """``{schema} topology``: a table for the file and one for each record in it; its columns are key, value and need."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir) / "schemas" / f"{self.arguments[0]}.json"
        self.env.note_dependency(str(path))
        self.env.note_dependency(__file__)
        made: list[nodes.Node] = []
        file: list[tuple[str, str, str]] = []
        for name, rows in records(json.loads(path.read_text(encoding="utf-8"))).items():
            own = [row for row in rows if row not in file]
            shared = [row[0] for row in rows if row in file]
            made.append(nodes.paragraph("", "", nodes.strong(text=name)))
            if own:
                made.append(_table(own))
            if shared:
                made.append(
                    nodes.paragraph(text=f"Keys that the file may have for all of them too: {', '.join(shared)}.")
                )
            file = file or rows
        return made


def records(schema: dict[str, Any]) -> dict[str, list[tuple[str, str, str]]]:
    """The records of a schema: the rows of each, with key, value and whether it must be there."""
    found = {"The file": schema}
    for name, record in schema.get("$defs", {}).items():
        found[name] = record
    for key, value in schema["properties"].items():
        item = value.get("items", {})
        if "properties" in item:
            found[f"Each of {key}"] = item
    return {
        name: [
            (key, said(value), "yes" if key in record.get("required", ()) else "no")
            for key, value in record["properties"].items()
        ]
        for name, record in found.items()
    }


def said(value: dict[str, Any]) -> str:
    """A phrase for the values that a schema allows."""
    if "$ref" in value:
        return value["$ref"].rpartition("/")[2]
    if "const" in value:
        return json.dumps(value["const"])
    if "enum" in value:
        return "one of " + ", ".join(map(json.dumps, value["enum"]))
    if alternatives := value.get("anyOf") or value.get("oneOf"):
        each = list(dict.fromkeys(map(said, alternatives)))
        # A key of sweeps takes a value, or a list of such values.
        if len(each) > 1 and each[-1] == f"list of ({'; or '.join(each[:-1])})":
            each[-1] = "a list of such"
        return "; or ".join(each)
    match value.get("type"):
        case "object":
            keys = [
                f'"{key}": {said(one)}' if "const" in one else f'"{key}"'
                for key, one in value.get("properties", {}).items()
            ]
            return "{" + ", ".join(keys) + "}"
        case "array" if "properties" in value.get("items", {}):
            return "a block for each, with the keys below"
        case "array" if "prefixItems" in value:
            return "[" + ", ".join(map(said, value["prefixItems"])) + "]"
        case "array":
            return f"list of ({said(value['items'])})" if "items" in value else "list"
        case "null":
            return "null"
        case None:
            return "any value"
        case kind:
            limits = [
                f"{word} {value[key]}"
                for key, word in (("minimum", "at least"), ("exclusiveMinimum", "more than"), ("maximum", "at most"))
                if key in value
            ]
            return ", ".join([kind if isinstance(kind, str) else " or ".join(kind), *limits])


def _table(rows: list[tuple[str, str, str]]) -> nodes.table:
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in (20, 65, 15)), cols=3)
    group += nodes.thead("", _row([nodes.Text(text) for text in ("key", "value", "required")]))
    body = nodes.tbody()
    for key, value, needed in rows:
        body += _row([nodes.literal(text=key), nodes.Text(value), nodes.Text(needed)])
    group += body
    return nodes.table("", group, classes=["colwidths-auto"])


def _row(cells: list[nodes.Node]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))

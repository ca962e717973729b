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
        schema = json.loads(path.read_text(encoding="utf-8"))
        made: list[nodes.Node] = []
        for name, record in records(schema).items():
            made += [nodes.paragraph("", "", nodes.strong(text=name)), _table(record)]
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
    """What a value may be, in words."""
    if "$ref" in value:
        return value["$ref"].rpartition("/")[2]
    if "const" in value:
        return json.dumps(value["const"])
    if "enum" in value:
        return "one of " + ", ".join(map(json.dumps, value["enum"]))
    if alternatives := value.get("anyOf") or value.get("oneOf"):
        return "; or ".join(dict.fromkeys(map(said, alternatives)))
    match value.get("type"):
        case "object":
            return "{" + ", ".join(f'"{key}": {said(one)}' for key, one in value.get("properties", {}).items()) + "}"
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
            return ", ".join([str(kind), *limits])


def _table(rows: list[tuple[str, str, str]]) -> nodes.table:
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in (20, 65, 15)), cols=3)
    group += nodes.thead("", _row([nodes.Text(text) for text in ("key", "value", "required")]))
    body = nodes.tbody()
    for key, value, needed in rows:
        body += _row([nodes.literal(text=key), nodes.Text(value), nodes.Text(needed)])
    group += body
    return nodes.table("", group)


def _row(cells: list[nodes.Node]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))

"""Names in docstrings: a link where the manual describes them, and words where only the sources do.

A role whose name stands nowhere, neither in the sources nor in a library that can be imported, is left to Sphinx, which
reports it.
"""

import ast
import builtins
from functools import cache
import importlib.util
from typing import Any

from docutils.nodes import Element
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

from fatcube.groundwork.digest import rooms


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx ask here before it reports a name."""
    app.connect("missing-reference", _resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _resolve(app: Sphinx, env: Any, node: Element, contnode: Element) -> Element | None:
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"].lstrip("~.")
    objects = env.get_domain("py").objects
    if found := [name for name in objects if name == target or name.endswith(f".{target}")]:
        best = min(found, key=len)
        entry = objects[best]
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, contnode, best)
    return contnode if _known(target) else None


def _known(target: str) -> bool:
    head, _, _ = target.partition(".")
    last = target.rpartition(".")[2]
    if head in rooms() and "." in target:  # a room's name without its package
        return False
    if head == "fatcube":  # a module, or a name in a module, or a member of a class in one
        module = target.rpartition(".")[0]
        if module.rpartition(".")[2][:1].isupper():
            module = module.rpartition(".")[0]
        return last in _names() and (not module or _is_there(module))
    if last in _names() or hasattr(builtins, head):
        return True
    # Amaranth's own words, as in `wiring.Component` and `stream.Signature`.
    return any(_is_there(module) for module in (head, f"amaranth.lib.{head}"))


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@cache
def _names() -> frozenset[str]:
    """All that our sources define: modules, classes, functions, names in modules and classes, and members."""
    names = set()
    for folder in rooms().values():
        for path in folder.rglob("*.py"):
            names.add(path.stem)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, (ast.Module, ast.ClassDef)):
                    names |= {one.id for statement in node.body for one in _assigned(statement)}
                if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                    names.add(node.name)
                elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    names.add(node.attr)
    return frozenset(names)


def _assigned(statement: ast.stmt) -> list[ast.Name]:
    """The names that a statement assigns to, unless it is a function or a class."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    return [node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]

"""llms.txt, made with the manual: its pages in plain text, each with its title, its address and its first paragraph."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["listed"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the list when the pages are built."""
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def listed(title: str, page: str, tree: nodes.document) -> str:
    """The line of a page."""
    found = next(iter(tree.findall(nodes.paragraph)), None)
    text = " ".join(found.astext().split()) if found is not None else ""
    return f"- [{title}]({page}.html): {text}" if text else f"- [{title}]({page}.html)"


def _write(app: Sphinx, failure: Exception | None) -> None:
    if failure is not None or app.builder.format != "html":
        return
    pages = sorted(name for name in app.env.found_docs if name != app.config.root_doc)
    lines = [listed(app.env.titles[page].astext(), page, app.env.get_doctree(page)) for page in pages]
    first = next(iter(app.env.get_doctree(app.config.root_doc).findall(nodes.paragraph))).astext()
    head = f"# {app.config.project}\n\n> {' '.join(first.split())}\n\n## Pages\n\n"
    Path(app.outdir, "llms.txt").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")

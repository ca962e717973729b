"""The results of ``synth_reports`` as pages of the manual, ``results/reports/``, and links to them."""

from pathlib import Path
import re

from sphinx.application import Sphinx
from written import only_these

#: Reports of one claim a line: they are long, and are placed beside the manual as files.
_FILES = {"ccc", "fat-cube", "ghc", "spanning-graphs"}


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx write the pages before it looks for pages, and lead links to them there."""
    app.connect("builder-inited", _write)
    app.connect("source-read", _lead)
    return {"parallel_read_safe": True}


def _reports(app: Sphinx) -> Path:
    return Path(app.srcdir).parent / "synth_reports"


def _write(app: Sphinx) -> None:
    pages = {
        f"{'study' if path.stem == 'README' else path.stem}.md": _moved(path.read_text(encoding="utf-8"))
        for path in sorted(_reports(app).glob("*.md"))
        if path.stem not in _FILES
    }
    only_these(Path(app.srcdir) / "results" / "reports", pages)


def _moved(text: str) -> str:
    """A report, with the links that it needs in its place in the manual."""

    def link(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        if target == "README.md":
            target = "study.md"
        elif target.startswith("../docs/"):
            target = f"../../{target.removeprefix('../docs/')}"
        elif target.startswith("../"):
            target = f"../../{target}"
        elif not target.endswith(".md") or target.removesuffix(".md") in _FILES:
            target = f"../../../synth_reports/{target}"
        return f"]({target}{anchor})"

    return _downloads(re.sub(r"\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)", link, text))


def _downloads(text: str) -> str:
    """Links to reports that are files beside the manual, which Sphinx copies; it would look for pages in their place."""
    names = "|".join(sorted(_FILES))
    return re.sub(rf"\[([^\]]+)\]\(((?:\.\./)+synth_reports/(?:{names})\.md)\)", r"{download}`\1 <\2>`", text)


def _lead(app: Sphinx, docname: str, source: list[str]) -> None:
    """Lead links of other pages to reports to their places in the manual."""
    if docname.startswith("results/reports/"):
        return

    def link(match: re.Match[str]) -> str:
        stem = "study" if match[1] == "README" else match[1]
        if stem in _FILES:
            return match[0]
        return f"](/results/reports/{stem}.md"

    source[0] = _downloads(re.sub(r"\]\((?:\.\./)+synth_reports/([\w-]+)\.md", link, source[0]))

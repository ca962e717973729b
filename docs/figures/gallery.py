"""Makes the pictures of the manual's first page, with the commands under them.

``python docs/figures/gallery.py`` in a clone makes all of them again, ``python docs/figures/gallery.py mesh`` one. The first page is
the list: a picture, what is seen in it, and the commands. They run in an empty folder. If they write a file with the name
of the picture, that is the picture; if they write a page with that name (``mesh.html`` for ``mesh.png``), a browser takes
the picture of it, 1,280 pixels wide. Other pictures have scripts of their own, and are left as they are. What commands read is
included in the page below them.
"""

import dataclasses
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys
import tempfile

__all__ = ["Picture", "make", "pictures"]


_DOCS = Path(__file__).resolve().parents[1]
_WIDTH, _HEIGHT = 1280, 800  # of a picture of a page, in pixels


@dataclasses.dataclass(frozen=True)
class Picture:
    """A picture of the gallery.

    Parameters
    ----------
    path : :class:`Path`
        Its file.
    alt, caption : :class:`str`
        What is seen, for those who do not see it, and the text under it.
    commands : tuple of :class:`str`
        The commands that stand under it.
    inputs : tuple of :class:`Path`
        The files that they read.
    """

    path: Path
    alt: str
    caption: str
    commands: tuple[str, ...]
    inputs: tuple[Path, ...] = ()


def pictures(page: Path = _DOCS / "index.md") -> list[Picture]:
    """The pictures of a page, in its order."""
    found = []
    for alt, name, below in re.findall(
        r"^!\[([^\]]*)\]\(([^)]*)\)\n(.*?)(?=^!\[|^#|^```\{toctree|\Z)",
        page.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    ):
        caption, _, block = re.sub(r"<!--.*?-->\n", "", below).partition("```console\n")
        commands = re.findall(r"^\$ (.*)$", block.partition("```")[0], re.MULTILINE)
        inputs = tuple(page.parent / path for path in re.findall(r"^```\{literalinclude\} (\S+)$", block, re.MULTILINE))
        found.append(Picture(page.parent / name, alt, caption.strip(), tuple(commands), inputs))
    return found


def make(picture: Picture, folder: Path) -> bool:
    """Run the commands of a picture in an empty folder, but for what they read; whether they made it.

    Raises
    ------
    subprocess.CalledProcessError
        If a command fails.
    """
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(_DOCS.parent),
    }
    for path in picture.inputs:
        shutil.copy(path, folder)
    for command in picture.commands:
        subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=True)
    made, shown = folder / picture.path.name, folder / picture.path.with_suffix(".html").name
    if shown.is_file() and not made.is_file():
        _photograph(shown, made)
    if not made.is_file():
        return False
    shutil.copy(made, picture.path)
    return True


def _photograph(page: Path, picture: Path) -> None:
    sys.path.insert(0, str(_DOCS.parent))
    from tests.support.chromium import chromium, new_context

    with chromium() as browser:
        context = new_context(browser, viewport={"width": _WIDTH, "height": _HEIGHT})
        opened = context.new_page()
        opened.goto(page.as_uri())
        opened.screenshot(path=str(picture))


def _main() -> None:
    for picture in pictures():
        if not sys.argv[1:] or picture.path.stem in sys.argv[1:]:
            with tempfile.TemporaryDirectory() as folder:
                print(picture.path.name, "made" if make(picture, Path(folder)) else "left as it is", flush=True)


if __name__ == "__main__":
    _main()

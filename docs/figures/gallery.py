"""Makes the pictures of the manual's first page, with the commands under them.

``python docs/figures/gallery.py`` in a clone makes all of them again, ``python docs/figures/gallery.py gallery-torus`` one. The first page is
the list: a picture, what is seen in it, and the commands. They run in a folder with nothing but the files that the page includes below
them, and one of them writes the picture. Pictures that none of their commands names have scripts of their own, and are skipped.
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


@dataclasses.dataclass(frozen=True)
class Picture:
    """A picture of the gallery.

    Parameters
    ----------
    path : :class:`Path`
        Its file.
    alt, caption : :class:`str`
        The description of the figure for those who cannot see it, and the text under it.
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


def make(picture: Picture, folder: Path) -> None:
    """Run the commands of a picture in an empty folder, and copy the picture from there.

    Raises
    ------
    subprocess.CalledProcessError
        If a command fails.
    FileNotFoundError
        If they do not write the picture.
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
    shutil.copy(folder / picture.path.name, picture.path)


def _main() -> None:
    for picture in pictures():
        drawn = any(picture.path.name in command for command in picture.commands)
        if drawn and (not sys.argv[1:] or picture.path.stem in sys.argv[1:]):
            with tempfile.TemporaryDirectory() as folder:
                make(picture, Path(folder))
                print(picture.path.name, flush=True)


if __name__ == "__main__":
    _main()

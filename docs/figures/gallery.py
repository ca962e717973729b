"""Makes the pictures of the manual's first page, which gallery.toml lists, with the commands that stand under them.

``python docs/figures/gallery.py`` writes all of them that ``fatcube draw`` makes beside this file again. The curves are those
of the README, which :mod:`overview` draws of measurements that take minutes.
"""

from pathlib import Path
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from typing import Any

FIGURES = Path(__file__).resolve().parent
INPUTS = ("soc.json",)
"""Files here that commands read."""


def pictures() -> list[dict[str, Any]]:
    """The pictures in their order: of each its file, a sentence as its caption, what it shows in words, and its commands."""
    return tomllib.loads((FIGURES / "gallery.toml").read_text(encoding="utf-8"))["picture"]


def make(picture: dict[str, Any], folder: Path) -> None:
    """Run the commands of a picture in a folder."""
    for name in INPUTS:
        shutil.copy(FIGURES / name, folder)
    for command in picture["commands"]:
        program, *arguments = shlex.split(command)
        assert program == "fatcube"
        subprocess.run([sys.executable, "-m", "fatcube", *arguments], cwd=folder, check=True, capture_output=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for one in pictures():
            if one["file"].startswith("gallery-"):
                make(one, Path(made))
                shutil.copy(Path(made) / one["file"], FIGURES)
                print(one["file"])

"""The pictures of the manual's first page: each has words, commands and a file, and the script makes them."""

import dataclasses
import importlib.util
from pathlib import Path
import subprocess
import sys

import pytest

from tests.support.cases import some

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gallery():
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "docs" / "figures" / "gallery.py")
    module = sys.modules["gallery"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def page(tmp_path):
    """A page with one picture, whose commands are given; and the folder that they run in."""
    (tmp_path / "figures").mkdir()
    (tmp_path / "empty").mkdir()

    def make(name, *commands):
        shown = "\n".join(f"$ {command}" for command in commands)
        text = f"# Page\n\n![Two nodes](figures/{name})\n\n**A network.**\n\n<!-- long -->\n```console\n{shown}\n```\n"
        (tmp_path / "index.md").write_text(text)
        return tmp_path / "index.md", tmp_path / "empty"

    return make


def test_every_picture_has_words_commands_and_a_file(gallery):
    found = gallery.pictures()
    assert len(found) >= 3
    for picture in found:
        assert picture.path.is_file() and picture.path.suffix == ".svg", picture.path
        assert picture.path.stat().st_size < 300_000, picture.path
        assert len(picture.alt) > 40 and len(picture.caption) > 40 and picture.commands, picture.path


def test_a_picture_is_what_its_command_writes(gallery, page):
    path, folder = page("two.svg", "echo '<svg/>' > two.svg")
    [picture] = gallery.pictures(path)
    assert (picture.alt, picture.caption, picture.commands) == (
        "Two nodes",
        "**A network.**",
        ("echo '<svg/>' > two.svg",),
    )
    gallery.make(picture, folder)
    assert (path.parent / "figures" / "two.svg").read_text() == "<svg/>\n"


def test_drawings_are_all_listed(gallery):
    drawn = {picture.path.name for picture in gallery.pictures() if picture.path.name.startswith("gallery-")}
    assert drawn == {path.name for path in (ROOT / "docs" / "figures").glob("gallery-*.svg")} and len(drawn) == 7


@pytest.mark.parametrize("name", some(["detour", "fat-cube", "loads", "torus", "ccc", "irregular", "step"], [5]))
def test_a_drawing_comes_out_again(gallery, tmp_path, name):
    [picture] = [one for one in gallery.pictures() if one.path.name == f"gallery-{name}.svg"]
    stored = picture.path.read_bytes()
    for folder in ("made", "empty"):
        (tmp_path / folder).mkdir()
    gallery.make(dataclasses.replace(picture, path=tmp_path / "made" / picture.path.name), tmp_path / "empty")
    assert (tmp_path / "made" / picture.path.name).read_bytes() == stored


def test_a_picture_that_is_not_written_is_an_error(gallery, page):
    path, folder = page("two.svg", "true")
    with pytest.raises(FileNotFoundError):
        gallery.make(gallery.pictures(path)[0], folder)


def test_a_command_that_fails_ends_it(gallery, page):
    path, folder = page("two.svg", "false")
    with pytest.raises(subprocess.CalledProcessError):
        gallery.make(gallery.pictures(path)[0], folder)

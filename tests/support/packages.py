"""The wheel and the source archive of the work tree, built as pip does."""

from pathlib import Path
import shutil
import subprocess
import sys
import tarfile
import tomllib

__all__ = [
    "FILES_IN_SOURCE",
    "IN_SOURCE",
    "PACKAGE",
    "PYTHONS",
    "ROOMS",
    "ROOT",
    "VERSION",
    "build_both",
    "copy_sources",
]


ROOT = Path(__file__).parents[2]
#: The package; most folders in it are links to those beside it.
PACKAGE = ROOT / "fatcube"
#: The rooms of the package from the ground upwards: each imports only itself and those before it.
ROOMS = (
    *("groundwork", "rtl", "noc", "schedules", "sim", "synth"),
    *("testing", "reports", "studies", "papers", "cli"),
)
#: Those that the metadata names, and in which the wheel is tested.
PYTHONS = ("3.11", "3.12", "3.13")
IN_SOURCE = (
    "docs",
    "experiments",
    "tests",
    "typings",
    "synth_reports",
    "Makefile",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
)
FILES_IN_SOURCE = (
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "requirements.lock",
    "requirements-test.lock",
    "pyproject.toml",
)
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
_BUILD = "import setuptools.build_meta as build, sys; print(getattr(build, f'build_{sys.argv[1]}')(sys.argv[2]))"


def _build(kind, sources, folder):
    """Builds an ``sdist`` or a ``wheel`` of a folder of sources; returns the file's path."""
    command = [sys.executable, "-c", _BUILD, kind, str(folder)]
    ended = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    assert ended.returncode == 0 and "would be ignored" not in ended.stderr, ended.stderr
    return folder / ended.stdout.splitlines()[-1]


def copy_sources(folder, *skipped):
    """Copies the package, with the folders that its links lead to, into a folder; without files of the names ``skipped``."""
    copied = [PACKAGE, *(PACKAGE / room for room in ROOMS if (PACKAGE / room).is_symlink())]
    for source in copied:
        shutil.copytree(source, folder / source.name, symlinks=True, ignore=shutil.ignore_patterns(*skipped))


def build_both(folder):
    """A source archive of the work tree, and the wheel that is built from it in the folder that it unpacks to."""
    copy_sources(folder / "tree", "__pycache__")
    for name in (*IN_SOURCE, *FILES_IN_SOURCE, ".pre-commit-config.yaml"):
        if (ROOT / name).is_dir():
            skipped = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
            shutil.copytree(ROOT / name, folder / "tree" / name, symlinks=True, ignore=skipped)
        else:
            shutil.copy(ROOT / name, folder / "tree")
    source = _build("sdist", folder / "tree", folder)
    with tarfile.open(source) as archive:
        # Python 3.11 has filters since 3.11.4 only.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(folder)
    return source, _build("wheel", folder / source.name.removesuffix(".tar.gz"), folder)

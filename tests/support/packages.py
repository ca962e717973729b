"""The wheel and the source archive of the work tree, built as pip does."""

from pathlib import Path
import shutil
import subprocess
import sys
import tarfile
import tomllib

__all__ = ["FILES_IN_SOURCE", "IN_SOURCE", "PACKAGES", "PYTHONS", "ROOT", "VERSION", "build_both"]


ROOT = Path(__file__).parents[2]
PACKAGES = ("groundwork", "rtl", "noc", "schedules", "sim", "synth", "fatcube")
#: Those that the metadata names, and in which the wheel is tested.
PYTHONS = ("3.11", "3.12", "3.13")
IN_SOURCE = ("docs", "tests", "typings", "synth_reports", "Makefile", "MANIFEST.in", "README.md", "LICENSE")
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
    assert ended.returncode == 0, ended.stderr
    return folder / ended.stdout.splitlines()[-1]


def build_both(folder):
    """A source archive of the work tree, and the wheel that is built from it in the folder that it unpacks to."""
    for name in (*PACKAGES, *IN_SOURCE, *FILES_IN_SOURCE, ".pre-commit-config.yaml"):
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

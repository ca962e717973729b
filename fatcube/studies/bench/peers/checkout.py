"""The files of a named commit, from a checkout or a bare repository."""

import os
from pathlib import Path
import subprocess
import tarfile

from groundwork.tool import ToolError

__all__ = ["MissingCheckout", "extract"]


class MissingCheckout(Exception):
    """There is no checkout of a repository."""


def extract(checkouts: Path, repository: str, commit: str, into: Path) -> None:
    """Write the files of a commit to a folder.

    They come from the commit itself, so what the work tree of a checkout holds does not matter.

    Parameters
    ----------
    checkouts : path
        A folder with a folder for each repository, by its name without the owner: a checkout, or a bare repository.
    repository : :class:`str`
        Its owner/name.
    commit : :class:`str`
        40 hexadecimal digits.
    into : path
        The folder, which is made.

    Raises
    ------
    MissingCheckout
        If there is no git repository of that name.
    ToolError
        If the commit is not in it, or git cannot read it.
    """
    folder = checkouts / repository.rpartition("/")[2]
    if not folder.is_dir() or _git(folder, "rev-parse", "--git-dir").returncode:
        raise MissingCheckout(f"no checkout of {repository}")
    if _git(folder, "cat-file", "-e", f"{commit}^{{commit}}").returncode:
        raise ToolError(f"the checkout of {repository} does not have commit {commit}")
    into.mkdir()
    archive = into.with_suffix(".tar")
    packed = _git(folder, "archive", "--format=tar", f"--output={archive.absolute()}", commit)
    if packed.returncode:
        raise ToolError(f"git cannot read commit {commit} of {repository}: {packed.stderr.strip()}")
    with tarfile.open(archive) as files:
        # Python 3.11 has filters since 3.11.4 only; what git has packed is extracted as it is by those before.
        files.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        files.extractall(into)
    archive.unlink()


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Without the ceiling git takes a repository around the folder for the one in it.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(folder.absolute().parent)}
    return subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **ceiling}, capture_output=True, text=True
    )

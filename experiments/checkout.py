"""The files of a named commit, from a checkout or a bare repository."""

from collections.abc import Iterable
import os
from pathlib import Path
import subprocess
import tarfile

from fatcube.groundwork.tool import ToolError

__all__ = ["MissingCheckout", "extract", "file_of"]


class MissingCheckout(ToolError):
    """There is no checkout of a repository."""


def extract(checkouts: Path, repository: str, commit: str, into: Path, folders: Iterable[str] = ("",)) -> None:
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
    folders : iterable of :class:`str`
        The folders needed, as paths without a slash at the end; all if not given. A clone may lack the contents of others.

    Raises
    ------
    MissingCheckout
        If there is no such git repository.
    ToolError
        If the commit is not in it, or git cannot read it.
    """
    folder = _folder(checkouts, repository, commit)
    into.mkdir()
    archive = into.with_suffix(".tar")
    for needed in folders:
        prefix = [f"--prefix={needed}/"] if needed else []
        packed = _git(
            folder, "archive", *prefix, "--format=tar", f"--output={archive.absolute()}", f"{commit}:{needed}"
        )
        if packed.returncode:
            raise ToolError(f"git cannot read commit {commit} of {repository}: {packed.stderr.strip()}")
        with tarfile.open(archive) as files:
            # Python 3.11 has filters since 3.11.4 only; what git has packed is extracted as it is by those before.
            files.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
            files.extractall(into)
        archive.unlink()


def file_of(checkouts: Path, repository: str, commit: str, path: str) -> bytes:
    """A file of a commit; parameters and errors are those of :func:`extract`, and ``path`` is in the repository."""
    folder = _folder(checkouts, repository, commit)
    shown = subprocess.run(
        ["git", "cat-file", "blob", f"{commit}:{path}"], cwd=folder, env=_environment(folder), capture_output=True
    )
    if shown.returncode:
        raise ToolError(f"commit {commit} of {repository} has no file {path}")
    return shown.stdout


def _folder(checkouts: Path, repository: str, commit: str) -> Path:
    """The checkout of a repository that has a commit."""
    folder = checkouts / repository.rpartition("/")[2]
    if not folder.is_dir() or _git(folder, "rev-parse", "--git-dir").returncode:
        raise MissingCheckout(f"no checkout of {repository}")
    if _git(folder, "cat-file", "-e", f"{commit}^{{commit}}").returncode:
        raise ToolError(f"the checkout of {repository} does not have commit {commit}")
    return folder


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=folder, env=_environment(folder), capture_output=True, text=True)


def _environment(folder: Path) -> dict[str, str]:
    # Without the ceiling git takes a repository around the folder for the one in it.
    return {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.absolute().parent)}

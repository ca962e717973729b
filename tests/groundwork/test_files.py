"""Files are written whole or not at all; links, devices and FIFOs stay what they are."""

import errno
import os
import stat
import subprocess
import sys

import pytest

from fatcube.groundwork import files
from fatcube.groundwork.files import (
    check_target,
    copy_file,
    is_special,
    write_files,
    write_folder,
    write_parts,
    write_text,
)
from tests.support.special_files import FULL, device, drained, listening


def _mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def _names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_mode_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "new", "é")
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_bytes() == "é".encode()
    assert _mode(tmp_path / "new") == 0o640
    assert _names(tmp_path) == ["new"]


def test_parts_that_are_made_while_a_file_is_written(tmp_path):
    """Either all new files are there, or all old ones if one cannot be made."""
    write_parts(tmp_path / "new", (part for part in ("é", "", "b\n")))
    assert (tmp_path / "new").read_bytes() == "éb\n".encode()
    with pytest.raises(ZeroDivisionError):
        write_parts(tmp_path / "new", (str(1 // number) for number in (1, 0)))
    assert (tmp_path / "new").read_bytes() == "éb\n".encode() and _names(tmp_path) == ["new"]


@pytest.mark.parametrize("mode", [0o600, 0o755, 0o666])
def test_an_old_file_keeps_its_mode(tmp_path, mode):
    file = tmp_path / "old"
    file.write_text("before")
    file.chmod(mode)
    write_text(file, "after")
    assert (file.read_text(), _mode(file)) == ("after", mode)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_an_old_file_keeps_its_owner(tmp_path):
    file = tmp_path / "old"
    file.write_text("before")
    os.chown(file, 12345, 23456)
    write_text(file, "after")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 23456)


def test_other_hard_links_keep_the_old_content(tmp_path):
    (tmp_path / "one").write_text("before")
    os.link(tmp_path / "one", tmp_path / "two")
    write_text(tmp_path / "one", "after")
    assert ((tmp_path / "one").read_text(), (tmp_path / "two").read_text()) == ("after", "before")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("before")
    file.chmod(0o444)
    with pytest.raises(PermissionError, match="file"):
        write_text(file, "after")
    assert file.read_text() == "before"


@pytest.mark.parametrize("there", [True, False], ids=["to a file", "dangling"])
@pytest.mark.parametrize("relative", [True, False])
def test_a_link_stays_and_its_target_is_written(tmp_path, there, relative):
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "target"
    if there:
        target.write_text("before")
        target.chmod(0o604)
    (tmp_path / "between").symlink_to("folder/target" if relative else target)
    (tmp_path / "link").symlink_to("between")
    write_text(tmp_path / "link", "after")
    assert os.readlink(tmp_path / "link") == "between"
    assert (tmp_path / "between").is_symlink() and not target.is_symlink()
    assert target.read_text() == "after"
    assert not there or _mode(target) == 0o604
    assert _names(tmp_path / "folder") == ["target"]


def test_a_link_into_no_folder_is_an_error_that_names_it(tmp_path):
    (tmp_path / "link").symlink_to("no/folder")
    with pytest.raises(FileNotFoundError) as refused:
        write_text(tmp_path / "link", "x")
    assert refused.value.filename == str(tmp_path / "link")
    assert _names(tmp_path) == ["link"]


def test_a_loop_of_links_is_an_error_that_names_it(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError) as refused:
        write_text(tmp_path / "a", "x")
    assert (refused.value.errno, refused.value.filename) == (errno.ELOOP, str(tmp_path / "a"))
    assert _names(tmp_path) == ["a", "b"]


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_text(tmp_path / "folder", "x")


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "over a link"])
def test_a_device_is_written_to_and_stays(tmp_path, linked):
    null = device(tmp_path / "null")
    before = os.stat(null)
    if linked:
        (tmp_path / "link").symlink_to("null")
    write_text(tmp_path / ("link" if linked else "null"), "x" * 100_000)
    after = os.stat(null)
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_rdev, after.st_mode) == (before.st_ino, before.st_rdev, before.st_mode)
    assert _names(tmp_path) == (["link", "null"] if linked else ["null"])


def test_a_device_that_is_full_is_an_error_that_names_it(tmp_path):
    full = device(tmp_path / "full", FULL)
    with pytest.raises(OSError) as refused:
        write_text(full, "x")
    assert (refused.value.errno, refused.value.filename) == (errno.ENOSPC, str(full))


def test_a_fifo_gets_all_and_stays(tmp_path):
    with drained(tmp_path / "fifo") as read:
        write_text(tmp_path / "fifo", "x" * 300_000)
    assert read == [b"x" * 300_000]
    assert stat.S_ISFIFO(os.stat(tmp_path / "fifo").st_mode)


def test_a_socket_stays(tmp_path):
    """It cannot be opened as a file is, so that is an error."""
    with listening(tmp_path / "socket"):
        with pytest.raises(OSError) as refused:
            write_text(tmp_path / "socket", "x")
        assert refused.value.filename == str(tmp_path / "socket")
        assert stat.S_ISSOCK(os.stat(tmp_path / "socket").st_mode)
        assert is_special(tmp_path / "socket")


def test_what_is_special(tmp_path):
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    assert [is_special(tmp_path / name) for name in ("file", "fifo", "link", "none", ".")] == [
        *(False, True, True, False, False)
    ]


@pytest.mark.parametrize("into", ["pipe", "file", "removed"])
def test_standard_output_by_its_name(tmp_path, into):
    """Text printed before and after is around it, also where standard output is a file."""
    program = "from fatcube.groundwork.files import write_text; print('before'); write_text('/dev/stdout', 'x\\n'); print('after')"
    out = tmp_path / "out"
    with open(out, "w+") as file:
        if into == "removed":
            out.unlink()
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        stdout = subprocess.PIPE if into == "pipe" else file
        ended = subprocess.run([sys.executable, "-c", program], stdout=stdout, env=environment)
        file.seek(0)
        text = ended.stdout.decode() if into == "pipe" else file.read()
    assert (ended.returncode, text) == (0, "before\nx\nafter\n")
    assert _names(tmp_path) == ([] if into == "removed" else ["out"])


def test_a_file_without_a_name_is_written_over_its_descriptor(tmp_path):
    with open(tmp_path / "gone", "w+") as file:
        (tmp_path / "gone").unlink()
        write_text(f"/dev/fd/{file.fileno()}", "x")
        assert file.read() == "x"
    assert _names(tmp_path) == []


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no room"), KeyboardInterrupt(), MemoryError()])
@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_left_of_what_was_not_finished(tmp_path, monkeypatch, error, there):
    """Neither where writing ends early, nor where renaming does."""

    def fails(*arguments):
        assert len(_names(tmp_path)) == 1 + there  # Something was written aside.
        raise error

    if there:
        (tmp_path / "file").write_text("before")
    monkeypatch.setattr(files.os, "replace", fails)
    with pytest.raises(type(error)) as ended:
        write_text(tmp_path / "file", "after")
    if isinstance(error, OSError):
        assert ended.value.filename == str(tmp_path / "file")
    assert _names(tmp_path) == ["file"] * there
    assert not there or (tmp_path / "file").read_text() == "before"


def test_of_several_files_none_is_written_if_one_cannot_be(tmp_path):
    (tmp_path / "old").write_text("before")
    with pytest.raises(FileNotFoundError):
        write_files({tmp_path / "old": b"after", tmp_path / "new": b"after", tmp_path / "no" / "folder": b""})
    assert _names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "before"


def test_a_device_that_fails_keeps_the_files_beside_it_unwritten(tmp_path):
    full = device(tmp_path / "full", FULL)
    with pytest.raises(OSError):
        write_files({tmp_path / "new": b"after", full: b"x"})
    assert _names(tmp_path) == ["full"]


def test_a_folder_of_files(tmp_path):
    write_folder(tmp_path / "folder", {"one": b"1", "two": b"2"})
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "folder" / "one").unlink()
    (tmp_path / "folder" / "one").symlink_to("../elsewhere")
    write_folder(tmp_path / "link", {"one": b"3", "three": b"4"})
    assert (tmp_path / "elsewhere").read_bytes() == b"3"
    assert (tmp_path / "folder" / "one").is_symlink() and (tmp_path / "link").is_symlink()
    assert _names(tmp_path / "folder") == ["one", "three", "two"]


def test_of_a_new_folder_nothing_is_left_if_a_file_cannot_be_written(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_folder(tmp_path / "folder", {"one": b"1", "no/folder": b""})
    assert _names(tmp_path) == []


def test_a_copy_goes_where_writing_does(tmp_path):
    (tmp_path / "source").write_bytes(b"x" * 3_000_000)
    with drained(tmp_path / "fifo") as read:
        copy_file(tmp_path / "source", tmp_path / "fifo")
    copy_file(tmp_path / "source", tmp_path / "file")
    assert read == [(tmp_path / "source").read_bytes()] == [(tmp_path / "file").read_bytes()]
    assert stat.S_ISFIFO(os.stat(tmp_path / "fifo").st_mode)


def test_what_is_checked_beforehand_changes_nothing(tmp_path):
    os.mkfifo(tmp_path / "fifo")  # Nobody reads it, so opening it would wait for ever.
    (tmp_path / "dangling").symlink_to("new")
    for name in ("fifo", "dangling", "new"):
        check_target(tmp_path / name)
    assert _names(tmp_path) == ["dangling", "fifo"]
    with pytest.raises(FileNotFoundError):
        check_target(tmp_path / "no" / "folder")
    with pytest.raises(IsADirectoryError):
        check_target(tmp_path)

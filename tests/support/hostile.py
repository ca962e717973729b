"""Environment variables that users have for other programs, and that no command of ours may be stopped by."""

__all__ = ["hostile"]


def hostile(folder, *, home=None):
    """The variables, with a folder for temporary files that has a blank in its name; ``None`` stands for no such variable.

    Parameters
    ----------
    folder : :class:`Path`
        Where that folder, and one with modules, are made.
    home : :class:`str` or ``None``
        The user's home.
    """
    temporary, modules = folder / "for a while", folder / "modules"
    temporary.mkdir(exist_ok=True)
    modules.mkdir(exist_ok=True)
    (modules / "theirs.py").write_text("raise ImportError\n")
    return {
        "LD_LIBRARY_PATH": "/usr/local/lib",
        "PYTHONPATH": str(modules),
        "TMPDIR": str(temporary),
        "HOME": home,
        # cocotb's, of the user's own tests.
        "COCOTB_TESTCASE": "theirs",
        "COCOTB_TEST_FILTER": "theirs",
        "COCOTB_TEST_MODULES": "theirs",
        "GUI": "1",
        "WAVES": "1",
    }

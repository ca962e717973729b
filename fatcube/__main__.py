"""The command `fatcube`. It imports nothing heavy before signals are looked after."""

from fatcube.groundwork.ending import orderly
from fatcube.groundwork.late import import_late
from fatcube.groundwork.memory import collect_seldom
from fatcube.groundwork.streams import prepare_streams

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C and SIGTERM end it, and all that it started, in one line."""
    collect_seldom()
    prepare_streams()
    # Few commands need these, and together they take longer than all the rest.
    import_late("jinja2", "networkx", "numpy")
    with orderly():
        from fatcube.cli import main as command_line

        command_line()


if __name__ == "__main__":
    main()

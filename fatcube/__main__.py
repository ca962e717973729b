"""The command `fatcube`. It imports nothing heavy before signals are looked after."""

import sys

from groundwork.ending import orderly
from groundwork.late import import_late
from groundwork.memory import collect_seldom
from groundwork.streams import prepare_streams

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C and SIGTERM end it, and all that it started, in one line."""
    collect_seldom()
    prepare_streams()
    # Few commands need these, and together they take longer than all the rest.
    import_late("jinja2", "networkx", "numpy")
    with orderly():
        from fatcube.hidden import hidden_room

        if hidden := hidden_room():
            print(f"fatcube: {hidden}", file=sys.stderr)
            sys.exit(2)
        from fatcube.cli import main as command_line

        command_line()


if __name__ == "__main__":
    main()

"""`fatcube board`: networks on boards, a file per command of this group."""

import importlib

import typer

from fatcube.cli.app import app

__all__ = ["board_app"]


board_app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")
"""The group that these commands are registered with."""

app.add_typer(
    board_app,
    name="board",
    rich_help_panel="Hardware",
    help="Put a network on an FPGA board, and measure it there over a serial port.",
)

# Help lists them in this order.
for _name in ("list", "build", "run", "simulate"):
    importlib.import_module(f"{__name__}.{_name}")

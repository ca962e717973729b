"""`fatcube generate`: the Verilog of a router, a network or a system, a file per command of this group."""

import importlib
from typing import Any

import typer
import typer.core

from fatcube.cli.app import app

__all__ = ["generate_app"]


class _Group(typer.core.TyperGroup):
    """The commands of the group; where options come at once, they are those of a network."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = {name for option in self.params for name in option.opts}
        others = [word for word in args if word not in own]
        if args and (not others or (others[0].startswith("-") and others[0] not in ctx.help_option_names)):
            args = ["network", *args]
        return super().parse_args(ctx, args)


generate_app = typer.Typer(cls=_Group, no_args_is_help=True, rich_markup_mode="markdown")
"""The group that these commands are registered with."""

app.add_typer(
    generate_app,
    name="generate",
    rich_help_panel="Hardware",
    help="Write the Verilog of a router, a network or a system.",
)

# Help lists them in this order.
for _name in ("router", "network", "system"):
    importlib.import_module(f"{__name__}.{_name}")

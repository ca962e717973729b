"""`fatcube where`: from a name in a waveform or a report of timing to the unit of the sources that it comes from."""

from pathlib import Path
from typing import Annotated, Any

import typer

from fatcube.cli import options
from fatcube.cli.app import command, examples
from fatcube.cli.arguments import apart
from fatcube.cli.output import say, write_json
from fatcube.groundwork.record import record
from fatcube.noc.verilog.source_map import places_of, read_map

__all__ = ["where"]


@command(
    more="A path has dots, slashes or bars, and may begin above the top module; one name alone is looked up in all "
    "modules. Suffixes that tools add to the names of registers are ignored.",
    epilog=examples(
        "where fabric.node5.allocator.free2 net.map.json",
        "where 'tb/dut/fabric/node5/input1/expect_header_reg[0]' net.map.json",
        "where allocator__grant2 router.map.json",
    ),
)
def where(
    signal: Annotated[str, typer.Argument(metavar="SIGNAL", help="A path to a signal or an instance, or one name.")],
    file: Annotated[Path, typer.Argument(metavar="MAP", help="The map that --with map of fatcube generate wrote.")],
    *,
    json_file: options.JsonFile = None,
) -> None:
    apart(file, json_file)
    about = read_map(file)
    places = places_of(signal, about)
    for place in places:
        say(_shown(place))
    write_json(json_file, lambda: record({"file": file.name, "name": signal}, {"places": places}))


def _shown(place: dict[str, Any]) -> str:
    unit = f"module {place['module']}"
    if place["class"] is not None:
        unit = f"{unit}: {place['class']} ({place['file']}:{place['line']})"
    lines = [unit, *([f"  {place['purpose']}"] if place["purpose"] else [])]
    if (found := place["signal"]) is not None:
        made = f" ({found['file']}:{found['line']})" if found["file"] is not None else ""
        lines.append(f"  {found['verilog']}: signal {found['name']}{made}")
        lines += [f"    {found['meaning']}"] if found["meaning"] else []
    return "\n".join(lines)

"""The options that the commands of `fatcube generate` share, and how they write Verilog and the files beside it."""

from collections.abc import Callable, Iterable, Mapping
import dataclasses
import inspect
import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel
from fatcube.cli.arguments import READ, output_file
from fatcube.cli.choices import choice
from fatcube.cli.flags import Flags
from fatcube.cli.output import remark, say, say_chosen, stop_if
from fatcube.groundwork.files import is_special, write_files
from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared, check_identifier
from fatcube.noc.verilog import written
from fatcube.noc.verilog.source_map import map_text
from fatcube.synth.plain import SCRIPTS, script, script_name

__all__ = ["ModuleName", "Target", "target_flags"]


@dataclasses.dataclass(frozen=True)
class Target:
    """The files to write, and their places.

    Members
    -------
    output : :class:`Path` or ``None``
        The file for the Verilog; ``None`` stands for standard output.
    name : :class:`str` or ``None``
        The name of the top module, if it is given.
    families : sequence of :class:`str`
        The families for which a Yosys script is written beside the file.
    dry_run : :class:`bool`
        Whether everything is checked and nothing written.
    inputs : tuple of :class:`Path`
        Files that the command reads, which nothing may be written over.

    Raises
    ------
    ParameterError
        If the name is none of Verilog's, or there is no file that a script can be written beside.
    """

    output: Path | None = None
    name: str | None = None
    families: tuple[str, ...] | list[str] = ()
    dry_run: bool = False
    inputs: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.name is not None:
            check_identifier(self.name)
        self.require_file(f"--script {family}" for family in self.families)

    @property
    def file(self) -> Path | None:
        """The file that others can be written beside: ``None`` for standard output, a device or a FIFO."""
        return None if self.output is None or is_special(self.output) else self.output

    def require_file(self, options: Iterable[str]) -> None:
        """Refuse ``options`` that write files beside the Verilog where nothing can be.

        Raises
        ------
        ParameterError
            At the first of them.
        """
        for option in options if self.file is None else ():
            if self.output is None:
                raise ParameterError(f"{option} requires a file for the Verilog (-o)")
            raise ParameterError(f"{option} requires a regular file for the Verilog (-o), not {self.output}")

    def refuse_json(self, what: str) -> None:
        """Refuse a file for the Verilog that has the name of the description of a ``what``.

        Raises
        ------
        ParameterError
            If it does.
        """
        if self.output is not None and self.output.suffix == ".json":
            raise ParameterError(
                f"output must not end in .json, as the description of the {what} does, not {self.output}"
            )

    def description(self, about: Mapping[str, Any]) -> dict[Path, str]:
        """The text of the description beside the Verilog, by its file; none where nothing can be beside it."""
        return {} if self.file is None else {self.file.with_suffix(".json"): json.dumps(about, indent=1) + "\n"}

    def remark_no_description(self) -> None:
        """Say that there is no description beside a device or a FIFO."""
        if self.output != self.file:
            remark(f"no description was written, as {self.output} is not a regular file")

    def write(
        self,
        what: str,
        network: Network,
        shared: Shared,
        comment: Callable[[], str],
        *,
        beside: Mapping[Path, str] = {},
        mapped: bool = False,
        remarks: Iterable[str] = (),
    ) -> None:
        """Write a component, ``what`` of ``network``, and further files; a dry run ends the command instead.

        Parameters
        ----------
        comment : callable
            Makes the text at the head of the Verilog.
        beside : mapping of :class:`Path` to :class:`str`
            The texts of further files, without scripts.
        mapped : :class:`bool`
            Whether to write the source of each module and signal beside the file.
        remarks : iterable of :class:`str`
            Remarks on the component.
        """
        others = {**beside, **self._scripts(shared.name)}
        map_file = self.file.with_suffix(".map.json") if mapped and self.file is not None else None
        if map_file is not None:
            others[map_file] = ""  # It is known when the Verilog is.
        for path in others:
            output_file(path)
        self._keep_inputs(others)
        say_chosen(network.chosen, error=self.file is None)
        for line in remarks:
            remark(line)
        names = ", ".join(map(str, (self.output, *others)))
        here = "" if self.output is None else f": {names}"
        stop_if(self.dry_run, f"the {what} ({network.name}) can be generated{here}")
        with doing(f"generating the {what}: {network.name}"):
            found = written(shared, comment=comment())
        text = found.text
        if map_file is not None and self.file is not None:
            others[map_file] = map_text(self.file.name, shared.name, found.modules)
        if self.output is None:
            print(text)
        else:
            write_files({path: content.encode() for path, content in {self.output: text, **others}.items()})
        if self.file is not None:
            say(f"Written to {names}")

    def _keep_inputs(self, others: Iterable[Path]) -> None:
        read = {path.resolve() for path in self.inputs}
        for path in others:
            if path.resolve() in read:
                raise ParameterError(
                    f"output must have another name than {self.output}, as {path} would be written, which the command reads"
                )

    def _scripts(self, top: str) -> dict[Path, str]:
        """The scripts by their files; they map the module ``top``."""
        if self.file is None:
            return {}
        name = self.file.name
        return {
            self.file.with_name(script_name(name, family)): script(family, verilog=name, top=top)
            for family in self.families
        }


ModuleName = Annotated[
    Optional[str],
    typer.Option(
        "--name",
        help="Name of the top module and prefix of all other modules, so that several generated designs fit into one.",
        rich_help_panel=Panel.RESULT,
    ),
]

_OPTIONS: dict[str, tuple[Any, Any]] = {
    "output": (
        Annotated[
            Optional[Path],
            typer.Option(
                "-o",
                callback=output_file,
                help="File for the Verilog; standard output if not given.",
                rich_help_panel=Panel.RESULT,
            ),
        ],
        None,
    ),
    "name": (
        ModuleName,
        None,
    ),
    "families": (
        Annotated[
            Optional[list[str]],
            choice(
                "--script",
                SCRIPTS,
                name="family of a script",
                help="Write beside the file the Yosys script that maps it for area on this FPGA family. May be given "
                "several times.",
                panel=Panel.RESULT,
            ),
        ],
        None,
    ),
    "dry_run": (options.DryRun, False),
}


def target_flags() -> Flags:
    """The flags of a :class:`Target`."""
    parameters = (
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _OPTIONS.items()
    )
    return Flags(tuple(parameters), _target, also=READ)


def _target(given: Mapping[str, Any]) -> Target:
    inputs = tuple(given[name] for name in READ if name in given)
    return Target(**{name: value for name, value in given.items() if name not in READ}, inputs=inputs)

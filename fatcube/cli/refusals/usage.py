"""Refusals of invalid words, options and values, in one line each, from the declarations of the command."""

from collections.abc import Callable, Collection, Iterable
import dataclasses
import itertools
import json
from pathlib import Path
import re
from typing import Any

from fatcube.cli.refusals.words import meant, meant_option
from fatcube.groundwork.validation import ParameterError, shown

__all__ = ["check_network_file", "check_values", "refused", "surplus_argument", "unknown_command"]


#: Options that a command lacks on purpose, and the argument or option to use instead.
_INSTEAD = {
    ("compare", "--topology"): "networks are arguments, as in fatcube compare mesh:4x4 torus:4x4",
    ("compare", "-w"): "networks are arguments, as in fatcube compare mesh:4x4 torus:4x4",
    ("compare", "-d"): "networks are arguments, as in fatcube compare mesh:4x4 torus:4x4",
    **{
        ("compare", name): f"generate each network with {name}, and give its description (.json) to compare"
        for name in ("--width", "--buffer-depth", "--virtual-channels")
    },
    **{
        (name, "--schedule"): f"the schedule is an argument, as in fatcube {name} FILE"
        for name in ("check", "export", "view")
    },
    ("explore", "--topology"): "a network file fixes the topology, as in fatcube explore net.toml",
    ("reproduce", "--table"): "it prints all tables",
}
_FORMATS = {"--schedule": "fatcube.schedule", "--topology-file": "fatcube.topology"}
_MOST_NAMES = 8  # of commands in a message
_KINDS = {"int": "an integer", "integer": "an integer", "float": "a number"}
_VERILOG = (".v", ".sv", ".vh", ".svh")


def unknown_command(context: Any, word: str, lines: Iterable[str]) -> ParameterError:
    """The refusal of a word where the name of a command belongs; ``lines`` are all commands, as in ``generate network``."""
    names = list(context.command.commands)
    hint = None
    within = [path for path in lines if path.endswith(f" {word}") and context.parent is None]
    if near := meant(word, [*names, *_options(context)], alike=not within):
        hint = near
    elif within:
        hint = _or(within)
    elif context.parent is None and Path(word).suffix in (".toml", ".json"):
        hint = f"generate network {word}"
    elif context.parent is not None and "network" in names:
        hint = _as_output(word) or _as_file(word) or _as_topology(word)
        hint = hint and f"network {hint}"
    elif context.parent is not None and "build" in names and re.match(r"\w+-?\d", word):
        hint = f"build {word}"
    among = ", ".join(names) if len(names) <= _MOST_NAMES else f"those that {context.command_path} --help lists"
    return ParameterError(f"command must be one of {among}, not {shown(word)}{_question(hint)}")


def surplus_argument(context: Any, words: list[str]) -> ParameterError:
    """The refusal of an argument that a command does not take."""
    word, options = words[0], _options(context)
    hints = (
        *((option, f"{option} {word}") for option in _options_for(word)),
        ("-o", f"-o {word}" if word.endswith(".svg") else _as_output(word)),
        ("--results", f"--results {word}" if word.endswith((".jsonl", ".sqlite")) else None),
        ("--page", f"--page {word}" if word.endswith((".html", ".md")) else None),
        ("-c", _as_collective(word)),
        ("--topology", _as_topology(word)),
    )
    hint = next((hint for option, hint in hints if hint and option in options), None)
    taken = [_name(one) for one in context.command.params if one.param_type_name == "argument"]
    takes = f"{' and '.join(taken)} and no further argument" if taken else "no argument"
    return ParameterError(
        f"{context.command_path.removeprefix('fatcube ')} takes {takes}, not {shown(word)}{_question(hint)}"
    )


def check_network_file(path: Path) -> None:
    """Refuse a file that is no network file by its ending, and name the option for its kind.

    Raises
    ------
    ParameterError
        If it ends in neither .toml nor .json.
    """
    if path.suffix.lower() in (".toml", ".json"):
        return
    word = str(path)
    instead = "; Verilog is not read: give a network file, or flags" if path.suffix in _VERILOG else ""
    raise ParameterError(
        f"network must be a network file (.toml or .json), not {shown(word)}{instead or _question(_as_topology(word))}"
    )


def check_values(parameters: Iterable[Any], words: list[str]) -> None:
    """Refuse an option that takes a value and is followed by another option of the command, which would be its value."""
    valued = {option for one in parameters if not getattr(one, "is_flag", False) for option in one.opts}
    for word, following in itertools.pairwise(words):
        if word == "--":
            return
        if word.startswith("-") and word in valued and following.startswith("--") and following in _opts(parameters):
            raise ParameterError(f"{word} needs a value, and {following} follows it")


def refused(error: Any, load: Callable[[str], Any]) -> str:
    """Typer's refusal as a line, by the class of its error, which is private; empty where help was printed instead.

    ``load`` imports another command, by its name as in ``generate network``.
    """
    kind, context = type(error).__name__, getattr(error, "ctx", None)
    if kind == "NoSuchOption" and context is not None:
        return _unknown_option(context, error.option_name, load)
    if kind == "BadOptionUsage":
        if several := re.search(r"requires (\d+) arg", error.message):
            return f"{error.option_name} needs {several[1]} values behind it, with spaces between them"
        return f"{error.option_name} {'needs a value, and none follows it' if 'requires' in error.message else 'takes no value'}"
    parameter = getattr(error, "param", None)
    if kind == "MissingParameter" and parameter is not None:
        return f"{_name(parameter)} must be given: {_meaning(parameter)}"
    if kind == "BadParameter" and parameter is not None and (said := _of_value(error)):
        return said
    return error.format_message()


def _unknown_option(context: Any, option: str, load: Callable[[str], Any]) -> str:
    text = f"No such option: {option}"
    if instead := _INSTEAD.get((context.info_name or "", option)):
        return f"{text}; {instead}"
    if hint := meant_option(option, _options(context)):
        return f"{text}{_question(hint)}"
    if having := _commands_with(context, option, load):
        return f"{text}; it is an option of {_or(having, 'and')}"
    return f"{text}; {context.command_path} --help lists those there are"


def _commands_with(context: Any, option: str, load: Callable[[str], Any]) -> list[str]:
    """The other commands of a command's group that have an option."""
    group = context.parent
    if group is None or group.parent is None:
        return []
    names = [f"{group.info_name} {name}" for name in group.command.commands if name != context.info_name]
    return [f"fatcube {path}" for path in names if option in _opts(load(path).params)]


def _of_value(error: Any) -> str | None:
    """The message on a value of a wrong type: from the fields of Pydantic's errors, and from the words of other errors."""
    cause = error.__cause__
    if hasattr(cause, "errors"):
        found = cause.errors()[0]
        kind, value = found["type"].partition("_")[0], found["input"]
        if kind == "value":
            return f"{_name(error.param)} must have another value than {shown(value)}: {found['ctx']['error']}"
    elif words := re.match(r"'(.*)' is not a valid (\w+)", error.message):
        kind, value = words[2], words[1]
    else:
        return None
    return f"{_name(error.param)} must be {_KINDS[kind]}, not {shown(value)}" if kind in _KINDS else None


def _name(parameter: Any) -> str:
    """The name of a parameter as help has it."""
    if parameter.param_type_name != "argument":
        return parameter.opts[0]
    shown_as = parameter.metavar or "|"
    return parameter.name.upper() if "|" in shown_as else shown_as.strip("[]")


def _meaning(parameter: Any) -> str:
    """The first sentence of the help of a parameter, and the words that it takes."""
    text = re.split(r"\.(?: |$)", parameter.help)[0]
    words = parameter.metavar if "|" in (parameter.metavar or "") else None
    return f"{text}, one of {words.replace('|', ', ')}" if words else text


def _options(context: Any) -> list[str]:
    return [*_opts(context.command.params), *context.help_option_names]


def _opts(parameters: Iterable[Any]) -> list[str]:
    return [option for one in parameters for option in (*one.opts, *one.secondary_opts)]


def _question(hint: str | None) -> str:
    return f"; did you mean {hint}?" if hint else ""


def _or(words: Collection[str], word: str = "or") -> str:
    return f" {word} ".join(sorted(words))


def _options_for(word: str) -> list[str]:
    """The option for a JSON file, by the format that it says it has; none if it has another one or cannot be read."""
    if not word.endswith(".json"):
        return []
    try:
        found = json.loads(Path(word).read_text())
    except (OSError, ValueError, RecursionError):
        return []
    kind = str(found.get("format")).partition("/")[0] if isinstance(found, dict) else None
    return [option for option, named in _FORMATS.items() if named == kind]


def _as_output(word: str) -> str | None:
    return f"-o {word}" if word.endswith(_VERILOG) else None


def _as_file(word: str) -> str | None:
    return word if word.endswith((".toml", ".json")) else None


def _as_collective(word: str) -> str | None:
    from fatcube.schedules.collective import Collective

    return f"-c {word}" if any(word.lower() in (one.value.lower(), one.word) for one in Collective) else None


def _as_topology(word: str) -> str | None:
    """The flags of the topology that a word or a short name of a network stands for, if it does."""
    from fatcube.cli.short_names import is_short_name, topology_named
    from fatcube.noc.topologies import named_topologies

    kind = word.partition(":")[0]
    if kind not in named_topologies():
        return None
    try:
        topology: Any = topology_named(word) if is_short_name(word) else None
    except ParameterError:
        topology = None
    fields = () if topology is None else dataclasses.fields(topology)
    values = {field.name: getattr(topology, field.name) for field in fields if field.init}
    texts = {name: ",".join(map(str, v)) if isinstance(v, tuple) else str(v) for name, v in values.items()}
    given = [f"-{name} {texts[name]}" for name in texts if name not in ("m", "f") or values[name] != 1]
    return " ".join([f"--topology {kind}", *given])

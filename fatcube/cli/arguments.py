"""Checks of arguments that several commands make."""

from pathlib import Path

from groundwork.validation import ParameterError, check_number, shown

__all__ = ["beside", "refuse", "apart", "integers", "check_time_limit"]


def refuse(because, **options):
    """Refuses options that would change nothing: those among ``options``, by name, that are not ``None``."""
    for name, value in options.items():
        if value is not None:
            dashes = "-" if len(name) == 1 else "--"
            raise ParameterError(f"{dashes}{name.replace('_', '-')} must be left out {because}, not {shown(value)}")


def apart(*paths):
    """Refuses two files that are one, or writing one would destroy the other."""
    given = [path for path in paths if path is not None]
    for index, path in enumerate(given):
        if path.resolve() in {other.resolve() for other in given[:index]}:
            raise ParameterError(f"output must be another file than what is read or written besides, not {path}")


def integers(name, text):
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"{name} must be integers with commas between them, not {text!r}") from None


def check_time_limit(seconds):
    """Seconds of a search; a day is more than anybody waits."""
    return check_number("time limit", seconds, minimum=0, maximum=86_400)


def beside(file: Path, suffix: str) -> Path:
    """The path of ``file`` with another ending.

    Raises
    ------
    ParameterError
        If it is a folder without a name, as ``/`` is.
    """
    if not file.name:
        raise ParameterError(f"file must be a file, not the folder {file}")
    return file.with_suffix(suffix)

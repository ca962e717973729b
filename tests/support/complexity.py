"""Cyclomatic complexity: every function of a room has at most that room's limit. `make lint` runs it.

A function counts with those that are defined in it, and they count for themselves too. The measure is Radon's.
"""

import ast
from collections.abc import Mapping
from pathlib import Path
import sys

from radon.visitors import ComplexityVisitor

from tests.support.packages import PACKAGE, ROOMS, ROOT

__all__ = ["LIMITS", "too_complex"]


#: The highest complexity of a function, by room.
LIMITS = dict.fromkeys(ROOMS, 25) | {"rtl": 15}
#: The same beside the package.
BESIDE = {"experiments": 25}


def complexities(source: str) -> list[tuple[int, str, int]]:
    """Line, name and complexity of every function of a source, wherever it is defined."""
    return [
        (node.lineno, node.name, ComplexityVisitor.from_ast(node).functions[0].complexity)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def too_complex(root: Path, limits: Mapping[str, int] = LIMITS) -> list[str]:
    """A line for each function above its limit in the rooms under ``root``."""
    found = []
    for room, limit in limits.items():
        for path in sorted((root / room).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            found += [
                f"{name}:{line} {function} {complexity}, at most {limit}"
                for line, function, complexity in complexities(path.read_text(encoding="utf-8"))
                if complexity > limit
            ]
    return found


def main() -> None:
    """Prints the functions that are too complex, and exits with status 1 if there is one."""
    found = too_complex(PACKAGE) + too_complex(ROOT, BESIDE)
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

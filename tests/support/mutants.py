"""Mutants of Python source: the same text with one small error in it, of the kinds that people make."""

import ast
from collections.abc import Iterator
import dataclasses
import hashlib
import itertools
import warnings

__all__ = ["Mutant", "mutants_of"]


_COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.In: ("in", "not in"),
}
#: Operators both of whose operands are terms, and those of which only the second one can be dropped.
_TERMS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^"}
_SECOND = {ast.Div: "/", ast.FloorDiv: "//", ast.LShift: "<<", ast.RShift: ">>", ast.Pow: "**"}
_CONDITIONS = ("If", "Elif")  # of an Amaranth module
#: Calls that only say something, or that only a type checker looks at.
_SAID = ("Bar", "cast", "doing", "print")
#: Ports with their bits, which are types.
_PORTS = ("In", "Out")
#: Calls whose arguments have no order.
_UNORDERED = ("highest", "max", "min", "suppress")
_SHOWN = ("__repr__", "__str__")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One error in one file.

    Members
    -------
    path : :class:`str`
        The file, relative to the root of the sources.
    line : :class:`int`
        Where it is, from 1.
    start, end : :class:`int`
        The bytes of the file that are replaced.
    text : :class:`str`
        What replaces them.
    before, after : :class:`str`
        The lines that it changes, with single spaces: together with the path they name it whatever its line.
    """

    path: str
    line: int
    start: int
    end: int
    text: str
    before: str
    after: str

    def applied_to(self, source: bytes) -> bytes:
        """The content of the file with the error in it."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def order(self, seed: int) -> str:
        """A random number of the mutant, which stays the same if other lines of the file change."""
        return hashlib.sha256(f"{seed} {self.path} {self.before} {self.after}".encode()).hexdigest()


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """All mutants of a file, in the order of their places.

    Annotations, messages of errors, formatted texts, assertions and what only shows a value are left alone.
    """
    tree = ast.parse(source)
    found: dict[tuple[int, int, str], Mutant] = {}
    places = _Places(source, tree)
    for start, end, text in places.all():
        changed = source[:start] + text.encode() + source[end:]
        if changed == source:
            continue
        begin, after = places.statement(start)
        try:
            with warnings.catch_warnings(action="ignore"):
                # The statement alone: all of the file would be parsed for each of hundreds of mutants.
                ast.parse(
                    b"if 1:\n" * source[begin : begin + 1].isspace()
                    + changed[begin : after + len(changed) - len(source)]
                )
        except SyntaxError:
            continue  # parentheses around an operand that the place does not show
        first = source.rfind(b"\n", 0, start) + 1
        last = source.find(b"\n", end) % (len(source) + 1)
        new_last = last + len(changed) - len(source)
        found[start, end, text] = Mutant(
            path,
            source.count(b"\n", 0, start) + 1,
            start,
            end,
            text,
            " ".join(source[first:last].decode().split()),
            " ".join(changed[first:new_last].decode().split()),
        )
    return sorted(found.values(), key=lambda mutant: (mutant.start, mutant.end, mutant.text))


class _Places:
    """The places of a source text where something can be replaced: start, end, and the new text."""

    def __init__(self, source: bytes, tree: ast.Module) -> None:
        self._source = source
        self._tree = tree
        self._lines = list(itertools.accumulate(map(len, source.splitlines(keepends=True)), initial=0))
        self._modules = {
            (alias.asname or alias.name).partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }

    def statement(self, place: int) -> tuple[int, int]:
        """Where the lines begin and end of the statement at a place: one of the file's or, within a class, one of that."""
        body = self._tree.body
        while True:
            [node] = [one for one in body if self._first(one) <= place < self._lines[one.end_lineno or 0]][:1]
            if not isinstance(node, ast.ClassDef) or place < self._first(node.body[0]):
                return self._first(node), self._lines[node.end_lineno or 0]
            body = node.body

    def _first(self, node: ast.AST) -> int:
        """Where the first line of a statement begins, with its decorators."""
        return self._lines[min(one.lineno for one in [node, *getattr(node, "decorator_list", [])]) - 1]

    def all(self) -> Iterator[tuple[int, int, str]]:
        """Every place, some of which may not give a program."""
        nodes = list(self._looked_at(self._tree))
        fields, wide = self._fields(nodes), self._widths(nodes)
        for node in nodes:
            if isinstance(node, ast.Compare):
                yield from self._compared(node)
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                for value in (node.value - 1, *([] if id(node) in wide else [node.value + 1])):
                    yield self._start(node), self._end(node), str(value) if value >= 0 else f"({value})"
            elif isinstance(node, ast.BinOp):
                yield from self._terms(node)
            elif isinstance(node, ast.BoolOp):
                yield from self._conjuncts(node)
            elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
                yield from self._elements(node, node.elts)
            elif isinstance(node, ast.Dict):
                yield from self._elements(node, node.values)
            elif isinstance(node, ast.Call):
                yield from self._arguments(node)
            elif isinstance(node, ast.Attribute) and (other := self._other_field(node, fields)):
                yield self._end(node) - len(node.attr), self._end(node), other
            yield from self._negated(node)

    def _looked_at(self, node: ast.AST) -> Iterator[ast.AST]:
        """The node and those within it that are part of what the program does."""
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "ctx", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not self._left_alone(child):
                    yield from self._looked_at(child)

    def _left_alone(self, node: ast.AST) -> bool:
        if isinstance(node, (ast.Raise, ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)):
            return True
        if isinstance(node, ast.FunctionDef):
            return node.name in _SHOWN
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PORTS:
            return True
        if isinstance(node, ast.Assign):
            return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
        if isinstance(node, ast.If):
            return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SAID

    def _compared(self, node: ast.Compare) -> Iterator[tuple[int, int, str]]:
        left = node.left
        for operator, right in zip(node.ops, node.comparators):
            if type(operator) in _COMPARISONS:
                old, new = _COMPARISONS[type(operator)]
                place = self._token(old, self._end(left), self._start(right))
                yield place, place + len(old), new
            left = right

    def _terms(self, node: ast.BinOp) -> Iterator[tuple[int, int, str]]:
        kind = type(node.op)
        if sign := _TERMS.get(kind) or _SECOND.get(kind):
            place = self._token(sign, self._end(node.left), self._start(node.right))
            yield self._blank_before(place), self._end(node), ""
            if kind in _TERMS:
                yield self._start(node), self._blank_behind(place + len(sign)), ""

    def _conjuncts(self, node: ast.BoolOp) -> Iterator[tuple[int, int, str]]:
        word = "and" if isinstance(node.op, ast.And) else "or"
        places = [self._token(word, self._end(a), self._start(b)) for a, b in itertools.pairwise(node.values)]
        yield self._start(node), self._blank_behind(places[0] + len(word)), ""
        for place, following in zip(places, [*places[1:], None]):
            end = self._end(node) if following is None else self._blank_before(following)
            yield self._blank_before(place), end, ""

    def _elements(self, node: ast.List | ast.Tuple | ast.Set | ast.Dict, values: list[ast.expr]) -> Iterator:
        # What is assigned to is no list, and of two values of a tuple neither can be left out without a comma.
        if isinstance(getattr(node, "ctx", None), ast.Store) or len(values) < 2 + isinstance(node, ast.Tuple):
            return
        starts = [*node.keys] if isinstance(node, ast.Dict) else values
        firsts = [a or b for a, b in zip(starts, values)]
        commas = [self._token(",", self._end(a), self._start(b)) for a, b in zip(values, firsts[1:])]
        opened = self._start(node) + (self._start(node) < self._start(firsts[0]))
        yield opened, self._blank_behind(commas[0] + 1), ""
        for comma, following, value in zip(commas, [*commas[1:], None], values[1:]):
            yield comma, self._end(value) if following is None else following, ""

    def _arguments(self, node: ast.Call) -> Iterator[tuple[int, int, str]]:
        """Neighbours among the arguments swapped; a text and a value are not mistaken for each other."""
        if ast.unparse(node.func).rpartition(".")[2] in _UNORDERED:
            return
        # Which of two interfaces comes first when they are connected does not count either.
        args = node.args[:2] if ast.unparse(node.func).endswith("connect") else node.args
        for a, b in itertools.pairwise(args):
            texts = [self._source[self._start(one) : self._end(one)].decode() for one in (a, b)]
            if not any(isinstance(one, (ast.Starred, ast.JoinedStr, ast.Lambda)) for one in (a, b)) and not any(
                isinstance(one, ast.Constant) and isinstance(one.value, str) for one in (a, b)
            ):
                between = self._source[self._end(a) : self._start(b)].decode()
                yield self._start(a), self._end(b), f"{texts[1]}{between}{texts[0]}"

    @staticmethod
    def _widths(nodes: list[ast.AST]) -> set[int]:
        """The nodes within the shape of a signal with that many values: with more of them it works as well."""
        return {
            id(part)
            for node in nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Signal"
            for shape in node.args
            for part in ast.walk(shape)
        }

    def _fields(self, nodes: list[ast.AST]) -> dict[str, list[str]]:
        """The fields of each value that are read in the file, its methods aside."""
        self._called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        found: dict[str, set[str]] = {}
        for node in nodes:
            if isinstance(node, ast.Attribute) and self._is_field(node):
                found.setdefault(ast.unparse(node.value), set()).add(node.attr)
        return {name: sorted(fields) for name, fields in found.items()}

    def _is_field(self, node: ast.Attribute) -> bool:
        module = isinstance(node.value, ast.Name) and node.value.id in self._modules
        return isinstance(node.ctx, ast.Load) and id(node) not in self._called and not module

    def _other_field(self, node: ast.Attribute, fields: dict[str, list[str]]) -> str | None:
        """The next one in order among the fields of the same value, if it has several."""
        if not self._is_field(node):
            return None
        known = fields[ast.unparse(node.value)]
        return known[(known.index(node.attr) + 1) % len(known)] if len(known) > 1 else None

    def _negated(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        tests = [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else []
        tests += node.ifs if isinstance(node, ast.comprehension) else []
        for test in tests:
            yield self._start(test), self._end(test), f"not ({self._text(test)})"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CONDITIONS:
            [test] = node.args
            yield self._start(test), self._end(test), f"({self._text(test)}) == 0"

    def _text(self, node: ast.AST) -> str:
        return self._source[self._start(node) : self._end(node)].decode()

    def _start(self, node: ast.AST) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.AST) -> int:
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def _token(self, token: str, start: int, end: int) -> int:
        """The place of an operator between two operands, where but for it there are parentheses and comments."""
        place = start
        while place < end:
            if self._source[place : place + 1] == b"#":
                place = self._source.index(b"\n", place)
            elif self._source.startswith(token.encode(), place):
                return place
            place += 1
        return start

    def _blank_before(self, place: int) -> int:
        while self._source[place - 1 : place].isspace():
            place -= 1
        return place

    def _blank_behind(self, place: int) -> int:
        while self._source[place : place + 1].isspace():
            place += 1
        return place

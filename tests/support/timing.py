"""Causes in a source for tests that depend on the speed of the machine: sleeps, short limits of time, clock readings.

Times of a simulation (of cocotb, in cycles) are not times of this machine, and are left out.
"""

import ast
import bisect
import re

from tests.support.children import HANG

__all__ = ["SHORT", "timed"]


#: Seconds below which a limit of time is short: a loaded machine can take as long for what takes nothing elsewhere.
SHORT = 10
#: Arguments that are limits of time, whatever they are given to.
_LIMITS = {"timeout", "deadline", "patience", "time_limit", "grace", "timeout_seconds"}
#: Classes and functions whose ``timeout`` and ``patience`` are cycles; so they are of every plain name in tests/rtl.
_CYCLES = {"Run", "Traffic", "LimitedInput", "LimitedInputHarness"}
#: Methods and functions with a limit at this place of their arguments.
_PLACES = {
    **dict.fromkeys(("wait", "join", "result", "poll", "settimeout", "alarm", "exception", "Timer"), 0),
    **dict.fromkeys(("set_default_timeout", "set_default_navigation_timeout"), 0),
    **dict.fromkeys(("communicate", "wait_for", "acquire", "setitimer", "wait_procs"), 1),
    "select": 3,
}
_ALONE = {"wait_for", "alarm", "setitimer", "select", "Timer", "wait_procs"}
#: Those of Playwright, in milliseconds.
_MILLISECONDS = {"launch", "set_default_timeout", "set_default_navigation_timeout", "goto", "set_content", "click"}
_MILLISECONDS_BEGIN = ("wait_for_", "to_", "expect_")
_SLEEPS = {"sleep", "wait_for_timeout", "nanosleep", "usleep", "pause"}
_CLOCKS = {
    *(name + of for name in ("monotonic", "perf_counter", "process_time", "thread_time", "time") for of in ("", "_ns")),
    *("getrusage", "wait3", "wait4", "cpu_times", "clock_gettime", "clock", "now", "utcnow", "today", "getloadavg"),
}
#: The modules and classes to which those belong, where a name alone may mean something else.
_OF_TIME = {"time", "time_ns", "now", "utcnow", "today", "clock", "pause"}
_WITH_TIME = {"time", "datetime", "date", "signal"}
_SLEEP_TEXT = re.compile(r"\bsleep(?=[ (]+[\w$.{])")
_CLOCK_TEXT = re.compile(r"\b(?:time\.(?:time|monotonic|perf_counter|process_time)(?:_ns)?|getrusage)\(")
#: A line of all that is found has one of these words. (They may follow a backslash and a letter, so they begin anywhere.)
_WORD = re.compile(
    rf"(?:{'|'.join(sorted({*_LIMITS, *_PLACES, *_SLEEPS, *_CLOCKS, 'timeit', 'ulimit'}, key=len, reverse=True))})\b"
)
_LIMIT_TEXT = re.compile(r"\b(?:timeout (?:-\S+ )*|timeout=|ulimit -t )(?P<seconds>\d+(?:\.\d+)?)\b")


def timed(source, *, cycles=False):
    """The sleeps, short limits and clock readings of a source, each as ``place: text``.

    ``cycles`` says that timeouts given to a plain name are cycles. The place is the function, ``-`` outside of any.
    """
    lines = [number for number, line in enumerate(source.split("\n"), 1) if _WORD.search(line)]
    if not lines:
        return set()
    tree = ast.parse(source)
    known = {"HANG": HANG}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if (value := _number(node.value, known)) is not None:
                known[node.targets[0].id] = value
    found = set()
    _visit(tree, "-", _Rules(known, cycles, lines), found)
    return found


class _Rules:
    def __init__(self, known, cycles, lines):
        self.known, self.cycles, self.lines = known, cycles, lines

    def without_words(self, node):
        """Whether a node is a statement without a line that has one of the words, so that nothing is found in it."""
        if not isinstance(node, ast.stmt):
            return False
        begin = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        first = bisect.bisect_left(self.lines, begin)
        return first == len(self.lines) or self.lines[first] > node.end_lineno

    def texts(self, node):
        """The findings at this node, not below it."""
        if isinstance(node, ast.Call):
            yield from self.call(node)
        elif isinstance(node, ast.arguments):
            yield from self.defaults(node)
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "timeit"):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            yield from self.string(node)
        elif isinstance(node, ast.List | ast.Tuple):
            yield from self.command(node)
        elif isinstance(node, ast.Attribute | ast.Name):
            name, of = _names(node)
            if isinstance(node, ast.Attribute) and _timely(name, of):
                yield ast.unparse(node)

    def call(self, call):
        name, of = _names(call.func)
        if name in _SLEEPS and _timely(name, of):
            yield ast.unparse(call)
        scale = 1000 if name in _MILLISECONDS or name.startswith(_MILLISECONDS_BEGIN) else 1
        own = name in _CYCLES or self.cycles and isinstance(call.func, ast.Name)
        for keyword in call.keywords:
            if keyword.arg in _LIMITS and not (own and keyword.arg in ("timeout", "patience")):
                if self.short(keyword.value, scale, every=keyword.arg == "time_limit"):
                    yield f"{name}({keyword.arg}={ast.unparse(keyword.value)})"
        place = _PLACES.get(name)
        if place is not None and len(call.args) > place and (isinstance(call.func, ast.Attribute) or name in _ALONE):
            value, last = call.args[place], call.args[-1]
            simulated = isinstance(last, ast.Constant) and isinstance(last.value, str) and name == "Timer"
            if not simulated and not _not_a_number(value) and self.short(value, scale, unknown=name != "join"):
                yield f"{name}({', '.join(map(ast.unparse, call.args))})"

    def defaults(self, arguments):
        positional = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults)]
        pairs += [pair for pair in zip(arguments.kwonlyargs, arguments.kw_defaults) if pair[1] is not None]
        for argument, value in pairs:
            if argument.arg in _LIMITS and not self.cycles and self.short(value, 1, every=argument.arg == "time_limit"):
                yield f"{argument.arg}={ast.unparse(value)}"

    def short(self, value, scale, *, every=False, unknown=True):
        """Whether a limit is short; one of a search is, unless it is HANG, and one is that is not known."""
        if isinstance(value, ast.Constant) and value.value is None:
            return False
        seconds = _number(value, self.known)
        return unknown if seconds is None else seconds / scale < (HANG if every else SHORT)

    def string(self, node):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{...}" for part in parts)
        for pattern in (_SLEEP_TEXT, _CLOCK_TEXT, _LIMIT_TEXT):
            for match in pattern.finditer(text):
                if pattern is not _LIMIT_TEXT or float(match["seconds"]) < SHORT:
                    yield text[match.start() :].splitlines()[0][:40].rstrip()

    def command(self, node):
        for word, after in zip(node.elts, node.elts[1:]):
            if isinstance(word, ast.Constant) and word.value in {"sleep", "timeout"}:
                text = after.args[0] if isinstance(after, ast.Call) and _names(after.func)[0] == "str" else after
                if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value[:1].isdigit():
                    text = ast.Constant(float(text.value.rstrip("smhd")))
                seconds = _number(text, self.known)
                if word.value == "sleep" or seconds is not None and seconds < SHORT:
                    yield f"{word.value} {ast.unparse(after)}"


def _visit(node, place, rules, found):
    if rules.without_words(node):
        return
    found.update(f"{place}: {text}" for text in rules.texts(node))
    if isinstance(node, ast.JoinedStr):
        children = [part for part in node.values if not isinstance(part, ast.Constant)]
    else:
        children = ast.iter_child_nodes(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        place = node.name if place == "-" else f"{place}.{node.name}"
    for child in children:
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):  # a docstring
            if isinstance(node, ast.Call) and child is node.func and _names(child)[0] in _SLEEPS:
                child = getattr(child, "value", child)  # the call is found already
            _visit(child, place, rules, found)


def _timely(name, of):
    """Whether a name is one of a sleep or a clock: some are so only in the modules of time."""
    return name in _SLEEPS | _CLOCKS and (name not in _OF_TIME or of in _WITH_TIME)


def _names(node):
    """The last name of ``a.b.c``, and the one before it."""
    if isinstance(node, ast.Attribute):
        return node.attr, _names(node.value)[0]
    return (node.id, "") if isinstance(node, ast.Name) else ("", "")


def _not_a_number(node):
    """Whether a value at a place of a limit is certainly something else."""
    return isinstance(node, ast.Constant) and not isinstance(node.value, int | float)


def _number(node, known):
    """The value of an expression of numbers and known names, or ``None``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left, known), _number(node.right, known)
        signs = {ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__"}
        if left is not None and right is not None and type(node.op) in signs:
            return getattr(float(left), signs[type(node.op)])(right)
    return None

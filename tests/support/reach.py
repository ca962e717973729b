"""How far each file of tests is from a file of the sources: the imports between them, and what is loaded in other ways.

A step leads from a file to one that it uses, and most steps count one:

- imports, wherever they stand, also in programs that a string has; the files of packages that such an import runs count
  two, and so do all fixtures of a folder if they are changed themselves;
- modules that a string names, ``"fatcube.sim.builds.testbench"``, and those that ``import_module(f"{__name__}.{name}")`` may load: a
  registry. A test that reaches a registry and has one of the names of a module in it, at the beginning of a string or
  after an option, uses that module;
- names that a package with ``__getattr__`` loads late, from its table;
- files that are no modules, which a string names, by themselves or by their folder, or finds by a pattern, which counts
  two, and three where tests look at all modules.

Helpers of tests count nothing, and neither do the tests that are named as a file or listed in ``mutations.toml`` for it.
The texts are searched, not parsed, which is ten times as fast; what is found too much is too far or a test too many.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
import fnmatch
import heapq
import itertools
import os
from pathlib import Path, PurePosixPath
import re
import tomllib

__all__ = ["Reach", "is_test"]


_IMPORT = re.compile(
    r"""(?:^|[;"'])[ \t]*(?:from[ ]([\w.]+)[ ]import[ ](\([^)]*\)|[^\n;"']+)|import[ ]([\w., ]+))""", re.MULTILINE
)
_COMMENT = re.compile("  #.*")
_STRING = re.compile(r"""(["'])((?:(?!\1)[^\n\\]|\\.)*)\1""")
_MODULE = re.compile(r"([a-z_]\w*(?:\.\w+)+)(?::\w+)?")
_LOADED = re.compile(r"""import_module\(\s*f"([^"]*)\"""")
_RUN = re.compile(r"""["']-m["'],\s*["']([\w.]+)["']""")
_GLOB = re.compile(r"""glob\(\s*["']([^"'/]*\.[^"'/]*)["']""")
_CLASS = re.compile(r"""^class (\w+)(?:\([^)]*\bname="([\w-]+)")?""", re.MULTILINE)
_FIXTURE = re.compile(r"^@pytest\.fixture(?:\(.*\))?\ndef (\w+)", re.MULTILINE)
_SAID = re.compile(r"""(?:["']|--[\w-]+ )([\w-]+)(?=["' ])""")
_WORD = re.compile(r"[\w.-]+")
_SEARCHED = (".py", ".md", ".html", ".jinja", ".cpp", ".h", ".sv", ".js", ".toml")
_NOWHERE = ("__pycache__", "build", "dist")


def is_test(path: str) -> bool:
    """Whether pytest collects a file."""
    return path.startswith("tests/") and path.endswith(".py") and PurePosixPath(path).name.startswith("test_")


def _files(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name[0] != "." and name not in _NOWHERE]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in names)


class Reach:
    """The uses among the files below a folder.

    Parameters
    ----------
    root : :class:`Path`
        The folder.
    gone : iterable of str
        Files that are no more, and which others may still use.
    """

    def __init__(self, root: Path, gone: Iterable[str] = ()) -> None:
        self.files = sorted({*_files(root), *gone})
        self._texts = {
            path: (root / path).read_text(encoding="utf-8")
            for path in self.files
            if path.endswith(_SEARCHED) and (root / path).is_file()
        }
        #: The names of folders that a link makes a package of another one: rooms beside the package that they are in.
        self._linked = {
            str(link.resolve().relative_to(root.resolve())): f"{link.parent.name}.{link.name}"
            for link in root.glob("*/*")
            if link.is_symlink() and link.is_dir()
        }
        self.rooms = {
            path.partition("/")[0] for path in self.files if path.count("/") == 1 and path.endswith("/__init__.py")
        }
        self._modules = {
            self._dotted(path): path
            for path in self.files
            if path.endswith(".py") and path.partition("/")[0] in {*self.rooms, "tests"}
        }
        self._names = {path: name for name, path in self._modules.items()}
        self._strings = {path: {found[1] for found in _STRING.findall(text)} for path, text in self._texts.items()}
        self._words = {
            path: set(_WORD.findall("\n".join(self._strings[path]) if path.endswith(".py") else text))
            for path, text in self._texts.items()
        }
        self._naming: defaultdict[str, set[str]] = defaultdict(set)
        for path, words in self._words.items():
            for word in words:
                self._naming[word].add(path)
        self._users: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._tables = {path: table for path in self._names if (table := self._table(path))}
        for path in self._texts:
            if path.endswith(".py"):
                self._imports(path)
                self._named(path)
            self._found_by_patterns(path)
        for path in self.files:
            if is_test(path):
                self._test(path)
            elif path not in self._names or f"{path.rpartition('/')[0]}/__init__.py" not in self._texts:
                self._file(path)
        self._listed(root)
        self._registries()

    def distances(self, changed: Collection[str]) -> dict[str, int]:
        """The files of tests that use one of some files, each with the steps to the nearest."""
        found = self._all(dict.fromkeys(changed, 0))
        for path in changed:
            folder, _, name = path.rpartition("/")
            if name == "conftest.py":
                found = {other: 2 for other in self.files if other.startswith(f"{folder}/")} | found
        return {path: steps for path, steps in found.items() if is_test(path)}

    def _all(self, found: dict[str, int]) -> dict[str, int]:
        """All users of some files, directly or not, with their steps; what looks at a file of tests looks at its text only."""
        begin, waiting = {*found}, [(steps, path) for path, steps in found.items()]
        heapq.heapify(waiting)
        while waiting:
            steps, path = heapq.heappop(waiting)
            if steps > found[path] or (is_test(path) and path not in begin):
                continue
            for user, more in self._users[path].items():
                if steps + more < found.get(user, steps + more + 1):
                    found[user] = steps + more
                    heapq.heappush(waiting, (steps + more, user))
        return found

    def _add(self, user: str, used: str | None, steps: int = 1) -> None:
        """Have a file use another one, unless it only links to it: sources use sources, and pages no pages or modules."""
        if used is None or used == user or (self._in_a_room(user) and not self._in_a_room(used)):
            return
        if user.endswith(".md") and (used.endswith(".md") or used in self._names):
            return
        if steps == 1 and used.startswith("tests/support/") and user.startswith("tests/"):
            steps = 0
        self._users[used][user] = min(steps, self._users[used].get(user, steps))

    def _dotted(self, path: str) -> str:
        """The name of the module in a file."""
        folder, _, rest = path.removesuffix(".py").removesuffix("/__init__").partition("/")
        return ".".join([self._linked.get(folder, folder), *filter(None, rest.split("/"))])

    def _in_a_room(self, path: str) -> bool:
        return path.partition("/")[0] in self.rooms

    def _module(self, name: str, least: int = 1) -> str | None:
        """The file of a module, or of the one that has a name; of at least so many words."""
        parts = name.split(".")
        known = (self._modules.get(".".join(parts[:count])) for count in range(len(parts), least - 1, -1))
        return next(filter(None, known), None)

    def _imports(self, path: str) -> None:
        for module, names, modules in _IMPORT.findall(_COMMENT.sub("", self._texts[path])):
            one = [f"{module}.{name}" for name in re.findall(r"\w+", names)] or [module]
            for name in one if module else re.findall(r"[\w.]+", modules):
                self._add(path, self._module(name))
                for package in itertools.accumulate(name.split("."), "{}.{}".format):
                    self._add(path, self._modules.get(package), 2)
        for late, table in self._tables.items():
            if self._users[late].get(path) == 1:
                for name in table.keys() & set(_WORD.findall(self._texts[path].replace(".", " "))):
                    self._add(path, table[name])

    def _table(self, path: str) -> dict[str, str]:
        """The file of each name that a package loads late."""
        text, package = self._texts.get(path, ""), self._names[path]
        if "\ndef __getattr__" not in text:
            return {}
        entries = re.findall(r'^    "(\w+)": "([\w.]+)",$', text, re.MULTILINE)
        homes = {name: self._modules.get(home, self._modules.get(f"{package}.{home}")) for name, home in entries}
        return {name: home for name, home in homes.items() if home}

    def _named(self, path: str) -> None:
        """The modules named in a module's strings: modules, and those that it runs."""
        if path not in self._tables:
            for name in filter(None, map(_MODULE.fullmatch, self._strings[path])):
                self._add(path, self._module(name[1], least=2))
        for name in _RUN.findall(self._texts[path]):
            self._add(path, self._modules.get(f"{name}.__main__", self._modules.get(name)))

    def _registries(self) -> None:
        """Files loaded by a name that is not known before: they are used by the registry, and by tests that have the name."""
        said = {path: set(_SAID.findall(text)) for path, text in self._texts.items() if path.startswith("tests/")}
        for path, name in self._names.items():
            for pattern in _LOADED.findall(self._texts.get(path, "")):
                known, *rest = re.split(r"\{.*?\}", pattern.replace("{__name__}", name))
                if not known:
                    continue
                loads = re.compile(r"\w+".join(map(re.escape, (known, *rest))))
                testing = said.keys() & self._all({path: 0}).keys()
                for module, loaded in self._modules.items():
                    if loads.fullmatch(module):
                        self._add(path, loaded)
                        names = self._known_as(module)
                        for user in testing:
                            if not names.isdisjoint(said[user]):
                                self._add(user, loaded)

    def _known_as(self, module: str) -> set[str]:
        """The names by which a registry may know a module: its own, and those of its classes."""
        stem = module.rpartition(".")[2]
        classes = _CLASS.findall(self._texts.get(self._modules[module], ""))
        kinds = {re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower() for name, _ in classes}
        return {stem, stem.replace("_", "-"), *kinds, *(name for _, name in classes if name)}

    def _found_by_patterns(self, path: str) -> None:
        for pattern in _GLOB.findall(self._texts[path]):
            for other in self.files:
                folder, _, name = other.rpartition("/")
                if fnmatch.fnmatch(name, pattern) and self._words[path] & {*folder.split("/")}:
                    if other not in self._names:
                        self._add(path, other, 2)
                    elif path.startswith("tests/"):  # Sources that read others want digests of them.
                        self._add(path, other, 3)

    def _file(self, path: str) -> None:
        """The users of a file that is no module: all that name it, or, if there are none, its folder."""
        *folders, name = path.split("/")
        stem, _, ending = name.rpartition(".")
        users = {*self._naming[name]}
        if ending == "py" and path not in self._names:
            users |= {user for user in self._naming[stem] & self._naming[folders[-1]] if stem in self._strings[user]}
        if f"{path.removesuffix(ending)}py" in self._names:
            users.add(f"{path.removesuffix(ending)}py")
        package = len(folders)
        while package and "/".join([*folders[:package], "__init__.py"]) not in self._texts:
            package -= 1
        for deep in range(len(folders), package, -1):
            if not users and not self._users[path]:
                found = set.intersection(*(self._naming[folder] for folder in folders[package:deep]))
                users = {user for user in found if user.startswith("/".join(folders[:package]))}
        for user in users:
            self._add(user, path)

    def _test(self, path: str) -> None:
        """The file that a test is named as, or after, and the fixtures of its folders."""
        folders = PurePosixPath(path).parents
        for conftest in (f"{folder}/conftest.py" for folder in folders):
            fixtures = _FIXTURE.findall(self._texts.get(conftest, ""))
            if any(re.search(rf"\b{name}\b", self._texts.get(path, "")) for name in fixtures):
                self._add(path, conftest)
        room = self._dotted("/".join(folders[0].parts[1:]))
        words = PurePosixPath(path).stem.split("_")[1:]
        for count in range(len(words), 0, -1):
            stem = "_".join(words[:count])
            for name in (stem, stem.replace("_", ".", 1)):
                if source := self._modules.get(f"{room}.{name}"):
                    self._add(path, source, 0)
                    return
        if room.endswith(words[0]):
            self._add(path, self._modules.get(room), 0)

    def _listed(self, root: Path) -> None:
        table = root / "tests" / "support" / "mutations.toml"
        if table.is_file():
            for path, tests in tomllib.loads(table.read_text(encoding="utf-8"))["tests"].items():
                for test in tests:
                    self._add(test.partition("::")[0], path, 0)

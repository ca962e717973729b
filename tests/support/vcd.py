"""A reader of VCD files, of as much as tests need."""

__all__ = ["read_vcd"]


def read_vcd(path, wanted):
    """The values of some signals whenever time advances, as ``{time: {name: value}}``, and the names of all signals.

    Names are paths with dots; ``wanted`` are those to read.
    """
    lines = iter(path.read_text().splitlines())
    scope, names, codes = [], set(), {}
    for line in lines:
        match line.split():
            case ["$scope", _, name, *_]:
                scope.append(name)
            case ["$upscope", *_]:
                scope.pop()
            case ["$var", _, _, code, name, *_]:
                path_of_it = ".".join([*scope, name])
                names.add(path_of_it)
                if path_of_it in wanted:
                    codes.setdefault(code, []).append(path_of_it)
            case ["$enddefinitions", *_]:
                break
    now, seen, time = {}, {}, None
    for line in lines:
        if line.startswith("#"):
            if time is not None:
                seen[time] = dict(now)
            time = int(line[1:])
        elif line.startswith("b"):
            value, code = line[1:].split()
            now |= dict.fromkeys(codes.get(code, ()), int(value, 2))
        elif line.startswith(("0", "1")):
            now |= dict.fromkeys(codes.get(line[1:], ()), int(line[0]))
    return {**seen, time: dict(now)}, names

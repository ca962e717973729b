"""Seeded damage to results files, as disks, editors and other programs do it, for tests of what reads them."""

import contextlib
import json
import re
import sqlite3

__all__ = ["mutate_json", "mutate_json_lines", "mutate_sqlite", "mutate_xml", "spoil_bytes"]


_DEEP = "[" * 100_000
_RAW = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-1e999",
    "9" * 5000,
    "-" + "9" * 400,
    _DEEP,
    '{"a":' * 3000,
    '"\\ud800"',
    "{",
    "]",
    "'x'",
    "0x10",
    "",
    "{} {}",
)
_VALUES = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3.5,
    -0.0,
    1e-320,
    1e308,
    1 << 31,
    1 << 53,
    1 << 63,
    10**18,
    "",
    "x",
    "1",
    "\x1b[31m",
    "a\nb",
    "é",
    [],
    {},
    [[]],
    [{}],
    {"": None},
    [1, 2],
    [[1, 100.0]],
    [[1, "x"]],
    {"type": "fat-cube", "d": 2, "m": 100_000},
    {"type": "dense-ghc", "w": 256, "d": 2},
    {"type": "ccc", "n": 12},
    {"type": "hypercube", "d": 16},
)


_ENTITIES = (
    '<!DOCTYPE a [<!ENTITY a "b">]>',
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="x"?>',
)
_TEXTS = (
    "",
    "x",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "99",
    "1e9",
    "9" * 30,
    "-",
    "\u0663",
    "&a;",
    "&lt;",
    "i",
    "o",
    "s",
    "rrcs",
    "re",
    "nop",
)


def mutate_xml(rng, text):
    """An XML document without comments, damaged once or a few times.

    Parameters
    ----------
    rng : :class:`random.Random`
    text : :class:`str`

    Returns
    -------
    :class:`bytes`
    """
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        kind = rng.choice(
            ("value", "value", "value", "value", "swap", "drop", "twice", "name", "entity", "bytes", "deep")
        )
        values = [found.span(1) for found in re.finditer(r'="([^"]*)"', text)]
        tags = [found.span() for found in re.finditer(r"<[^>]*>", text)]
        if kind == "bytes" or not values or not tags:
            return spoil_bytes(rng, text.encode() or b" ", cut=rng.random() < 0.3)
        (start, end), (first, last) = rng.choice(values), rng.choice(tags)
        match kind:
            case "value":
                text = text[:start] + rng.choice(_TEXTS) + text[end:]
            case "swap":
                other = rng.choice(values)
                text = text[:start] + text[other[0] : other[1]] + text[end:]
            case "drop":
                text = text[:first] + text[last:]
            case "twice":
                text = text[:last] + text[first:last] * rng.choice((1, 1, 2000)) + text[last:]
            case "name":
                name = re.search(r"[a-z]+", text[first:last])
                text = text[:first] + text[first:last].replace(name[0] if name else "<", "q", 1) + text[last:]
            case "entity":
                text = rng.choice(_ENTITIES) + text
            case "deep":
                text = text[:last] + "<a>" * rng.choice((3, 50_000)) + text[last:]
    return text.encode(errors="replace")


def mutate_json_lines(rng, text):
    """The text of a file of JSON lines, damaged once or a few times.

    Parameters
    ----------
    rng : :class:`random.Random`
    text : :class:`str`

    Returns
    -------
    :class:`bytes`
    """
    kind = rng.choice(("bytes", "cut", "tree", "tree", "tree", "tree", "raw", "line"))
    if kind in ("bytes", "cut"):
        return spoil_bytes(rng, text.encode(), cut=kind == "cut")
    lines = text.splitlines()
    index = rng.randrange(len(lines))
    if kind == "line":
        what = rng.choice(("double", "drop", "swap", "empty"))
        if what == "double":
            lines.insert(rng.randrange(len(lines) + 1), lines[index])
        elif what == "drop":
            del lines[index]
        elif what == "swap":
            other = rng.randrange(len(lines))
            lines[index], lines[other] = lines[other], lines[index]
        else:
            lines[index] = ""
    else:
        lines[index] = mutate_json(rng, lines[index], raw=kind == "raw")
    if rng.random() < 0.2:
        # One that was dropped or doubled must not be found out by its number alone.
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            lines[0] = json.dumps({**json.loads(lines[0]), "records": len(lines) - 1})
    return "".join(f"{line}\n" for line in lines).encode()


def mutate_sqlite(rng, path_in, path_out):
    """Writes a damaged copy of a sweep's SQLite file.

    Parameters
    ----------
    rng : :class:`random.Random`
    path_in, path_out : :class:`pathlib.Path`
    """
    content = path_in.read_bytes()
    kind = rng.choice(("bytes", "cut", "record", "record", "record", "record", "storage", "schema"))
    if kind in ("bytes", "cut"):
        path_out.write_bytes(spoil_bytes(rng, content, cut=kind == "cut"))
        return
    path_out.write_bytes(content)
    with contextlib.closing(sqlite3.connect(path_out)) as database:
        if kind == "schema":
            database.executescript(
                rng.choice(
                    (
                        "drop table points",
                        "alter table points rename to others",
                        "create table more (x)",
                        "alter table points add column more text",
                        "alter table points rename column record to records",
                        "alter table points rename to others; create view points as select * from others",
                        "alter table points rename to others; create view points as with recursive n(i) as (select 1 union all "
                        "select i + 1 from n) select i as key, '' as parameters, '{}' as record, null as reason from n",
                        "pragma user_version = 7",
                        "pragma application_id = 7",
                        "pragma user_version = -1",
                    )
                )
            )
        else:
            keys = [key for [key] in database.execute("select key from points order by key")]
            key = rng.choice(keys)
            [text] = database.execute("select record from points where key = ?", [key]).fetchone()
            if kind == "storage":
                # The table is strict, so another storage comes from another table.
                database.executescript(
                    "create table loose (key, parameters, record, reason); insert into loose select * from points; "
                    "drop table points; alter table loose rename to points"
                )
                record = rng.choice((b"\xff\xfe", 7, 1.5, text.encode(), "", "null"))
            else:
                record = mutate_json(rng, text, raw=rng.random() < 0.2)
            with contextlib.suppress(UnicodeEncodeError):
                if rng.random() < 0.1:
                    database.execute("update points set key = ? where key = ?", [f"{key}x", key])
                else:
                    database.execute("update points set record = ? where key = ?", [record, key])
        database.commit()


def spoil_bytes(rng, content, *, cut=False):
    """The content of a file with some bytes changed, or cut short."""
    if cut:
        return content[: rng.choice((0, 1, 20, 100, 511, 512, 4096, rng.randrange(len(content))))]
    spoilt = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
        spoilt[rng.randrange(len(spoilt) if rng.random() < 0.8 else min(200, len(spoilt)))] = rng.randrange(256)
    return bytes(spoilt)


def mutate_json(rng, text, *, raw=False):
    """A JSON text with one thing in it changed: a value, a name, or by ``raw`` what is no JSON of a record."""
    value = json.loads(text)
    places = list(_places(value))
    holder, name = rng.choice(places)
    if raw:
        mark = "@here@"
        what = rng.choice((*_RAW, "twice"))
        if what == "twice" and isinstance(holder, dict):
            return json.dumps(value).replace(f"{json.dumps(name)}:", f"{json.dumps(name)}: 1, {json.dumps(name)}:", 1)
        holder[name] = mark
        return json.dumps(value).replace(f'"{mark}"', "" if what == "twice" else what)
    what = rng.choice(("value", "value", "value", "other", "drop", "rename", "add"))
    if what == "value":
        holder[name] = rng.choice(_VALUES)
    elif what == "other":
        other, where = rng.choice(places)
        holder[name] = json.loads(json.dumps(other[where]))
    elif what == "drop":
        del holder[name]
    elif isinstance(holder, list):
        holder.append(rng.choice(_VALUES))
    else:
        holder[rng.choice((f"{name}x", "", "\n", "x"))] = holder.pop(name) if what == "rename" else rng.choice(_VALUES)
    return json.dumps(value)


def _places(value):
    """Every place in a JSON value: what holds it, and its name or number there."""
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, name
        if isinstance(part, (dict, list)):
            yield from _places(part)

"""Netlists of another checkout and of this one, held together by digests and, where these differ, by proofs."""

import concurrent.futures
import functools
import json
import os
from pathlib import Path
import re
import subprocess
import sys

from fatcube.groundwork.cache import Cache, cache_folder
from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import doing
from tests.support.canonical import Canonical, uses_of
from tests.support.equivalence import Different, prove_equivalent

__all__ = ["HERE", "add_equivalent", "known_equivalent", "mapped_otherwise", "measured_in", "runs_otherwise"]

HERE = Path(__file__).resolve().parents[2]
EQUIVALENT = HERE / "tests" / "data" / "equivalent.json"


def known_equivalent():
    """The committed pairs of digests of modules that were proved to do the same, each with the proof."""
    return json.loads(EQUIVALENT.read_text()) if EQUIVALENT.exists() else []


def add_equivalent(proofs):
    """Add pairs that were proved; the number of those that were not there yet."""
    pairs = {(pair["module"], pair["old"], pair["new"]): pair for pair in [*known_equivalent(), *proofs]}
    more = len(pairs) - len(known_equivalent())
    if more:
        write_text(EQUIVALENT, json.dumps([pairs[key] for key in sorted(pairs)], indent=1) + "\n")
    return more


def measured_in(checkouts, asked, folder):
    """The output of `tests.support.measured` for each line of ``asked`` in each checkout, all checkouts at a time.

    The texts of the netlists go into ``folder``.
    """
    lines = Path(folder, "asked.jsonl")
    lines.write_text("".join(json.dumps(one) + "\n" for one in asked))
    with (
        doing(f"making netlists of {len(asked)} there and here"),
        concurrent.futures.ThreadPoolExecutor(len(checkouts)) as pool,
    ):
        found = pool.map(lambda checkout: _answers(checkout, lines, folder), checkouts)
        return list(zip(*found, strict=True))


def _answers(checkout, lines, folder):
    with open(lines) as asked:
        process = subprocess.run(
            [sys.executable, "-P", Path(__file__).with_name("measured.py"), folder],
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": str(checkout), "FATCUBE_CACHE": str(cache_folder())},
            stdin=asked,
            stdout=subprocess.PIPE,
            text=True,
        )
    if process.returncode:
        sys.exit(f"checkout must be one of fatcube with keys, not {checkout}")
    return [json.loads(line) for line in process.stdout.splitlines()]


def _modules(netlist, folder):
    """The texts of a netlist by the name of their top module."""
    texts = [Path(folder, f"{text}.il").read_text() for text in netlist["texts"]]
    top = re.compile(r"attribute \\top 1\n(?:attribute .*\n)*module \\(\S+)")
    return {name or top.search(text)[1]: text for name, text in zip(netlist["names"], texts, strict=True)}


def mapped_otherwise(old, new, folder):
    """The reason why area and speed of two netlists may differ, or ``None``: they follow from cells, not from behaviour."""
    (name, before), (other, after) = (
        list(_canonical().of_modules(_modules(one, folder), one["keep"]).items())[-1] for one in (old, new)
    )
    return None if (name, before) == (other, after) else f"netlist of {name} is another one"


def runs_otherwise(old, new, folder, *, equivalent, prove=False):
    """The reason why two netlists may behave differently, or ``None``; and what was proved for that.

    Parameters
    ----------
    old, new : dict
        Netlists as `tests.support.measured` prints them.
    folder : path
        Where their texts are.
    equivalent : list of dict
        Pairs of digests of modules that were proved equivalent before.
    prove : :class:`bool`
        Whether to prove others.
    """
    before, after = _modules(old, folder), _modules(new, folder)
    same, proofs = {pair["new"]: pair["old"] for pair in equivalent}, []
    while True:
        canonical = Canonical(cache_folder() / "canonical", same)
        one, other = canonical.of_modules(before), canonical.of_modules(after)
        if list(one.items())[-1] == list(other.items())[-1]:
            return None, proofs
        name = next((name for name in one if one[name] != other.get(name)), list(other)[-1])
        uses = uses_of(before.get(name, ""), one)
        if not prove or name not in other or uses != uses_of(after[name], other):
            return f"netlist of {name} is another one", proofs
        pair = {"module": name, "old": one[name], "new": other[name]}
        prover = functools.partial(_proved, name, before, after, uses)
        pair |= Cache(cache_folder() / "equivalent").look_up(pair, prover)
        if "reason" in pair:
            return pair["reason"], proofs
        proofs.append(pair)
        same[pair["new"]] = pair["old"]


def _proved(name, before, after, uses):
    try:
        return {"proof": prove_equivalent(name, before, after, uses)}
    except Different as different:
        return {"reason": str(different)}


@functools.cache
def _canonical():
    return Canonical(cache_folder() / "canonical")

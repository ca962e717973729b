"""New keys for records whose netlists are the same but for names, and for no others; proofs where digests differ."""

import json

from amaranth.hdl import Module, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out
import pytest

from fatcube.noc.shared import Shared
from tests.support import rekey
from tests.support.equivalence import Different, prove_equivalent
from tests.support.recount import same_router
from tests.support.same import HERE, measured_in

PARAMETERS = {
    "topology": {"type": "hypercube", "d": 1}, "ports": "1", "width": 16, "collective": "OAB", "root": 0,
    "payload_flits": 1, "family": "ecp5", "fmax": False, "placement_seeds": None,
}  # fmt: skip


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """The measurements of a small point, and the folder with its netlists."""
    folder = tmp_path_factory.mktemp("texts")
    [(found,)] = measured_in([HERE], [{"point": PARAMETERS}], folder)
    return found, folder


def edited(here, part, module, old, new):
    """The point with ``new`` for ``old`` in the text of a module of the netlist ``part``, under another key."""
    found, folder = here
    changed = json.loads(json.dumps(found))
    texts = changed["netlists"][part][0]["texts"]
    text = (folder / f"{texts[module]}.il").read_text()
    assert old in text
    texts[module] = changed["key"] = f"edited{len(list(folder.iterdir()))}"
    (folder / f"{texts[module]}.il").write_text(text.replace(old, new))
    return changed


def judged(here, old, **options):
    found, folder = here
    return rekey.judged(old["key"], old, found, folder, **{"equivalent": [], **options})


def test_cycles_are_counted_again_of_the_same_router_only(here):
    """Catches a record that keeps an area of a netlist, or from commands, that are others today; systems may be others."""
    found, folder = here
    assert same_router(found["key"], found, found, folder) is None
    assert "its key is not that" in same_router("another", found, found, folder)
    assert "cannot be made there" in same_router(found["key"], {"error": "no such option"}, found, folder)
    router, system = (edited(here, part, 0, "init 1'1", "init 1'0") for part in ("router", "system"))
    assert same_router(system["key"], system, found, folder) is None
    assert "router: netlist of fat_node_router" in same_router(router["key"], router, found, folder)
    router["netlists"]["router"][0]["rest"] = "other commands"
    assert "other commands" in same_router(router["key"], router, found, folder)


@pytest.mark.parametrize(("part", "module", "name"), [("router", 0, ".allocator"), ("system", 1, "\\asked")])
def test_other_names_are_the_same_hardware(here, part, module, name):
    assert judged(here, edited(here, part, module, name, f"{name}_renamed")) == (None, [])


@pytest.mark.parametrize(
    ("part", "module", "old", "new", "reason"),
    [
        ("router", 0, "cell $and ", "cell $xor ", "router: netlist of fat_node_router is another one"),
        ("router", 0, "init 1'1", "init 1'0", "router: netlist of fat_node_router is another one"),
        ("system", 0, "init 1'1", "init 1'0", "system: netlist of fat_node_router is another one"),
        (
            "system",
            1,
            "init 16'0000000000000000",
            "init 16'0000000000000010",
            "system: netlist of processor is another one",
        ),
    ],
)
def test_other_cells_and_values_are_other_hardware(here, part, module, old, new, reason):
    """Catches a migration that leaves a netlist out, also one that only a node has copies of; names aside."""
    assert judged(here, edited(here, part, module, old, new))[0] == reason


def test_whatever_else_a_key_covers_must_be_the_same(here):
    old = json.loads(json.dumps(here[0]))
    old["rest"]["jobs"] = "another"
    assert judged(here, old) == ("another jobs", [])
    old = json.loads(json.dumps(here[0]))
    old["netlists"]["router"][0]["rest"]["commands"][-1] = "write_blif"
    assert judged(here, old) == ("router: other commands or versions of tools", [])
    assert rekey.judged("0" * 24, *[here[0]] * 2, here[1], equivalent=[]) == (
        f"its key is not that of the old checkout, {here[0]['key']}",
        [],
    )


@pytest.mark.parametrize("flags", [[], ["--write"]])
def test_a_file_gets_the_keys_of_records_that_are_the_same_and_names_the_others(
    here, flags, tmp_path, monkeypatch, capsys
):
    same, other = (
        edited(here, "router", 0, *change) for change in ((".allocator", ".renamed"), ("cell $and ", "cell $xor "))
    )
    how = {"source_hash": "", "seed": 0}
    records = [{"key": one["key"], "parameters": PARAMETERS, "measured": {}, "how": how} for one in (same, other)]
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in [{"records": 2}, *records]))
    monkeypatch.setattr(rekey, "judge", lambda points, checkouts, folder, **options: (
        {one["key"]: (judged(here, one)[0], here[0]["key"]) for one in (same, other)}, []
    ))  # fmt: skip
    monkeypatch.setattr("sys.argv", ["rekey", str(tmp_path), str(path), *flags])
    assert rekey.main() == 1
    out = capsys.readouterr().out
    assert f"refused: {other['key']} (OAB of 1 flits" in out and "1 refused, 1 with another key" in out
    keys = [json.loads(line)["key"] for line in path.read_text().splitlines()[1:]]
    assert keys == [here[0]["key"] if flags else same["key"], other["key"]]


class Sender(wiring.Component):
    """Counts through a memory while it is asked to, as flags or as an FSM; ``wrong`` has it write another word."""

    def __init__(self, *, fsm, wrong=False, early=False):
        self.fsm, self.wrong, self.early = fsm, wrong, early
        super().__init__({"go": In(1), "stop": In(1), "o": Out(8)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.words = words = memory.Memory(shape=8, depth=1 << 14, init=[])
        read, write = words.read_port(), words.write_port()
        busy, count = Signal(), Signal(14)
        m.d.comb += [read.addr.eq(count), self.o.eq(read.data)]
        m.d.comb += [write.addr.eq(count), write.data.eq(count + self.wrong), write.en.eq(busy)]
        m.d.sync += count.eq(count + busy)
        if not self.fsm:
            with m.If(~busy & self.go):
                m.d.sync += busy.eq(1)
            with m.Elif(busy & self.stop):
                m.d.sync += busy.eq(0)
            return m
        with m.FSM(init="BUSY" if self.early else "IDLE"):
            with m.State("IDLE"):
                with m.If(self.go):
                    m.next = "BUSY"
            with m.State("BUSY"):
                m.d.comb += busy.eq(1)
                with m.If(self.stop):
                    m.next = "IDLE"
        return m


def modules(**options):
    return Shared(Sender(**options), "sender").modules()


def test_an_fsm_is_proved_to_do_what_flags_did():
    assert "8 outputs" in prove_equivalent("sender", modules(fsm=False), modules(fsm=True), {})


@pytest.mark.parametrize("change", [{"wrong": True}, {"early": True}], ids=str)
def test_what_does_something_else_is_not_proved_equivalent(change):
    """Catches a proof that leaves out what goes into memories, or initial states."""
    with pytest.raises(
        Different, match="sender is not proved equivalent: .* (Networks are not equivalent|SATISFIABLE)"
    ):
        prove_equivalent("sender", modules(fsm=False), modules(fsm=True, **change), {})

"""Bugs to plant in generated Verilog, each of which breaks what a user relies on; the tests that are generated with it find most.

python -m tests.support.planted_bugs

The command plants all of them in turn, runs both kinds of tests, and prints what finds what, with the first line of it.
"""

import dataclasses
from pathlib import Path
import subprocess
import sys
import tempfile

from fatcube.testing.bench import Bench

__all__ = ["BUGS", "NETWORKS", "Bug", "found_by_cocotb", "found_by_testbench", "generated"]

#: Networks, by the options that they are generated with.
NETWORKS = {
    "mesh": "--topology mesh -w 2 -d 2 --routing default",
    "streams": "-d 1 -m 2 --interface axi4-stream",
    "bytes": "-d 1 -m 2 --interface axi4-stream --byte-exact --user-bits 2 --port-widths 8,32,32,64",
    "channels": "--topology torus -w 4 -d 1 --interface axi4-stream --longest-packet 16",
    "stored": "-d 1 -m 2 --interface axi4-stream --store-packets 12",
}


@dataclasses.dataclass(frozen=True)
class Bug:
    """A change of the Verilog of a network.

    Parameters
    ----------
    network : :class:`str`
        One of :data:`NETWORKS`.
    line, instead : :class:`str`
        Text of the Verilog, and what stands in the first place of it instead.
    after : :class:`str`
        Text before that place, for text that stands in several.
    """

    network: str
    line: str
    instead: str
    after: str = ""

    def plant(self, verilog: Path) -> None:
        """Plant the bug in a file."""
        text = verilog.read_text(encoding="utf-8")
        place = text.index(self.line, text.index(self.after))
        verilog.write_text(text[:place] + self.instead + text[place + len(self.line) :], encoding="utf-8")


#: By what is wrong.
BUGS = {
    "a full buffer takes flits": Bug("mesh", "assign i__ready = ~full;", "assign i__ready = 1'h1;"),
    "an output is taken for another": Bug(
        "mesh", "chosen_1 = buffer_unit__loading[1:0] == 2'h1;", "chosen_1 = buffer_unit__loading[1:0] == 2'h3;"
    ),
    "an input always comes first": Bug(
        "mesh", "winner = cleared[2:0] | cleared[5:3];", "winner = requests & (~requests + 3'h1);"
    ),
    "an output is given away within a packet": Bug(
        "streams", "wire done0 = ending0 & holding0", "wire done0 = holding0"
    ),
    "a reset leaves an entry within its packet": Bug(
        "streams", "      passing <= 1'h0;\n", "", after="module axi_network_ingress("
    ),
    "a reset leaves an exit within its packet": Bug(
        "streams", "      within_net <= 1'h0;\n", "", after="module axi_network_egress("
    ),
    "a reset leaves an output taken": Bug("streams", "      free2 <= 1'h1;\n    end else", "    end else"),
    "a counter of dropped packets stops at one": Bug(
        "stored", "too_long_count <= too_long_count + 16'h1;", "too_long_count <= 16'h1;"
    ),
    "the second word of a packet is repeated": Bug(
        "streams",
        "assign loading = waiting ? second : i__payload;",
        "assign loading = waiting ? i__payload : i__payload;",
    ),
    "three bytes are taken for four": Bug("bytes", "i__tdata[2:0] > 3'h3", "i__tdata[2:0] > 3'h2"),
    "the error bit of a broken packet is lost": Bug("bytes", "trailer[3] <= ~i__tuser[0];", "trailer[3] <= 1'h1;"),
    "a bit of TUSER is lost": Bug("bytes", "trailer[4] <= i__tuser[1];", "trailer[4] <= 1'h0;"),
    "the rest of a broken packet is sent": Bug(
        "bytes",
        "            fsm_state <= 1'h1;",
        "            fsm_state <= 1'h0;",
        after="module axi_network_keep_check_3(",
    ),
    "a reset leaves bytes of a word": Bug("bytes", "      place <= 2'h0;\n", "", after="module axi_network_widen("),
    "the longest packet is one flit short": Bug("channels", "(within_net == 5'hf)", "(within_net == 5'he)"),
    "no channel is urgent": Bug("channels", "      looks <= &time_net;\n", "      looks <= 1'h0;\n"),
    "a credit is lost": Bug("channels", "(credits + {1'h0, returned})", "(credits + {1'h0, returned & ~before_net})"),
    "a reset leaves credits used": Bug(
        "channels", "      credits <= 2'h3;\n", "", after="module axi_network_channel_room("
    ),
    "what is too long stays in the buffer": Bug("stored", "        place <= whole;\n", ""),
    "a reset leaves a packet in the buffer": Bug("stored", "      whole <= 5'h0;\n", ""),
}


def generated(network: str, folder: Path) -> None:
    """Write a network and its tests into a folder."""
    beside = ["--with", "cocotb", *(["--with", "testbench"] if network != "mesh" else [])]
    command = [sys.executable, "-m", "fatcube", "generate", "network", *NETWORKS[network].split(), *beside]
    subprocess.run([*command, "-o", folder / "net.v"], check=True)


def found_by_cocotb(folder: Path) -> list[str]:
    """The messages of the failing tests in Python in a folder."""
    results, _, _ = Bench(folder / "test_net.py", verilog="net.v", description="net.json").run(simulator="icarus")
    return [result.failure for result in results if result.failure is not None]


def found_by_testbench(folder: Path) -> list[str]:
    """The lines of the testbench in Verilog in a folder that fails; none if it passes, or there is none."""
    if not (folder / "net_tb.v").exists():
        return []
    subprocess.run(["iverilog", "-g2005", "-o", "net_tb", "net_tb.v", "net.v"], cwd=folder, check=True)
    done = subprocess.run(["vvp", "net_tb"], cwd=folder, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode else []


def main() -> None:
    for name, bug in BUGS.items():
        if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
            continue
        with tempfile.TemporaryDirectory() as path:
            folder = Path(path)
            generated(bug.network, folder)
            bug.plant(folder / "net.v")
            for kind, found in (("cocotb", found_by_cocotb(folder)), ("testbench", found_by_testbench(folder))):
                print(f"{name} | {bug.network} | {kind} | {found[0].splitlines()[0] if found else '-'}", flush=True)


if __name__ == "__main__":
    main()

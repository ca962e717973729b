"""Whether nodes and systems of a checkout before this one do in every cycle what those of this one do.

    python -m tests.support.compare_machines OLD_CHECKOUT [--prove]

Machines of all models, with reductions, with every choice of monitors, with virtual channels, circuits and buffers; and
nodes with traffic. Netlists have the same digests, but for modules that are proved to do the same
(tests/data/equivalent.json, which --prove adds to). Exit status 1 if one is neither.
"""

import argparse
from pathlib import Path
import sys
import tempfile

from fatcube.groundwork.progress import tracked
from tests.support.same import HERE, add_equivalent, known_equivalent, measured_in, runs_otherwise

__all__ = ["MACHINES", "main"]

CUBE, FAT = {"type": "hypercube", "d": 3}, {"type": "fat-cube", "d": 2, "m": 2, "f": 1}
WIDE = {"type": "fat-cube", "d": 1, "m": 2, "f": 2}
MODELS = ("1", "b", "d", "*")


def _machine(topology, options, **given):
    return {"kind": "Machine", "topology": topology, "options": options, "routed": False, "given": given}


def _traffic(topology, options, *, routed=True, **given):
    return {"kind": "TrafficMachine", "topology": topology, "options": options, "routed": routed, "given": given}


MACHINES = [
    *(_machine(topology, {"ports": model}) for topology in (CUBE, FAT, WIDE) for model in MODELS),
    *(_machine(FAT, {"ports": model}, reductions=True) for model in MODELS),
    *(_machine(FAT, {"ports": model}, monitors=monitors) for model in "1d" for monitors in ("none", "lanes")),
    *(_machine(FAT, {"ports": model}, probes=True) for model in "1d"),
    *(_machine(FAT, {"ports": model}, memory_words=1024, program_entries=16) for model in MODELS),
    *(_machine(FAT, {"ports": "d", **options}) for options in (
        {"buffer_depth": 4}, {"pipeline": 2}, {"link_stages": 1}, {"virtual_channels": 2, "buffer_depth": 4}, {"width": 48}, {"hops": 2},
        {"switching": "circuit"}, {"switching": "circuit", "setup_retry": 8, "hops": 2}, {"arbiter": "deficit"},
        {"switching": "store-and-forward", "longest_packet": 8, "buffer_depth": 8}, {"stop_timeout": 5},
    )),
    *(_traffic(topology, {"ports": model}) for topology in (CUBE, FAT) for model in MODELS if model != "b"),
    *(_traffic(FAT, {"ports": model}, routed=False, alone=True) for model in MODELS),
    _traffic(FAT, {"ports": "d"}, bursts=True),
    _traffic(FAT, {"ports": "d"}, trace=64),
    _traffic(FAT, {"ports": "d"}, details=True),
    _traffic({"type": "mesh", "w": 3, "d": 2}, {"ports": "1"}),
    _traffic({"type": "torus", "w": 3, "d": 2}, {"ports": "1"}),
]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--prove", action="store_true", help="Prove modules equivalent whose digests differ.")
    given = parser.parse_args()
    refused, nowhere, equal, proofs = 0, 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        pairs = measured_in([given.checkout.resolve(), HERE], [{"machine": one} for one in MACHINES], folder)
        for machine, (old, new) in tracked(
            list(zip(MACHINES, pairs, strict=True)), "comparing machines", len(MACHINES)
        ):
            if "error" in old or "error" in new:
                print(f"not there: {machine}: {old.get('error')}; here: {new.get('error')}", flush=True)
                nowhere += 1
                continue
            for part, netlist in old["netlists"].items():
                reason, more = runs_otherwise(
                    netlist, new["netlists"][part], folder, equivalent=[*known_equivalent(), *proofs], prove=given.prove
                )
                proofs += more
                equal += reason is None
                if reason:
                    refused += 1
                    print(f"differs: {part} of {machine}: {reason}", flush=True)
    print(
        f"{len(MACHINES)} machines, {nowhere} not in both checkouts, {equal} nodes, controllers and systems do the same, "
        f"{refused} may not; {add_equivalent(proofs)} equivalences of modules proved anew"
    )
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())

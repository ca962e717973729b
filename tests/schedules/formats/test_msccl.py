"""Programs in MSCCL's XML, followed by hand."""

import random
from xml.etree import ElementTree

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.generalized import DenseGHC
from fatcube.noc.topologies.graph import Link, make_graph
from fatcube.schedules.bounds import bound_of
from fatcube.schedules.formats.msccl import read_msccl
from fatcube.schedules.formats.msccl_writer import msccl_xml
from fatcube.schedules.participants import Participants
from tests.support.msccl_machine import run, wanted


def step(number, kind, src="i 0", dst="o 0", cnt=1, dep="-1 -1", **more):
    (srcbuf, srcoff), (dstbuf, dstoff), (depid, deps) = src.split(), dst.split(), dep.split()
    values = {"s": number, "type": kind, "srcbuf": srcbuf, "srcoff": srcoff, "dstbuf": dstbuf, "dstoff": dstoff}
    values |= {"cnt": cnt, "depid": depid, "deps": deps, "hasdep": 0, **more}
    return "<step " + " ".join(f'{key}="{value}"' for key, value in values.items()) + "/>"


def block(number, send, recv, *steps, chan=0):
    return f'<tb id="{number}" send="{send}" recv="{recv}" chan="{chan}">{"".join(steps)}</tb>'


def algo(gpus, coll, chunks, *, inplace=1, sizes=None, **more):
    """A file of a list of thread blocks for each GPU; ``sizes`` are the chunks of its buffers."""
    share = chunks // len(gpus) if coll == "allgather" else chunks
    outputs = chunks // len(gpus) if coll == "reduce_scatter" else chunks
    i, o, s = sizes or (share, outputs, 4)
    values = {"name": "x", "proto": "Simple", "nchannels": 1, "nchunksperloop": chunks, "ngpus": len(gpus)}
    values |= {"coll": coll, "inplace": inplace, **more}
    inner = "".join(
        f'<gpu id="{gpu}" i_chunks="{i}" o_chunks="{o}" s_chunks="{s}">{"".join(blocks)}</gpu>'
        for gpu, blocks in enumerate(gpus)
    )
    return "<algo " + " ".join(f'{key}="{value}"' for key, value in values.items()) + f">{inner}</algo>"


def ring_all_gather(gpus):
    """Each sends its chunk on, and what it gets, until all have all: gpus - 1 steps."""
    blocks = []
    for gpu in range(gpus):
        cells = [f"o {(gpu - distance) % gpus}" for distance in range(gpus)]
        steps = [step(0, "s", cells[0], cells[0])]
        steps += [step(number, "rcs", cells[number], cells[number]) for number in range(1, gpus - 1)]
        steps += [step(gpus - 1, "r", cells[gpus - 1], cells[gpus - 1])]
        blocks.append([block(0, (gpu + 1) % gpus, (gpu - 1) % gpus, *steps)])
    return algo(blocks, "allgather", gpus)


def ring_all_reduce(gpus):
    """The sum of chunk c goes round from GPU c + 1 and is complete at GPU c; then it goes round: 2 (gpus - 1) steps."""
    blocks = []
    for gpu in range(gpus):
        cells = [f"o {(gpu - 1 - distance) % gpus}" for distance in range(2 * gpus - 1)]
        kinds = ["s", *["rrs"] * (gpus - 2), "rrcs", *["rcs"] * (gpus - 2), "r"]
        steps = [step(number, kind, cells[number], cells[number]) for number, kind in enumerate(kinds)]
        blocks.append([block(0, (gpu + 1) % gpus, (gpu - 1) % gpus, *steps)])
    return algo(blocks, "allreduce", gpus)


def trees(roots, gpus, chunks):
    """As many chunks up and down the path of all GPUs to each root: each GPU adds what comes from farther away, and sends it on."""
    blocks = [[] for _ in range(gpus)]
    for channel, root in enumerate(roots):
        cells = f"i {channel * chunks}", f"i {channel * chunks}", chunks
        for gpu in range(gpus):
            inner = [] if gpu == root else [gpu - 1 if gpu > root else gpu + 1]
            outer = [other for other in (gpu - 1, gpu + 1) if 0 <= other < gpus and other not in inner]
            number = last = len(blocks[gpu])
            for other in outer:  # each waits for the one before it
                wait = f"{number - 1} 0" if number > last else "-1 -1"
                blocks[gpu].append(block(number, -1, other, step(0, "rrc", *cells, wait), chan=channel))
                number += 1
            for other in inner:
                waits = f"{number - 1} 0" if outer else "-1 -1"
                steps = step(0, "s", *cells, waits), step(1, "r", *cells)
                blocks[gpu].append(block(number, other, other, *steps, chan=channel))
                number += 1
            for other in outer:
                come = f"{last + len(outer)} 1" if inner else f"{last + len(outer) - 1} 0"
                blocks[gpu].append(block(number, other, -1, step(0, "s", *cells, come), chan=channel))
                number += 1
    return algo(blocks, "allreduce", chunks * len(roots))


def through_scratch(gpus=3, share=1):
    """Reduce-scatter: everybody sends everybody its chunks into scratch, where they are added by steps of another block."""
    blocks = []
    for gpu in range(gpus):
        others = [other for other in range(gpus) if other != gpu]
        own = [
            block(
                n,
                other,
                other,
                step(0, "s", f"i {other * share}", f"s {n * share}", share),
                step(1, "r", f"i {gpu * share}", f"s {n * share}", share),
            )
            for n, other in enumerate(others)
        ]
        adds = [
            step(0, "cpy", f"i {gpu * share}", "o 0", share),
            step(1, "nop", dep="0 1", cnt=0),
            step(2, "re", "s 0", "o 0", share),
            step(3, "re", f"s {share}", "o 0", share, dep="1 1"),
        ]
        blocks.append([*own, block(2, -1, -1, *adds)])
    return algo(blocks, "reduce_scatter", gpus * share, inplace=0)


@pytest.mark.parametrize(
    ("text", "word", "gpus", "parts", "steps", "transfers"),
    [
        (ring_all_gather(4), "allgather", 4, 1, 3, 12),
        (ring_all_reduce(4), "allreduce", 4, 1, 6, 24),
        (through_scratch(), "reduce_scatter", 3, 1, 1, 6),
        (through_scratch(share=2), "reduce_scatter", 3, 2, 2, 12),
    ],
    ids=["ring all-gather", "ring all-reduce", "through scratch", "two chunks each"],
)
def test_steps(text, word, gpus, parts, steps, transfers):
    """Steps and transfers are those of the algorithm; a machine with numbers agrees that it does its work."""
    assert run(text, random.Random(1)) == wanted(word, gpus, gpus * parts)
    found = read_msccl(text.encode()).schedule(None, "d")
    assert (found.steps, found.size, found.parts) == (steps, transfers, parts)


@pytest.mark.parametrize(
    ("roots", "gpus", "chunks", "steps", "transfers"),
    [
        ((1,), 3, 1, 2, 4),  # GPU 1 adds in step 1, and sends in step 2
        ((0,), 3, 1, 4, 4),
        ((0, 3), 4, 1, 6, 12),  # two trees, of which one goes up where the other one comes down
        (
            (3, 0),
            4,
            2,
            12,
            24,
        ),
        ((2,), 5, 3, 12, 24),
    ],
)
def test_sums_are_complete_at_roots_of_trees(roots, gpus, chunks, steps, transfers):
    """A machine with numbers agrees that it does its work; the bound holds; and what is exported is imported as the same."""
    text = trees(roots, gpus, chunks)
    for seed in range(3):
        assert run(text, random.Random(seed)) == wanted("allreduce", gpus, chunks * len(roots))
    found = read_msccl(text.encode()).schedule(None, "d")
    assert (found.steps, found.size, found.parts) == (steps, transfers, chunks)
    assert (
        found.among == Participants(homes=roots)
        and str(found.among) == f"with sums at {','.join(map(str, sorted(roots)))}"
    )
    assert bound_of(found).steps <= steps
    again = ElementTree.tostring(msccl_xml(found), encoding="unicode")
    assert run(again, random.Random(1)) == wanted("allreduce", gpus, chunks * len(roots))
    assert read_msccl(again.encode()).schedule(None, "d") == found


def test_a_tree_on_a_network_with_other_numbers():
    """Nodes of the names of the GPUs, in another order: the home of the sums is the node that has the root's name."""
    links = [Link("1", "0", False, 1), Link("1", "2", False, 1)]
    found = read_msccl(trees((0,), 3, 1).encode()).schedule(make_graph([(name, 1) for name in "120"], links), "d")
    assert found.among.homes == (2,) and found.steps == 4
    text = algo([[block(0, 1, -1, SEND)], [block(0, -1, 0, step(0, "r", "o 0", "o 0"))]], "broadcast", 1)
    found = read_msccl(text.encode()).schedule(
        make_graph([(name, 1) for name in "10"], [Link("0", "1", False, 1)]), "d"
    )
    assert found.root == 1


def test_chunks_of_an_instruction_follow_one_another():
    """Three chunks over two links: the second link begins when the first chunk is there, so 4 steps and not 6."""
    text = algo(
        [
            [block(0, 1, -1, step(0, "s", "o 0", "o 0", 3))],
            [block(0, 2, 0, step(0, "rcs", "o 0", "o 0", 3))],
            [block(0, -1, 1, step(0, "r", "o 0", "o 0", 3))],
        ],
        "broadcast",
        3,
    )
    found = read_msccl(text.encode()).schedule(None, "d")
    assert (found.root, found.parts, found.steps) == (0, 3, 4)
    assert [(one.step, one.src, one.message.part) for one in found.transfers] == [
        (1, 0, 0),
        (2, 0, 1),
        (2, 1, 0),
        (3, 0, 2),
        (3, 1, 1),
        (4, 1, 2),
    ]
    # Nor does one go before it is there where a second lane would be free.
    links = [Link("0", "1", False, 1), Link("1", "2", False, 1), Link("1", "2", False, 1)]
    assert read_msccl(text.encode()).schedule(make_graph([(name, 1) for name in "012"], links), "d").steps == 4


def two(first, second, coll="allgather", chunks=2, **more):
    """Two GPUs with one thread block each, both ways on channel 0."""
    return algo([[block(0, 1, 1, *first)], [block(0, 0, 0, *second)]], coll, chunks, **more)


SEND = step(0, "s", "o 0", "o 0")
BACK = step(0, "s", "o 1", "o 1")
GET, GOT = step(1, "r", "o 1", "o 1"), step(1, "r", "o 0", "o 0")
GOOD = two([SEND, GET], [BACK, GOT])
SUM = "the sum of a chunk must become complete at one GPU, which sends it to the others, as a step moves all that a sender has of a sum; chunk 0 does at {}"


def test_the_smallest():
    found = read_msccl(GOOD.encode()).schedule(DenseGHC(2, 1), "1")
    assert [(one.step, one.src, one.dst, one.message, one.lane) for one in found.transfers] == [
        (1, 0, 1, (0, None, 0), 0),
        (1, 1, 0, (1, None, 0), 0),
    ]


def replaced(old, new, text=GOOD):
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not XML: it is empty"),
        ("<x/>", "an MSCCL file must be an algo element, not 'x'"),
        (
            '<!DOCTYPE a [<!ENTITY b "ccc">]><algo name="&b;"/>',
            "an MSCCL file must have no entities of its own, not 'b'",
        ),
        (
            "<algo>" + "<gpu/>" * 1025 + "</algo>",
            "gpus of an MSCCL file must be at most 1,024, not more",
        ),
        (
            replaced('"allgather"', '"custom"'),
            "coll must be one of allgather, allreduce, alltoall, broadcast, reduce, reduce_scatter, reducescatter, not 'custom'",
        ),
        (replaced('ngpus="2"', 'ngpus="1"'), "ngpus must be an integer from 2 to 1024, not 1"),
        (replaced('ngpus="2"', 'ngpus="3"'), "nchunksperloop of allgather must be a multiple of ngpus, 3, not 2"),
        (replaced('ngpus="2"', 'ngpus="x"'), "ngpus must be an integer, not 'x'"),
        (replaced('ngpus="2"', ""), "ngpus must be given"),
        (replaced('loop="2"', 'loop="99999999999999"'), "nchunksperloop must be an integer, not '99999999999999'"),
        (replaced('gpu id="1"', 'gpu id="0"'), "gpu ids must be different, not 0 twice"),
        (
            replaced('<gpu id="1"', '<gpv id="1"').replace("</gpu></algo>", "</gpv></algo>"),
            "gpu elements must be as many as ngpus, 2, not 1",
        ),
        (replaced('i_chunks="1"', 'i_chunks="2"'), "gpu 0: i_chunks must be 1, or 0 if in place, not 2"),
        (replaced('send="1"', 'send="0"'), "gpu 0: thread block 0: send and recv must be other GPUs, not 0"),
        (
            replaced('send="1"', 'send="-1"'),
            "gpu 0: thread block 0: step 0: type s must be in a thread block that sends, not with send -1",
        ),
        (
            replaced('type="s"', 'type="ra"'),
            "gpu 0: thread block 0: step 0: type must be one of s, r, rcs, rrs, rrc, rrcs, cpy, re, nop, not 'ra'",
        ),
        (replaced('s="0"', 's="1"'), "gpu 0: thread block 0: step 0: s must be 0, not 1"),
        (
            replaced('srcoff="0"', 'srcoff="2"'),
            "gpu 0: thread block 0: step 0: srcoff and cnt must be within the 2 chunks of o, not 2 and 1",
        ),
        (
            replaced('depid="-1"', 'depid="0"'),
            "gpu 0: thread block 0: step 0: depid and deps must both be -1 or neither, not 0 and -1",
        ),
        (
            replaced('depid="-1" deps="-1"', 'depid="7" deps="0"'),
            "gpu 0: thread block 0: step 0: depid and deps must be a step that is there, not step 0 of thread block 7",
        ),
        (
            replaced('depid="-1" deps="-1"', 'depid="0" deps="1"'),
            "gpu 0: thread block 0: step 0 must not wait for ever, as it does for step 1 of thread block 0",
        ),
        (
            two([SEND], [step(0, "r", "o 0", "o 0")]),
            "o[1] of gpu 0 must end as chunk 0, that of gpu 1, which it does not",
        ),
        (
            two([SEND, GET], [step(0, "r", "o 0", "o 0")]),
            "gpu 0: thread block 0: step 1 must not wait for ever, as it does for gpu 1",
        ),
        (two([SEND], [BACK, GOT]), "gpu 0 must receive all that gpu 1 sends it on channel 0, not 1 fewer"),
        (replaced('cnt="1"', 'cnt="2"'), "gpu 0: thread block 0: step 0: o[1] must be written before it is read"),
        (
            two([SEND, step(1, "r", "s 0", "s 0", 2)], [BACK, GOT]),
            "gpu 0: thread block 0: step 1: cnt must be that of the send, 1 at gpu 1, not 2",
        ),
        (
            two([SEND, step(1, "rrc", "o 0", "o 0")], [BACK, GOT]),
            "gpu 0: thread block 0: step 1: type must be none that adds in all-gather",
        ),
        (replaced('hasdep="0"', 'hasdep="0" at="1"'), "at must be given for all sends or none, not for 1 of 2"),
        (
            replaced(GET, step(1, "r", "o 1", "o 1", at=1)),
            "gpu 0: thread block 0: step 1: at must be of a step that sends, not of type r",
        ),
        (
            algo([[block(0, 1, 1, SEND, GET), block(1, 1, 1, SEND, GET)], [block(0, 0, 0, BACK, GOT)]], "allgather", 2),
            "gpu 0: thread block 1: send and chan must be of no other thread block of the GPU, not 1 and 0",
        ),
        (
            two(
                [step(0, "s", "o 0", "s 0", 2), step(1, "rrc", "o 0", "o 0", 2)],
                [step(0, "s", "o 0", "s 0", 2), step(1, "rrc", "o 0", "o 0", 2)],
                "allreduce",
            ),
            SUM.format(2),
        ),
        (
            two(
                [step(0, "rrcs", "o 0", "o 0", 2), step(1, "s", "o 2", "o 2"), step(2, "r", "o 2", "o 2")],
                [step(0, "s", "o 0", "o 0", 2), step(1, "r", "o 0", "o 0", 2), step(2, "rrcs", "o 2", "o 2")],
                "allreduce",
                3,
            ),
            "sums must become complete alike at the GPUs at which any do, 3 chunks at 2, not 2 at gpu 0",
        ),
        (
            two(
                [step(0, "s", "i 1", "i 1"), step(1, "rrc", "i 1", "i 1")],
                [step(0, "s", "i 0", "i 0"), step(1, "rrc", "i 1", "i 1")],
                "reduce_scatter",
            ),
            "gpu 0: thread block 0: step 1: chunks that are added must be the same of all GPUs, not 0 and 1",
        ),
        (
            two(
                [step(0, "s", "i 1", "i 1"), step(1, "rrc", "i 0", "i 0"), step(2, "re", "i 0", "i 0")],
                [step(0, "s", "i 0", "i 0"), step(1, "rrc", "i 1", "i 1")],
                "reduce_scatter",
            ),
            "gpu 0: thread block 0: step 2: chunk 0 of gpu 1 must be added once, not twice",
        ),
        (
            two([SEND, step(1, "r", "o 0", "o 0")], [step(0, "s", "o 0", "o 0"), GOT], "broadcast", 1),
            "one gpu must be the root, which receives nothing, not 0",
        ),
    ],
)
def test_refused(text, message):
    with pytest.raises(ParameterError) as error:
        read_msccl(text.encode()).schedule(None, "d")
    assert str(error.value) == message

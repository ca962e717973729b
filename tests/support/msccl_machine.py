"""A machine that does an MSCCL file with numbers, thread blocks in any order: what the file leaves in the buffers.

It shares nothing with fatcube's reader, and follows no messages: chunks are numbers, and sums are sums.
"""

from collections import defaultdict, deque
from xml.etree import ElementTree

__all__ = ["run", "wanted"]


def run(text, rng):
    """The cells of each GPU at the end, by buffer and offset; ``rng`` chooses which thread block goes on.

    The chunk with number c of GPU g begins as 1000 ** g * (c + 1), so that a sum tells what is in it.
    """
    root = ElementTree.fromstring(text)
    gpus, chunks = int(root.get("ngpus")), int(root.get("nchunksperloop"))
    collective, in_place = root.get("coll"), root.get("inplace") == "1"
    share = chunks // gpus
    cells = [{} for _ in range(gpus)]
    queues = defaultdict(deque)
    done = {}
    blocks = []

    def at(gpu, buffer, offset):
        if not in_place or buffer == "s":
            return buffer, offset
        if collective == "allgather" and buffer == "i":
            return "o", gpu * share + offset
        if collective == "reduce_scatter" and buffer == "o":
            return "i", gpu * share + offset
        return buffer if collective in ("allgather", "reduce_scatter") else "o", offset

    for gpu in range(gpus):
        for chunk in range(share if collective == "allgather" else chunks):
            cells[gpu][at(gpu, "i", chunk)] = 1000**gpu * (chunk + 1)
    for gpu in root.findall("gpu"):
        for block in gpu.findall("tb"):
            place = int(gpu.get("id")), int(block.get("id"))
            done[place] = 0
            blocks.append((place, block, [step.attrib for step in block.findall("step")]))
    while blocks:
        ready = []
        for one in blocks:
            (gpu, number), block, steps = one
            step = steps[done[gpu, number]]
            waits = int(step["depid"]) >= 0 and done[gpu, int(step["depid"])] <= int(step["deps"])
            receives = step["type"] in ("r", "rcs", "rrs", "rrc", "rrcs")
            if not waits and not (receives and not queues[int(block.get("recv")), gpu, block.get("chan")]):
                ready.append(one)
        assert ready, f"{len(blocks)} thread blocks wait for ever"
        one = rng.choice(ready)
        (gpu, number), block, steps = one
        step = steps[done[gpu, number]]
        kind, count = step["type"], int(step.get("cnt", "0"))
        arrived = (
            queues[int(block.get("recv")), gpu, block.get("chan")].popleft()
            if kind[0] == "r" and kind != "re"
            else None
        )
        sent = []
        for chunk in range(count):
            src = at(gpu, step["srcbuf"], int(step["srcoff"]) + chunk)
            dst = at(gpu, step["dstbuf"], int(step["dstoff"]) + chunk)
            value = cells[gpu][src] if kind in ("s", "cpy", "re", "rrs", "rrc", "rrcs") else 0
            value += arrived[chunk] if arrived is not None else cells[gpu][dst] if kind == "re" else 0
            if kind in ("r", "rcs", "rrc", "rrcs", "cpy", "re"):
                cells[gpu][dst] = value
            sent.append(value)
        if kind in ("s", "rcs", "rrs", "rrcs"):
            queues[gpu, int(block.get("send")), block.get("chan")].append(sent)
        done[gpu, number] += 1
        if done[gpu, number] == len(steps):
            blocks.remove(one)
    assert not any(queues.values()), "something that was sent is never received"
    return [
        {(buffer, offset): held[at(gpu, buffer, offset)] for buffer, offset in _outputs(collective, gpu, gpus, chunks)}
        for gpu, held in enumerate(cells)
    ]


def _outputs(collective, gpu, gpus, chunks):
    if collective == "reduce" and gpu:  # to GPU 0
        return []
    return [("o", offset) for offset in range(chunks // gpus if collective == "reduce_scatter" else chunks)]


def wanted(collective, gpus, chunks):
    """The final values of the cells of each GPU, of a broadcast from GPU 0 or a reduction to it."""
    share = chunks // gpus
    everybody = sum(1000**gpu for gpu in range(gpus))

    def value(gpu, offset):
        source, part = divmod(offset, share or 1)
        return {
            "allgather": 1000**source * (part + 1),
            "alltoall": 1000**source * (gpu * share + part + 1),
            "reduce_scatter": everybody * (gpu * share + offset + 1),
            "allreduce": everybody * (offset + 1),
            "reduce": everybody * (offset + 1),
            "broadcast": offset + 1,
        }[collective]

    return [{cell: value(gpu, cell[1]) for cell in _outputs(collective, gpu, gpus, chunks)} for gpu in range(gpus)]

"""The terms of pages, each explained once: `fatcube.reports.text` marks where they stand."""

import dataclasses
import re

__all__ = ["TERMS", "Term", "in_heading", "in_prose"]


@dataclasses.dataclass(frozen=True)
class Term:
    """A term and its meaning.

    Members
    -------
    name, meaning : :class:`str`
    words : :class:`tuple` of :class:`str`
        The texts that it is found by besides its name, all in lower case unless they begin with a capital letter.
    heading : :class:`bool`
        It is a term in headings of columns only; in a sentence the word is any word.
    """

    name: str
    meaning: str
    words: tuple[str, ...] = ()
    heading: bool = False

    @property
    def slug(self) -> str:
        """A word for the place in the page."""
        return re.sub(r"\W+", "-", self.name.lower()).strip("-") or f"u{ord(self.name[0]):x}"


TERMS = (
    Term("OAB", "one-to-all broadcast: the root sends the same message to all processors."),
    Term("OAS", "one-to-all scatter: the root sends another message to each processor."),
    Term("AOG", "all-to-one gather: each processor sends a message to the root."),
    Term("AOR", "all-to-one reduce: the root receives the sum of the contributions of all processors."),
    Term("AAB", "all-gather: each processor sends its message to all others."),
    Term("AAR", "reduce-scatter: each processor receives the sum of all contributions for it."),
    Term("AAS", "all-to-all: each processor sends another message to each other processor."),
    Term("all-reduce", "a reduce-scatter and then an all-gather: all processors receive the sum of all contributions."),
    Term(
        "router model",
        "the packets that a processor and its router can send and receive in one step. 1: one packet out and one in. b: as 1, and the router copies a "
        "packet to any set of its outputs. d: as many packets as a node has links. *: also one to each processor of the node.",
        ("model", "ports model", "models", "router models"),
    ),
    Term("fewest steps", "the lower bound of the steps.", heading=True),
    Term(
        "lower bound",
        "the proved minimum of steps, or cycles: no schedule takes fewer.",
        ("bound", "lower bounds", "proved fewest", "lower_bound", "proven optimum"),
    ),
    Term("P", "the number of processors.", heading=True),
    Term("step", "a set of transfers that happen at once; a schedule is a list of steps.", ("steps",)),
    Term("cycle", "one period of the clock of the hardware.", ("cycles",), heading=True),
    Term(
        "lockstep", "a barrier ends each step before the next one begins, so that the hardware counts the steps.", ()
    ),
    Term("dataflow", "a packet is sent as soon as its message has arrived, without a barrier between steps."),
    Term("a b", "the papers' price of a router: its inputs a times its outputs b, the crosspoints of its crossbar.", ("ab", "a·b")),
    Term("C_R", "the papers' price of a network's routers: a b of all of them."),
    Term("C_L", "the papers' price of a network's links: the number of its lanes."),
    Term(
        "COMB equivalents",
        "area on an FPGA: LUTs of four inputs, 2 for a carry cell and 6 for a cell of distributed RAM.",
        ("COMB",),
    ),
    Term("wide LUTs", "LUTs that are combined into larger ones, which is faster, but no measure of size."),
    Term("carry cells", "cells of an FPGA that pass the carry of an addition on.", ("carry cell",)),
    Term("LUT", "look-up table: the logic cell of an FPGA.", ("LUTs", "LUT4", "router_luts", "luts", "crossbar_luts")),
    Term(
        "NAND2 equivalents",
        "area in standard cells: that of all cells, divided by that of a NAND gate of two inputs.",
        ("NAND2",),
    ),
    Term("FF", "flip-flop: one bit of storage in an FPGA.", ("FFs", "router_ff")),
    Term("Fmax", "the highest clock frequency that place and route reaches.", ("fmax_mhz", "Fmax MHz", "MHz")),
    Term(
        "Pareto front",
        "the choices that are not dominated: any other one that is better in one of two respects is worse in the other.",
        ("Pareto fronts",),
    ),
    Term("flit", "the bits that cross a link in one cycle.", ("flits",)),
    Term("packet", "flits that travel together, of which the header is the first.", ("packets",), heading=True),
    Term("header", "the first flit of a packet, which has its route or its destination.", ("headers",)),
    Term("trailer", "the last flit of a byte-exact packet, which says how many bytes of the flit before count."),
    Term("beat", "the word that a stream transfers in one cycle.", ("beats",), heading=True),
    Term("message", "what a collective moves from one processor to another, or to several.", ("messages",), heading=True),
    Term("collective", "an exchange of messages in which all processors, or a set of them, take part.", ("collectives",), heading=True),
    Term("payload flits", "the flits of a packet without its header.", ("payload_flits",)),
    Term("processor", "an endpoint of a network, whatever a design connects there.", ("processors",), heading=True),
    Term("crossbar", "the part of a router that connects its inputs with its outputs.", ("crossbars",), heading=True),
    Term("routing", "the rule by which packets find their way from lane to lane.", heading=True),
    Term(
        "dimension-order routing",
        "a packet takes all links in the first dimension, then all in the second, and so on.",
        ("dimension-order",),
    ),
    Term(
        "up*/down* routing",
        "a packet takes links towards the root of a tree first, and links away from it afterwards; for any topology.",
        ("up-down",),
    ),
    Term(
        "dateline",
        "the link of a ring behind which packets take another class of virtual channels, so that they cannot wait for each other all around the ring.",
        ("datelines",),
    ),
    Term(
        "deadlock",
        "packets that wait for each other in a cycle, so that none of them ever moves.",
        ("deadlocks",),
    ),
    Term("turn", "an input of a router with an output: the way of a packet through it.", ("turns",)),
    Term(
        "message class",
        "packets that never wait for those of another class, as they have virtual channels of their own.",
        ("message classes",),
    ),
    Term("node", "a router with its processors.", ("nodes",), heading=True),
    Term("degree", "the number of links of a node.", heading=True),
    Term("link", "the connection of two adjacent nodes; it has one or several parallel lanes.", ("links",), heading=True),
    Term("lane", "one of the parallel connections of a link.", ("lanes",)),
    Term("bisection", "the fewest lanes that join two halves of the processors."),
    Term("diameter", "the number of hops between the two nodes that are farthest from each other."),
    Term("average distance", "the mean number of hops between two different nodes."),
    Term("connectivity", "the fewest nodes whose failure disconnects the others."),
    Term("hop", "the crossing of one link.", ("hops",)),
    Term(
        "load",
        "flits that are offered per cycle per processor port, headers included.",
        ("offered load", "offered", "saturated from"),
        heading=True,
    ),
    Term("accepted", "the flits per cycle per processor port that the network took.", heading=True),
    Term("least", "the load accepted from the worst-served processor.", heading=True),
    Term(
        "latency",
        "the cycles from the creation of a packet to the arrival of its last flit.",
        ("latency without load", "ns without load"),
    ),
    Term("± 95 %", "the half-width of the 95 % confidence interval of the mean latency."),
    Term("99 %", "99 % of the packets had at most this latency, in cycles.", heading=True),
    Term("saturated", "at this load, queues grow without bound.", heading=True),
    Term("direct transfers", "a transfer follows a whole path of links in one step.", ("Direct transfers",)),
    Term("adjacent transfers", "a transfer crosses at most one link in a step.", ("Adjacent transfers",)),
    Term("half-duplex", "a lane carries packets in one direction at a time.", ("half-duplex links",)),
    Term("full-duplex", "a lane carries packets in both directions at once.", ("full-duplex links",)),
    Term("simplex", "a lane has one fixed direction.", ("simplex links",)),
    Term("per packet", "the largest number of messages for the same receiver in one packet.", ("messages per packet",)),
    Term(
        "wormhole switching",
        "a packet advances as soon as the next buffer has room for one flit.",
        ("wormhole",),
    ),
    Term("virtual cut-through", "a packet advances as soon as the next buffer has room for all of it."),
    Term("store-and-forward", "a packet advances when all of it is in the router and the next buffer has room for all of it."),
    Term("circuit", "a path whose lanes the header reserves before the payload follows.", ("circuits",)),
    Term("credit", "the right to send one flit into the next buffer; it returns when a flit has left that buffer.", ("credits",)),
    Term("virtual channel", "one of several buffers that share a lane.", ("virtual channels",)),
    Term("part", "one of several messages into which the data for a processor is divided.", ("parts",), heading=True),
    Term("tau", "the start-up time: cycles of a step that do not depend on the length of packets.", ("τ",)),
    Term("t_c", "the cycles per flit of a step."),
    Term("classes", "the number of classes of virtual channels that the routing needs.", heading=True),
    Term("cut", "the failures that leave processors which can no longer reach each other.", heading=True),
    Term("sets", "failures that look the same: the network has a symmetry that maps one to the other.", heading=True),
    Term("root", "the processor that a broadcast or scatter starts from, or that a gather or reduce ends at.", heading=True),
    Term("record", "the key of the measurement in the results file.", heading=True),
    Term("M", "the elements of the message of a processor.", heading=True),
    Term("B", "the elements of a packet.", ("best B measured",), heading=True),
    Term("n", "the dimension of the hypercube.", heading=True),
    Term("along", "the spanning graph along which messages are sent.", ("SBT", "nESBT", "SBnT", "BRG", "TCBT"), heading=True),
    Term("verdict", "the result of testing a claim of a paper.", heading=True),
)  # fmt: skip


def _by_word(terms: tuple[Term, ...]) -> dict[str, Term]:
    return {word: term for term in reversed(terms) for word in (term.name, *term.words)}


_HEADINGS = _by_word(TERMS)
_PROSE = _by_word(tuple(term for term in TERMS if not term.heading))


def _pattern(words: dict[str, Term]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])")


_IN_HEADING, _IN_PROSE = _pattern(_HEADINGS), _pattern(_PROSE)


def in_heading(heading: str) -> Term | None:
    """The term of a heading of a column: the heading itself, or the first word in it that is one."""
    if heading in _HEADINGS:
        return _HEADINGS[heading]
    found = _IN_HEADING.search(heading)
    return _HEADINGS[found[0]] if found else None


def in_prose(text: str) -> list[tuple[str, Term | None]]:
    """The text in pieces, each with the term that it is, if it is one."""
    pieces: list[tuple[str, Term | None]] = []
    last = 0
    for found in _IN_PROSE.finditer(text):
        pieces += [(text[last : found.start()], None), (found[0], _PROSE[found[0]])]
        last = found.end()
    return [*pieces, (text[last:], None)]

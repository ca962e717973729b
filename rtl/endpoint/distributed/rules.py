"""The forwarding rules of a node of a hypercube: the distributed algorithms of Johnsson and Ho, as logic of n-bit addresses.

``c`` is the relative address of a node, the XOR of its own and the source's. Bits are counted from 0, the lowest; "to the
left" is towards bit n - 1 and, cyclically, from there to bit 0. A port leads along the dimension of its number.

=====  ==========  ====================================================================================================
rule   collective  a node sends on
=====  ==========  ====================================================================================================
sbt    broadcast   along the leading zeros of c (section 3.2)
nesbt  broadcast   what came along dimension k: nowhere if bit k of c is 0; otherwise along k + 1, k + 2, ... up to the next
                   1 of c, which is included if it is not k (section 8.2). The tree of a packet follows from k
sbnt   scatter     along the first 1 of (own address XOR target) to the left of the base of c (section 8.3)
=====  ==========  ====================================================================================================

The source of a scatter has one table for all its ports (section 8.3): the relative addresses that the port of dimension 0
leads to, the farthest first. That of port j is this one rotated j steps to the left, without cyclic addresses whose period
is at most j, as those belong to earlier ports.
"""

import enum
import functools
import operator
from typing import assert_never

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

__all__ = ["Rule", "dimensions_ahead", "table_of_port"]


class Rule(enum.StrEnum):
    """A spanning graph whose children a node computes by itself; the value is the name of the graph."""

    SBT = "sbt"
    NESBT = "nesbt"
    SBNT = "sbnt"

    @property
    def scatters(self) -> bool:
        """``True`` if every message is for one node, ``False`` if it is for all."""
        match self:
            case Rule.SBT | Rule.NESBT:
                return False
            case Rule.SBNT:
                return True
            case _:
                assert_never(self)

    @property
    def trees_of_ports(self) -> bool:
        """``True`` if packets of several trees arrive at a node in one step, each at the port of its tree's edge."""
        match self:
            case Rule.NESBT:
                return True
            case Rule.SBT | Rule.SBNT:
                return False
            case _:
                assert_never(self)

    @property
    def several_ports(self) -> bool:
        """``True`` if every node must have a port for each dimension."""
        match self:
            case Rule.NESBT | Rule.SBNT:
                return True
            case Rule.SBT:
                return False
            case _:
                assert_never(self)


def dimensions_ahead(m: Module, rule: Rule, relative: Value, ahead: Value, arrived_along: int) -> Value:
    """The dimensions along which a node sends on what has arrived, as logic: a bit for each.

    Parameters
    ----------
    m : :class:`amaranth.hdl.Module`
        The module that the logic is added to.
    rule : :class:`Rule`
    relative : :class:`amaranth.hdl.Value`
        The relative address of the node, c, which is not 0; n bits.
    ahead : :class:`amaranth.hdl.Value`
        The XOR of the addresses of the node and of the target; n bits, for a scatter only. 0 at the target.
    arrived_along : :class:`int`
        The dimension along which it has arrived, where the rule has :attr:`~Rule.trees_of_ports`.
    """
    n = len(relative)
    match rule:
        case Rule.SBT:
            return Cat(~relative[d:].any() for d in range(n))
        case Rule.NESBT:
            return _up_to_next_one(relative, arrived_along)
        case Rule.SBNT:
            bases = _base_of(m, relative)
            ways = (Mux(here, _first_one(ahead, base), 0) for base, here in enumerate(bases))
            return functools.reduce(operator.or_, ways)
        case _:
            assert_never(rule)


def _up_to_next_one(relative: Value, k: int) -> Value:
    """The dimensions k + 1, ... up to the next 1, without k itself, if bit k is 1; none if it is 0."""
    n = len(relative)
    sent: list[Value] = [Const(0)] * n
    open_ = relative[k]
    for steps in range(1, n):
        d = (k + steps) % n
        sent[d] = open_
        open_ = open_ & ~relative[d]
    return Cat(sent)


def _first_one(address: Value, base: int) -> Value:
    """The first 1 to the left of bit ``base``, alone among zeros."""
    n = len(address)
    found: list[Value] = [Const(0)] * n
    open_: Value = Const(1)
    for steps in range(1, n + 1):
        d = (base + steps) % n
        found[d] = open_ & address[d]
        open_ = open_ & ~address[d]
    return Cat(found)


def _base_of(m: Module, address: Value) -> list[Value]:
    """For each number of steps, whether it is the lowest that rotates an address to the right to its least value."""
    n = len(address)
    least: Value = address
    found: list[Value] = [Const(1)]
    for steps in range(1, n):
        turned = Cat(address[steps:], address[:steps])
        less = Signal(name=f"less{steps}")
        lesser = Signal(n, name=f"least{steps}")
        m.d.comb += [less.eq(turned < least), lesser.eq(Mux(less, turned, least))]
        least = lesser
        found = [*(one & ~less for one in found), less]
    return found


def table_of_port(n: int, port: int) -> list[int]:
    """The relative addresses that a source of a scatter by ``sbnt`` sends to through a port, in order."""
    return [_rotated(address, port, n) for address in _first_table(n) if _period(address, n) > port]


def _first_table(n: int) -> list[int]:
    """The relative addresses in the subtree of port 0, the farthest first; a list of integers.

    The children of an address whose base is 0 complement one of its leading zeros, if that leaves the base 0.
    """
    found = [1]
    for address in found:  # which grows meanwhile
        found += [
            child
            for child in (address | 1 << d for d in range(address.bit_length(), n))
            if all(child <= _rotated(child, steps, n) for steps in range(n))
        ]
    return sorted(found, key=lambda address: -address.bit_count())


def _rotated(address: int, steps: int, n: int) -> int:
    """An address rotated to the left."""
    return (address << steps | address >> n - steps) & (1 << n) - 1


def _period(address: int, n: int) -> int:
    """The fewest steps, at least 1, by which an address is rotated to itself."""
    return next(steps for steps in range(1, n + 1) if _rotated(address, steps, n) == address)

"""Processors without a program: each computes to whom it sends from its own address and the header of what arrives.

The rules are those of the distributed algorithms of Johnsson and Ho (Spanning Graphs, sections 3, 6.1, 8.2 and 8.3), one
per spanning graph: see :class:`~fatcube.rtl.endpoint.distributed.rules.Rule`.
Never here: a schedule, or a table that differs from node to node.
"""

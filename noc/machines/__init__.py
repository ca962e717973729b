"""Machines: whole networks that run, with processors or with sources and sinks of traffic, a barrier and a host bus.

Never here: what is generated for a user's own design, or a testbench.
"""

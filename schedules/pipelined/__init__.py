"""Collectives of data in many parts, pipelined: trees that are grown step by step, and sums whose collection and spread overlap.

Never here: a collective of undivided messages in the fewest steps, which `constructions/` has.
"""

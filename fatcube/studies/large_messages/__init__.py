"""Collectives of large messages on thirteen graphs: steps in many parts against bounds, executed, and cycles against message size.

Never here: how schedules in parts are made, which is in ``schedules/pipelined/``.
"""

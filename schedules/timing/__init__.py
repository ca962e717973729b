"""The timing of packets in a lockstep step: how lanes face, and the passage of each packet, flit by flit.

Never here: the cycles of a schedule, which are `fatcube.schedules.cycles`.
"""

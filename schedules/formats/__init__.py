"""Schedules in the formats of other programs: read, timed in steps, and written.

A file becomes a :class:`~fatcube.schedules.formats.foreign.Foreign`, the packets with what each waits for, and that a schedule on a
network. Never here: how such files are found or shown.
"""

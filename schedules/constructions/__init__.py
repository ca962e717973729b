"""Schedules that are constructed, with the proof in the docstring: a file a construction.

Never here: a choice between them, which is `fatcube.schedules.construct`.
"""

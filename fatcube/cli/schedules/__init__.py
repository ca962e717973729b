"""Schedules on the command line: which one a command is about, the runs of it, and its page."""

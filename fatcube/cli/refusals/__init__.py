"""Refusals of command lines in one line each: what was given, what it may be, and which word may have been meant."""

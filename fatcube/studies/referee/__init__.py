"""Schedules that other synthesizers have published, imported, checked, and run on the same RTL.

``published.toml`` names each with its source; their files are not part of fatcube.
"""

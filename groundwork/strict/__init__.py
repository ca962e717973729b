"""Texts of files in JSON, TOML and XML: what is malformed is refused in plain words, with its line.

Never here: what a value must be, which the format of the file says.
"""

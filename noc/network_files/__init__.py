"""A network as a file: its keys, which follow from the declarations of all options, how it is read, and how it is written.

Never here: what was generated, which is in `noc/descriptions/`.
"""

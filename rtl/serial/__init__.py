"""The serial line of a board, a component per file: bytes on the line, frames of bytes, accesses to a host bus by frames.

Never here: a network, a memory of a processor, what a computer at the other end does.
"""

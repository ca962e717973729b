"""What only runs need: processors with their programs and memories, the barrier, monitors, the host bus.

Never here: what a user ships.
"""

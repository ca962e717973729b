"""The computer's side of a board: frames and requests on a serial line, runs over it, and a board that is simulated.

Never here: what stands on the board (`noc.machines.board_system`), pins and tools of boards that exist.
"""

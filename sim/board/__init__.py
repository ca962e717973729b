"""The host's side of a board: frames and requests on a serial line, runs over it, and a simulated board.

Never here: the design on the board (`fatcube.noc.machines.board_system`), pins and tools of real boards (`fatcube.noc.boards`).
"""

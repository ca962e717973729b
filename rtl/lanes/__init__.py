"""The lanes between routers: their signals, the registers on them, and what stands where one leads nowhere.

Never here: a buffer of a router, or a count of the room in it.
"""

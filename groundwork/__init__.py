"""The ground under the rooms: running and ending, progress, the content cache.

Never here: anything that knows a flit. Imports nothing of fatcube's.
"""

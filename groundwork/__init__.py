"""The ground under the rooms: running and ending, progress, the content cache.

Never here: anything that knows a flit. Imports nothing of fatcube's.
"""

if __name__ != "fatcube.groundwork":
    raise ModuleNotFoundError("groundwork is a package of fatcube: import fatcube.groundwork", name=__name__)

"""A collective in which each processor sends one message to the next one, with a bound and a construction of its own.

It stands in ``schedules/collectives/`` of the copy that a test makes; the last two statements are all that knows it alone.
"""

from fatcube.schedules.collective import Collective

SHIFT = Collective(
    value="shift",
    words=("shift", "neighbour"),
    pairs=lambda topology: ((one, (one + 1) % topology.processors) for one in topology.working),
)

"""A collective in which each processor sends one message to the next one, as a file of ``schedules/collectives/``."""

from fatcube.schedules.collective import Collective

SHIFT = Collective(
    value="shift",
    words=("shift", "neighbour"),
    pairs=lambda topology: ((one, (one + 1) % topology.processors) for one in topology.working),
)

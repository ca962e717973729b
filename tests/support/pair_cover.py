"""Configurations of routers that have every pair of options that go together."""

from tests.support.parameters import router_parameters

__all__ = ["CHOICES", "CONFIGURATIONS", "options", "plain", "wide"]


CHOICES = {
    "ports": ("1", "b", "d", "*"),
    "buffer_depth": (1, 2, 3),  # Both registers, and a memory behind one.
    "pipeline": (1, 2),
    "arbiter": ("round-robin", "deficit", "least-recent"),
    "turns": ("used", "forward", "all"),
    "hops": (1, 2),
    "switching": ("wormhole", "virtual-cut-through", "store-and-forward", "circuit", "circuit with retries"),
    "virtual_channels": (1, 2),
}
#: In the order of the names above: most as :meth:`Covering.find` gives them, others where the prover took too long.
CONFIGURATIONS = [
    ("d", 3, 1, "round-robin", "used", 1, "wormhole", 2),
    ("1", 3, 1, "round-robin", "all", 2, "wormhole", 2),
    ("1", 3, 2, "least-recent", "used", 1, "wormhole", 2),
    ("1", 2, 1, "round-robin", "all", 1, "circuit", 1),
    ("*", 2, 2, "deficit", "forward", 2, "store-and-forward", 1),
    ("*", 3, 1, "least-recent", "forward", 1, "virtual-cut-through", 2),
    ("d", 1, 1, "deficit", "used", 1, "wormhole", 1),
    ("b", 2, 2, "round-robin", "used", 2, "virtual-cut-through", 1),
    ("1", 3, 1, "deficit", "all", 1, "wormhole", 2),
    ("1", 3, 1, "round-robin", "used", 1, "store-and-forward", 2),
    ("1", 2, 1, "round-robin", "all", 1, "store-and-forward", 1),
    ("1", 2, 1, "least-recent", "all", 2, "circuit with retries", 1),
    ("1", 1, 2, "round-robin", "forward", 2, "wormhole", 1),
    ("b", 3, 1, "round-robin", "used", 1, "store-and-forward", 1),
    ("d", 2, 2, "round-robin", "forward", 1, "circuit with retries", 1),
    ("*", 2, 2, "round-robin", "used", 2, "circuit", 1),
    ("*", 1, 1, "least-recent", "all", 1, "wormhole", 1),
    ("d", 2, 2, "deficit", "all", 1, "virtual-cut-through", 1),
    ("d", 2, 1, "deficit", "forward", 2, "circuit", 1),
    ("*", 2, 1, "deficit", "used", 2, "circuit with retries", 1),
    ("1", 3, 1, "round-robin", "used", 1, "virtual-cut-through", 2),
    ("b", 1, 1, "round-robin", "used", 1, "wormhole", 1),
    ("d", 3, 1, "least-recent", "used", 1, "store-and-forward", 1),
    ("1", 2, 1, "least-recent", "forward", 2, "circuit", 1),
    ("b", 2, 2, "round-robin", "used", 1, "wormhole", 1),
]
#: Two flits: a header and a payload.
LONGEST_PACKET = 2


def options(chosen):
    """The values of a router with these choices; where lanes lead to lanes it takes two of them for a turn."""
    switching, _, retries = chosen["switching"].partition(" with ")
    # Where a lane may turn back, one of them and a processor are all it takes for two sources to want one channel.
    smallest = chosen["virtual_channels"] > 1 and chosen["turns"] == "all" and chosen["ports"] == "1"
    # Model * is another than d from five ports on, where it is proved in test_proofs.py.
    between_lanes = not smallest and (chosen["hops"] > 1 or chosen["ports"] in ("d", "*"))
    return {
        **chosen,
        # Two cycles need one flit more of each channel.
        "buffer_depth": chosen["buffer_depth"] + (chosen["virtual_channels"] > 1 and chosen["pipeline"] > 1),
        "switching": switching,
        "setup_retry": 2 if retries else 0,
        "processors": 1 if smallest or between_lanes else 2,
        "channels": 2 if between_lanes else 1,
        # Packets side by side at the ports of processors are proved by themselves.
        "injection_channels": 1,
        "ejection_channels": 1,
        "longest_packet": LONGEST_PACKET if switching in ("virtual-cut-through", "store-and-forward") else 0,
    }


def wide(chosen):
    """The router with these choices, wide enough for any route."""
    return router_parameters(**options(chosen), width=48)


def plain(chosen):
    """The choices, and plain ones for those that are missing; circuits have buffers of two flits, channels deeper ones."""
    depth = 2 if chosen.get("switching", "").startswith("circuit") else 3
    return {name: values[0] for name, values in CHOICES.items()} | {"buffer_depth": depth} | chosen

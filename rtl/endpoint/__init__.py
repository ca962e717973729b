"""The components that only runs need: processors with their programs and memories, the barrier,
monitors, sources and sinks of traffic, the host bus.

Never here: a component that a user ships.
"""

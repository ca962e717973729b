"""The makers of the units of a router: which unit stands at which of its ports."""

"""Parameters of a router and its options from one row of keywords, as tests vary both."""

from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters


def router_parameters(**given):
    options = RouterOptions(**{name: value for name, value in given.items() if name in RouterOptions.names()})
    rest = {name: value for name, value in given.items() if name not in RouterOptions.names()}
    return RouterParameters(**rest, options=options)

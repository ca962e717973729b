"""The keys of network files: all options that a network has, and the schema that is published."""

import json
from pathlib import Path

from fatcube.cli import commands
from fatcube.noc.network_files.keys import KEYS, network_file_schema
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.streams.options import StreamOptions
from fatcube.rtl.router_options import RouterOptions


def test_published_schema_is_the_one_that_is_read():
    published = Path(__file__).parents[3] / "docs" / "schemas" / "network.json"
    schema = network_file_schema()
    assert json.loads(published.read_text()) == schema, "python -m fatcube.noc.network_files.keys writes it"
    assert schema["properties"].keys() == {"format", *KEYS}
    assert schema["properties"]["width"] == {"type": "integer", "minimum": 1, "maximum": 4096}
    assert schema["properties"]["routing"]["enum"][:2] == ["none", "default"]


def test_there_is_a_key_for_every_flag_of_a_network():
    """Catches an option that a command has and a file cannot say; what is no part of a network is counted here."""
    flags = {option.name for option in commands()["generate network"].params}
    of_files_beside = {"output", "families", "dry_run", "beside", "clock", "quiet", "network_file", "help"}
    assert flags - of_files_beside == {*KEYS} - {"graph", "routes", "port"}
    for kind in (RouterOptions, RoutingOptions, StreamOptions):
        assert KEYS.keys() >= {*kind.names()}

"""Files to integrate and to test generated Verilog, made from its description."""

from collections.abc import Mapping
import functools
from pathlib import Path
import re
from typing import Any

import jinja2

from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.descriptions.flows.buses import clocks_of, endpoints_of, streams_of
from fatcube.rtl.protocols import PROTOCOLS
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.protocols.protocol import Role

__all__ = ["BESIDE", "cocotb_tests", "integration", "integration_name", "runs_name", "stem_of"]


BESIDE = ("template", "testbench", "cocotb")
"""The kinds of files: an instance to copy, a testbench in Verilog, and tests in Python for cocotb."""

_INSTANCE = "instance.v.jinja"
# The templates by the protocol of processors' ports: the testbenches for packets of words and of bytes, and tests for cocotb.
_TESTBENCHES = {AXI_STREAM.name: ("testbench.v.jinja", "testbench_bytes.v.jinja")}
_TESTS = {FLITS.name: "cocotb_network.py.jinja", AXI_STREAM.name: "cocotb_axi.py.jinja"}
_MOST_BEATS = 4  # of a packet of a testbench
_MOST_WORDS = 7  # of payload, of a packet in a test of cocotb
_MOST_FLITS = 4  # of bytes, of a packet of a test or a testbench
_LONGEST_PAUSE = 100  # cycles; sources of a testbench pause for less
# Cycles; far more than the latency of a packet of a testbench with any options, as routes have at most 64 hops.
_STILL = 2000


@functools.cache
def _environment() -> "jinja2.Environment":
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def integration_name(what: str, verilog: str) -> str:
    """The name of the file of one of :data:`BESIDE`: ``net_instance.v``, ``net_tb.v`` or ``test_net.py`` beside ``net.v``."""
    stem = stem_of(verilog)
    # The name of a cocotb file must be one that Python can import.
    names = {"template": f"{stem}_instance.v", "testbench": f"{stem}_tb.v", "cocotb": f"{_module(stem)}.py"}
    return names[check_choice("the files beside the Verilog", what, BESIDE)]


def runs_name(verilog: str) -> str:
    """The name of the file of runs beside a system: ``system_runs.json`` beside ``system.v``."""
    return f"{stem_of(verilog)}_runs.json"


def integration(what: str, about: Mapping[str, Any], *, verilog: str, title: str) -> str:
    """The text of one of :data:`BESIDE`, for a network.

    Parameters
    ----------
    what : :class:`str`
        One of :data:`BESIDE`.
    about : JSON value
        The description of the network, as of :func:`fatcube.noc.descriptions.network_file.network_json`.
    verilog : :class:`str`
        The name of the file of Verilog, in the same folder.
    title : :class:`str`
        A short description of the network, for the head of the file.

    Raises
    ------
    ParameterError
        If ``what`` is not one of these, the network's ports have a protocol without it, its packets are too short for it, or it
        is for schedules only.
    """
    check_choice("the files beside the Verilog", what, BESIDE)
    if what == "cocotb":
        return cocotb_tests(about, verilog=verilog, title=title)
    if about["interface"] not in _TESTBENCHES:
        raise ParameterError(f"interface must be {' or '.join(_TESTBENCHES)} for a {what}, not {about['interface']}")
    bits = {port["name"]: port["bits"] for port in about["ports"]}
    endpoints = endpoints_of(about)
    into, out, *_ = streams_of(about)
    ranges = {name: f"[{size - 1}:0]" if size > 1 else "" for name, size in bits.items()}
    of_bytes = _of_bytes(about)
    return (
        _environment()
        .get_template(_TESTBENCHES[about["interface"]][of_bytes] if what == "testbench" else _INSTANCE)
        .render(
            title=title,
            top=about["top"],
            verilog=verilog,
            stem=stem_of(verilog),
            groups=_groups(about, ranges),
            range_room=max(map(len, ranges.values())) + 1,
            name_room=max(map(len, ranges)) + 1,
            port_names=list(bits),
            endpoints=endpoints,
            nodes=about["nodes"],
            ports_per_processor=about["ports_per_processor"],
            message_classes=about["parameters"].get("message_classes", 1),
            width=about["parameters"]["width"],
            dest_bits=bits[into.ports[Role.DESTINATION]],
            id_bits=bits[out.ports[Role.SOURCE]],
            port_clocks=len(clocks_of(about)) > 1,
            keeps_order=about["routing"]["keeps_order"],
            most_beats=_most_beats(about),
            still=_STILL,
            **(_bytes_of_testbench(about, endpoints) if of_bytes else {}),
        )
    )


def cocotb_tests(about: Mapping[str, Any], *, verilog: str, title: str, schedule: str = "") -> str:
    """The tests in Python for cocotb of a router, a network or a system.

    Parameters
    ----------
    about, verilog, title
        See :func:`integration`.
    schedule : :class:`str`
        Of a system, the schedule that it runs, in words.

    Raises
    ------
    ParameterError
        If it is a network for schedules only.
    """
    parameters, names = about["parameters"], [port["name"] for port in about["ports"]]
    longest = parameters["longest_packet"]
    stem = stem_of(verilog)
    return (
        _environment()
        .get_template(_tests_of(about))
        .render(
            title=title,
            top=about["top"],
            verilog=verilog,
            description=f"{stem}.json",
            runs=runs_name(verilog),
            module=_module(stem),
            schedule=schedule,
            message_classes=parameters.get("message_classes", 1),
            longest_packet=longest,
            stop_timeout=parameters["stop_timeout"],
            pauses=0.0 if _ends_paused_packets(parameters) else 0.3,
            most_beats=_most_beats(about),
            of_bytes=_of_bytes(about),
            most_bytes=_most_bytes(about) if _of_bytes(about) else 0,
            most_words=min(_MOST_WORDS, longest - 1) if longest else _MOST_WORDS,
            copies=any(field["field"] == "mask" for field in about["header"]),
            counters="flit_count" in names,
        )
    )


def _tests_of(about: Mapping[str, Any]) -> str:
    """The template of the tests."""
    match about["format"]:
        case "fatcube.router/1":
            return "cocotb_router.py.jinja"
        case "fatcube.system/1":
            return "cocotb_system.py.jinja"
        case _:
            if about["deadlock"] is not None:
                raise ParameterError(
                    "network must be one that carries any traffic for tests in cocotb, not one for schedules only: they send "
                    "random packets"
                )
            return _TESTS[about["interface"]]


def _ends_paused_packets(parameters: Mapping[str, Any]) -> bool:
    """Whether the network would end packets in which a source of a testbench pauses."""
    return 0 < parameters["stop_timeout"] < _LONGEST_PAUSE


def _most_beats(about: Mapping[str, Any]) -> int:
    """The most beats of a packet of a testbench."""
    parameters = about["parameters"]
    if longest := parameters["longest_packet"] or about.get("streams", {}).get("store_packets", 0):
        return min(_MOST_BEATS, longest - 1)
    if _ends_paused_packets(parameters):
        return 1
    return _MOST_BEATS


def _of_bytes(about: Mapping[str, Any]) -> bool:
    """Whether packets are byte-exact."""
    return about.get("streams", {}).get("byte_exact", False)


def _most_bytes(about: Mapping[str, Any]) -> int:
    """The most bytes of a packet of a test or a testbench, if packets are byte-exact: a full flit at least."""
    parameters = about["parameters"]
    lanes = parameters["width"] // 8
    if longest := parameters["longest_packet"] or about["streams"]["store_packets"]:
        return lanes * min(_MOST_FLITS, longest - 2)
    # A packet that would be ended if its source paused has one flit, which is collected before it is sent.
    return lanes * (1 if _ends_paused_packets(parameters) else _MOST_FLITS)


def _bytes_of_testbench(about: Mapping[str, Any], endpoints: int) -> dict[str, Any]:
    """What a testbench in Verilog has of packets of bytes, each of which begins with its number.

    Raises
    ------
    ParameterError
        If the number does not fit into a packet.
    """
    number_bytes = max(1, -(-(endpoints**2 - 1).bit_length() // 8))
    most_bytes = _most_bytes(about)
    if most_bytes < number_bytes:
        raise ParameterError(
            f"packets must have at least {number_bytes} bytes for a testbench of {endpoints} ports, not {most_bytes}, which is "
            "all that surely arrives with this width, longest packet and stop timeout"
        )
    return {
        "widths": about["streams"]["port_widths"],
        "user_bits": about["streams"]["user_bits"],
        "number_bytes": number_bytes,
        "most_bytes": most_bytes,
    }


def _groups(about: Mapping[str, Any], ranges: Mapping[str, str]) -> list[dict[str, Any]]:
    """The ports in groups: those of the network, and those of each endpoint."""
    groups: dict[str, list[dict[str, Any]]] = {}
    per_processor, protocol = about["ports_per_processor"], PROTOCOLS[about["interface"]]
    places = {
        name: endpoint for endpoint in range(endpoints_of(about)) for name in protocol.ports_of(endpoint, per_processor)
    }
    for port in about["ports"]:
        title = "The network"
        if (endpoint := places.get(port["name"])) is not None:
            processor, number = divmod(endpoint, per_processor)
            beside = f", its port {number}" if per_processor > 1 else ""
            title = f"Port {endpoint}: processor {processor}{beside}"
        groups.setdefault(title, []).append({**port, "range": ranges[port["name"]]})
    return [{"title": title, "ports": ports} for title, ports in groups.items()]


def stem_of(verilog: str) -> str:
    """What the names of files beside ``verilog`` begin with: its name without the ending."""
    return re.sub(r"\.\w+$", "", verilog)


def _module(stem: str) -> str:
    return "test_" + re.sub(r"\W", "_", stem)

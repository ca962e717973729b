"""Files to integrate and to test generated Verilog, made from its description."""

from collections.abc import Iterator, Mapping, Sequence
import functools
from pathlib import Path
import re
from typing import Any

import jinja2

from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.descriptions.flit_ports import check_routes, flits_of_testbench
from fatcube.noc.descriptions.flows.buses import Stream, clocks_of, endpoints_of, streams_of
from fatcube.rtl.protocols import protocol_of
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
_LONG = 65  # flits of a packet in a test where there is no limit
_MOST_FLITS = 4  # of bytes, of a packet of a test or a testbench
_PACKETS = 64  # of each port of a testbench, at least
_RESETS = 6  # in the middle of the traffic of a testbench
_SENDERS = 4  # ports that saturate one
_SATURATED = 8  # ports that are saturated at most
_SATURATED_CHANNELS = 32  # the most with virtual channels, which takes longer, times all ports
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
    if what == "testbench":
        check_routes(about, "testbench")
    into, out = _axi_streams(about)
    own_clocks = [*_own_clocks(about, endpoints)]
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
            labels=[protocol_of(about).label(endpoint) for endpoint in range(endpoints)],
            nodes=about["nodes"],
            ports_per_processor=about["ports_per_processor"],
            message_classes=about["parameters"].get("message_classes", 1),
            width=about["parameters"]["width"],
            dest_bits=bits[into.ports[Role.DESTINATION]],
            id_bits=bits[out.ports[Role.SOURCE]],
            own_clocks=own_clocks,
            port_clocks=any(own_clocks),
            clocks_differ=len({*own_clocks}) > 1,
            keeps_order=about["routing"]["keeps_order"],
            most_beats=_most_beats(about),
            longest=_longest(about),
            limited=_limit(about) > 0,
            still=_STILL,
            resets=_RESETS,
            **(_traffic(about, endpoints) if what == "testbench" else {}),
            **(_bytes_of_testbench(about, endpoints) if of_bytes else {}),
        )
    )


def _own_clocks(about: Mapping[str, Any], endpoints: int) -> Iterator[bool]:
    """Whether each port has a clock of its own."""
    own = {stream.endpoint for clock in clocks_of(about)[1:] for stream in clock.streams}
    return (endpoint in own for endpoint in range(endpoints))


def cocotb_tests(about: Mapping[str, Any], *, verilog: str, title: str, schedule: str = "") -> str:
    """The tests in Python for cocotb of a router, a network or a system.

    Parameters
    ----------
    about, verilog, title
        See :func:`integration`.
    schedule : :class:`str`
        The schedule that a system runs, as a phrase.

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
            longest=_longest(about),
            limited=_limit(about) > 0,
            patience=_patience(parameters),
            saturated=_saturated(about, _endpoints(about)),
            copies=any(field["field"] == "mask" for field in about["header"]),
            counters="flit_count" in names,
            mixed="port_interfaces" in about,
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
                    "network must carry any traffic for tests in cocotb, not be one for schedules only: they send "
                    "random packets"
                )
            check_routes(about, "test in cocotb")
            return _TESTS[about["interface"]]


def _ends_paused_packets(parameters: Mapping[str, Any]) -> bool:
    """Whether the network would end packets in which a source of a testbench pauses."""
    return 0 < parameters["stop_timeout"] < _LONGEST_PAUSE


def _most_beats(about: Mapping[str, Any]) -> int:
    """The most beats of a packet of a testbench."""
    parameters = about["parameters"]
    if limit := _limit(about):
        return min(_MOST_BEATS, limit - 1)
    if _ends_paused_packets(parameters):
        return 1
    return _MOST_BEATS


def _endpoints(about: Mapping[str, Any]) -> int:
    """The ports of all processors of a network; 1 for what is none, which has no tests that saturate a port."""
    return endpoints_of(about) if "interface" in about else 1


def _limit(about: Mapping[str, Any]) -> int:
    """The most flits of a packet, 0 for any number."""
    return about["parameters"]["longest_packet"] or about.get("streams", {}).get("store_packets", 0)


def _longest(about: Mapping[str, Any]) -> int:
    """The words, or bytes, of the longest packet that surely arrives: of the limit's length, or a long one where there is none.

    Words of payload where ports have flits.
    """
    limit, of_bytes = _limit(about), _of_bytes(about)
    if not limit and about.get("interface") in _TESTBENCHES and _ends_paused_packets(about["parameters"]):
        return _most_bytes(about) if of_bytes else _most_beats(about)
    flits = limit or _LONG
    return (flits - 2) * about["parameters"]["width"] // 8 if of_bytes else flits - 1


def _of_bytes(about: Mapping[str, Any]) -> bool:
    """Whether packets are byte-exact."""
    return about.get("streams", {}).get("byte_exact", False)


def _most_bytes(about: Mapping[str, Any]) -> int:
    """The most bytes of a packet of a test or a testbench, if packets are byte-exact: a full flit at least."""
    parameters = about["parameters"]
    lanes = parameters["width"] // 8
    if limit := _limit(about):
        return lanes * min(_MOST_FLITS, limit - 2)
    # A packet that would be ended if its source paused has one flit, which is collected before it is sent.
    return lanes * (1 if _ends_paused_packets(parameters) else _MOST_FLITS)


def _patience(parameters: Mapping[str, Any]) -> int:
    """The packets of other ports that may arrive at a port while one waits for its turn; 0 for any number.

    Where ways meet, all inputs have the same share, so the least share of four senders is an eighth; of the eight packets that
    are one round, some may come in a row. A channel that is passed over is urgent after 66 cycles or more, in each two of
    which a packet of another channel arrives. Set-ups that are refused and tried again later have no turn.
    """
    if parameters["setup_retry"]:
        return 0
    return 320 if parameters["virtual_channels"] > 1 else 40


def _saturated(about: Mapping[str, Any], endpoints: int) -> int:
    """The ports that are saturated, one after the other: few where it takes long, and two kinds if there are two."""
    one_channel, least = about["parameters"]["virtual_channels"] == 1, 2 if "port_interfaces" in about else 1
    most = _SATURATED if one_channel else max(least, _SATURATED_CHANNELS // endpoints)
    return min(endpoints, most)


def _traffic(about: Mapping[str, Any], endpoints: int) -> dict[str, Any]:
    """The packets that a testbench in Verilog sends: at least 64 from each port, if their numbers fit into words."""
    parameters = about["parameters"]
    classes, per_processor = parameters.get("message_classes", 1), about["ports_per_processor"]
    each = endpoints // classes
    rounds = _rounds(about, endpoints)
    patience = _patience(parameters)
    senders = min(_SENDERS, each)
    dropped = 2 * (2 ** _dest_bits(about) > endpoints), 2 * (_limit(about) > 0), 0
    if _of_bytes(about):
        dropped = *dropped, 2
    return {
        "rounds": rounds,
        "packets": rounds * each,
        "patience": patience or 2**30,
        "burst": 2 * patience // max(1, senders - 1) + 1,
        "span": min(endpoints, _SENDERS * (classes if per_processor == classes else 1)),
        "scrap": 6 if _of_bytes(about) else 4,
        "due": "{" + ", ".join(f"16'd{count}" for count in reversed(dropped)) + "}",
        **flits_of_testbench(about, dropped, _saturated(about, endpoints)),
    }


def _rounds(about: Mapping[str, Any], endpoints: int) -> int:
    """The packets from a port to each of its peers: enough for 64 from each port, if their numbers fit into packets."""
    each = endpoints // about["parameters"].get("message_classes", 1)
    if _of_bytes(about):
        most = 256 ** _most_bytes(about) // endpoints**2 - 1
    else:
        most = 2 ** about["parameters"]["width"] // endpoints**2
    return max(1, min(-(-_PACKETS // each), most))


def _axi_streams(about: Mapping[str, Any]) -> Sequence[Stream]:
    """The streams of the first port with AXI4-Streams, into the network and out of it."""
    protocol = protocol_of(about)
    return [stream for stream in streams_of(about) if protocol.at(stream.endpoint) is protocol][:2]


def _dest_bits(about: Mapping[str, Any]) -> int:
    """Bits of TDEST."""
    into, _ = _axi_streams(about)
    return next(port["bits"] for port in about["ports"] if port["name"] == into.ports[Role.DESTINATION])


def _bytes_of_testbench(about: Mapping[str, Any], endpoints: int) -> dict[str, Any]:
    """The settings of a testbench in Verilog for packets of bytes, each of which begins with its number.

    Raises
    ------
    ParameterError
        If the number does not fit into a packet.
    """
    most_bytes = _most_bytes(about)
    # Broken packets have the numbers of a further round.
    numbers = (_rounds(about, endpoints) + 1) * endpoints**2
    number_bytes = max(1, -(-(numbers - 1).bit_length() // 8))
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
    per_processor, protocol = about["ports_per_processor"], protocol_of(about)
    places = {
        name: endpoint for endpoint in range(endpoints_of(about)) for name in protocol.ports_of(endpoint, per_processor)
    }
    for port in about["ports"]:
        title = "The network"
        if (endpoint := places.get(port["name"])) is not None:
            processor, number = divmod(endpoint, per_processor)
            beside = f", its port {number}" if per_processor > 1 else ""
            named = f", {protocol.names[endpoint]}" if endpoint in protocol.names else ""
            title = f"Port {endpoint}: processor {processor}{beside}{named}"
        groups.setdefault(title, []).append({**port, "range": ranges[port["name"]]})
    return [{"title": title, "ports": ports} for title, ports in groups.items()]


def stem_of(verilog: str) -> str:
    """The beginning of the names of files beside ``verilog``: its name without the ending."""
    return re.sub(r"\.\w+$", "", verilog)


def _module(stem: str) -> str:
    return "test_" + re.sub(r"\W", "_", stem)

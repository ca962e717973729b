"""A network as an IP-XACT component (IEEE 1685-2014), whose clocks and resets, and streams if they are a bus, are bus interfaces."""

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from fatcube.groundwork.digest import versions
from fatcube.noc.descriptions.flows.buses import Clock, clocks_of, streams_of
from fatcube.rtl.protocols import protocol_of
from fatcube.rtl.protocols.protocol import Protocol

__all__ = ["ip_xact"]


_NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
# The bus definitions that Vivado defined first.
_CLOCK = ("xilinx.com", "signal", "clock", "1.0")
_RESET = ("xilinx.com", "signal", "reset", "1.0")


def ip_xact(about: Mapping[str, Any], *, verilog: str, title: str) -> str:
    """The text of the component; parameters are as of :func:`fatcube.noc.descriptions.flows.vhdl.component_file`."""
    clocks, streams = clocks_of(about), _streams(about)
    component = _element(
        "component",
        _text("vendor", "fatcube"),
        _text("library", "networks"),
        _text("name", about["top"]),
        _text("version", versions(["fatcube"])["fatcube"]),
        _element(
            "busInterfaces",
            *streams,
            *(one for clock in clocks for one in (_clock(clock, protocol_of(about)), _reset(clock))),
        ),
        _model(about),
        _element(
            "fileSets",
            _element(
                "fileSet",
                _text("name", "verilog"),
                _element("file", _text("name", verilog), _text("fileType", "verilogSource")),
            ),
        ),
        _text("description", title),
    )
    ElementTree.register_namespace("ipxact", _NAMESPACE)
    ElementTree.indent(component)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(component, encoding="unicode")}\n'


def _element(tag: str, *children: Element) -> Element:
    made = Element(f"{{{_NAMESPACE}}}{tag}")
    made.extend(children)
    return made


def _text(tag: str, text: str) -> Element:
    made = _element(tag)
    made.text = text
    return made


def _bus(
    name: str, kind: tuple[str, str, str, str], mode: str, ports: Mapping[str, str], parameters: Iterable[Element] = ()
) -> Element:
    """A bus interface of a ``kind``: the vendor, library, name and version of its definition."""
    vendor, library, bus, version = kind
    mapped = (
        _element(
            "portMap",
            _element("logicalPort", _text("name", logical)),
            _element("physicalPort", _text("name", physical)),
        )
        for logical, physical in ports.items()
    )
    parameters = list(parameters)
    return _element(
        "busInterface",
        _text("name", name),
        _reference("busType", vendor, library, bus, version),
        _element(
            "abstractionTypes",
            _element(
                "abstractionType",
                _reference("abstractionRef", vendor, library, f"{bus}_rtl", version),
                _element("portMaps", *mapped),
            ),
        ),
        _element(mode),
        *([_element("parameters", *parameters)] if parameters else []),
    )


def _reference(tag: str, vendor: str, library: str, name: str, version: str) -> Element:
    made = _element(tag)
    made.attrib = {"vendor": vendor, "library": library, "name": name, "version": version}
    return made


def _parameter(name: str, value: str) -> Element:
    return _element("parameter", _text("name", name), _text("value", value))


def _streams(about: Mapping[str, Any]) -> list[Element]:
    """The streams of a network whose protocols have a bus definition."""
    protocol = protocol_of(about)
    return [
        _bus(
            stream.name,
            there.bus,
            "slave" if stream.enters else "master",
            {signal.name.upper(): stream.ports[signal.role] for signal in there.signals if signal.role in stream.ports},
        )
        for stream in streams_of(about)
        if (there := protocol.at(stream.endpoint)).bus is not None
    ]


def _clock(clock: Clock, protocol: Protocol) -> Element:
    buses = [stream.name for stream in clock.streams if protocol.at(stream.endpoint).bus is not None]
    associated = {"ASSOCIATED_BUSIF": ":".join(buses), "ASSOCIATED_RESET": clock.reset}
    parameters = (_parameter(name, value) for name, value in associated.items() if value)
    return _bus(clock.port, _CLOCK, "slave", {"CLK": clock.port}, parameters)


def _reset(clock: Clock) -> Element:
    polarity = _parameter("POLARITY", "ACTIVE_LOW" if clock.active_low else "ACTIVE_HIGH")
    return _bus(clock.reset, _RESET, "slave", {"RST": clock.reset}, [polarity])


def _model(about: Mapping[str, Any]) -> Element:
    """The module in Verilog and its ports."""
    return _element(
        "model",
        _element(
            "views",
            _element(
                "view",
                _text("name", "verilog"),
                _text("envIdentifier", "verilog::"),
                _text("componentInstantiationRef", "verilog"),
            ),
        ),
        _element(
            "instantiations",
            _element(
                "componentInstantiation",
                _text("name", "verilog"),
                _text("language", "verilog"),
                _text("moduleName", about["top"]),
                _element("fileSetRef", _text("localName", "verilog")),
            ),
        ),
        _element("ports", *map(_port, about["ports"])),
    )


def _port(port: Mapping[str, Any]) -> Element:
    wire = [_text("direction", {"input": "in", "output": "out"}[port["direction"]])]
    if port["bits"] > 1:
        vector = _element("vector", _text("left", str(port["bits"] - 1)), _text("right", "0"))
        wire.append(_element("vectors", vector))
    return _element("port", _text("name", port["name"]), _text("description", port["meaning"]), _element("wire", *wire))

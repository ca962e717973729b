"""The algorithms of ``amaranth.lib.crc.catalog`` 0.5 that are used here."""

from amaranth.lib.crc import Algorithm

CRC32_ISO_HDLC: Algorithm

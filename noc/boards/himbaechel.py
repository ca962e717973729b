"""Platforms of amaranth-boards whose place and route is nextpnr's Himbächel, where amaranth still calls its predecessor."""

from amaranth_boards.tang_nano_9k import TangNano9kPlatform

__all__ = ["TangNano9k"]


class TangNano9k(TangNano9kPlatform):
    """Tang Nano 9K with the nextpnr that pip brings."""

    required_tools = ["yosys", "nextpnr-himbaechel", "gowin_pack"]

    @property
    def command_templates(self) -> list[str]:
        mapping, _, packing = super().command_templates
        placing = r"""
        {{invoke_tool("nextpnr-himbaechel")}}
            {{quiet("--quiet")}}
            {{get_override("nextpnr_opts")|options}}
            --log {{name}}.tim
            --device {{platform.part}}
            --vopt family={{platform._chipdb_device}}
            --vopt cst={{name}}.cst
            --json {{name}}.syn.json
            --write {{name}}.pnr.json
        """
        return [mapping, placing, packing]

"""The outputs of a router: one file each, with the ports of :class:`rtl.outputs.output.Output`.

Never here: a decision between packets for one output, which is the allocator's.
"""

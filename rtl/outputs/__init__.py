"""The outputs of a router: one file each, with the ports of :class:`fatcube.rtl.outputs.output.Output`, or where lanes have virtual channels
those of :class:`fatcube.rtl.outputs.channel_output.ChannelOutput`.

Never here: a decision between packets for one output, which is the allocator's.
"""

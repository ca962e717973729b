"""The outputs of a router: one file each, with the ports of :class:`fatcube.rtl.outputs.output.Output`, or of
:class:`fatcube.rtl.outputs.channel_output.ChannelOutput` where lanes have virtual channels.

Never here: a decision between packets for one output, which is the allocator's.
"""

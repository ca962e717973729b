"""The inputs of a router, and the feeds between its ports and them: one file each.

Inputs have the ports of :class:`fatcube.rtl.inputs.input.Input`, feeds those of :class:`fatcube.rtl.inputs.feed.Feed`. Where lanes have virtual
channels, all of an input share a :class:`fatcube.rtl.inputs.channel_input.ChannelInput`.

Never here: a decision between inputs, which is the allocator's.
"""

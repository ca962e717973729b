"""The inputs of a router, and the feeds between its ports and them: one file each.

Inputs have the ports of :class:`rtl.inputs.input.Input`, feeds those of :class:`rtl.inputs.feed.Feed`. Where lanes have virtual
channels, all of an input share a :class:`rtl.inputs.channel_input.ChannelInput`.

Never here: a decision between inputs, which is the allocator's.
"""

"""The allocators of a router: one file each.

Allocators without virtual channels have the ports of :class:`fatcube.rtl.allocators.allocator_base.AllocatorBase`.
:class:`~fatcube.rtl.allocators.allocator.Allocator` is for packets with one output each,
:class:`~fatcube.rtl.allocators.copying_allocator.CopyingAllocator` also copies a packet to several outputs, and
:class:`~fatcube.rtl.allocators.channel_allocator.ChannelAllocator` is for lanes with virtual channels.

Never here: an allocator that looks into flits. It sees requests, tail flits and room.
"""

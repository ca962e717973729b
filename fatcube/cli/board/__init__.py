"""`fatcube board`: networks on boards, a file per command of this group."""

"""Published schedules of other programs, imported and judged on the RTL beside ours; ``published.toml`` says which."""

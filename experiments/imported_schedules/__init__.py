"""Published schedules of other programs, listed in ``published.toml``, imported and judged on the RTL beside ours."""

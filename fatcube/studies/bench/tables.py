"""The tables of all benchmarks, in Markdown."""

from typing import Any

from fatcube.reports.markdown import titled_table

__all__ = ["markdown"]


def _extremes(rows: list[dict[str, Any]]) -> str:
    """Which of the routers with all turns but the one back is the smallest, and which the fastest, of each size."""
    placed = [row for row in rows if row["fmax_mhz"]]
    said = []
    for ports in sorted({row["ports"] for row in placed}):
        some = [row for row in placed if row["ports"] == ports]
        small = min(some, key=lambda row: row["comb_equivalents"])
        fast = max(some, key=lambda row: row["fmax_mhz"])
        said.append(
            f"Of {ports} ports the smallest has {small['comb_equivalents']:,} COMB ({_kind(small)}), and the fastest "
            f"runs at {fast['fmax_mhz']:.0f} MHz ({_kind(fast)})."
        )
    return " ".join(said)


def _kind(row: dict[str, Any]) -> str:
    return f"{row['arbiter']}, {row['cycles_per_hop']} cycle{'s' if row['cycles_per_hop'] > 1 else ''} per hop"


def markdown(results: dict[str, list[dict[str, Any]]]) -> str:
    """The tables of what was measured, by the name of the benchmark."""
    tables = []
    if "routers" in results:
        tables.append(
            titled_table(
                "Routers of 5, 8 and 16 ports",
                "32-bit flits, buffers of two flits, one or two cycles per hop; ECP5, `synth_ecp5 -nowidelut`, COMB equivalents = "
                "LUT4 + 2 per carry cell + 6 per distributed RAM cell; Fmax is the median of three placements between "
                "registers, of the same netlist and of the one with wide LUTs. Turns: `used` by a fat cube's routes, "
                "`forward` to every output but its own, `all`. Published: the best "
                "area and the best speed found, which no single router has both. " + _extremes(results["routers"]),
                [
                    "ports",
                    "turns",
                    "cycles per hop",
                    "arbiter",
                    "LUT4",
                    "COMB",
                    "FF",
                    "Fmax MHz",
                    "wide-LUT Fmax",
                    "published COMB",
                    "published MHz",
                    "crossbar COMB per a b W",
                ],
                [
                    [
                        str(row["ports"]),
                        row["turns"],
                        str(row["cycles_per_hop"]),
                        row["arbiter"],
                        str(row["lut4"]),
                        str(row["comb_equivalents"]),
                        str(row["ff"]),
                        *("-" if row[key] is None else f"{row[key]:.1f}" for key in ("fmax_mhz", "fmax_wide_mhz")),
                        str(row["published_comb_equivalents"]),
                        str(row["published_mhz"]),
                        f"{row['crossbar_comb_per_crosspoint_bit']:.2f}",
                    ]
                    for row in results["routers"]
                ],
            )
        )
    for name, title in (
        ("generate", "`fatcube generate network`, model 1"),
        ("simulate", "`fatcube simulate`, 4, 8 and 16 payload flits, both modes: six runs"),
    ):
        if name in results:
            base = results[name][0]
            tables.append(
                titled_table(
                    title,
                    "Whole processes; ratios are to the first row, run beside the others.",
                    ["network", "processors", "seconds", "MB, largest process", "time ratio", "memory ratio"],
                    [
                        [
                            row["network"],
                            str(row["processors"]),
                            f"{row['seconds']:.1f}",
                            f"{row['megabytes']:.0f}",
                            f"{row['seconds'] / base['seconds']:.1f}",
                            f"{row['megabytes'] / base['megabytes']:.1f}",
                        ]
                        for row in results[name]
                    ],
                )
            )
            staged = [row for row in results[name] if "stages" in row]
            if staged:
                stages = list(staged[0]["stages"])
                tables.append(
                    titled_table(
                        "Where the time goes",
                        "Seconds of the runs above that build, and their part of the whole.",
                        ["network", "processors", *stages],
                        [
                            [
                                row["network"],
                                str(row["processors"]),
                                *(
                                    f"{row['stages'][stage]:.1f} ({row['stages'][stage] / row['seconds']:.0%})"
                                    for stage in stages
                                ),
                            ]
                            for row in staged
                        ],
                    )
                )
    if "modes" in results:
        pairs = list(zip(results["modes"][::2], results["modes"][1::2]))
        tables.append(
            titled_table(
                "Node by node, or the whole network as one program",
                "Processor seconds of compilation, and cycles per processor second while nothing moves, with all monitors, "
                "`verilator` and `verilator-flat`. The last column is the length of a run from which the second is "
                "faster, all told.",
                ["network", "build", "build, flat", "cycles/s", "cycles/s, flat", "flat pays from"],
                [
                    [
                        node["network"],
                        f"{node['build_seconds']:.1f}",
                        f"{flat['build_seconds']:.1f}",
                        f"{node['cycles_per_second']:,.0f}",
                        f"{flat['cycles_per_second']:,.0f}",
                        _crossover(node, flat),
                    ]
                    for node, flat in pairs
                ],
            )
        )
    if "compilers" in results:
        tables.append(
            titled_table(
                "Other ways to compile",
                f"{results['compilers'][0]['network']}, processor seconds of compilation, and cycles while nothing moves per "
                "processor second and per second.",
                ["compiled", "build", "cycles/s of processors", "cycles/s"],
                [
                    [
                        row["what"],
                        f"{row['build_seconds']:.1f}",
                        f"{row['cycles_per_second']:,.0f}",
                        f"{row['cycles_per_wall_second']:,.0f}",
                    ]
                    for row in results["compilers"]
                ],
            )
        )
    if "traffic" in results:
        tables.append(
            titled_table(
                "Sources and sinks of traffic",
                "64 routers of 7 ports, packets of 8 flits of 40 bits to random neighbours, for 200,000 cycles; flits per "
                "cycle and source; cycles per processor second with the start and the end of the process.",
                ["network", "offered", "delivered", "packets", "faults", "cycles/s"],
                [
                    [
                        row["network"],
                        f"{row['offered']:.2f}",
                        f"{row['delivered']:.2f}",
                        f"{row['packets']:,}",
                        str(row["faults"]),
                        f"{row['cycles_per_second']:,.0f}",
                    ]
                    for row in results["traffic"]
                ],
            )
        )
    if "schedule" in results:
        base = {(row["collective"], row["ports"]): row for row in reversed(results["schedule"])}
        tables.append(
            titled_table(
                "`fatcube schedule`",
                "Whole processes, with the check and the file; ratios are to 64 processors.",
                [
                    "collective",
                    "model",
                    "processors",
                    "steps",
                    "lower bound",
                    "transfers",
                    "seconds",
                    "MB",
                    "time ratio",
                    "memory ratio",
                ],
                [
                    [
                        row["collective"],
                        row["ports"],
                        str(row["processors"]),
                        str(row["steps"]),
                        str(row["lower_bound"]),
                        f"{row['transfers']:,}",
                        f"{row['seconds']:.1f}",
                        f"{row['megabytes']:.0f}",
                        f"{row['seconds'] / first['seconds']:.1f}",
                        f"{row['megabytes'] / first['megabytes']:.1f}",
                    ]
                    for row in results["schedule"]
                    for first in [base[row["collective"], row["ports"]]]
                ],
            )
        )
    return "# fatcube benchmarks\n\n" + "\n".join(tables)


def _crossover(node: dict[str, Any], flat: dict[str, Any]) -> str:
    """The cycles of a run from which ``flat`` takes less time, compilation and run together."""
    gained = 1 / node["cycles_per_second"] - 1 / flat["cycles_per_second"]
    if gained <= 0:
        return "never"
    return f"{(flat['build_seconds'] - node['build_seconds']) / gained:,.0f} cycles"

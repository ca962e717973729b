"""`fatcube models`: every step model and router model on one network: bounds, steps, and cycles on the RTL."""

from fatcube.cli import options
from fatcube.cli.app import command, examples
from fatcube.cli.arguments import apart
from fatcube.cli.flags import made_from_flags, topology_flags
from fatcube.cli.output import fail, print_table, say, stop_if, write_json
from fatcube.noc.topology import Topology

__all__ = ["models"]


@command(
    more="Models are all combinations of transfers, links, messages per packet and router model. --time-limit "
    "applies to the search for each schedule. An interrupted run continues from the cache.",
    epilog=examples(
        "models --topology hypercube -d 3", "models -d 2 -m 2 --time-limit 5 --page models.html --json models.json"
    ),
)
@made_from_flags(topology=topology_flags())
def models(
    *,
    topology: Topology,
    time_limit: options.TimeLimit = 15.0,
    page: options.Page = None,
    wide: options.Wide = False,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.studies.models import cells_of, check_models, measure
    from fatcube.studies.models_page import models_record, summary, tables, write_models

    apart(page, json_file)
    check_models(topology)
    cells = cells_of(topology)
    stop_if(dry_run, f"{len(cells)} cells of the {topology.name} can be measured")
    results = measure(cells, time_limit=time_limit)
    for table in tables(results):
        print_table(f"{table.title}: steps (bound) cycles", table.columns, table.rows, wide=wide)
    say(summary(results))
    write_json(json_file, lambda: models_record(results, topology, time_limit))
    if page is not None:
        write_models(results, page, topology, time_limit)
        say(f"Written to {page}")
    fail([f"{cell}: {failure}" for cell, result in zip(cells, results) for failure in result.failures])

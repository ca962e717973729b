"""`fatcube report`: tables and figures of a results file: one page for any browser, and Markdown."""

import dataclasses

from fatcube.cli import options
from fatcube.cli.app import command, examples
from fatcube.cli.arguments import apart
from fatcube.cli.output import note, say, write_json
from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import doing
from fatcube.groundwork.record import record

__all__ = ["report"]


@command(
    epilog=examples(
        "report", "report --page report.html", "report --results study.sqlite --page report.md --json report.json"
    )
)
def report(
    results: options.ResultsFile = None,
    family: options.MeasuredFamily = "ecp5",
    output: options.OlderFolder = None,
    page: options.Page = None,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.papers.fat_cube.against_silicon import against_silicon
    from fatcube.papers.fat_cube.silicon import tables_1_and_2
    from fatcube.studies.load_record import is_load_record
    from fatcube.studies.report import html, markdown, rows, write_report
    from fatcube.studies.results import read_records
    from fatcube.studies.study import Study, committed_all_turns, committed_study
    from fatcube.synth.families import find_family

    apart(results, page, json_file)
    records = read_records(committed_study() if results is None else results)
    loads = [one for one in records if is_load_record(one)]
    name = find_family(family).name
    # A file of loads alone measures no router of any family.
    study = (
        None
        if loads and len(loads) == len(records)
        else Study(records, name, all_turns=committed_all_turns() if results is None else ())
    )
    # The papers' prices are held against LUTs.
    papers = [against_silicon(study), tables_1_and_2(study)] if study and study.unit == "LUTs" else []
    papers = [section for section in papers if section.tables or section.paragraphs]
    if page is not None:
        write_text(page, (markdown if page.suffix == ".md" else html)(study, loads, papers))
    write_json(
        json_file,
        lambda: record(
            {"results": None if results is None else results.name, "family": name},
            {"rows": [dataclasses.asdict(row) for row in rows(study)] if study else [], "loads": loads},
        ),
    )
    if output is None and page is None:
        print(markdown(study, loads, papers))
    elif page is not None:
        say(f"Written to {page}")
    if output is None:
        return
    note("-o FOLDER writes both pages; --page FILE.html and --page FILE.md write one each")
    with doing("writing the report"):
        paths = write_report(study, output, loads, papers)
    counted = [f"{len(study.records)} records of {len(study.routers)} routers"] if study else []
    counted += [f"{len(loads)} curves of networks under load"] if loads else []
    say(f"{', '.join(counted)}. Written: {', '.join(map(str, paths))}")

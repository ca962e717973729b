"""The format of schedule files: what is written, what is read, and one line for everything else."""

import dataclasses
import json
import os
from pathlib import Path
import re

from hypothesis import given, settings, strategies
from pydantic import TypeAdapter, ValidationError
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.tree import Tree
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import (
    ScheduleRecord,
    read_schedule,
    schedule_from_json,
    schedule_schema,
    schedule_to_json,
    write_schedule,
)
from fatcube.schedules.spanning.graphs import NRSBT
from fatcube.schedules.spanning.trees import along
from fatcube.schedules.step_model import Links, PortUse, StepModel, Transfers
from tests.support.networks import IRREGULAR

EXAMPLE = Schedule(
    FatCube(2, 2, 1),
    PortModel.D_PORT,
    Collective.AAB,
    None,
    (
        Transfer(1, 0, 2, (0, None), 0),
        Transfer(1, 0, 1, (0, None)),
    ),
)

EXAMPLE_TEXT = """\
{"format": "fatcube.schedule/2",
 "topology": {"type": "fat-cube", "d": 2, "m": 2, "f": 1},
 "ports": "d",
 "collective": "AAB",
 "root": null,
 "transfers": [
  {"step": 1, "src": 0, "dst": 1, "message": [0, null], "lane": null},
  {"step": 1, "src": 0, "dst": 2, "message": [0, null], "lane": 0}
 ]}
"""


numbers = strategies.integers(0, 20)


@strategies.composite
def schedules(draw):
    topology = draw(strategies.sampled_from([Hypercube(3), FatCube(2, 2, 1), FatCube(1, 5, 3)]))
    collective = draw(strategies.sampled_from(list(Collective)))
    root = draw(strategies.integers(0, topology.processors - 1)) if collective.rooted else None
    ends = strategies.tuples(strategies.none() | numbers, strategies.none() | numbers)
    paths = strategies.lists(strategies.tuples(numbers, numbers), min_size=2)
    steps = numbers.map(lambda step: step + 1)
    transfers = draw(
        strategies.lists(
            strategies.builds(Transfer, steps, numbers, numbers, ends, strategies.none() | numbers)
            | strategies.builds(Transfer, steps, numbers, numbers, ends, path=paths)
        )
    )
    ports = draw(strategies.sampled_from(list(PortModel)))
    model = draw(
        strategies.builds(
            StepModel,
            transfers=strategies.sampled_from(list(Transfers)),
            links=strategies.sampled_from(list(Links) if topology.d > 1 else ["full-duplex", "half-duplex"]),
            per_packet=strategies.just(1) if ports.copies else strategies.sampled_from([1, 2, "unlimited"]),
            port_use=strategies.sampled_from(list(PortUse)),
            dedicated_ports=strategies.booleans() if ports is PortModel.ALL_PORT else strategies.just(False),
        )
    )
    return Schedule(topology, ports, collective, root, transfers, model=model)


class TestFile:
    def test_parts_in_a_file(self, tmp_path):
        schedule = along(NRSBT(2), "d", "AAB", parts=2)
        write_schedule(schedule, tmp_path / "parts.json")
        assert read_schedule(tmp_path / "parts.json") == schedule
        assert '"parts": 2' in (tmp_path / "parts.json").read_text()
        assert {transfer.message.part for transfer in schedule.expanded().transfers} == {0, 1}
        assert schedule.expanded().parts == 2

    def test_text(self, tmp_path):
        write_schedule(EXAMPLE, tmp_path / "schedule.json")
        assert (tmp_path / "schedule.json").read_text() == EXAMPLE_TEXT

    def test_read(self, tmp_path):
        (tmp_path / "schedule.json").write_text(EXAMPLE_TEXT)
        assert read_schedule(tmp_path / "schedule.json") == EXAMPLE
        assert read_schedule(str(tmp_path / "schedule.json")) == EXAMPLE

    def test_version_1(self, tmp_path):
        """Its keys are mapped: that for packets is in the model now."""
        path = tmp_path / "schedule.json"
        path.write_text(EXAMPLE_TEXT.replace("schedule/2", "schedule/1"))
        assert read_schedule(path) == EXAMPLE
        path.write_text(path.read_text().replace('"root": null,', '"root": null, "per_packet": 3,'))
        assert read_schedule(path) == dataclasses.replace(EXAMPLE, model=StepModel(per_packet=3))

    def test_empty(self, tmp_path):
        schedule = Schedule(Hypercube(1), "1", "AAB", None, ())
        write_schedule(schedule, tmp_path / "schedule.json")
        assert read_schedule(tmp_path / "schedule.json") == schedule

    @settings(max_examples=200)
    @given(schedules())
    def test_round_trip(self, tmp_path_factory, schedule):
        assert schedule_from_json(json.loads(json.dumps(schedule_to_json(schedule)))) == schedule
        path = tmp_path_factory.getbasetemp() / "round_trip.json"
        write_schedule(schedule, path)
        assert read_schedule(path) == schedule

    def test_write_leaves_the_old_file_where_it_fails(self, tmp_path, monkeypatch):
        path = tmp_path / "schedule.json"
        path.write_text("old")

        def replace(source, target):
            assert open(source).read() == EXAMPLE_TEXT
            raise OSError("no space left on device")

        monkeypatch.setattr(os, "replace", replace)
        with pytest.raises(OSError, match="^no space left on device$"):
            write_schedule(EXAMPLE, path)
        assert path.read_text() == "old"
        assert [file.name for file in tmp_path.iterdir()] == ["schedule.json"]

    def test_write_leaves_nothing_where_it_is_interrupted(self, tmp_path, monkeypatch):
        def replace(source, target):
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            write_schedule(EXAMPLE, tmp_path / "schedule.json")
        assert list(tmp_path.iterdir()) == []

    def test_write_leaves_only_the_file(self, tmp_path):
        write_schedule(EXAMPLE, tmp_path / "schedule.json")
        write_schedule(EXAMPLE, tmp_path / "schedule.json")
        assert [file.name for file in tmp_path.iterdir()] == ["schedule.json"]

    def test_no_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            read_schedule(tmp_path / "schedule.json")


class TestMalformedFile:
    """The example with one change; the message is the whole line after the path."""

    MESSAGE = (
        "transfers.1.message must be [origin, destination] or [origin, destination, part], where an end is a "
        "processor or null, not"
    )

    def refuses(self, tmp_path, content, message):
        path = tmp_path / "schedule.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(ParameterError, match=f"^{re.escape(f'{path}: {message}')}$"):
            read_schedule(path)

    @pytest.mark.parametrize(
        "old, new, message",
        [
            ('"root": null,', '"root": null, "rot": 1,', "rot must be left out, as there is no such key"),
            ('"root": null,', '"root": null, "r\\no": 1,', '"r\\no" must be left out, as there is no such key'),
            ('"format"', '"fromat"', "format must be given"),
            ('"root": null,', "", "root must be given"),
            ('"root": null,', '"root": null, "root": null,', 'key "root" must occur once, not twice'),
            (
                "schedule/2",
                "schedule/3",
                "format must be 'fatcube.schedule/1' or 'fatcube.schedule/2', not \"fatcube.schedule/3\"",
            ),
            ('"fatcube.schedule/2"', "1", "format must be 'fatcube.schedule/1' or 'fatcube.schedule/2', not 1"),
            *(
                ('"root": null,', f'"root": null, {added}', message)
                for added, message in (
                    ('"from": [],', "from must be a list of processors, at least one, not []"),
                    ('"to": [0.5],', "to must be a list of processors, at least one, not [0.5]"),
                    ('"subset": 1,', "subset must be a list of processors, at least one, not 1"),
                    ('"per_packet": 2,', "per_packet must be in the model in fatcube.schedule/2, not beside it"),
                    ('"model": [],', "model must be an object, not []"),
                    (
                        '"model": {"link": 1},',
                        "model must have keys of transfers, links, per_packet, port_use, dedicated_ports, not 'link'",
                    ),
                    (
                        '"model": {"links": "half"},',
                        "links must be one of full-duplex, half-duplex, simplex, not 'half'",
                    ),
                    ('"model": {"links": {}},', "links must be one of full-duplex, half-duplex, simplex, not {}"),
                    (
                        '"model": {"transfers": 2},',
                        "transfers must be one of adjacent, direct, not 2",
                    ),
                    (
                        '"model": {"per_packet": 0},',
                        'per_packet must be an integer of at least 1 or "unlimited", not 0',
                    ),
                    (
                        '"model": {"per_packet": "2"},',
                        "per_packet must be an integer of at least 1 or \"unlimited\", not '2'",
                    ),
                    (
                        '"model": {"per_packet": true},',
                        'per_packet must be an integer of at least 1 or "unlimited", not True',
                    ),
                    (
                        '"model": {"port_use": "both"},',
                        "port use must be one of send-and-receive, one-partner, send-or-receive, not 'both'",
                    ),
                    (
                        '"model": {"dedicated_ports": 1},',
                        "dedicated ports must be true or false, not 1",
                    ),
                    (
                        '"model": {"dedicated_ports": true},',
                        "dedicated ports must be in model * (all-port), not in model d",
                    ),
                )
            ),
            *(
                ('"message": [0, null], "lane": 0}', f'"message": [0, null], {lane}}}', message)
                for lane, message in (
                    (
                        '"lane": 0, "path": [[1, 0], [3, 0]]',
                        "transfers.1.lane must be left out beside a path, which has the lane of every link",
                    ),
                    (
                        '"path": [[1, 0]]',
                        "transfers.1.path must be [[node, lane], ...], two links or more, not [[1, 0]]",
                    ),
                    (
                        '"path": [[1, 0], [3]]',
                        "transfers.1.path must be [[node, lane], ...], two links or more, not [[1, 0], [3]]",
                    ),
                    (
                        '"path": [[1, 0], [3, -1]]',
                        "transfers.1.path must be [[node, lane], ...], two links or more, not [[1, 0], [3, -1]]",
                    ),
                    (
                        '"path": {"node": 1}',
                        'transfers.1.path must be [[node, lane], ...], two links or more, not {"node": 1}',
                    ),
                )
            ),
            (
                '"AAB"',
                '"AAX"',
                "collective must be one of OAB, OAS, AOG, AOR, AAB, AAR, AAS, all-reduce or broadcast, scatter, "
                "gather, reduce, all-gather, reduce-scatter, all-to-all, not 'AAX'",
            ),
            (
                '"AAB"',
                "null",
                "collective must be one of OAB, OAS, AOG, AOR, AAB, AAR, AAS, all-reduce or broadcast, scatter, "
                "gather, reduce, all-gather, reduce-scatter, all-to-all, not None",
            ),
            (
                '"ports": "d"',
                '"ports": 2',
                "ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not 2",
            ),
            ('"root": null,', '"root": null, "symmetric": 1,', "symmetric must be a valid boolean, not 1"),
            ('"root": null,', '"root": null, "parts": 0,', "parts must be greater than or equal to 1, not 0"),
            ('"root": null,', '"root": null, "parts": true,', "parts must be a valid integer, not true"),
            ('"root": null', '"root": NaN', "not JSON: NaN is not a number"),
            ('"root": null', '"root": 0', "root of AAB must be None (null in a file), not 0"),
            ('"AAB"', '"OAB"', "root of OAB must be an integer from 0 to 7, not None"),
            ('"AAB",\n "root": null', '"OAB",\n "root": 8', "root of OAB must be an integer from 0 to 7, not 8"),
            ('"AAB",\n "root": null', '"OAB",\n "root": "0"', 'root must be a valid integer, not "0"'),
            ('"fat-cube", "d": 2', '"fat-cube", "d": 0', "FatCube d must be an integer from 1 to 16, not 0"),
            ('"fat-cube", "d": 2,', '"fat-cube",', "topology fat-cube needs the parameter d"),
            ('"d": 2,', '"d": 2, "g": 2,', "topology fat-cube has parameters d, m, f, not 'g'"),
            ('{"type": "fat-cube", "d": 2, "m": 2, "f": 1}', "[]", "topology must be an object with a type, not []"),
            (', "lane": 0}', ', "lane": 0, "lan": 0}', "transfers.1.lan must be left out, as there is no such key"),
            (', "lane": 0}', "}", "transfers.1.lane must be given"),
            (', "lane": 0}', ', "lane": 0, "lane": 1}', 'key "lane" must occur once, not twice'),
            ('"lane": 0}', '"lane": "0"}', 'transfers.1.lane must be a valid integer, not "0"'),
            ('"lane": 0}', '"lane": -1}', "transfers.1.lane must be greater than or equal to 0, not -1"),
            (
                '"step": 1, "src": 0, "dst": 1',
                '"step": 0, "src": 0, "dst": 1',
                "transfers.0.step must be greater than or equal to 1, not 0",
            ),
            ('"src": 0, "dst": 2', '"src": null, "dst": 2', "transfers.1.src must be a valid integer, not null"),
            ('"dst": 2', '"dst": 2.0', "transfers.1.dst must be a valid integer, not 2.0"),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": [0, null, -1]', f"{MESSAGE} [0, null, -1]"),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": [0, 1, null]', f"{MESSAGE} [0, 1, null]"),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": [0]', f"{MESSAGE} [0]"),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": "01"', f'{MESSAGE} "01"'),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": {"origin": 0}', f'{MESSAGE} {{"origin": 0}}'),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": [true, null]', f"{MESSAGE} [true, null]"),
            ('"dst": 2, "message": [0, null]', '"dst": 2, "message": [0, 1, 2, 3, 4]', f"{MESSAGE} a list"),
        ],
    )
    def test_change(self, tmp_path, old, new, message):
        assert EXAMPLE_TEXT.count(old) == 1
        self.refuses(tmp_path, EXAMPLE_TEXT.replace(old, new), message)

    @pytest.mark.parametrize(
        "content, message",
        [
            ("[]", "schedule must be a valid object, not []"),
            ("null", "schedule must be a valid object, not null"),
            ("", "not JSON: it is empty"),
            ("[" * 100_000, "not JSON: it is nested too deeply"),
        ],
    )
    def test_content(self, tmp_path, content, message):
        self.refuses(tmp_path, content, message)

    @pytest.mark.parametrize(
        "transfers, message",
        [
            ("{}", "transfers must be a valid list, not {}"),
            ("null", "transfers must be a valid list, not null"),
            ("[[]]", "transfers.0 must be a valid object, not []"),
        ],
    )
    def test_transfers(self, tmp_path, transfers, message):
        head, _ = EXAMPLE_TEXT.split('"transfers": ')
        self.refuses(tmp_path, f'{head}"transfers": {transfers}}}', message)

    @pytest.mark.parametrize(
        "old, new, message",
        [
            ('"root": null,', '"root": null, "per_packet": 0,', "per_packet must be greater than or equal to 1, not 0"),
            (
                '"root": null,',
                '"root": null, "model": {},',
                "model must be left out in fatcube.schedule/1, as there is none before fatcube.schedule/2",
            ),
            (
                '"lane": 0}',
                '"path": [[1, 0], [3, 0]]}',
                "transfers.1.path must be left out in fatcube.schedule/1, as there is none before fatcube.schedule/2",
            ),
        ],
    )
    def test_version_1(self, tmp_path, old, new, message):
        text = EXAMPLE_TEXT.replace("schedule/2", "schedule/1")
        assert text.count(old) == 1
        self.refuses(tmp_path, text.replace(old, new), message)

    def test_truncated_anywhere(self, tmp_path):
        path = tmp_path / "schedule.json"
        for length in range(len(EXAMPLE_TEXT.rstrip())):
            path.write_text(EXAMPLE_TEXT[:length])
            with pytest.raises(ParameterError) as error:
                read_schedule(path)
            assert re.match(rf"{path}(, line \d+)?: not JSON: ", str(error.value))
            assert "\n" not in str(error.value)

    def test_the_first_wrong_transfer_is_enough(self):
        """Pydantic lists every error that it finds: of 32 megabytes of wrong transfers, gigabytes of errors."""
        value = schedule_to_json(EXAMPLE) | {"transfers": [0] * 1000}
        with pytest.raises(ValidationError) as error:
            TypeAdapter(ScheduleRecord).validate_python(value)
        assert error.value.error_count() == 1

    def test_many_keys(self, tmp_path):
        """Keys that the format does not have are treated alike, and counted when the text is read."""
        many = ", ".join(f'"{key}": 0' for key in range(1000))
        content = EXAMPLE_TEXT.replace('"root"', f'{many}, "root"')
        self.refuses(tmp_path, content, "an object must have at most 1,000 keys, not 1,006")


class TestSchema:
    """The published JSON Schema; that it refuses what is read wrongly is for whoever has a validator."""

    def test_is_the_one_that_is_published(self):
        published = Path(__file__).parents[2] / "docs" / "schemas" / "schedule.json"
        assert json.loads(published.read_text()) == schedule_schema(), (
            "python -m fatcube.schedules.schedule_file writes it"
        )

    def test_knows_the_keys_and_names_that_are_written(self):
        schema = schedule_schema()
        transfer = schema["$defs"]["TransferRecord"]
        value = schedule_to_json(along(NRSBT(2), "d", "AAB", parts=2, per_packet=2).expanded())
        assert value.keys() <= schema["properties"].keys() and {*schema["required"]} <= value.keys()
        assert {*transfer["required"]} == transfer["properties"].keys() - {"lane", "path"}
        assert value["transfers"][0].keys() == transfer["properties"].keys() - {"path"}
        assert schema["properties"]["model"]["properties"].keys() == {*StepModel.names()}
        for name, names in (("ports", PortModel), ("collective", Collective)):
            assert {one.value for one in names} | {one.word for one in names} == {*schema["properties"][name]["enum"]}

    @pytest.mark.parametrize(
        "topology",
        [
            FatCube(2, 2),
            Hypercube(3),
            CubeConnectedCycles(3),
            DenseGHC(3, 2, 2),
            SparseGHC(3, 1),
            Tree(2, 2),
            IRREGULAR,
        ],
        ids=str,
    )
    def test_knows_every_family(self, topology):
        [found] = [
            one
            for one in schedule_schema()["properties"]["topology"]["oneOf"]
            if one["properties"]["type"]["const"] == topology.kind
        ]
        assert found["properties"].keys() >= topology.to_json().keys()
        # Longer cycles than there are dimensions are given, and are left out where they are not longer.
        assert found["properties"].keys() - topology.to_json().keys() <= {"k"}
        assert {*found["required"]} <= topology.to_json().keys()

"""Every command and file of docs/regressions.md, as printed, in an empty folder."""

import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys

import pytest

import fatcube.testing

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "regressions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [line for _, block in BLOCKS for line in re.findall(r"^\$ (.*)", block, re.MULTILINE)]


def test_every_name_that_is_written_is_there():
    """And every name of the kit that a user makes something of is written."""
    names = {*re.findall(r"`((?:[A-Z][a-z]+)+)\b", PAGE)} - {"ProtocolError", "True"}
    assert names - {*fatcube.testing.__all__} == set()
    made = {name for name in fatcube.testing.__all__ if re.search("(Source|Sink|Monitor|Around|Bus)$", name)}
    assert made - names == {"Around"}


@pytest.mark.long
@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus Verilog (iverilog) is not installed")
def test_every_command_does_as_printed(tmp_path):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",  # a file that is generated again within a second is another one
    }
    for language, block in BLOCKS:
        if named := re.match(r"(?://|#) (\w+\.\w+)\n", block):
            (tmp_path / named[1]).write_text(block)
            continue
        assert language == ""
        for line in re.findall(r"^\$ (.*)", block, re.MULTILINE):
            done = subprocess.run(
                shlex.split(line, comments=True), cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            assert done.returncode == ("# fails" in line), (line, done.stdout, done.stderr)
            if "# fails" in line:
                assert re.search(
                    r"wrong tid: packet \[.*\] from port 2 to port \d\s+arrived with tid 1, not 2", done.stdout
                )
                assert list((tmp_path / "waves").glob("test_net_every_port*.fst"))

"""The records that a run leaves for rerunning what failed."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from program import ROOT
from studio import LIMIT

TESTS = '''
import pytest


@pytest.fixture
def untidy():
    yield
    raise OSError("not tidied up")


def test_passes():
    pass


@pytest.mark.parametrize("number", [1, 2])
def test_fails(number, untidy):
    assert number == 2, "\\nfirst it says " + "a" * 400


def test_skips():
    pytest.skip("there is no microphone")


@pytest.mark.xfail
def test_expects_to_fail():
    assert False
'''


@pytest.mark.parametrize("processes", [[], ["-p", "xdist", "--numprocesses", "2"]], ids=["one process", "two"])
def test_what_fails_or_is_skipped_is_written_once_with_its_reason(tmp_path: pathlib.Path, processes: list[str]):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -p no:schemathesis\n")
    (tmp_path / "conftest.py").write_text(f"import sys\nsys.path.insert(0, {str(ROOT / 'Tests/Browser')!r})\npytest_plugins = ['records']\n")
    (tmp_path / "test_some.py").write_text(TESTS)
    file = tmp_path / "failed"
    command = [sys.executable, "-m", "pytest", "-c", str(tmp_path / "pytest.ini"), str(tmp_path), *processes]
    # Loading the plugins of other packages takes most of the time.
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment = os.environ | {"ECHOTEXT_TEST_RECORDS": str(file), **alone}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 1, done.stdout + done.stderr
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert sum("began" in line for line in lines) == sum("ended" in line for line in lines) == 5
    ended = {line["id"].rsplit("::", 1)[1]: line["seconds"] for line in lines if "ended" in line}
    assert ended["test_fails[1]"].keys() == {"setup", "call", "teardown"} and min(ended["test_passes"].values()) >= 0
    reported = {line["id"].rsplit("::", 1)[1]: line for line in lines if "why" in line or "skipped" in line}
    assert len(lines) == 10 + len(reported) == 13
    why = reported["test_fails[1]"]["why"]
    assert why.startswith("AssertionError: first it says aaaa") and len(why) == 300
    assert reported["test_fails[2]"]["why"] == "OSError: not tidied up"
    assert reported["test_skips"]["skipped"] == "there is no microphone"
    names = [reported[name]["id"] for name in ("test_fails[1]", "test_fails[2]")]
    again = [sys.executable, "-m", "pytest", "-c", str(tmp_path / "pytest.ini"), *names]
    done = subprocess.run(again, cwd=ROOT, env=environment, check=False, capture_output=True, text=True, timeout=LIMIT)
    assert "1 failed, 1 passed, 2 errors" in done.stdout, done.stdout

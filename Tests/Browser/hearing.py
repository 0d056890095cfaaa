"""Recognizers for a test's own server: the fixture for tones, a service on loopback, and Whisper if available."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest

from homes import Homes
from program import ROOT, finish, next_line
from studio import FIXTURES, LIMIT, Studio

TONES = FIXTURES / "recognizers/sherpa-onnx-nemo-ctc-fixture-en.tar.bz2"
BASIC = "pocketsphinx/en-US"


class HearingStudio(Studio):
    """A server that may connect to a service on loopback, and detects speech as the installed program does."""

    # A model that does not exist: tones are not speech, but loud.
    voice_activity = "/nowhere"

    @property
    def environment(self) -> dict[str, str]:
        variables = {**super().environment, "ECHOTEXT_VOICE_ACTIVITY": self.voice_activity}
        # The library's settings decide whether it is offline; there is no catalogue to ask.
        del variables["ECHOTEXT_OFFLINE"]
        return {**variables, "ECHOTEXT_CATALOGUE": str(self.folder / "nowhere")}

    def add_recognizer(self, archive: pathlib.Path) -> str:
        """Installs a recognizer as a user does; returns its id."""
        done = self.run("recognizers", "add", str(archive))
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


class RealStudio(HearingStudio):
    """A server that recognizes speech."""

    voice_activity = os.environ.get("ECHOTEXT_VOICE_ACTIVITY", str(ROOT / ".deps/silero-vad/silero_vad.onnx"))


def started(kind: type[Studio], folder: pathlib.Path, homes: Homes | None = None) -> Iterator[Studio]:
    """A server for the life of a fixture; it starts on the first request."""
    studio = kind(folder, homes)
    try:
        yield studio.start_later()
    finally:
        studio.close()


def real_data() -> pathlib.Path:
    """The folder with Whisper and human recordings; skips the test on a machine without it."""
    folder = os.environ.get("ECHOTEXT_TEST_DATA")
    if not folder:
        pytest.skip("ECHOTEXT_TEST_DATA names no folder with Whisper and human recordings")
    return pathlib.Path(folder)


class Service:
    """A service on loopback that answers as a scenario says, and reports its requests."""

    def __init__(self, address: str):
        self.address = address

    @property
    def requests(self) -> list[dict]:
        with urllib.request.urlopen(self.address, timeout=LIMIT) as answer:
            return json.load(answer)


@contextlib.contextmanager
def service(scenario: str) -> Iterator[Service]:
    script = ROOT / "Tests/Fixtures/transcription-server.py"
    process = subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        port = json.loads(next_line(process, process.stdout, LIMIT))["http"]
        yield Service(f"http://127.0.0.1:{port}/{scenario}")
    finally:
        process.stdin.close()
        finish(process, LIMIT)
        process.stdout.close()

"""A server of voice archives, and a studio that may connect to it."""

import json
import pathlib
import subprocess
import sys
import urllib.request

from program import finish, next_line
from studio import FIXTURES, LIMIT, ROOT, Studio

NAME = "en_US-fixture-low"
ARCHIVE = FIXTURES / "archives" / "good" / f"vits-piper-{NAME}.tar.bz2"
HOSTILE = FIXTURES / "archives" / "bad" / "symbolic-link-out.tar.bz2"


class ArchiveServer:
    """`archive-server.py` with one archive, as faulty as a scenario says."""

    def __init__(self, folder: pathlib.Path, archive: pathlib.Path = ARCHIVE):
        place = folder / "tts-models"
        place.mkdir(parents=True)
        (place / archive.name).symlink_to(archive)
        self._process = subprocess.Popen(
            [sys.executable, str(ROOT / "Tests/Fixtures/archive-server.py"), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._port = json.loads(next_line(self._process, self._process.stdout, LIMIT))["http"]

    def address(self, scenario: str) -> str:
        return f"http://127.0.0.1:{self._port}/{scenario}"

    def open_gate(self, scenario: str) -> None:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        opener.open(f"{self.address(scenario)}/go", timeout=LIMIT).close()

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        finish(self._process, LIMIT)
        self._process.stdout.close()


class ConnectedStudio(Studio):
    """A studio without neural voices that may connect to one archive server and nothing else."""

    def __init__(self, folder: pathlib.Path, address: str):
        super().__init__(folder)
        self.address = address
        self.is_offline = False
        for voice in (folder / "voices").iterdir():
            voice.unlink()

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "ECHOTEXT_OFFLINE": "01"[self.is_offline], "ECHOTEXT_CATALOGUE": self.address}

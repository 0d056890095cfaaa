"""The built program in a home of its own, as tests of all kinds run it."""

import contextlib
import os
import pathlib
import queue
import subprocess
import threading
import warnings
from collections.abc import Mapping, Sequence
from typing import IO, AnyStr

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ECHOTEXT_PROGRAM", str(ROOT / ".build/debug/echotext"))
LIBRARIES = os.environ.get("ECHOTEXT_SHERPA_ONNX", str(ROOT / ".deps/sherpa-onnx/lib"))


def next_line(process: subprocess.Popen[AnyStr], stream: IO[AnyStr], limit: float) -> AnyStr:
    """Reads a line of a process's output. A process that writes none in time is killed, and fails the test."""
    lines: queue.SimpleQueue[AnyStr] = queue.SimpleQueue()
    threading.Thread(target=lambda: lines.put(stream.readline()), daemon=True).start()
    try:
        return lines.get(timeout=limit)
    except queue.Empty:
        process.kill()
        process.wait()
    # Its incomplete last line, unless a child of it still holds the other end.
    begun = None
    with contextlib.suppress(queue.Empty):
        begun = lines.get(timeout=5)
    raise AssertionError(f"{process.args} wrote no line within {limit} s, only {begun!r}")


def finish(process: subprocess.Popen[AnyStr], limit: float) -> None:
    """Waits for a test's own helper process that was asked to end; it is killed after a while, which fails no test."""
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        warnings.warn(f"{process.args} had to be killed", stacklevel=2)
        process.kill()
        process.wait()


class Home:
    """A folder in which the program keeps everything."""

    # The limit of every run, in seconds.
    limit = 60
    # The user of its processes; `None` for whoever runs the tests.
    user: int | None = None

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        (folder / "run").mkdir(mode=0o700, parents=True)

    @property
    def environment(self) -> dict[str, str]:
        """Nothing from the machine but its programs: no sound output, no settings."""
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "ECHOTEXT_LIBRARY": str(self.folder / "library"),
            "ECHOTEXT_DEVICE": str(self.folder / "device"),
            "ECHOTEXT_WEB": str(self.folder / "web"),
            "ECHOTEXT_VOICES": str(self.folder / "voices"),
            "ECHOTEXT_SHERPA_ONNX": LIBRARIES,
            # Whatever a test presses or schemathesis generates, nothing is requested from other machines.
            "ECHOTEXT_OFFLINE": "1",
            "PULSE_SERVER": "unix:/nowhere",
            "ALSA_CONFIG_PATH": "/dev/null",
            "SWIFT_BACKTRACE": "enable=no",
        }

    @property
    def ownership(self) -> dict[str, object]:
        """Makes a process run as its user, as arguments of `subprocess`."""
        return {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}

    def run(
        self,
        *arguments: str,
        wait: float | None = None,
        by: Sequence[str] = (),
        descriptors: Sequence[int] = (),
        elsewhere: Mapping[str, str] = {},
    ) -> subprocess.CompletedProcess[str]:
        """Runs the program to its end, whatever the result.

        `by` runs it instead of the test; it has `descriptors` besides the usual. `elsewhere` has variables that differ.
        """
        return subprocess.run(
            [*by, PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.environment | elsewhere,
            cwd=self.folder,
            timeout=wait or self.limit,
            check=False,
            pass_fds=descriptors,
            start_new_session=True,
            **self.ownership,
        )

"""Another user of the machine, as a process of that user: does what it is asked, a line each way."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser")]

from stage import PYTHON
from thief import Thief


class Neighbour:
    """The other user, for the process that gives the orders."""

    def __init__(self, user: int) -> None:
        self._process = subprocess.Popen(
            [PYTHON, str(HERE / "neighbour.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
            user=user,
            group=user,
            extra_groups=[],
        )

    def __enter__(self) -> "Neighbour":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def _send(self, **what):
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def listen(self, port: int) -> None:
        """Answers at a port from now on, whatever it is asked."""
        self._send(listen=port)

    def was_asked(self) -> list[dict[str, str]]:
        """All that came to the port: paths, cookies, bodies."""
        return self._send(asked=True)

    def stop_listening(self) -> None:
        self._send(close=True)

    def say(self, port: int, request: str) -> bytes:
        """The answer of a port to these bytes, until the other end closes."""
        return self._send(say=request, to=port).encode("latin-1")

    def reads(self, path: pathlib.Path) -> bool:
        """Whether a file can be opened."""
        return self._send(read=str(path))


def obey() -> None:
    """Reads orders from standard input until it ends."""
    thief = None
    for line in sys.stdin:
        order = json.loads(line)
        if "listen" in order:
            thief, answer = Thief(order["listen"]), True
        elif "asked" in order:
            answer = [{**one, "body": one["body"].decode("latin-1")} for one in thief.asked]
        elif "close" in order:
            answer = thief.close()
        elif "read" in order:
            try:
                with open(order["read"], "rb"):
                    answer = True
            except OSError:
                answer = False
        else:
            answer = exchange(order["to"], order["say"]).decode("latin-1")
        print(json.dumps(answer), flush=True)


def exchange(port: int, request: str) -> bytes:
    came = b""
    # It may be closed before all was said, and before all was read.
    with contextlib.suppress(ConnectionError), socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request.encode())
        while piece := connection.recv(65_536):
            came += piece
    return came


if __name__ == "__main__":
    obey()

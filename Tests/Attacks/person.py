"""A person who uses the program: her home, her server, her browser."""

import contextlib
import ctypes
import dataclasses
import http.client
import json
import os
import pathlib
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from attack import Stage
from program import PROGRAM
from server import Server

_C = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def acting_as(user: int) -> Iterator[None]:
    """Files and sockets that this thread makes are that user's."""
    _C.setfsgid(user)
    _C.setfsuid(user)
    try:
        yield
    finally:
        _C.setfsuid(0)
        _C.setfsgid(0)


@dataclasses.dataclass(frozen=True)
class Answer:
    """An answer of the server."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of what went wrong, else the status."""
        try:
            return self.json["code"]
        except (ValueError, KeyError, TypeError):
            return str(self.status)


class Person(Server):
    """The program in the hands of a user of this machine, with a home that is hers alone."""

    PASSCODE = "8052"

    def __init__(self, stage: Stage, name: str, by: Sequence[str] = ()):
        self.user = stage.person
        # The command that runs the program.
        self.by = list(by)
        self.cookie = ""
        folder = stage.people / name
        super().__init__(folder)
        (folder / "tmp").mkdir(mode=0o700)
        for one in (folder, folder / "run", folder / "tmp"):
            one.chmod(0o700)
            os.chown(one, self.user, self.user)

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "TMPDIR": str(self.folder / "tmp"), "ECHOTEXT_TPM": "none"}

    @property
    def command(self) -> list[str]:
        return [*self.by, PROGRAM]

    def write(self, name: str, content: bytes | str) -> pathlib.Path:
        """A file of hers."""
        file = self.folder / name
        with acting_as(self.user):
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    # The command

    @contextlib.contextmanager
    def running(self, *arguments: str, output: pathlib.Path | None = None) -> Iterator[subprocess.Popen]:
        """A run that is looked at meanwhile."""
        with open(output or os.devnull, "wb") as out, open(self.folder / "errors", "ab") as errors:
            process = subprocess.Popen(
                [*self.command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                env=self.environment,
                cwd=self.folder,
                **self.ownership,
            )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def run(
        self,
        *arguments: str,
        passcode: str | None = None,
        code: str | None = None,
        by: Sequence[str] = (),
        wait: float | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """A run of the program to its end; secrets come by descriptors, nothing else is there to be read."""
        secrets = []
        for option, secret in (("--passcode-fd", passcode), ("--code-fd", code)):
            if secret is None:
                continue
            read, write = os.pipe()
            os.write(write, secret.encode() + b"\n")
            os.close(write)
            secrets.append(read)
            arguments += (option, str(read))
        try:
            return super().run(*arguments, wait=wait, by=[*by, *self.by], descriptors=secrets)
        finally:
            for secret in secrets:
                os.close(secret)

    def succeed(self, *arguments: str, **how) -> str:
        """The output of a run that has to succeed."""
        done = self.run(*arguments, **how)
        if done.returncode != 0:
            raise RuntimeError(f"echotext {arguments[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def names(self) -> list[str]:
        """The entries of `library list`, by name."""
        return [one["name"] for one in json.loads(self.succeed("library", "list", "--json", "--sort", "name"))["items"]]

    # The page

    def connect(self, buffer: int | None = None) -> socket.socket:
        """A connection of hers to her server, which takes `buffer` bytes at most before they are read."""
        with acting_as(self.user):
            connection = socket.socket()
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(self.limit)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def enter(self) -> None:
        """Comes by the address that the server printed, or by another one when that has been used."""
        ticket = self.ticket if not self.cookie else self.new_address().split("/open/")[1]
        answer = self.request("GET", f"/open/{ticket}", cookie="")
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def request(
        self,
        method: str,
        target: str,
        content: bytes | None = None,
        kind: str = "application/json",
        cookie: str | None = None,
        **headers: str,
    ) -> Answer:
        """A request as the page makes it; does not fail for what the server refuses."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.sock = self.connect()
        fields = {"Host": self.host, "Cookie": self.cookie if cookie is None else cookie}
        if content is not None:
            fields["Content-Type"] = kind
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        try:
            connection.request(method, target, content, {name: value for name, value in fields.items() if value})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def ask(self, method: str, path: str, body: object = None, **how) -> Answer:
        content = None if method == "GET" else json.dumps({} if body is None else body).encode()
        answer = self.request(method, "/api" + path, content, **how)
        if "Set-Cookie" in answer.headers:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        return answer

    def send(self, method: str, path: str, body: object = None):
        """The content of the answer, which has to be one of success."""
        answer = self.ask(method, path, body)
        if not 200 <= answer.status < 300:
            raise RuntimeError(f"{method} {path} was answered {answer.status}: {answer.body[:300].decode()}")
        return answer.json if answer.body else None

    def upload(self, name: str, content: bytes) -> Answer:
        """Puts a file among the documents."""
        return self.request("POST", f"/api/documents?name={quote(name)}", content, "application/octet-stream")

    def set_passcode(self) -> str:
        """Sets it, which leaves the library open, and gives the recovery code."""
        code = self.send("POST", "/recovery-code/propose")["code"]
        self.send("PUT", "/passcode", {"new": self.PASSCODE, "recoveryCode": code})
        return code

    def narrate(self, text: str, name: str) -> str:
        """Has a text spoken to its end, and gives the id of its recording."""
        recording = self.send("POST", "/narrations", {"text": text, "name": name, "voice": "espeak/en-US"})["id"]
        end = time.monotonic() + self.limit
        while self.ask("GET", f"/library/{recording}").status != 200:
            if time.monotonic() > end:
                raise TimeoutError(f"“{name}” was not spoken within {self.limit} s")
            time.sleep(0.05)
        return recording

    def agent_socket(self) -> pathlib.Path:
        """Where her unlock agent listens."""
        [found] = self.folder.glob("**/*.socket")
        return found

    def agent(self) -> int:
        """The number of her unlock agent's process."""
        with acting_as(self.user):
            asker = socket.socket(socket.AF_UNIX)
        with asker:
            asker.connect(str(self.agent_socket()))
            process, _, _ = struct.unpack("3i", asker.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return process


@contextlib.contextmanager
def served(person: Person, passcode: bool = False) -> Iterator[Person]:
    """A person whose server runs and whose browser has been let in."""
    try:
        person.start()
        person.enter()
        if passcode:
            person.set_passcode()
        yield person
    finally:
        person.close()




class Beside(threading.Thread):
    """Something that is done meanwhile, and gives its result or its failure to who waits for it."""

    def __init__(self, work) -> None:
        super().__init__(daemon=True)
        self._work, self._result, self._failure = work, None, None
        self.start()

    def run(self) -> None:
        try:
            self._result = self._work()
        except Exception as failure:  # is thrown again where it is waited for
            self._failure = failure

    def result(self):
        self.join()
        if self._failure is not None:
            raise self._failure
        return self._result

"""A server of the built program with a library of its own, and the requests of a test that bypass the page."""

import contextlib
import hashlib
import http.cookies
import json
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import requests

import documents
from brake import Brake
from homes import RESERVE, Homes, Step
from program import ROOT
from server import Server

FIXTURES = pathlib.Path(os.environ.get("ECHOTEXT_FIXTURES", ROOT / ".build/fixtures"))

# The limit of every call of a test, in seconds.
LIMIT = 60


def of_a_start(name: str) -> property:
    """An attribute set by the start; reading it starts a server that waits."""

    def get(studio: "Studio") -> Any:
        studio.begin()
        return getattr(studio, f"_{name}")

    def keep(studio: "Studio", value: Any) -> None:
        setattr(studio, f"_{name}", value)

    return property(get, keep)


class Studio(Server):
    """A server whose voices are the fixtures, and a session of a browser."""

    limit = LIMIT

    process, port, host, ticket = map(of_a_start, ("process", "port", "host", "ticket"))
    # Whether it starts on the first request.
    _waits = False

    def __init__(self, folder: pathlib.Path, homes: Homes | None = None):
        super().__init__(folder)
        self._session: requests.Session | None = None
        self._first_address: str | None = None
        self._homes = homes
        self._brake: Brake | None = None
        # The steps whose result its library has copied from a prepared home.
        self._steps: tuple[Step, ...] = ()
        voices = folder / "voices"
        voices.mkdir()
        for voice in FIXTURES.glob("vits-*"):
            (voices / voice.name).symlink_to(voice)

    def start(self) -> "Studio":
        self._waits = False
        super().start()
        self._first_address = f"{self.base}/open/{self.ticket}"
        return self

    def start_later(self) -> "Studio":
        """Makes it start on the first request: until then its library can come from a prepared home."""
        self._waits = True
        return self

    def begin(self) -> None:
        """Starts it if it waits for that."""
        if self._waits:
            self.start()

    def close(self) -> None:
        self._waits = False
        # A server whose engines are held takes longer to end.
        if self._brake is not None:
            self._brake.let_go()
        try:
            super().close()
        finally:
            # The files of a failed test are kept until the end of the run, perhaps in memory.
            with contextlib.suppress(OSError):
                (self.folder / RESERVE).unlink()

    def ready(self, step: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a function that prepares the library of a studio, and returns its result.

        It runs only once for all tests whose studios have had no request yet; theirs get a copy of the library it
        leaves.
        """
        if self._homes is None or not self._waits:
            return step(self, *arguments)
        self._steps += ((step, arguments),)
        return self._homes.copy(type(self), self._steps, self.folder)

    def run(self, *arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
        """Runs the program while the server runs."""
        self.begin()
        return super().run(*arguments, **how)

    def new_address(self) -> str:
        """An address that authorizes one more browser: the first time, the one that the start printed."""
        self.begin()
        address, self._first_address = self._first_address, None
        return address or f"{self.base}/open/{self._new_ticket()}"

    def _new_ticket(self) -> str:
        """Leaves a ticket as another run of `serve` does: an empty file named by the ticket's hash."""
        ticket = secrets.token_hex(32)
        (self.folder / "web" / f"ticket-{hashlib.sha256(ticket.encode()).hexdigest()}").touch(mode=0o600)
        return ticket

    def printed_address(self) -> str:
        """The same with another run of `serve`, which takes a while."""
        return super().new_address()

    def restart(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Restarts the server on its port; it gets another name, and all sessions end."""
        self.stop(how)
        self.start()
        self.renew_session()

    def renew_session(self) -> None:
        """Makes requests with a new session from now on: a changed passcode has ended the previous one."""
        self._session = None

    @property
    def session(self) -> requests.Session:
        if self._session is None:
            self._session, answer = self._enter()
            self._keep_cookie(answer)
        return self._session

    def _enter(self) -> tuple[requests.Session, requests.Response]:
        """Spends a ticket, and returns the answer with the session's cookie."""
        session = requests.Session()
        session.trust_env = False
        session.headers["Host"] = self.host
        ticket = self.new_address().split("/open/")[1]
        answer = session.get(f"{self.local}/open/{ticket}", allow_redirects=False, timeout=LIMIT)
        assert answer.is_redirect, answer.text
        return session, answer

    def new_cookie(self) -> dict[str, object]:
        """The cookie that authorizes one more browser, as the server sets it at a new address."""
        session, answer = self._enter()
        session.close()
        [said] = http.cookies.SimpleCookie(answer.headers["Set-Cookie"]).values()
        return {
            "name": said.key,
            "value": said.value,
            "domain": self.host.rsplit(":", 1)[0],
            "path": said["path"],
            "expires": time.time() + int(said["max-age"]),
            "httpOnly": bool(said["httponly"]),
            "secure": bool(said["secure"]),
            "sameSite": said["samesite"],
        }

    def _keep_cookie(self, answer: requests.Response) -> None:
        """The cookie jar would keep it only for the name in the request."""
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        self._session.cookies.clear()
        self._session.headers["Cookie"] = self.cookie

    def ask(self, method: str, path: str, body: object = None) -> requests.Response:
        """Sends a request as the page does. Error responses do not fail the test."""
        data = None if method == "GET" else json.dumps({} if body is None else body)
        headers = {} if method == "GET" else {"Content-Type": "application/json"}
        answer = self.session.request(method, self.local + "/api" + path, data=data, headers=headers, timeout=LIMIT)
        if "Set-Cookie" in answer.headers:
            self._keep_cookie(answer)
        return answer

    def get(self, path: str):
        answer = self.ask("GET", path)
        assert answer.ok, answer.text
        return answer.json()

    def send(self, method: str, path: str, body: object = None):
        answer = self.ask(method, path, body)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def narrate(self, text: str, name: str | None = None, **settings) -> str:
        """Speaks a text to its end; returns the id of its recording."""
        narration = self.send("POST", "/narrations", {"text": text, **({"name": name} if name else {}), **settings})
        self.hear(narration["id"])
        return narration["id"]

    def speak_slowly(self) -> None:
        """From now on its engines work little, so that a long text takes minutes in every build of the program."""
        if self._brake is None:
            self._brake = Brake(lambda: process.pid if (process := self._process) is not None else None)

    def begin_recording(self, name: str, rate: int, samples: bytes, language: str = "en") -> str:
        """Uploads 16-bit samples as the first chunk of a recording; returns the id of its session."""
        session = self.send("POST", "/recordings/sessions", {"name": name, "language": language, "sampleRate": rate})
        answer = self.session.put(
            f"{self.local}/api/recordings/sessions/{session['id']}/chunks/0",
            data=samples,
            headers={"Content-Type": "application/octet-stream"},
            timeout=self.limit,
        )
        assert answer.ok, answer.text
        return session["id"]

    def record(self, name: str, rate: int, samples: bytes, language: str = "en") -> str:
        """Makes a recording of 16-bit samples; returns its id."""
        return self.send("POST", f"/recordings/sessions/{self.begin_recording(name, rate, samples, language)}/finish")["id"]

    def import_document(self, file: pathlib.Path) -> str:
        """Imports a file as a document; returns its id."""
        return self.post_file("/documents", file)["document"]["id"]

    def post_file(self, path: str, file: pathlib.Path) -> dict:
        """Uploads a file; returns the response."""
        answer = self.session.post(
            f"{self.local}/api{path}",
            params={"name": file.name, "twin": "keep"},
            data=file.read_bytes(),
            headers={"Content-Type": "application/octet-stream"},
            timeout=LIMIT,
        )
        assert answer.ok, answer.text
        return answer.json()

    def seed_documents(self) -> dict[str, str]:
        """Imports a PDF, an EPUB and a text, in this order; returns their ids by name."""
        return self.ready(import_samples)

    def document(self, name: str) -> str:
        """The id of the only document with that name."""
        [found] = [one["id"] for one in self.get("/documents")["documents"] if one["name"] == name]
        return found

    def hear(self, narration: str) -> bytes:
        """The sound of a narration; ends when the narration does and its recording has been saved."""
        events = self.session.get(self.local + "/api/events", stream=True, timeout=LIMIT)
        try:
            sound = self.ask("GET", f"/narrations/{narration}/sound").content
            if self.ask("GET", f"/library/{narration}").ok:
                return sound
            end = time.monotonic() + LIMIT
            # The server writes a line at least every quarter of a minute.
            lines = events.iter_lines(chunk_size=1)
            for line in lines:
                if line.startswith(b"event: library") and self.ask("GET", f"/library/{narration}").ok:
                    return sound
                reported = json.loads(next(lines, b"{}").removeprefix(b"data: ")) if line == b"event: narration" else {}
                assert (reported.get("id"), reported.get("state")) != (narration, "failed"), f"the narration failed: {reported}"
                assert time.monotonic() < end, f"no recording was kept within {LIMIT} s: {self.get('/narrations')}"
        finally:
            events.close()
        raise AssertionError("the events ended before the recording was kept")

    def seed(self, count: int = 3) -> list[str]:
        """Makes recordings of some seconds each; the last is first in the list."""
        return self.ready(narrate_several, count)

    def use_up_passcodes(self) -> None:
        """Sends wrong passcodes until the server locks them out for a while."""
        answers = []
        while 429 not in answers:
            assert len(answers) < 20, f"no wait began: {answers}"
            answers.append(self.ask("POST", "/unlock", {"passcode": "0000"}).status_code)

    def set_passcode(self, passcode: str) -> str:
        """Sets a passcode and returns the recovery code."""
        code = self.send("POST", "/recovery-code/propose")["code"]
        self.send("PUT", "/passcode", {"new": passcode, "recoveryCode": code})
        return code

    def lock_behind(self, passcode: str) -> str:
        """Locks the library with a new passcode; returns the recovery code."""
        return self.ready(lock_behind, passcode)

    def open_with(self, passcode: str) -> str:
        """Opens the library with a new passcode; returns the recovery code."""
        code = self.lock_behind(passcode)
        self.send("POST", "/unlock", {"passcode": passcode})
        return code


def lock_behind(studio: Studio, passcode: str) -> str:
    code = studio.set_passcode(passcode)
    studio.send("POST", "/lock")
    return code


def import_samples(studio: Studio) -> dict[str, str]:
    folder = studio.folder / "files"
    folder.mkdir(exist_ok=True)
    return {file.stem: studio.import_document(file) for file in documents.samples(folder).values()}


def narrate_several(studio: Studio, count: int) -> list[str]:
    return [
        studio.narrate(f"This is recording number {n}. It has a second sentence. And a third one ends it.", f"Recording {n}")
        for n in range(1, count + 1)
    ]


class Relay:
    """Another port for the studio, which can fall silent while the studio keeps running."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        # The port has as many digits as the studio's, so that one name can replace the other.
        while True:
            self._listener = socket.create_server(("127.0.0.1", 0))
            self.port = self._listener.getsockname()[1]
            if len(str(self.port)) == len(str(studio.port)):
                break
            self._listener.close()
        self._serve(self._listener)

    @property
    def base(self) -> str:
        return self.of(self._studio.base)

    def of(self, address: str) -> str:
        """The same address through the relay."""
        return address.replace(f":{self._studio.port}", f":{self.port}")

    def fall_silent(self) -> None:
        with self._lock:
            # This alone wakes a thread that waits in it.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
            for one in self._open:
                self._end(one)
            self._open.clear()

    def answer_again(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._serve(self._listener)

    def close(self) -> None:
        if self._listener is not None:
            self.fall_silent()

    def _serve(self, listener: socket.socket) -> None:
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._studio.port))
            with self._lock:
                if self._listener is not listener:
                    near.close()
                    far.close()
                    return
                self._open |= {near, far}
            here, there = f":{self.port}".encode(), f":{self._studio.port}".encode()
            for source, target, old, new in ((near, far, here, there), (far, near, there, here)):
                threading.Thread(target=self._copy, args=(source, target, old, new), daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket, old: bytes, new: bytes) -> None:
        try:
            while piece := source.recv(65_536):
                target.sendall(piece.replace(b".localhost" + old, b".localhost" + new))
        except OSError:
            pass  # the other end has gone
        with self._lock:
            for one in (source, target):
                if one in self._open:
                    self._open.discard(one)
                    self._end(one)

    @staticmethod
    def _end(one: socket.socket) -> None:
        with contextlib.suppress(OSError):  # it may have ended by itself
            one.shutdown(socket.SHUT_RDWR)


class OtherPage:
    """Another origin on this machine, on a port of its own, that records the headers of its requests."""

    def __init__(self) -> None:
        import http.server

        asked: list[dict[str, str]] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append({"host": self.headers.get("Host", ""), "cookie": self.headers.get("Cookie", "")})
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<title>Another page</title>")

            def log_message(self, *_: object) -> None:
                pass

        self.asked = asked
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

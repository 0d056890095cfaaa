"""The downloads under way when the library is locked."""

import contextlib
import os
import time

import documents
from attack import Attack, Stage, refused
from person import Person, served

# The bytes that the client's side of a connection takes before it is read.
SMALL = 8_192


class LockedMeanwhile(Attack):
    name = "A lock in the middle of a download"
    tries = "a recording's sound, a document's original and an export, each begun to be read when the library is locked"

    # In seconds from the lock on.
    timeout = 2

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "downloads")
        with served(person, passcode=True):
            recording = person.narrate("One. " + "[pause:60s] " * 30 + "Two.", "Long")
            original = long_pdf()
            document = person.upload("Long.pdf", original).json["document"]["id"]
            order = person.send("POST", "/exports", {"ids": [recording], "format": "wav"})["id"]
            paths = {
                "sound": f"/library/{recording}/sound",
                "original": f"/documents/{document}/original",
                "export": f"/exports/{order}",
            }
            with contextlib.ExitStack() as open_ones:
                downloads = {name: Download(person, path) for name, path in paths.items()}
                for one in downloads.values():
                    open_ones.callback(one.close)
                    one.wait()
                began = time.monotonic()
                person.send("POST", "/lock")
                # The other end is not to have any more what it has not taken by then.
                for one in downloads.values():
                    one.read_on()
                took = time.monotonic() - began
            seen = []
            for name, one in downloads.items():
                size = one.size or len(original)
                refused(not one.is_whole, f"all of the {name} came: {one.came} bytes")
                seen.append(f"{name} cut after {one.came >> 10} KiB" + (f" of {size >> 10}" if one.size else ""))
            refused(took < self.timeout, f"the answers ended {took:.1f} s after the lock")
            for name, path in paths.items():
                status = person.ask("GET", path).status
                refused(status == 423, f"the {name} was answered {status} after the lock")
        return f"{', '.join(seen)}; ended after {took:.2f} s, 423 from then on"


class Download:
    """An answer that is read as far as the tests want it to be."""

    def __init__(self, person: Person, path: str) -> None:
        self._connection = person.connect(buffer=SMALL)
        head = f"GET /api{path} HTTP/1.1\r\nHost: {person.host}\r\nCookie: {person.cookie}\r\nConnection: close\r\n\r\n"
        self._connection.sendall(head.encode())
        self._received = b""
        self._tail = b""
        self.came = 0

    def wait(self) -> None:
        """Reads the answer's head and the first of its bytes."""
        while b"\r\n\r\n" not in self._received or len(self._received) < 2 * SMALL:
            piece = self._connection.recv(SMALL)
            if not piece:
                raise ConnectionError("the answer ended at its beginning")
            self._received += piece
        head, _, rest = self._received.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        if first.split(" ")[1] != "200":
            raise RuntimeError(f"a download was answered {first}")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.size = int(fields["content-length"]) if "content-length" in fields else None
        self._take(rest)

    def _take(self, piece: bytes) -> None:
        self.came += len(piece)
        self._tail = (self._tail + piece)[-16:]

    def read_on(self) -> None:
        """Reads to the end, however it comes."""
        with contextlib.suppress(ConnectionResetError):
            while piece := self._connection.recv(1 << 20):
                self._take(piece)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing: all bytes, or the last of the pieces."""
        return self.came >= self.size if self.size is not None else self._tail.endswith(b"0\r\n\r\n")

    def close(self) -> None:
        self._connection.close()


def long_pdf() -> bytes:
    """A PDF of one page with 24 MB beside it that nothing asks for."""
    filling = os.urandom(24_000_000).replace(b"endstream", b"_________")
    stream = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(filling), filling)
    page = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length 48 >>\nstream\nBT /F1 12 Tf 72 740 Td (Some private words.) Tj ET \nendstream",
    ]
    return documents.written([*page, stream])

"""The part of the benchmark that practises: the time to the first segment, and the gap before each later one."""

import json
import os
import time

from documents import PAGES, pdf
from measure import Failed
from ours import text_file
from table import Row, median
from web import Server

FIRST, GAP = 0.3, 0.1  # seconds, maximum
SEGMENTS, FASTER = 40, 4  # segments are consumed this many times faster than by a person, so the next is due sooner
WORDS = 1_500
BUILT_IN = "espeak/en-US"


class Practice:
    """A practice session through the page's server."""

    def __init__(self, server, source, voice=None):
        self.server = server
        order = {"source": source, "settings": {"echo": "off"}, **({"voice": voice} if voice else {})}
        self.path = "/api/practice/sessions/" + self.ask("POST", "/api/practice/sessions", order, 201)["id"]

    def ask(self, method, path, body=None, expected=200):
        answer, content = self.server.ask(method, path, body)
        if answer.status != expected:
            raise Failed(f"{path} was answered with {answer.status}")
        return json.loads(content)

    def sound(self, segment, rate=0.5):
        """Seconds of a segment's sound, once it has arrived completely."""
        answer, content = self.server.ask("GET", f"{self.path}/segments/{segment}/sound?rate={rate}")
        if answer.status != 200:
            raise Failed(f"a sound was answered with {answer.status}")
        return (len(content) - 44) / 2 / int.from_bytes(content[24:28], "little")

    def send(self, **event):
        return self.ask("POST", f"{self.path}/events", {"events": [{"at": time.monotonic(), **event}]})["actions"]


def speech(server):
    text = text_file(WORDS).read_text(encoding="utf-8")[:9_900]
    body = {"title": "Speech", "text": text, "language": "en-US"}
    answer, content = server.ask("POST", "/api/speeches", body)
    if answer.status != 201:
        raise Failed(f"the speech was answered with {answer.status}")
    return {"kind": "speech", "id": json.loads(content)["id"]}


def document(server):
    """The document of the other measurements, imported into the server's library."""
    path = pdf()
    with open(path, "rb") as file:
        connection = server.connect()
        headers = {
            "Host": server.host,
            "Cookie": server.cookie,
            "Content-Type": "application/octet-stream",
            "Content-Length": str(os.path.getsize(path)),
        }
        connection.request("POST", "/api/documents?name=book.pdf", file, headers)
        answer = connection.getresponse()
        content = answer.read()
    if answer.status != 201:
        raise Failed(f"the document was answered with {answer.status}")
    return {"kind": "document", "id": json.loads(content)["document"]["id"]}


def first_sound(server, source, voice):
    """Seconds from the order to all of the first segment's sound."""
    begun = time.monotonic()
    practice = Practice(server, source, voice)
    practice.send(kind="begin")
    practice.sound(1)
    return time.monotonic() - begun


def gaps(server, source, voice):
    """Seconds from the end of a segment to all of the next one's sound, which 95 of 100 take at most."""
    practice = Practice(server, source, voice)
    action = next(action for action in practice.send(kind="begin") if action["kind"] == "play")
    seconds = practice.sound(action["segment"], action["rate"])
    taken = []
    while len(taken) < SEGMENTS:
        time.sleep(seconds / FASTER)
        ended = time.monotonic()
        actions = practice.send(kind="playbackFinished", token=action["token"], seconds=seconds)
        action = next((action for action in actions if action["kind"] == "play"), None)
        if action is None:
            raise Failed("the text is too short")
        seconds = practice.sound(action["segment"], action["rate"])
        taken.append(time.monotonic() - ended)
    return sorted(taken)[int(0.95 * len(taken))]


def practice(bench, voice):
    """With the built-in voice, which is there on any machine, and with the natural voice in the folder `voice`."""
    part = "practice"
    if not bench.wanted(part):
        return
    natural = "piper/" + voice.name.removeprefix("vits-piper-")
    with Server(voices=voice.parent) as server:
        own, book = speech(server), document(server)
        first, note = bench.in_turn(
            f"{part}: first sound",
            bench.often,
            speech=lambda: first_sound(server, own, BUILT_IN),
            document=lambda: first_sound(server, book, BUILT_IN),
            natural=lambda: first_sound(server, own, natural),
        )
        between, other = bench.in_turn(
            f"{part}: gap", 1, gap=lambda: gaps(server, book, BUILT_IN), natural=lambda: gaps(server, own, natural)
        )
    gap = "from one segment's end to the next one's sound, 95 of 100 take at most"
    bench.add(
        Row(f"{part}: first sound of a speech", "s", median(first["speech"]), None, "limit", FIRST, note),
        Row(f"{part}: first sound of {PAGES} pages", "s", median(first["document"]), None, "limit", FIRST, note),
        Row(f"{part}: first sound of a natural voice", "s", median(first["natural"]), None, "limit", FIRST, note),
        Row(f"{part}: {gap}", "s", median(between["gap"]), None, "limit", GAP, other),
        Row(f"{part}, natural voice: {gap}", "s", median(between["natural"]), None, "limit", GAP, other),
    )

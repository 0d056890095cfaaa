"""Recordings with transcripts, and what the page shows of them, for the tests that share them."""

import re

from playwright.sync_api import Page, expect

RATE = 16_000
TEXTS = ["Good morning, everybody.", "The harbour was quiet.", "Good night."]


def record(studio, seconds: int = 12, name: str = "Talk", sound: bytes | None = None) -> str:
    """A recording that hums unless a sound is given, and that no recognizer transcribes by itself; its id."""
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    pulse = b"\x00\x10" * 40 + b"\x00\xf0" * 40
    return studio.record(name, RATE, sound or pulse * (seconds * RATE // 80))


def write(studio, item: str, texts: list[str], base: str | None = None, speakers: list[str | None] | None = None) -> dict:
    """A version of the recording's transcript: a second of speech and two of silence for each text."""
    segments = [
        {"start": 3 * n, "end": 3 * n + 1, "text": text, "speaker": (speakers or [None] * len(texts))[n]}
        for n, text in enumerate(texts)
    ]
    return studio.send("POST", f"/library/{item}/transcripts", {"base": base, "segments": segments})


def versions(studio, item: str) -> list[dict]:
    return studio.get(f"/library/{item}/transcripts")["versions"]


def paragraphs(page: Page):
    return page.locator(".transcript-text p")


def tools(page: Page):
    return page.get_by_role("toolbar", name="Transcript")


def record_and_write(studio) -> str:
    item = record(studio)
    write(studio, item, TEXTS)
    return item


def open_talk(visitor, talk: str, **look) -> Page:
    page = visitor.open(f"/recordings/{talk}", **look)
    expect(paragraphs(page)).to_have_text(TEXTS)
    return page


# A version with what only a recognizer provides.
HEARD = {
    "number": 1, "created": "2026-11-23T09:00:00Z", "recognizer": "sherpa/tiny", "recognizerName": "Whisper tiny",
    "base": None, "language": "en", "isCurrent": True, "uncertainBelow": 0.5,
    "text": "Good warning.",
    "segments": [
        {
            "kind": "speech", "start": 0, "end": 3, "text": "Good warning.", "timing": "words", "speaker": None,
            "remark": "repeated", "beginsParagraph": True, "offset": 0,
            "words": [
                {"start": 0, "end": 1, "from": 0, "to": 4, "precision": "exact", "confidence": 0.97},
                {"start": 1, "end": 2, "from": 5, "to": 13, "precision": "exact", "confidence": 0.31},
            ],
        },
        {
            "kind": "silence", "start": 3, "end": 9, "text": "", "timing": "none", "speaker": None, "remark": None,
            "beginsParagraph": False, "offset": 14, "words": [],
        },
    ],
}


def answer_heard(page: Page, talk: str) -> None:
    """Answers as if a recognizer had transcribed this."""
    page.route(
        re.compile(r"/api/transcripts/[^/]+$"),
        lambda route: route.fulfill(json={**HEARD, "id": route.request.url.rsplit("/", 1)[1], "item": talk}),
    )


# The description of a request to a service.
SENDING = {
    "host": "speech.example", "path": "/v1/audio/transcriptions", "isEncrypted": True, "isReadable": False,
    "sendsWords": False, "bytes": 384_000, "seconds": 12,
}

# An unfinished transcription.
JOB = {
    "id": "job", "name": "Talk", "created": "2026-11-23T09:00:00Z", "state": "running", "recognizer": "sherpa/tiny",
    "recognizers": ["sherpa/tiny"], "language": "en", "from": 0, "to": 12, "position": 6, "place": None, "tries": 0, "retryAt": None,
    "failure": None, "sending": None, "transcript": None,
}

"""Recordings with transcripts, and what the page shows of them, for the tests that share them."""

import re
from collections.abc import Iterator

from playwright.sync_api import Page, expect

from places import settle

RATE = 16_000
TEXTS = ["Good morning, everybody.", "The harbour was quiet.", "Good night."]


def record(studio, seconds: int = 12, name: str = "Talk", sound: bytes | None = None, language: str = "en") -> str:
    """A recording that hums unless a sound is given, and that no recognizer transcribes by itself; its id."""
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    pulse = b"\x00\x10" * 40 + b"\x00\xf0" * 40
    return studio.record(name, RATE, sound or pulse * (seconds * RATE // 80), language)


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


# The sheets of a recording


# A recognizer that takes every option, the basic one, and one that can be downloaded.
WHISPER = {
    "id": "sherpa/tiny", "name": "Whisper tiny", "engine": "sherpaOnnx", "languages": ["mul"], "timing": "words",
    "takesLanguage": True, "takesHotwords": True, "takesPrompt": True, "size": 75_000_000, "isDefault": True,
    "hears": ["en", "et"], "pace": 0.5, "isPaceMeasured": True,
}
BASIC = {
    **WHISPER, "id": "pocketsphinx/en-US", "name": "PocketSphinx (basic)", "engine": "pocketSphinx", "languages": ["en"],
    "hears": ["en"], "takesLanguage": False, "takesHotwords": False, "takesPrompt": False, "isDefault": False,
}
NO_DOWNLOAD = {"state": "none", "bytes": None, "total": None, "rate": None, "secondsLeft": None, "failure": None}
BETTER = {
    "entry": "base", "name": "Whisper base", "languages": ["mul"], "hears": ["en", "et"], "pace": 0.1, "isPaceMeasured": False,
    "reason": "balanced", "archiveBytes": 200_000_000, "expectedBytes": 200_000_000, "download": NO_DOWNLOAD,
}
SPEAKER_MODELS = [
    {"entry": "segmentation", "kind": "segmentation", "expectedBytes": 6_000_000, "download": NO_DOWNLOAD},
    {"entry": "embedding", "kind": "embedding", "expectedBytes": 40_000_000, "download": NO_DOWNLOAD},
]


def answer_recognizers(page: Page) -> dict:
    """Answers as if one recognizer and the models that find the speakers were installed; the answers can be changed."""
    answers = {
        "recognizers": {"recognizers": [WHISPER], "order": [], "offers": []},
        "speakers": {"isReady": True, "offers": [], "searches": []},
        "transcriptions": {"jobs": []},
    }
    page.route("**/api/voices/listings", lambda route: route.fulfill(json={"voices": [], "isOffline": False}))
    page.route(re.compile(r"/api/recognizers(\?|$)"), lambda route: route.fulfill(json=answers["recognizers"]))
    page.route("**/api/speakers", lambda route: route.fulfill(json=answers["speakers"]))
    page.route("**/api/transcriptions", lambda route: route.fulfill(json=answers["transcriptions"]))
    page.route("**/api/transcriptions/*/segments", lambda route: route.fulfill(json={"segments": []}))
    return answers


def open_recording_sheets(page: Page, studio, talk: str, size: dict) -> Iterator[str]:
    """Opens the sheets of a recording with a transcript one after the other, in any language, and yields their names.

    Each is opened on a page of that size, which may be changed until the next.
    """
    answers = answer_recognizers(page)
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3.5, "label": None}, {"seconds": 7, "label": "Night"}]})

    def press(selector: str, content: str, path: str = f"/recordings/{talk}") -> None:
        page.set_viewport_size(size)
        page.goto(studio.base + path)
        settle(page)
        page.locator(selector).first.click()
        expect(page.locator("dialog[open]").locator(content).first).to_be_visible()
        settle(page)

    order = ".transcript-head button:has([data-icon=text])"
    press(order, ".order-fields input")
    yield "order"
    answers["recognizers"] = {"recognizers": [BASIC], "order": [], "offers": [BETTER]}
    press(order, ".recognizer-cards")
    yield "order, with a better recognizer"
    press(".transcript-tools button:has([data-icon=profile])", "input")
    yield "find the speakers"
    answers["speakers"] = {"isReady": False, "offers": SPEAKER_MODELS, "searches": []}
    press(".transcript-tools button:has([data-icon=profile])", ".speaker-models button")
    yield "models that find the speakers"
    press(".segment-head:not(.segment-mark) .segment-speaker", "input")
    yield "speaker"
    press(".transcript-tools button:has([data-icon=flag])", ".mark-row")
    yield "marks"
    press(".transcript-tools button:has([data-icon=history])", ".version")
    yield "versions"
    failure = {"code": "recognition.died", "message": "The recogniser stopped unexpectedly.", "suggestion": None}
    others = [{**JOB, "id": name, "item": "none", "name": name} for name in ("Walk", "Speech", "Song")]
    answers["transcriptions"] = {"jobs": [*others[:2], {**others[2], "state": "failed", "failure": failure}]}
    press(".recorder-sign-link:has([data-icon=text])", ".job-strip", "/settings")
    yield "transcriptions"

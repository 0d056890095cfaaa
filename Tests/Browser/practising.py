"""Steps and elements that the practice tests share."""

import json
import re

from playwright.sync_api import Locator, Page, Request, expect

from places import wait_until

VOICE = "espeak/en-GB"
TEXT = "The harbour was quiet. A lamp burned at the pier. She opened her book. Nobody answered."


def written(studio, title: str, text: str = TEXT, language: str = "en-GB") -> str:
    """Creates a speech; returns its id."""
    return studio.send("POST", "/speeches", {"title": title, "text": text, "language": language})["id"]


def practise(studio, text: str = TEXT, language: str = "en-GB", voice: str = VOICE, **settings) -> dict:
    """Creates a session for a text; recording is off unless a test wants it."""
    source = {"kind": "text", "text": text, "language": language}
    wanted = {"records": False, **settings}
    return studio.send("POST", "/practice/sessions", {"source": source, "settings": wanted, "voice": voice})


def send_take(studio, session: dict, sound: bytes, limit: float | None = None, **query) -> None:
    """Sends the contents of a sound file as a take of the first segment, within a limit in seconds."""
    answer = studio.session.post(
        f"{studio.local}/api/practice/sessions/{session['id']}/takes",
        params={"segment": 1, **query},
        data=sound,
        headers={"Content-Type": "application/octet-stream"},
        timeout=limit or studio.limit,
    )
    assert answer.status_code == 201, answer.text


def address(session: dict) -> str:
    return f"/practice/sessions/{session['id']}"


def pressed(page: Page, name: str) -> Locator:
    return page.locator(".practice-buttons").get_by_role("button", name=name, exact=True)


def begin(page: Page) -> None:
    pressed(page, "Begin").click()
    expect(pressed(page, "Pause")).to_be_visible()


def drag(page: Page, slider: Locator, start: float, end: float) -> None:
    """Drags a slider with one finger, from a part of its length to another; nothing may cover it."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert slider.evaluate("(slider, middle) => document.elementFromPoint(...middle) === slider", middle)
    finger = page.context.new_cdp_session(page)
    for step in range(9):
        x = box["x"] + box["width"] * (start + (end - start) * step / 8)
        point = {"x": x, "y": middle[1]}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


def current(page: Page) -> Locator:
    return page.locator(".practice-text")


def expect_place(page: Page, at: int, of: int) -> None:
    expect(page.get_by_role("progressbar", name="Place in the text")).to_have_attribute("aria-valuetext", f"{at} of {of}")


def expect_phase(page: Page, words: str) -> None:
    expect(page.locator(".ring-words")).to_have_text(words)


def wait_for_phase(page: Page, phase: str) -> None:
    wait_until(page, "(phase) => document.querySelector('.echo-ring')?.dataset.phase === phase", phase)


class SentEvents:
    """The events that a page has sent the server for its session."""

    def __init__(self, page: Page):
        self.events: list[dict] = []
        self.rates: list[str] = []
        self.windows: list[str] = []
        # The traffic in order: the kinds of events, and the numbers of segments with their sound.
        self.order: list[str | int] = []
        page.on("request", self._asked)
        page.on("requestfinished", self._came)
        # Chromium often calls a streamed answer aborted whose end the page has read. One that the page has not read to
        # its end is asked for again as a whole, and is in the order twice.
        page.on("requestfailed", lambda request: self._came(request) if "&streamed=true" in request.url else None)

    def _asked(self, request: Request) -> None:
        path = request.url.split("/api/", 1)[-1]
        if path.endswith("/events") and request.method == "POST":
            events = json.loads(request.post_data or "{}")["events"]
            self.events += events
            self.order += [event["kind"] for event in events]
        if "/sound?rate=" in path:
            self.rates.append(path.split("rate=")[1].removesuffix("&streamed=true"))
        if "/segments?" in path:
            self.windows.append(path.split("?")[1])

    def _came(self, request: Request) -> None:
        self.order += [int(number) for number in re.findall(r"/segments/(\d+)/sound\?", request.url)]

    @property
    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events]

    def last(self, kind: str) -> dict:
        return [event for event in self.events if event["kind"] == kind][-1]

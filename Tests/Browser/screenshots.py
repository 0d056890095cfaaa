"""Writes every page and some sheets, in both themes and two widths, to Documentation/Screenshots."""

import array
import pathlib
import re
import sys
import tempfile

from playwright.sync_api import Playwright, expect, sync_playwright

import tones
from conftest import CHROMIUM, NARROW, WIDE, Visitor, steady, talker
from hearing import HearingStudio
from parts import dialog
from places import PAGES, TIMEOUT, SHEETS, settle, wait_until
from practising import address, begin, expect_phase, practise
from studio import ROOT, Studio
from takes import SLOW, hear_tones

PLACE = ROOT / "Documentation" / "Screenshots"
# To keep the repository small.
LARGEST = 160_000
SHOWN_SHEETS = {"voices", "voice", "menu", "export", "queue", "passcode", "document-pages", "choice-pages", "preview"}

TEXTS = [
    ("Letter to Ida", "Dear Ida, the boat came in at noon, and with it your parcel. The tea is the best we have had this year."),
    ("The lighthouse, chapter 1", "The keeper counted the steps every evening. There were two hundred and four of them, and he knew each one. " * 6),
    ("Notes for Monday", "First the bakery, then the library. Ask about the reading room. Bring the old maps back."),
    ("Weather on the coast", "Fresh winds from the west, easing by evening. Showers at first, then brighter. " * 3),
    ("The lighthouse, chapter 2", "In the morning the fog lay on the water like milk. No ship could be seen, and none could see him. " * 9),
]
SPEECHES = [
    ("Grandmother's ninetieth", "Dear grandmother, dear guests. We have come from four towns. Nobody has come late. Let us sing."),
    ("Opening of the reading room", "Good evening. This room has waited for eleven years. Tonight it is open. Please take a book."),
]
# The words of two people in a recording, turn by turn, and how an earlier version had it.
TURNS = [
    ("Anna", "How long have you kept the lighthouse?"),
    ("The keeper", "Thirty-one years in March. My father had it before me, and his uncle before him."),
    ("Anna", "And what do you do when the fog comes in?"),
    ("The keeper", "You sound the horn every two minutes, and you drink a great deal of tea. There is nothing else to do."),
]
EARLIER = {1: "Thirty-one years in march. My father had it before me, and his ankle before him."}
# The text that is practiced, and how it is said: without one of its words.
ECHOED = "Good morning, little bird."
ECHO = ["good", "mor", "ning", "bird"]
RECORDED = ["Morning walk", "Meeting about the reading room", "Interview with the keeper"]
WRITTEN = (
    "The harbour was quiet in the early morning. A single lamp still burned at the end of the pier, and the gulls had "
    "not yet begun. She sat down on the bench, opened the book, and read the first page aloud to nobody."
)


def seed(studio: Studio) -> None:
    studio.seed_documents()
    ids = [studio.narrate(text.strip(), name) for name, text in TEXTS]
    studio.send("POST", "/library/favorite", {"ids": [ids[1]], "isFavorite": True})
    studio.send("POST", "/playback/entries", {"items": [ids[1], ids[4], ids[0]], "start": True})
    studio.send("PUT", "/playback/bookmark", {"item": ids[1], "position": 12})
    for title, text in SPEECHES:
        speech = studio.send("POST", "/speeches", {"title": title, "text": text, "language": "en-GB"})["id"]
        session = {"source": {"kind": "speech", "id": speech}, "voice": "espeak/en-GB", "from": 2}
        practised = studio.send("POST", "/practice/sessions", session)
    studio.send("POST", f"/practice/sessions/{practised['id']}/segments/3/hard", {"isHard": True})
    settings = {"voice": "espeak/en-GB", "speaker": 0, "speed": 0.85, "pitch": 0.9}
    studio.send("POST", "/profiles", {"name": "Night reading", **settings})


def spoken(studio: Studio, text: str, voice: str) -> tuple[int, array.array]:
    """The rate and the samples of a text that an installed voice speaks."""
    file = studio.folder / "turn.wav"
    said = studio.run("speak", "--no-library", text, "--voice", voice, "-o", str(file))
    assert said.returncode == 0, said.stderr
    return tones.read(file.read_bytes())


def seed_recordings(studio: Studio) -> str:
    """Makes recordings, the last one with two versions of its transcript and a mark; returns its id."""
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    samples, segments = array.array("h"), []
    for speaker, text in TURNS:
        voice = "espeak/en-US" if speaker == "Anna" else "espeak/en-GB"
        rate, turn = spoken(studio, text, voice)
        start = len(samples) / rate
        samples.extend(turn)
        segments.append({"start": start, "end": len(samples) / rate, "text": text, "speaker": speaker})
        samples.extend([0] * rate)
    for name in RECORDED:
        item = studio.record(name, rate, samples.tobytes())
    earlier = [{**segment, "text": EARLIER.get(at, segment["text"])} for at, segment in enumerate(segments)]
    first = studio.send("POST", f"/library/{item}/transcripts", {"base": None, "segments": earlier})
    studio.send("POST", f"/library/{item}/transcripts", {"base": first["id"], "segments": segments})
    studio.send("PUT", f"/library/{item}/marks", {"marks": [{"seconds": segments[2]["start"], "label": "Fog"}]})
    return item


def main() -> None:
    expect.set_options(timeout=TIMEOUT)
    PLACE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--mute-audio"])
        studio = Studio(pathlib.Path(folder))
        try:
            visitor = Visitor(browser, studio.start())
            for theme in ("light", "dark"):
                for size in (WIDE, NARROW):
                    page = visitor.open("/speak", theme=theme, size=size)
                    expect(page.get_by_role("region", name="What else you can do")).to_be_visible()
                    settle(page)
                    keep(page, "first-page", theme, size)
                    page.context.close()
            seed(studio)
            recording = seed_recordings(studio)
            for theme in ("light", "dark"):
                for size in (WIDE, NARROW):
                    take(visitor, recording, theme, size)
            studio.set_passcode("8052")
            studio.send("POST", "/lock")
            for theme in ("light", "dark"):
                for size in (WIDE, NARROW):
                    page = visitor.open(theme=theme, size=size)
                    expect(page.get_by_label("Passcode", exact=True)).to_be_visible()
                    keep(page, "lock", theme, size)
            visitor.close()
        finally:
            studio.close()
            browser.close()
        take_echoes(playwright)


def take_echoes(playwright: Playwright) -> None:
    """An echo while it is recorded, its score, and the summary of its session."""
    with tempfile.TemporaryDirectory() as folder:
        said = tones.write_phrases(pathlib.Path(folder) / "said.wav", ECHO)
        studio = HearingStudio(pathlib.Path(folder))
        browser = talker(playwright, said)
        try:
            hear_tones(studio.start())
            visitor = Visitor(browser, studio, steady(said, loop=False))
            for theme in ("light", "dark"):
                for size in (WIDE, NARROW):
                    take_echo(visitor, theme, size)
            visitor.close()
        finally:
            studio.close()
            browser.close()


def take_echo(visitor: Visitor, theme: str, size: dict) -> None:
    session = practise(visitor.studio, ECHOED, records=True, keepsTakes=True, factor=3, rate=0.35)
    page = visitor.open(address(session), theme=theme, size=size)
    settle(page)
    begin(page)
    expect_phase(page, "Your turn · recording")
    wait_until(page, "() => Number(document.querySelector('.ring-level').style.getPropertyValue('--level')) > 0.2")
    keep(page, "practice-recording", theme, size)
    expect(page.get_by_role("heading", name="How it went")).to_be_visible(timeout=SLOW)
    expect(page.locator(".summary-segment")).to_have_count(1, timeout=SLOW)
    expect(page.locator(".take-words .take-word.missed")).to_have_count(1)
    settle(page)
    keep(page, "practice-summary", theme, size)
    page.locator(".take-panel").evaluate("(panel) => panel.scrollIntoView({ block: 'start' })")
    keep(page, "practice-score", theme, size)
    page.context.close()


def take(visitor: Visitor, recording: str, theme: str, size: dict) -> None:
    page = visitor.open(theme=theme, size=size)
    for name, path in PAGES.items():
        page.goto(visitor.studio.base + path)
        complete(page)
        if name == "speak":
            page.get_by_label("Text to speak").fill(WRITTEN)
            expect(page.locator(".word-counter")).to_contain_text("43 /")
        keep(page, name, theme, size)
    page.goto(visitor.studio.base + "/practice")
    page.locator(".session-link").first.click()
    expect(page.locator(".practice-text")).not_to_be_empty()
    settle(page)
    keep(page, "practice-session", theme, size)
    page.goto(f"{visitor.studio.base}/recordings/{recording}")
    expect(page.locator(".transcript-text p")).to_have_count(len(TURNS))
    if size == WIDE:
        expect(page.locator("echo-player-bar .seek-wave path")).to_have_attribute("d", re.compile("^M0 0L"))
    settle(page)
    keep(page, "transcript", theme, size)
    page.get_by_role("toolbar", name="Transcript").get_by_role("button", name="Version 2").click()
    dialog(page).get_by_role("button", name="Compare with the one shown: Version 1").click()
    expect(page.locator(".compared-row")).to_have_count(len(TURNS))
    settle(page)
    keep(page, "comparison", theme, size)
    for name, path, open_it in SHEETS:
        if name not in SHOWN_SHEETS or (name == "queue" and size == NARROW):
            continue
        page.goto(visitor.studio.base + path)
        settle(page)
        open_it(page)
        settle(page)
        keep(page, name, theme, size)
    page.context.close()


def complete(page) -> None:
    """Waits until what a page asks the server for is shown too: the player, the settings, the recognizers and their offers."""
    settle(page)
    expect(page.locator("echo-player-bar .bar-name")).not_to_be_empty()
    expect(page.locator("[data-waiting]")).to_have_count(0)
    if page.locator("echo-recognizers-view").count() > 0:
        for each in (".recognizer-row", ".recognizer-card"):
            expect(page.locator(each).first).to_be_visible()
    settle(page)


def keep(page, name: str, theme: str, size: dict) -> None:
    file = PLACE / f"{name}-{theme}-{size['width']}.png"
    page.mouse.move(0, 0)  # so that nothing is hovered
    page.screenshot(path=file, caret="hide", animations="disabled")
    if file.stat().st_size > LARGEST:
        sys.exit(f"{file} is larger than {LARGEST} bytes")


if __name__ == "__main__":
    main()

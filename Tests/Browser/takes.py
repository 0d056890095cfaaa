"""A user who answers in the pause of practice, and the recognizer of tones that scores the answer."""

import pathlib
import wave

import pytest

from conftest import steady, visits
from hearing import TONES, HearingStudio, started
from practising import begin, pressed, wait_for_phase

SAID = "Good morning little bird."
PHRASE = ["good", "mor", "ning", "li", "ttle", "bird"]
# A recognizer transcribes each take.
SLOW = 60_000

# Keeps each stream of a microphone.
KEEP_STREAMS = """() => {
  globalThis.streams = [];
  const own = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wish) => {
    const made = await own(wish);
    streams.push(made);
    return made;
  };
}"""
STREAMS_ENDED = "() => streams.every((one) => one.getTracks().every(({ readyState }) => readyState === 'ended'))"


def sound_after(path: pathlib.Path, seconds: float, phrase: bytes, rate: int) -> pathlib.Path:
    """A file of some silence and 16-bit sound."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(2 * round(seconds * rate)) + phrase)
    return path


def samples_of(path: pathlib.Path) -> tuple[bytes, int]:
    with wave.open(str(path), "rb") as file:
        return file.readframes(file.getnframes()), file.getframerate()


class Talk:
    """A user who says something in the first pause of a session, and nothing afterwards."""

    def __init__(self, browser, request, studio, folder: pathlib.Path):
        self.browser, self.request, self.studio, self.folder = browser, request, studio, folder
        self.ends = []

    def says(self, phrase: bytes, rate: int, after: float = 1):
        file = sound_after(self.folder / "said.wav", after, phrase, rate)
        visit = visits(self.browser, self.studio, self.request, steady(file, loop=False))
        self.ends.append(lambda: next(visit, None))
        return next(visit)

    def close(self) -> None:
        for end in self.ends:
            end()


def hear_tones(studio) -> None:
    studio.send("PUT", "/settings/transcription.recognizers", {"value": studio.add_recognizer(TONES)})
    studio.send("PUT", "/settings/recording.gain", {"value": "off"})


@pytest.fixture(name="talk")
def fixture_talk(microphone_browser, request, tmp_path, homes):
    """A server that recognizes tones, in English."""
    for studio in started(HearingStudio, tmp_path, homes):
        studio.ready(hear_tones)
        talk = Talk(microphone_browser, request, studio, tmp_path)
        yield talk
        talk.close()


def first_take(page, session: dict) -> dict:
    """The score of the first pause, as the page received it."""
    with page.expect_response("**/score", timeout=SLOW) as response:
        begin(page)
        # The next segment is left alone, since its pause would be a take too.
        wait_for_phase(page, "echo")
        wait_for_phase(page, "playing")
        pressed(page, "Pause").click()
    assert response.value.ok, response.value.text()
    return response.value.json()

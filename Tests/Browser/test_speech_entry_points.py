"""The same text sounds the same from the page, the command and a batch."""

import io
import wave

TEXT = "A GIF is here. It has two sentences."
# The fixture voice always takes the same time; the length of espeak-ng's speech depends on what the same worker spoke
# before.
VOICE = "piper/en_US-fixture-low"
LATITUDE = 0.05


def length(sound: bytes) -> float:
    """The length of a WAV in seconds."""
    with wave.open(io.BytesIO(sound)) as file:
        return file.getnframes() / file.getframerate()


def recordings(studio) -> set[str]:
    return {item["id"] for item in studio.get("/library")["items"]}


def spoken_by_every_entry_point(studio, document: str) -> dict[str, float]:
    """The length of the text in seconds, for each way of speaking it."""
    lengths = {}
    for name, option in [("command", []), ("command, kept", ["--save"])]:
        file = studio.folder / f"{name}.wav"
        done = studio.run("speak", *option, "-o", str(file), TEXT)
        assert done.returncode == 0, done.stderr
        lengths[name] = length(file.read_bytes())
        file.unlink()
    narrations = {
        "page": studio.narrate(TEXT),
        "page, document": studio.send("POST", f"/documents/{document}/narrations", {})["id"],
    }
    studio.hear(narrations["page, document"])
    before = recordings(studio)
    batch = studio.run("batch", "Text")
    assert batch.returncode == 0, batch.stderr
    [narrations["batch"]] = recordings(studio) - before
    for name, recording in narrations.items():
        lengths[name] = length(studio.ask("GET", f"/library/{recording}/sound").content)
    lengths["sample"] = length(studio.ask("GET", f"/voices/sample?text={TEXT}").content)
    return lengths


def test_a_text_sounds_the_same_by_every_entry_point_with_what_the_library_says(studio):
    (studio.folder / "Text.txt").write_text(TEXT)
    document = studio.import_document(studio.folder / "Text.txt")
    even = studio.send("POST", "/profiles", {"name": "Even", "voice": VOICE})
    studio.send("PUT", "/profiles/chosen", {"id": even["id"]})
    bare = spoken_by_every_entry_point(studio, document)
    for change in [
        ["profiles", "save", "Slow", "--voice", VOICE, "--speed", "0.7"],
        ["profiles", "choose", "Slow"],
        ["settings", "set", "speech.dictionary", "GIF = a very moving picture"],
        ["settings", "set", "speech.sentence-pause", "0.6"],
    ]:
        done = studio.run(*change)
        assert done.returncode == 0, done.stderr
    settled = spoken_by_every_entry_point(studio, document)
    for lengths in (bare, settled):
        assert max(lengths.values()) - min(lengths.values()) < LATITUDE, lengths
    assert min(settled.values()) > max(bare.values()) + 1

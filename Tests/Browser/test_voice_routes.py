"""Voices over HTTP, against the built program and an archive server: the basis of the page of voices."""

import json
import pathlib
import time

import pytest
import requests

from archives import ArchiveServer, ConnectedStudio
from studio import FIXTURES, LIMIT, Studio

ARCHIVE = "vits-piper-en_US-fixture-low-int8"
VOICE = "piper/en_US-fixture-low-int8"


@pytest.fixture
def archives(tmp_path: pathlib.Path):
    server = ArchiveServer(tmp_path / "archives", FIXTURES / "archives/good" / f"{ARCHIVE}.tar.bz2")
    yield server
    server.close()


@pytest.fixture
def shop(tmp_path: pathlib.Path, archives: ArchiveServer):
    """A studio whose mirror cuts the connection once in the middle of an archive."""
    studio = ConnectedStudio(tmp_path / "studio", archives.address("cut=100000,times=1"))
    try:
        yield studio.start()
    finally:
        studio.close()


def offer(studio: Studio):
    voices = studio.get("/voices/listings")["voices"]
    return next((voice for voice in voices if voice["id"] == VOICE), None)


def states(studio: Studio, *ends: str) -> list[dict]:
    """Requests the voice, and returns the events about it up to one of `ends`."""
    events = studio.session.get(studio.local + "/api/events", stream=True, timeout=LIMIT)
    reported = []
    try:
        lines = events.iter_lines(chunk_size=1)
        next(lines)
        begun = studio.ask("POST", "/voices/downloads", {"entry": ARCHIVE})
        assert begun.status_code == 202, begun.text
        end = time.monotonic() + LIMIT
        for line in lines:
            assert time.monotonic() < end, f"nothing ended within {LIMIT} s: {reported}"
            if line == b"event: voice":
                reported.append(json.loads(next(lines).removeprefix(b"data: ")))
                assert reported[-1]["entry"] == ARCHIVE
                if reported[-1]["state"] in ends:
                    return reported
                assert reported[-1]["state"] not in ("none", "failed"), f"it has ended otherwise: {reported}"
    finally:
        events.close()
    raise AssertionError(f"the events ended after {reported}")


def test_a_voice_is_found_downloaded_heard_chosen_and_deleted(shop):
    assert offer(shop) is None
    catalogue = shop.send("POST", "/voices/catalogue/refresh")
    assert catalogue["source"] == "mirror" and catalogue["refreshedAt"]
    size = (FIXTURES / "archives/good" / f"{ARCHIVE}.tar.bz2").stat().st_size
    assert offer(shop)["archiveBytes"] == size

    reported = states(shop, "none", "failed")
    assert [state["failure"] for state in reported if state["state"] == "failed"] == []
    names = [state["state"] for state in reported]
    assert names[0] == "waiting" and names[-3:] == ["extracting", "validating", "none"]
    assert any(state["state"] == "downloading" and state["total"] == size for state in reported)

    installed = offer(shop)["installed"]
    assert installed["bytes"] > 100_000 and installed["url"].startswith("http://127.0.0.1:")
    assert VOICE in [voice["id"] for voice in shop.get("/voices")]
    sample = shop.ask("GET", f"/voices/sample?voice={VOICE}")
    assert sample.ok and sample.content[:4] == b"RIFF" and len(sample.content) > 10_000

    assert shop.send("PUT", "/voices/chosen", {"voice": VOICE})["voice"] == VOICE
    assert offer(shop)["isSelected"] and offer(shop)["availability"] == "ready"
    assert len(shop.hear(shop.send("POST", "/narrations", {"text": "Hello there."})["id"])) > 10_000
    shop.send("DELETE", "/voices/installed/en_US-fixture-low-int8")
    assert shop.get("/profiles")["isStandIn"]
    assert offer(shop)["availability"] == "absent"
    left = [path.name for path in (shop.folder / "voices").iterdir() if "int8" in path.name]
    assert left == []


def test_an_archive_of_ones_own_is_taken_in(shop):
    archive = FIXTURES / "archives/good" / f"{ARCHIVE}.tar.bz2"

    def upload(name: str, content: bytes):
        return shop.session.post(
            f"{shop.local}/api/voices/uploads?name={name}",
            data=content,
            headers={"Content-Type": "application/octet-stream"},
            timeout=LIMIT,
        )

    taken = upload(archive.name, archive.read_bytes())
    assert taken.status_code == 201, taken.text
    assert taken.json()["id"] == VOICE and taken.json()["entry"] is None
    hostile = FIXTURES / "archives/bad/symbolic-link-out.tar.bz2"
    refused = upload(hostile.name, hostile.read_bytes())
    assert refused.status_code == 422 and refused.json()["code"] == "voice.forbidden-entry"
    assert [path.name for path in (shop.folder / "voices").iterdir() if path.name.startswith(".incoming")] == []


def test_nothing_is_connected_to_offline(shop, archives):
    shop.is_offline, shop.address = True, archives.address("offline")
    shop.restart()
    for path, body in (("/voices/catalogue/refresh", {}), ("/voices/downloads", {"entry": ARCHIVE})):
        refused = shop.ask("POST", path, body)
        assert refused.status_code == 409 and refused.json()["code"] == "outbound.offline"
    assert shop.get("/voices/listings")["isOffline"]
    assert requests.get(shop.address, timeout=LIMIT).json() == []

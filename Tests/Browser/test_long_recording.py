"""AT1, AT3, AT13: hours of recording lose no chunk, and neither page nor server grows with them.

The microphone delivers sound at twenty times real time; everything else is the page's own and the server.
"""

import os
import pathlib
import struct

import pytest
from playwright.sync_api import Page, expect

from parts import names
from test_recording import button, only_sound, record, sessions

IS_LONG = os.environ.get("ECHOTEXT_LONG_TESTS") == "1"
# The recorded time: two hours in a long run, four minutes otherwise.
SECONDS = 7_200 if IS_LONG else 240
SPEED = 20
CHUNKS_PER_SECOND = 4
RATE = 48_000
# How much more memory than after a quarter the server and the page may have at the end, in bytes.
SERVER_ROOM, PAGE_ROOM = 24_000_000, 6_000_000

# A microphone whose chunks arrive at twenty times real time; each contains its number.
FAST_MICROPHONE = """({ count, speed, size }) => {
  const made = (number) => {
    const chunk = new Int16Array(size).fill(1_000 + (number % 20_000));
    chunk[0] = number & 0x7fff;
    chunk[1] = number >> 15;
    return chunk.buffer;
  };
  window.AudioWorkletNode = class extends EventTarget {
    #timer = 0;
    #begun = 0;
    #number = 0;
    port = { onmessage: () => {}, postMessage: (order) => this.#follow(order) };
    connect() {}
    disconnect() {}
    #follow({ isPaused, flush }) {
      if (isPaused === false && this.#timer === 0) {
        this.#begun = performance.now();
        this.#timer = setInterval(() => this.#speak(), 50);
      }
      if (flush) {
        clearInterval(this.#timer);
        this.port.onmessage({ data: { isFlushed: true } });
      }
    }
    #speak() {
      const due = Math.min(count, Math.floor(((performance.now() - this.#begun) * speed * 4) / 1_000));
      for (; this.#number < due; this.#number += 1) this.port.onmessage({ data: { chunk: made(this.#number) } });
      window.spoken = this.#number;
    }
  };
  const connect = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function (stream) {
    const source = connect.call(this, stream);
    source.connect = () => {};
    return source;
  };
}"""


def memory(process: int) -> int:
    """The private memory of a process and its children, in bytes.

    The program's file is left out: a process is charged a larger share of it when another that runs it ends.
    """
    total = 0
    pending = [process]
    while pending:
        pid = pending.pop()
        folder = pathlib.Path(f"/proc/{pid}")
        try:
            lines = (folder / "smaps_rollup").read_text().splitlines()
            children = (folder / f"task/{pid}/children").read_text().split()
        except OSError:
            # A child may end at any moment; a server that has ended fails the test.
            if pid == process:
                raise
            continue
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon:")) * 1024
        pending += map(int, children)
    return total


def heap(page: Page) -> int:
    """The memory of the page's scripts after garbage collection, in bytes."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    return used


def wait_until_kept(page: Page, studio, seconds: float) -> None:
    """Waits until the server has so many seconds; a minute without any progress is too long."""
    kept, stalls = -1.0, 0
    while stalls < 120:
        now = sessions(studio)[0]["seconds"]
        if now >= seconds:
            return
        kept, stalls = (now, 0) if now > kept else (kept, stalls + 1)
        page.wait_for_timeout(500)
    raise AssertionError(f"{kept} of {seconds} s came, and then nothing")


@pytest.mark.timeout(1_200 if IS_LONG else 480)
def test_at13_hours_of_recording_lose_no_chunk_and_take_no_more_memory(speaker, studio):
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    page = speaker.open("/recordings")
    count = SECONDS * CHUNKS_PER_SECOND
    page.evaluate(FAST_MICROPHONE, {"count": count, "speed": SPEED, "size": RATE // CHUNKS_PER_SECOND})
    record(page)
    wait_until_kept(page, studio, SECONDS / 4)
    server, scripts = memory(studio.process.pid), heap(page)
    wait_until_kept(page, studio, SECONDS)
    assert memory(studio.process.pid) <= server + SERVER_ROOM
    assert heap(page) <= scripts + PAGE_ROOM
    button(page, "Stop").click()
    expect(button(page, "Record")).to_be_visible(timeout=180_000)
    expect(names(page)).to_have_count(1)
    item, sound = only_sound(studio)
    assert item["duration"] == SECONDS and item["sampleRate"] == RATE
    data = memoryview(sound)[44:]
    size = 2 * RATE // CHUNKS_PER_SECOND
    assert len(data) == count * size
    wrong = [number for number in range(count) if data[number * size : (number + 1) * size] != chunk(number)]
    assert wrong == []


def chunk(number: int) -> bytes:
    """The microphone's samples for that quarter of a second."""
    rest = struct.pack("<h", 1_000 + number % 20_000) * (RATE // CHUNKS_PER_SECOND - 2)
    return struct.pack("<hh", number & 0x7FFF, number >> 15) + rest

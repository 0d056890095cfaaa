#!/usr/bin/python3
"""Uses the release build for hours, and says whether it grows: memory, open files, threads, disk.

    Benchmarks/soak.py [--seconds N] [--afresh]

One server with a library of its own narrates, imports, exports, searches, practises and deletes, round after round. A
sample a minute goes to .build/soak/samples.jsonl. After an interruption, another call continues with the same library
for the remaining seconds. Exits with 1 when the last quarter uses more than the second one by more than `BOUNDS`
allows; caches and allocators fill up during the first quarter.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import sys
import time

import measure
from documents import pdf
from measure import Failed
from ours import BUILD, text_file
from practice import Practice
from web import Server

SOAK = BUILD / "soak"
SAMPLES = SOAK / "samples.jsonl"
HOURS_4, MINUTE = 4 * 3_600, 60
# The most seconds that a request may take: other programs may leave little of the processor.
PATIENCE = 900
TEXT_WORDS = 300
# The number of recordings to retain; older ones are deleted, so that the library stops growing.
KEPT = 10
NEWEST_FIRST = "/api/library?order=date&ascending=false"
# How much the median of the last quarter may exceed that of the second, as a share and as an absolute minimum.
BOUNDS = {"memory": (0.05, 8e6), "descriptors": (0, 4), "threads": (0, 4), "processes": (0, 1), "disk": (0.05, 4e6)}


def resources(root, home):
    """The resources of the server and its workers: private memory, open files, threads, processes, bytes on disk."""
    held = dict.fromkeys(BOUNDS, 0)
    for process in measure.descendants({root}):
        with contextlib.suppress(OSError):
            folder = pathlib.Path("/proc", str(process))
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
            held["memory"] += int(status["RssAnon"].split()[0]) * 1024
            held["threads"] += int(status["Threads"])
            held["descriptors"] += len(os.listdir(folder / "fd"))
            held["processes"] += 1
    for folder, _, names in os.walk(home):
        for name in names:
            with contextlib.suppress(OSError):
                held["disk"] += os.lstat(os.path.join(folder, name)).st_blocks * 512
    return held


class Person:
    """A user who works with the page's server for hours."""

    def __init__(self, server):
        self.server = server
        self.rounds = 0

    def ask(self, method, path, body=None, expected=(200, 201, 204)):
        answer, content = self.server.ask(method, path, body)
        if answer.status not in expected:
            raise Failed(f"{method} {path} was answered with {answer.status}: {content[:200]!r}")
        return json.loads(content) if answer.getheader("Content-Type", "").startswith("application/json") else content

    def upload(self, path, content):
        connection = self.server.connect()
        headers = {"Host": self.server.host, "Cookie": self.server.cookie, "Content-Type": "application/octet-stream"}
        connection.request("POST", path, content, headers)
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        if answer.status != 201:
            raise Failed(f"{path} was answered with {answer.status}: {said[:200]!r}")
        return json.loads(said)

    def round(self):
        self.rounds += 1
        self.narrate()
        self.read_documents()
        self.import_sound()
        self.practise()
        self.look_around()
        self.tidy()

    def narrate(self):
        """Speaks and saves a text, playing it meanwhile; cancels another half-way."""
        text = text_file(TEXT_WORDS).read_text(encoding="utf-8")
        kept = self.ask("POST", "/api/narrations", {"text": text, "name": f"Round {self.rounds}"})
        self.ask("GET", f"/api/narrations/{kept['id']}/sound")
        self.await_end(kept["id"])
        left = self.ask("POST", "/api/narrations", {"text": text})
        self.ask("POST", f"/api/narrations/{left['id']}/stop", {"keepPart": False})

    def await_end(self, narration):
        """A saved narration is no longer listed as one."""
        while (known := self.ask("GET", f"/api/narrations/{narration}", expected=(200, 404))).get("code") != "job.not-found":
            if known["state"] in ("failed", "stopped"):
                raise Failed(f"a narration was {known['state']}: {known['failure']}")
            time.sleep(0.2)

    def read_documents(self):
        """Imports a PDF, speaks one of its pages and deletes it."""
        document = self.upload(f"/api/documents?name=book-{self.rounds}.pdf", pdf().read_bytes())["document"]["id"]
        self.ask("GET", f"/api/documents/{document}/text?from=1&to=1")
        spoken = self.ask("POST", f"/api/documents/{document}/narrations", {"selection": {"pages": "1"}})
        self.await_end(spoken["id"])
        self.ask("POST", "/api/documents/delete", {"ids": [document]})

    def import_sound(self):
        """Exports the newest recording in each format and imports it again."""
        newest = self.ask("GET", f"{NEWEST_FIRST}&limit=1")["items"][0]["id"]
        for form in ("wav", "flac", "mp3", "opus"):
            sound = self.ask("GET", f"/api/library/{newest}/export?format={form}")
        self.upload(f"/api/library/imports?name=round-{self.rounds}.opus", sound)

    def practise(self):
        text = text_file(100).read_text(encoding="utf-8")
        speech = self.ask("POST", "/api/speeches", {"title": "Speech", "text": text, "language": "en-US"})["id"]
        session = Practice(self.server, {"kind": "speech", "id": speech})
        session.send(kind="begin")
        session.sound(1)
        self.ask("DELETE", session.path)
        self.ask("DELETE", f"/api/speeches/{speech}")

    def look_around(self):
        """Opens and leaves pages, each with its event stream."""
        for _ in range(5):
            connection = self.server.connect()
            connection.request("GET", "/api/events", headers={"Host": self.server.host, "Cookie": self.server.cookie})
            connection.getresponse().read(1)
            for path in ("/api/state", "/api/library?words=round", "/api/documents", "/api/history", "/api/voices"):
                self.ask("GET", path)
            connection.close()

    def tidy(self):
        """Deletes all but the newest few."""
        older = self.ask("GET", f"{NEWEST_FIRST}&offset={KEPT}&limit=100")["items"]
        if older:
            self.ask("POST", "/api/library/delete", {"ids": [item["id"] for item in older]})
        self.ask("DELETE", "/api/history")


def soak(person, home, seconds, before):
    """Uses the server for this many more seconds; each sample records the total so far."""
    begun, next_sample = time.monotonic(), 0
    while (spent := time.monotonic() - begun) < seconds:
        if spent >= next_sample:
            sample = {"seconds": before + spent, "rounds": person.rounds, **resources(person.server.process.pid, home)}
            with open(SAMPLES, "a", encoding="utf-8") as file:
                file.write(json.dumps(sample) + "\n")
            next_sample = spent + MINUTE
        person.round()


def judged(samples):
    """The medians of the second and the last quarter for each resource, and whether it stayed within its bounds."""
    quarter = max(1, len(samples) // 4)
    early, late = samples[quarter : 2 * quarter] or samples, samples[-quarter:]
    found = {}
    for name, (part, least) in BOUNDS.items():
        first, last = (statistics.median(sample[name] for sample in some) for some in (early, late))
        found[name] = (first, last, last - first <= max(part * first, least))
    return found


def table(samples):
    rows = [f"{samples[-1]['seconds'] / 3_600:.1f} hours, {samples[-1]['rounds']} rounds, {len(samples)} samples", ""]
    rows += ["| held | second quarter | last quarter | flat |", "| --- | --- | --- | --- |"]
    for name, (first, last, flat) in judged(samples).items():
        scale, unit = (1e6, " MB") if name in ("memory", "disk") else (1, "")
        rows.append(f"| {name} | {first / scale:,.1f}{unit} | {last / scale:,.1f}{unit} | {'yes' if flat else 'NO'} |")
    return "\n".join(rows)


def earlier_samples():
    """The samples on disk; an incomplete last line, left by a kill, is removed from the file too."""
    if not SAMPLES.exists():
        return []
    whole, end, torn = SAMPLES.read_text().rpartition("\n")
    if torn:
        SAMPLES.write_text(whole + end)
    return [json.loads(line) for line in whole.splitlines()]


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--seconds", type=float, default=HOURS_4, help="of use in all (default: four hours)")
    asked.add_argument("--afresh", action="store_true", help="begin again instead of continuing")
    asked = asked.parse_args()
    if asked.afresh:
        shutil.rmtree(SOAK, ignore_errors=True)
    SOAK.mkdir(parents=True, exist_ok=True)
    earlier = earlier_samples()
    before = earlier[-1]["seconds"] if earlier else 0
    if before < asked.seconds:
        with Server(home=SOAK / "home", keeps=bool(earlier), patience=PATIENCE) as server:
            person = Person(server)
            person.rounds = earlier[-1]["rounds"] if earlier else 0
            soak(person, SOAK / "home", asked.seconds - before, before)
    samples = earlier_samples()
    print(table(samples))
    if not all(flat for _, _, flat in judged(samples).values()):
        sys.exit("something grows")


if __name__ == "__main__":
    main()

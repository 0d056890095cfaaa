"""Texts and documents that ask for more than there is."""

import os
import pathlib
import time

import documents
import processes
from attack import Attack, Stage, refused
from confinement import slow_markdown
from person import Beside, Person, served
from program import ROOT


class MarkdownBombs(Attack):
    name = "Markdown bombs"
    tries = "880 kB of tables and 650 kB of “>” imported at once through the API, others asking meanwhile, a document behind them"

    # In seconds: what a person may wait for a list meanwhile.
    timeout = 5

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "markdown")
        with served(person):
            server = person.process
            bombs = {"tables": slow_markdown(), "quotations": b"# One\n\n# Two\n\n" + b">" * 650_000 + b"a\n"}
            with processes.Peak(server.pid) as peak:
                imports = {name: Beside(lambda n=name: person.upload(f"{n}.md", bombs[n])) for name in bombs}
                behind = Beside(lambda: person.upload("Lighthouse.pdf", documents.lighthouse()))
                asked, slowest = 0, 0.0
                while any(one.is_alive() for one in imports.values()) or behind.is_alive():
                    began = time.monotonic()
                    answer = person.ask("GET", "/library")
                    slowest = max(slowest, time.monotonic() - began)
                    asked += 1
                    refused(answer.status == 200, f"a list was answered {answer.status} meanwhile")
                    time.sleep(0.05)
                answers = {name: one.result() for name, one in imports.items()}
            refused(server.poll() is None, f"the server ended: {server.poll()}")
            for name, answer in answers.items():
                is_fine = answer.status == 201 or answer.code.startswith("document.")
                refused(is_fine, f"{name}: {answer.status} {answer.code}")
            refused(slowest < self.timeout, f"a list took {slowest:.1f} s")
            refused(behind.result().status == 201, f"the document behind them was answered {behind.result().status}")
        reported = ", ".join(f"{name} {'read' if answer.status == 201 else answer.code}" for name, answer in answers.items())
        return f"{reported}; the next one is read; {asked} lists meanwhile, the slowest in {slowest:.2f} s; {peak.most} MiB at most"


class DeadlyPhonemes(Attack):
    name = "Phonemes that end espeak-ng"
    tries = "dictionary entries of 353 phonemes by the command and the API, entries of 200 in a row, espeak-ng's own phonemes in a text"

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "phonemes")
        long = person.write("long.txt", f"word = /{'ə' * 353}/\n")
        short = person.write("short.txt", f"word = /{'ə' * 200}/\n")
        how = ("-o", "out.wav", "--voice", "espeak/en-US")
        done = person.run("speak", "A word.", "--dictionary", str(long), *how)
        refused(done.returncode == 65 and "Line 1" in done.stderr, f"353 phonemes: {done.returncode} {done.stderr}")
        row = " ".join(["word"] * 5)
        for text in (row, f"[[{'ə' * 400}]]", "[[" + "a" * 2_000 + "]]", "ə" * 2_000, "&#x259;" * 500):
            done = person.run("speak", f"Before. {text}. After.", "--dictionary", str(short), *how)
            refused(done.returncode in (0, 65), f"the command, over {text[:20]}…: {done.returncode} {done.stderr}")
            refused((person.folder / "out.wav").exists(), f"nothing was spoken of what stands around {text[:20]}…")
            (person.folder / "out.wav").unlink()
        with served(person):
            server = person.process
            seen = set()
            for path, body in (
                ("/dictionary", {"text": long.read_text()}),
                ("/settings/speech.dictionary", {"value": long.read_text()}),
            ):
                answer = person.ask("PUT", path, body)
                refused(400 <= answer.status < 500, f"{path} was answered {answer.status}")
                seen.add(answer.code)
            refused("ə" * 353 not in person.send("GET", "/dictionary")["text"], "a refused dictionary was kept")
            person.send("PUT", "/dictionary", {"text": short.read_text()})
            for index, text in enumerate((row, f"Before. [[{'ə' * 400}]] After.", f"Before. {'ə' * 2_000} After.")):
                person.narrate(text, f"Deadly {index}")
            person.send("PUT", "/dictionary", {"text": ""})
            recording = person.narrate("Something else.", "Alive")
            sound = person.ask("GET", f"/library/{recording}/sound")
            refused(sound.status == 200 and any(sound.body[44:]), "nothing is spoken any more")
            refused(server.poll() is None, "the server ended")
        codes = " and ".join(sorted(seen))
        return f"the command ends with 65 and names the line, the API says {codes}; server and command speak on"


class EndlessPauses(Attack):
    name = "Memory by pauses and runs without end"
    tries = "1,000 minutes of pauses in a paragraph, 200 of them kept, a run of 50,000 conjuncts, a page of marks"

    # In MiB, of all of the program's processes together.
    bound = 400
    # In seconds, for each.
    timeout = 100

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "memory")
        fixtures = pathlib.Path(os.environ.get("ECHOTEXT_FIXTURES", ROOT / ".build/fixtures"))
        voice = str(fixtures / "vits-piper-en_US-fixture-low")
        pauses = person.write("pauses.txt", "One. " + "[pause:60s] " * 1_000 + "Two.")
        kept = person.write("kept.txt", "One. " + "[pause:60s] " * 200 + "Two.")
        conjuncts = person.write("conjuncts.txt", "One. " + "क्" * 50_000 + " two.")
        marks = person.write("marks.txt", "One. a" + "\u0301" * 16_000 + " " + "?!…—" * 2_000 + " two.")
        tried = {
            "pauses": ["-f", str(pauses), "-o", "-", "--format", "raw", "--voice", "espeak/en-US"],
            "pauses that are kept": ["-f", str(kept), "--save", "--name", "Kept", "--voice", "espeak/en-US"],
            "conjuncts": ["-f", str(conjuncts), "-o", "-", "--voice", voice],
            "marks": ["-f", str(marks), "-o", "-", "--voice", voice],
        }
        if not os.path.isdir(voice):
            raise FileNotFoundError("the fixture voice is not made yet: make fixtures")
        seen = []
        for what, arguments in tried.items():
            with person.running("speak", *arguments) as process, processes.Peak(process.pid) as peak:
                ended = process.wait(self.timeout)
            refused(peak.most < self.bound, f"{what}: {peak.most} MiB")
            refused(ended in (0, 65), f"{what}: the command ended with {ended}: {(person.folder / 'errors').read_text()[-300:]}")
            seen.append(f"{what} {peak.most} MiB{'' if ended == 0 else ', refused with words'}")
        return "; ".join(seen)

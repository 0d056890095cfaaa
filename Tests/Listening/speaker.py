"""The built program in a home of its own, with the natural voice that set-up downloaded."""

import os
import pathlib

from program import ROOT, Home
from sound import Recording

MODEL = ROOT / ".deps/starter-voice/en_US-joe-medium.onnx"
VOICE = "piper/en_US-joe-medium"
VOICE_ACTIVITY = os.environ.get("ECHOTEXT_VOICE_ACTIVITY", str(ROOT / ".deps/silero-vad/silero_vad.onnx"))


class Speaker(Home):
    """`echotext` in a folder that is also its home; the voice is installed as a user does it."""

    limit = 120

    def __init__(self, folder: pathlib.Path):
        super().__init__(folder)
        assert MODEL.exists(), "the natural voice is not fetched yet; “make test-deps” fetches it"
        self.succeed("voices", "add", str(MODEL))

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "ECHOTEXT_TPM": "none", "ECHOTEXT_VOICE_ACTIVITY": VOICE_ACTIVITY}

    def succeed(self, *arguments: str) -> str:
        """The standard output of a run; fails the test when the run fails."""
        done = self.run(*arguments)
        assert done.returncode == 0, f"echotext {arguments[0]} ended with {done.returncode}: {done.stderr}"
        return done.stdout

    def speak(self, text: pathlib.Path) -> Recording:
        """Speaks a text file; returns the sound, with the times that --timings reports."""
        return self._speak(text.stem, "-f", str(text))

    def speak_document(self, file: pathlib.Path, *part: str) -> Recording:
        """Imports a document and speaks a part of it, such as `--pages 2`."""
        self.succeed("import", str(file), "--name", file.stem)
        return self._speak(file.stem, "--document", file.stem, *part)

    def _speak(self, name: str, *what: str) -> Recording:
        sound, timings = self.folder / f"{name}.wav", self.folder / f"{name}.json"
        self.succeed("speak", *what, "--voice", VOICE, "-o", str(sound), "--timings", str(timings))
        return Recording.timed(sound, timings)

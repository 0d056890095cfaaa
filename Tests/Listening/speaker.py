"""The built program in a home of its own, with the natural voice that set-up fetched."""

import os
import pathlib
import subprocess

from sound import Recording

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ECHOTEXT_PROGRAM", str(ROOT / ".build/debug/echotext"))
LIBRARIES = os.environ.get("ECHOTEXT_SHERPA_ONNX", str(ROOT / ".deps/sherpa-onnx/lib"))
MODEL = ROOT / ".deps/starter-voice/en_US-joe-medium.onnx"
VOICE = "piper/en_US-joe-medium"

# No call may hang for longer, in seconds.
LIMIT = 120


class Speaker:
    """`echotext` in a folder that is also its home; the voice is installed as a person does it."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        (folder / "run").mkdir(mode=0o700)
        assert MODEL.exists(), "the natural voice is not fetched yet; “make test-deps” fetches it"
        self.run("voices", "add", str(MODEL))

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "ECHOTEXT_LIBRARY": str(self.folder / "library"),
            "ECHOTEXT_DEVICE": str(self.folder / "device"),
            "ECHOTEXT_VOICES": str(self.folder / "voices"),
            "ECHOTEXT_SHERPA_ONNX": LIBRARIES,
            "ECHOTEXT_TPM": "none",
            "ECHOTEXT_OFFLINE": "1",
            "SWIFT_BACKTRACE": "enable=no",
        }

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.environment,
            cwd=self.folder,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == 0, f"echotext {arguments[0]} ended with {done.returncode}: {done.stderr}"
        return done.stdout

    def speak(self, text: pathlib.Path) -> Recording:
        """A file of text as sound, with the times that --timings tells."""
        return self._speak(text.stem, "-f", str(text))

    def speak_document(self, file: pathlib.Path, *part: str) -> Recording:
        """A part of a document, such as `--pages 2`, that is imported for it."""
        self.run("import", str(file), "--name", file.stem)
        return self._speak(file.stem, "--document", file.stem, *part)

    def _speak(self, name: str, *what: str) -> Recording:
        sound, timings = self.folder / f"{name}.wav", self.folder / f"{name}.json"
        self.run("speak", *what, "--voice", VOICE, "-o", str(sound), "--timings", str(timings))
        return Recording.timed(sound, timings)

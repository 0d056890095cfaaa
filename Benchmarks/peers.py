"""The programs that EchoText is compared with: each is a process of its own; they share an environment."""

import contextlib
import hashlib
import http.client
import io
import json
import pathlib
import socket
import subprocess
import sys
import time
import wave

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["sherpa-onnx==2.0.1", "piper-tts[http]==1.8.0", "numpy<3"]


def environment(build):
    """The Python of the peers' environment; installs them when they, or their list, are new."""
    home = build / "bench-venv"
    python, stamp = home / "bin/python", home / "packages"
    wanted = "\n".join(PACKAGES)
    if not stamp.exists() or stamp.read_text() != wanted:
        print("installing the peers", file=sys.stderr)
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", home], check=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", *PACKAGES]
        subprocess.run(pip, check=True, stdout=sys.stderr)
        stamp.write_text(wanted)
    return python


def versions(python):
    """Names and versions of the installed packages that matter."""
    listed = subprocess.run([python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True).stdout
    found = {package["name"].lower().replace("_", "-"): package["version"] for package in json.loads(listed)}
    return [(name, found.get(name, "missing")) for name in ("sherpa-onnx", "piper-tts", "onnxruntime")]


class Answering:
    """A warm process that answers each line of JSON with another."""

    def __init__(self, name, *command):
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, asked):
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.name} ended without an answer")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Sherpa(Answering):
    """sherpa-onnx's Python API."""

    def __init__(self, python, voice, threads):
        super().__init__("sherpa-onnx's Python API", python, HERE / "sherpa_peer.py", voice, str(threads))

    def speak(self, text):
        """Seconds, as {"wall", "audio", "first"}."""
        return self.ask(text)


class Piper(Answering):
    """piper-tts's Python API."""

    def __init__(self, python, voice):
        (model,) = pathlib.Path(voice).glob("*.onnx")
        super().__init__("piper-tts's Python API", python, HERE / "piper_peer.py", model)

    def speak(self, text, wav, timings):
        """Writes the sound of a text and the times of its sentences."""
        self.ask({"text": text, "wav": str(wav), "timings": str(timings)})


class PiperServer:
    """`piper.http_server` on a free port of the loopback address, warm."""

    def __init__(self, python, voice):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (model,) = pathlib.Path(voice).glob("*.onnx")
        command = [python, "-m", "piper.http_server", "-m", model, "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.wait_until_it_listens()
            self.speak("This is only to warm up.")
        except BaseException:
            self.close()
            raise

    def wait_until_it_listens(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.1)
        raise RuntimeError("piper.http_server did not start")

    def speak(self, text):
        """Seconds, as {"wall", "audio", "first"}; `first` is the time to the first byte of the response body."""
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=3600)
        connection.request("POST", "/synthesize", json.dumps({"text": text}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read(1)
        first = time.monotonic() - begun
        body += answer.read()
        wall = time.monotonic() - begun
        connection.close()
        if answer.status != 200:
            raise RuntimeError(f"piper.http_server answered {answer.status}")
        with wave.open(io.BytesIO(body)) as sound:
            audio = sound.getnframes() / sound.getframerate()
        return {"wall": wall, "audio": audio, "first": first}

    def close(self):
        self.process.terminate()
        self.process.wait()


def piper_program(python, voice, text_file, out):
    """The command line of the `piper` program."""
    (model,) = pathlib.Path(voice).glob("*.onnx")
    return [python, "-m", "piper", "-m", model, "-i", text_file, "-f", out]


def bench_voice(given, build):
    """The folder of the voice at `given`, which is a folder or a release archive; an archive is unpacked once."""
    given = pathlib.Path(given)
    if given.is_dir():
        return given
    home = build / "bench-voice" / hashlib.sha256(given.read_bytes()).hexdigest()[:16]
    if not home.exists():
        partial = home.with_suffix(".partial")
        partial.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-xf", given, "-C", partial, "--no-same-owner"], check=True)
        partial.rename(home)
    (model,) = home.glob("**/*.onnx")
    return model.parent

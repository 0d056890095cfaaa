"""The part of the benchmark that queries the page's server: the time to a view, its size, and behavior under load."""

import contextlib
import gzip
import http.client
import json
import re
import shutil
import subprocess
import threading
import time

import measure
from measure import Failed
from ours import OUR_ENVIRONMENT, PROGRAM, ROOT, SCRATCH, WARM_PROGRAM, speak_command, text_file
from table import Row, median

WEIGHT, FIRST_SOUND, SLOWER = 160, 1.3, 1.15  # kilobytes, factor, factor: maximum
USABLE, OPEN, FILTER, FRAME = 0.3, 0.5, 0.05, 0.05  # seconds, maximum
ITEMS = 10_000
RATE = 200  # requests per second
RUNS = 3  # of the visits with a browser, whose slowest counts


class Server:
    """A server with a library of its own, and an authorized client."""

    def __init__(self, voices=None, items=0, home=SCRATCH / "web-home", keeps=False, patience=60):
        """`patience`: the most seconds that a request may take."""
        self.home, self.patience = home, patience
        if not keeps:
            shutil.rmtree(self.home, ignore_errors=True)
        places = {name: str(self.home / name.lower()) for name in ("ECHOTEXT_LIBRARY", "ECHOTEXT_DEVICE", "ECHOTEXT_WEB")}
        runtime = self.home / "run"
        runtime.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.environment = {**OUR_ENVIRONMENT, **places, "XDG_RUNTIME_DIR": str(runtime), "ECHOTEXT_TPM": "none"}
        if voices:
            self.environment["ECHOTEXT_VOICES"] = str(voices)
        if items:
            filled = [WARM_PROGRAM, "vault", places["ECHOTEXT_LIBRARY"], places["ECHOTEXT_DEVICE"], str(items)]
            subprocess.run(filled, check=True, env=self.environment)
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--no-browser"], stdout=subprocess.PIPE, text=True, env=self.environment
        )
        address = self.process.stdout.readline().strip()
        if not address:
            raise Failed("the server did not start")
        self.host, ticket = address.removeprefix("http://").split("/open/")
        answer = self.ask("GET", f"/open/{ticket}", cookie=None)[0]
        self.cookie = answer.getheader("Set-Cookie").partition(";")[0]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", int(self.host.rpartition(":")[2]), timeout=self.patience)

    def ask(self, method, path, body=None, connection=None, cookie=""):
        answer = self.begin(method, path, body, connection, cookie)
        return answer, answer.read()

    def begin(self, method, path, body=None, connection=None, cookie=""):
        """An answer whose body is still to be read."""
        headers = {"Host": self.host, "Content-Type": "application/json", "Accept-Encoding": "gzip"}
        if cookie is not None:
            headers["Cookie"] = self.cookie
        connection = connection or self.connect()
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        return connection.getresponse()

    def close(self):
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def weight(server):
    """Kilobytes of the first view as transferred: the page, and the files that its fields and elements name."""
    answer, page = server.ask("GET", "/")
    text = gzip.decompress(page).decode()
    named = set(re.findall(r"<(/[^>]+)>", answer.getheader("Link")))
    named |= set(re.findall(r'<link rel="(?:stylesheet|icon)" href="([^"]+)"(?! disabled)', text))
    sent = len(page)
    for path in sorted(named):
        if path.startswith("/api/"):
            continue
        answer, body = server.ask("GET", path)
        if answer.status != 200:
            raise Failed(f"{path} was answered with {answer.status}")
        sent += len(body)
    return sent / 1_000


def first_sound(server, words, voice):
    """Seconds from the request to the first byte of sound."""
    text = text_file(words).read_text(encoding="utf-8")
    begun = time.monotonic()
    answer, body = server.ask("POST", "/api/narrations", {"text": text, "voice": voice})
    if answer.status != 201:
        raise Failed(f"the order was answered with {answer.status}")
    narration = json.loads(body)["id"]
    connection = server.connect()
    connection.request("GET", f"/api/narrations/{narration}/sound", headers={"Host": server.host, "Cookie": server.cookie})
    connection.getresponse().read(1)
    taken = time.monotonic() - begun
    connection.close()
    server.ask("POST", f"/api/narrations/{narration}/stop", {"keepPart": False})
    return taken


def command_first_sound(words, voice):
    """Seconds from the command's start to the first byte of sound in its pipe."""
    command = [PROGRAM, "speak", "-f", text_file(words), "--voice", voice, "-o", "-", "--format", "raw"]
    begun = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=OUR_ENVIRONMENT) as process:
        process.stdout.read(1)
        taken = time.monotonic() - begun
        process.kill()
    return taken


def narration(server, words, voice, crowd):
    """Seconds that a narration takes, with or without concurrent requests; and how many of those failed."""
    stop, wrong, asked = threading.Event(), [], []

    def press():
        connection, due = server.connect(), time.monotonic()
        while not stop.is_set():
            answer, _ = server.ask("GET", "/api/library", connection=connection)
            asked.append(answer.status)
            if answer.status != 200:
                wrong.append(answer.status)
            due += 1 / RATE
            time.sleep(max(0, due - time.monotonic()))

    text = text_file(words).read_text(encoding="utf-8")
    begun = time.monotonic()
    made = json.loads(server.ask("POST", "/api/narrations", {"text": text, "voice": voice})[1])["id"]
    presser = threading.Thread(target=press)
    if crowd:
        presser.start()
    connection = server.connect()
    connection.request("GET", f"/api/narrations/{made}/sound", headers={"Host": server.host, "Cookie": server.cookie})
    connection.getresponse().read()
    taken = time.monotonic() - begun
    stop.set()
    if crowd:
        presser.join()
    server.ask("POST", "/api/library/delete", {"ids": [made]})
    if wrong:
        raise Failed(f"{len(wrong)} of {len(asked)} requests went wrong")
    return taken


def filtering(server):
    """Seconds until a filtered page of the library is answered."""
    begun = time.monotonic()
    answer, _ = server.ask("GET", "/api/library?favorite=true&order=length&lengthFrom=60&lengthTo=300")
    if answer.status != 200:
        raise Failed(f"the filtered library was answered with {answer.status}")
    return time.monotonic() - begun


def in_browser(server, *asked):
    """The measurements of `browser.py`, or None without the browser tests' Python."""
    python = ROOT / ".deps/browser-tests/bin/python"
    if not python.exists():
        return None
    command = [python, ROOT / "Benchmarks/browser.py", f"http://{server.host}", server.cookie, *map(str, asked)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failed(ended.stderr.strip().splitlines()[-1])
    return json.loads(ended.stdout)


def views(server, visits):
    """Figures from the browser, a list for each: seconds until the page can be used, until the library's rows are
    there, and the longest frames while scrolling them, while typing a text and while opening one page after the
    other."""
    return in_browser(server, visits)


def browser(bench):
    if not bench.wanted("web page in a browser"):
        return
    with Server(items=ITEMS) as server:
        taken, note = bench.in_turn("web page in a browser, filter", filter=lambda: filtering(server))
        runs = [views(server, bench.often) for _ in range(RUNS)]
    large = f"web page: library of {ITEMS:,} recordings"
    bench.add(Row(f"{large}, a filtered page", "s", median(taken["filter"]), compare="limit", bar=FILTER, note=note))
    if None in runs:
        bench.add(Row("web page in a browser: needs what “make test” sets up", "s", None))
        return
    visits = note or f"slowest of {RUNS} runs, each the median of {bench.often} visits"

    def row(what, key, bar):
        return Row(what, "s", max(median(run[key]) for run in runs), compare="limit", bar=bar, note=visits)

    bench.add(
        row("web page: from the request until it can be used", "usable", USABLE),
        row(f"{large}: until its rows are there", "open", OPEN),
        row(f"{large}: the longest frame while it is scrolled", "frame", FRAME),
        row("web page: the longest frame while a text is typed", "typing", FRAME),
        row("web page: the longest frame while every page is opened", "pages", FRAME),
    )


def page(bench):
    if not bench.wanted("web page"):
        return
    voice = "espeak/en-US"
    with Server() as server:
        bench.add(
            Row("web page: weight of its first view in one language, as sent", "kB", weight(server), compare="limit", bar=WEIGHT)
        )
        taken, note = bench.in_turn(
            "web page, first sound",
            ours=lambda: first_sound(server, 100, voice),
            command=lambda: command_first_sound(100, voice),
        )
        bench.add(
            Row("web page: first sound after Generate: the command's", "s", median(taken["ours"]), median(taken["command"]), "share", FIRST_SOUND, note)
        )
        taken, note = bench.in_turn(
            "web page, narration under requests",
            crowd=lambda: narration(server, 10_000, voice, True),
            alone=lambda: narration(server, 10_000, voice, False),
        )
        name = f"web page: narration while the library is asked for {RATE} times a second: alone"
        bench.add(Row(name, "s", median(taken["crowd"]), median(taken["alone"]), "share", SLOWER, note))


def saving(bench, voice):
    """The cost of saving a narration to the library compared with speaking it."""
    if not bench.wanted("saving while speaking"):
        return
    home = SCRATCH / "saving-home"
    environment = {**OUR_ENVIRONMENT, "ECHOTEXT_TPM": "none", "HOME": str(home)}
    environment |= {"XDG_DATA_HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "XDG_RUNTIME_DIR": str(home)}
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True, mode=0o700)
    plain = speak_command(text_file(1_000), voice)
    taken, note = bench.in_turn(
        "saving while speaking",
        bench.often,
        kept=lambda: measure.run([*plain, "--save"], env=environment),
        plain=lambda: measure.run(plain, env=environment),
    )
    bench.add(Row("speaking 1,000 words into a file and the library: into a file", "s", median(taken["kept"]), median(taken["plain"]), "share", 1.03, note or f"median of {bench.often} runs"))

"""A machine that gives the processes which open strangers' files no sandbox."""

import io
import json
import pathlib
import subprocess
import tarfile

import documents
import processes
from attack import Attack, Stage, refused
from person import Beside, Person, served
from stage import PYTHON
from takeover import TakenOver

HERE = pathlib.Path(__file__).resolve().parent

# Runs what follows where nobody can make a namespace, and without the rights of who made this one.
WITHOUT_NAMESPACES = [
    "unshare", "--user", "--map-root-user", "sh", "-c",
    'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all -- "$0" "$@"',
]

# Runs what follows on a kernel that knows no Landlock.
WITHOUT_LANDLOCK = [PYTHON, str(HERE / "without_landlock.py")]


class WithoutNamespaces(Attack):
    name = "Without user namespaces"
    tries = "a taken-over reader and engine where bubblewrap makes no sandbox; documents and archives without Landlock too"

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "unsandboxed", by=WITHOUT_NAMESPACES)
        with served(person, passcode=True):
            paper = documents.lighthouse()
            if person.upload("Lighthouse.pdf", paper).status != 201:
                raise RuntimeError("a document is not read by the kernel's guards alone")
            person.narrate("Something private.", "Private")
            secret = person.write("private.txt", "Something private.")
            person.write("private.pdf", paper)
            engine = processes.worker(person.process.pid, "engine")
            tried = self._take_over(engine, person, secret)
            # A document that takes its reader long enough to be caught in the act.
            reading = Beside(lambda: person.upload("long.md", slow_markdown()))
            reader = processes.worker(person.process.pid, "reader")
            tried += self._take_over(reader, person, secret)
            answer = reading.result()
            refused(answer.status != 201, "a document whose reader was ended was taken in")
            refused(person.ask("GET", "/documents").status == 200, "the server went with its worker")
            controls = self._prove_hands(stage, person, secret)
            doctor = self._doctor(person)
            refused("sandboxRefused" in doctor or "noSandbox" in doctor, f"the doctor says nothing of it: {doctor}")
            refused(not {"strangersFilesUnconfined", "strangersFilesRefused"} & doctor, f"the doctor reports {doctor}")
        without = self._without_landlock(stage)
        return (
            f"{tried} attempts of a reader and an engine got nothing (of a process that nothing confines {controls} succeed), "
            f"doctor: {', '.join(sorted(doctor & {'sandboxRefused', 'noSandbox'}))}; without Landlock {without}"
        )

    def _take_over(self, worker: int, person: Person, secret: pathlib.Path) -> int:
        """Tries everything from within a worker; gives how much that was."""
        reported = processes.status(worker)
        refused(reported["NoNewPrivs"] == "1" and int(reported["CapEff"], 16) == 0, "a worker has privileges left")
        kind = processes.command(worker)[2]
        with TakenOver(worker) as hands:
            attempts = self._attempts(hands, person, secret)
            attempts["keeps itself alive without its program"] = hands.outlives
            attempts["becomes another program"] = lambda: hands.becomes("/usr/bin/true")
            for what, attempt in attempts.items():
                refused(not attempt(), f"a taken-over {kind} {what}")
        return len(attempts)

    def _attempts(self, hands: TakenOver, person: Person, secret: pathlib.Path) -> dict:
        server = person.process.pid
        return {
            "opens the person's file": lambda: hands.opens(secret),
            "opens the library": lambda: hands.opens(person.folder / "library/slots.json"),
            "opens the device's secret": lambda: hands.opens(next((person.folder / "device").glob("*secret*"), secret)),
            "connects to the unlock agent": lambda: hands.reaches(person.agent_socket()),
            "connects to the page": lambda: hands.reaches_port(person.port),
            "makes a file": lambda: hands.creates(person.folder / "new"),
            "removes a file": lambda: hands.removes(person.folder / "private.pdf"),
            "signals the server": lambda: hands.signals(server),
            "reads the server's environment": lambda: hands.opens(f"/proc/{server}/environ"),
            "reads the server's memory": lambda: hands.reads_memory(server),
        }

    def _prove_hands(self, stage: Stage, person: Person, secret: pathlib.Path) -> int:
        """How many of the same attempts succeed in a process of the person's that nothing confines.

        What the server is kept from by not being dumpable is refused there too.
        """
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(["cat"], **pipes, bufsize=0, user=stage.person, group=stage.person, extra_groups=[]) as idle:
            # It has begun by the time it answers.
            idle.stdin.write(b"x")
            idle.stdout.read(1)
            with TakenOver(idle.pid) as hands:
                outcomes = {what: attempt() for what, attempt in self._attempts(hands, person, secret).items()}
        needed = ("opens the person's file", "connects to the unlock agent", "connects to the page", "makes a file")
        if missing := [what for what in needed if not outcomes[what]]:
            raise RuntimeError(f"the attempts prove nothing: a process that nothing confines neither {' nor '.join(missing)}")
        return sum(outcomes.values())

    def _doctor(self, person: Person) -> set[str]:
        rows = json.loads(person.run("vault", "doctor", "--json").stdout)
        return {row["code"] for row in rows}

    def _without_landlock(self, stage: Stage) -> str:
        """A library without a passcode: no agent answers a process under a filter that is not its own."""
        person = Person(stage, "unguarded", by=[*WITHOUT_LANDLOCK, *WITHOUT_NAMESPACES])
        paper = person.write("paper.pdf", documents.lighthouse())
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:bz2") as tar:
            tar.add(HERE / "confinement.py", arcname="vits-piper-xx/model.onnx")
        voice = person.write("vits-piper-xx.tar.bz2", archive.getvalue())
        seen = []
        for arguments in (("import", str(paper)), ("voices", "add", str(voice))):
            done = person.run(*arguments, "--json")
            reported = json.loads(done.stdout) if done.stdout.startswith("{") else {}
            code = reported.get("error", {}).get("code", "")
            is_refused = done.returncode == 69 and code.endswith(".not-confined")
            refused(is_refused, f"{arguments[0]}: {done.returncode} {done.stdout}{done.stderr}")
            refused("ECHOTEXT_UNCONFINED" in done.stdout, "it is not said what may be done")
            seen.append(code)
        refused("strangersFilesRefused" in self._doctor(person), "the doctor says nothing of it")
        return " and ".join(seen)


def slow_markdown() -> bytes:
    """880 kB of tables of 10¹⁰ cells: each of a table's rows is filled up to as many cells as its head has."""
    rows = "|a" * 100_000 + "|\n" + "|-" * 100_000 + "|\n" + "|\n" * 240_000
    return ("# One\n\n# Two\n\n" + rows).encode()

"""Time that passes otherwise than the program's clocks and timers show."""

import json
import os
import signal
import time

from attack import Attack, Stage, refused
from person import Person, served

# Begins ten days later.
ANOTHER_CLOCK = ["unshare", "--user", "--map-root-user", "--time", "--boottime", "864000"]


class AsleepAndAwake(Attack):
    name = "Sleep as idle time"
    tries = "server and agent stopped for 65 s, as a machine that sleeps does, a minute being the longest time unused; asked at once"

    def attempt(self, stage: Stage) -> str:
        with served(Person(stage, "asleep"), passcode=True) as person:
            person.narrate("Something private.", "Private")
            person.send("PUT", "/settings/vault.lock-after", {"value": "1"})
            answer = person.ask("GET", "/library")
            if answer.status != 200:
                raise RuntimeError(f"the library is not open: {answer.status}")
            asleep = [person.process.pid, person.agent()]
            for process in asleep:
                os.kill(process, signal.SIGSTOP)
            try:
                time.sleep(65)
            finally:
                # The server first: no agent notifies it in time.
                for process in asleep:
                    os.kill(process, signal.SIGCONT)
            answer = person.ask("GET", "/library")
            refused(answer.status == 423, f"the first request was answered {answer.status}")
            refused(b"Private" not in answer.body, "the answer has a name in it")
            done = person.run("library", "list")
            refused(done.returncode == 77, f"the command ended with {done.returncode}: {done.stdout}")
        return "the first request is answered 423, the command ends with 77"


class AnotherClock(Attack):
    name = "The lockout in a time namespace"
    tries = "5 wrong passcodes, then right and wrong ones ten days later by a clock of the attacker's own, by command and page"

    def attempt(self, stage: Stage) -> str:
        with served(Person(stage, "clock"), passcode=True) as person:
            person.send("POST", "/lock")
        for _ in range(5):
            done = person.run("vault", "unlock", passcode="0000")
            if done.returncode != 77:
                raise RuntimeError(f"a wrong passcode: {done.returncode} {done.stderr}")
        before = self._records(person)
        for passcode in ("0000", "1111", Person.PASSCODE):
            code = self._unlock(person, passcode, by=ANOTHER_CLOCK)
            refused(code == "vault.clock-moved", f"by another clock {passcode} is answered {code}")
        person.by = ANOTHER_CLOCK
        with served(person):
            answer = person.ask("POST", "/unlock", {"passcode": Person.PASSCODE})
            refused(answer.code == "vault.clock-moved", f"the page was answered {answer.status} {answer.code}")
        person.by = []
        refused(self._records(person) == before, "the record of attempts is another")
        code = self._unlock(person, Person.PASSCODE)
        refused(code == "vault.locked-out", f"the wait is over: {code}")
        state = json.loads(person.succeed("vault", "status", "--json"))["state"]
        refused(state == "lockedOut", f"the library is {state}")
        return f"vault.clock-moved for right and wrong ones, nothing counted; by the system's own clock {code} continues"

    def _unlock(self, person: Person, passcode: str, **how) -> str:
        """The code of what keeps the library locked."""
        done = person.run("vault", "unlock", "--json", passcode=passcode, **how)
        refused(done.returncode == 77, f"the command ended with {done.returncode}: {done.stdout} {done.stderr}")
        return json.loads(done.stdout)["error"]["code"]

    def _records(self, person: Person) -> dict[str, bytes]:
        """All that the device and the library have beside what is sealed."""
        files = [*(person.folder / "device").rglob("*"), *(person.folder / "library").glob("*")]
        return {str(file): file.read_bytes() for file in files if file.is_file() and "library.db" not in file.name}

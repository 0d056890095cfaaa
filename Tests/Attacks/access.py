"""Ways in: another user at the port, tickets that are used elsewhere, and somebody at an open page or terminal."""

import hashlib
import hmac
import secrets
import signal

from attack import Attack, Stage, refused
from neighbour import Neighbour
from person import Person, served


class AnotherListens(Attack):
    name = "Another user listens where the server did"
    tries = "a neighbour asks the server, takes its port when it is killed, keeps what an open page sends; then it starts again"

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "listens")
        with Neighbour(stage.neighbour) as neighbour, served(person, passcode=True):
            person.narrate("Something private.", "Private")
            key = person.send("GET", "/state")["proofKey"]
            refused(self._proves(person, key), "the server does not prove to be itself")
            ticket = person.new_address().split("/open/")[1]
            for target in ("/api/proof?of=" + secrets.token_hex(16), "/api/library", f"/open/{ticket}", "/"):
                came = neighbour.say(person.port, self._head(person, target))
                refused(came == b"", f"the neighbour got {came[:60]!r} at {target[:10]}")
            foreign = {"Origin": "http://evil.localhost", "Sec_Fetch_Site": "cross-site"}
            page = person.request("GET", "/api/proof?of=" + secrets.token_hex(16), cookie="", **foreign)
            refused(page.status == 403 and b"proof" not in page.body, f"a foreign page was answered {page.status}")
            refused(not neighbour.reads(person.folder / "library/slots.json"), "the neighbour reads the library's files")

            before = {"host": person.host, "cookie": person.cookie}
            person.process.send_signal(signal.SIGKILL)
            person.process.wait()
            person.process.stdout.close()
            person.process = None
            neighbour.listen(person.port)
            # The open page: before it says anything after a silence, who answers has to prove who it is.
            refused(not self._proves(person, key), "the neighbour proves to be the server")
            asked = neighbour.was_asked()
            refused(bool(asked) and not any(one["cookie"] for one in asked), "the neighbour has a cookie")
            refused(not any(Person.PASSCODE in one["body"] for one in asked), "the neighbour has the passcode")
            taken = person.run("serve", "--no-browser", "--port", str(person.port))
            refused(taken.returncode != 0 and not taken.stdout, f"an address was printed: {taken.stdout}")
            neighbour.stop_listening()

            person.start()
            refused(person.host != before["host"], "the page has its old name")
            refused(person.host.rsplit(":", 1)[1] == before["host"].rsplit(":", 1)[1], "it listens at another port")
            # A ticket that is worth nothing leads to the page, which says so.
            for host, statuses in ((person.host, (401, 303)), (before["host"], (421, 421))):
                cookie = person.request("GET", "/api/library", cookie=before["cookie"], Host=host)
                opened = person.request("GET", f"/open/{ticket}", cookie="", Host=host)
                seen = (cookie.status, opened.status)
                refused(seen == statuses, f"cookie and ticket of the first start were answered {seen}")
                refused("Set-Cookie" not in opened.headers, "the ticket of the first start lets in")
            refused(not self._proves(person, key), "the second start has the first one's key")
            for cookie in (before["cookie"], ""):
                came = neighbour.say(person.port, self._head(person, "/api/library", cookie))
                refused(came == b"", f"the neighbour got {came[:60]!r}")
        return (
            f"the neighbour is closed unread, saw {len(asked)} request, without a cookie, and proves nothing; "
            "cookie and ticket of the first start open nothing at either name"
        )

    def _head(self, person: Person, target: str, cookie: str | None = None) -> str:
        cookie = person.cookie if cookie is None else cookie
        return f"GET {target} HTTP/1.1\r\nHost: {person.host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"

    def _proves(self, person: Person, key: str) -> bool:
        """Asks as the page does, without its session, and checks the answer with the key it had from its server."""
        challenge = secrets.token_hex(16)
        answer = person.request("GET", f"/api/proof?of={challenge}", cookie="")
        wanted = hmac.new(bytes.fromhex(key), challenge.encode(), hashlib.sha256).hexdigest()
        return answer.status == 200 and hmac.compare_digest(answer.json.get("proof", ""), wanted)


class MisusedTickets(Attack):
    name = "A ticket at another name"
    tries = "localhost, 127.0.0.1, another start's name, two Host lines, none, an address with a host in it"

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "tickets")
        with served(person):
            host, port = person.host, person.port
            ticket = person.new_address().split("/open/")[1]
            other = f"echotext-{'a' * 16}.localhost:{port}"
            way = f"/open/{ticket}"
            heads = {
                "localhost": f"GET {way} HTTP/1.1\r\nHost: localhost:{port}\r\n",
                "127.0.0.1": f"GET {way} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n",
                "[::1]": f"GET {way} HTTP/1.1\r\nHost: [::1]:{port}\r\n",
                "another start's name": f"GET {way} HTTP/1.1\r\nHost: {other}\r\n",
                "its name at another port": f"GET {way} HTTP/1.1\r\nHost: {host.rsplit(':', 1)[0]}:1\r\n",
                "two Host lines": f"GET {way} HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n",
                "its own name twice": f"GET {way} HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n",
                "an address with its host": f"GET http://{host}{way} HTTP/1.1\r\nHost: {host}\r\n",
                "an address with another host": f"GET http://evil.example{way} HTTP/1.1\r\nHost: {host}\r\n",
                "no Host line": f"GET {way} HTTP/1.1\r\n",
            }
            seen: dict[str, int] = {}
            for how, head in heads.items():
                for navigation in ("", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Site: none\r\n"):
                    answer = self._exchange(person, head + navigation + "Connection: close\r\n\r\n")
                    status = answer.split(b" ", 2)[1].decode() if answer.startswith(b"HTTP/1.1 ") else "nothing"
                    refused(b"set-cookie" not in answer.lower(), f"a cookie is set at {how}")
                    refused(status in ("400", "421", "nothing"), f"{how} is answered {status}")
                    refused(host.encode() not in answer, f"{how} learns the page's name")
                    seen[status] = seen.get(status, 0) + 1
            answer = person.request("GET", way, cookie="")
            if "Set-Cookie" not in answer.headers:
                raise RuntimeError(f"the ticket is worth nothing where it belongs either: {answer.status}")
        reported = ", ".join(f"{count} times {status}" for status, count in sorted(seen.items()))
        return f"{reported}, no cookie; the same ticket opens at the page's own name"

    def _exchange(self, person: Person, head: str) -> bytes:
        with person.connect() as connection:
            connection.sendall(head.encode())
            return b"".join(iter(lambda: connection.recv(65_536), b""))


class NoPasscode(Attack):
    name = "Everything without the passcode"
    tries = "erase-all, export-all and a new recovery code without it and with a wrong one, by command and page, locked and unlocked"

    def attempt(self, stage: Stage) -> str:
        person = Person(stage, "passcode")
        tried = 0
        with served(person, passcode=True):
            person.narrate("Something private.", "Private")
            slots = self._slots(person)
            for is_open in (True, False):
                if not is_open:
                    person.send("POST", "/lock")
                tried += self._by_page(person, is_open) + self._by_command(person)
                refused(self._slots(person) == slots, "the list of what opens the library is another")
                # A right one sets the count of wrong ones back.
                person.succeed("vault", "unlock", passcode=Person.PASSCODE)
            refused(person.names() == ["Private"], f"the library has {person.names()}")
            # It is the passcode that was missing.
            person.succeed("export-all", str(person.folder / "own"), passcode=Person.PASSCODE)
            person.send("POST", "/export-all", {"format": "wav", "passcode": Person.PASSCODE})
            person.send("POST", "/recovery-code/propose", {"passcode": Person.PASSCODE})
        return f"{tried} times; the library is there with its recording, and what opens it is the same"

    def _slots(self, person: Person) -> bytes:
        return (person.folder / "library/slots.json").read_bytes()

    def _by_page(self, person: Person, is_open: bool) -> int:
        code = "-".join(["AAAA"] * 6)
        orders = [
            ("POST", "/erase", {"confirm": "erase everything"}),
            ("POST", "/export-all", {"format": "wav"}),
            ("POST", "/recovery-code/propose", {}),
            ("PUT", "/recovery-code", {"code": code}),
            ("PUT", "/passcode", {"new": "1111"}),
            ("POST", "/passcode/remove", {"current": ""}),
        ]
        orders.append(("POST", "/erase", {"confirm": "erase everything", "passcode": "0000"}))
        for method, path, body in orders:
            answer = person.ask(method, path, body)
            state = "open" if is_open else "locked"
            refused(400 <= answer.status < 500, f"{path} was answered {answer.status} while {state}")
            refused("Set-Cookie" not in answer.headers, f"{path} gives a session")
        return len(orders)

    def _by_command(self, person: Person) -> int:
        words = ("--confirm", "erase everything")
        for arguments, passcode in (
            (("erase-all", *words), None),
            (("erase-all", *words), ""),
            (("erase-all", *words), "0000"),
            (("export-all", str(person.folder / "all")), None),
            (("export-all", str(person.folder / "all")), ""),
            (("vault", "recovery-code"), None),
            (("vault", "recovery-code"), ""),
        ):
            done = person.run(*arguments, passcode=passcode)
            refused(done.returncode != 0, f"{arguments[0]} was done: {done.stdout}")
            refused(not (person.folder / "all").exists(), "something was written out")
        return 7

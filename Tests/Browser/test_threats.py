"""Threats 3, 4, 9 and 11, in a real browser and on the real machine."""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import time

import pytest
import requests
from playwright.sync_api import expect

from places import ALL_LOADED, RESTARTED, evaluate, press_chip, settle, wait_for_all_modules, wait_until
from program import PROGRAM, next_line
from studio import LIMIT, OtherPage, Studio
from texts import PAYLOADS
from thief import Thief

USUAL_PORT = 7340


def test_threat_3_a_squatted_port_is_refused_and_no_address_printed(tmp_path):
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        studio = Studio(tmp_path)
        try:
            done = studio.run("serve", "--no-browser", "--port", str(squatter.getsockname()[1]))
        finally:
            studio.close()
    assert done.returncode != 0
    assert done.stdout == ""
    assert "port" in done.stderr


def test_where_another_program_has_the_usual_port_the_page_is_at_another_one(tmp_path):
    with socket.socket() as squatter:
        squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):  # where another program has it already
            squatter.bind(("127.0.0.1", USUAL_PORT))
            squatter.listen()
        studio = UsualStudio(tmp_path)
        try:
            studio.start()
            assert studio.port != USUAL_PORT
            assert requests.get(studio.local, headers={"Host": studio.host}, timeout=LIMIT).ok
            assert f"another program listens on port {USUAL_PORT}" in (tmp_path / "errors").read_text()
        finally:
            studio.close()


def test_threat_4_no_token_is_in_what_other_processes_can_read(visitor, studio):
    page = visitor.open()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    cookies = [cookie["value"] for cookie in page.context.cookies()]
    assert cookies
    secrets = [secret.encode() for secret in [studio.ticket, *cookies]]
    looked = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            try:
                content = (process / name).read_bytes()
            except OSError:
                continue
            looked += 1
            # Chromium's own processes start before there is a token, the server before there is a page.
            assert not any(secret in content for secret in secrets), process / name
    assert looked > 2


def test_threat_4_an_address_works_once(visitor, studio):
    visitor.expected.append("status of 401")
    address = studio.printed_address()
    page = visitor.context().new_page()
    page.goto(address)
    expect(page.get_by_label("Text to speak")).to_be_visible()
    other = visitor.context().new_page()
    other.goto(address)
    expect(other.get_by_text("This browser has not been let in yet.")).to_be_visible()


def test_threat_9_a_page_at_another_port_is_not_sent_the_session(visitor, studio):
    page = visitor.open()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    [cookie] = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert "echotext" not in page.evaluate("document.cookie")
    other = OtherPage()
    try:
        for name in ("localhost", "127.0.0.1", "another.localhost"):
            page.goto(f"http://{name}:{other.port}/")
        assert {asked["cookie"] for asked in other.asked} == {""}
        # Nor can it make its own page request it, or read an answer.
        visitor.expected.extend(["blocked by CORS policy", "net::ERR_FAILED", "status of 403"])
        answer = evaluate(
            page,
            "(address) => fetch(address, { credentials: 'include' }).then(() => 'read', () => 'refused')",
            studio.base + "/api/library",
        )
        assert answer == "refused"
    finally:
        other.close()


@pytest.mark.loads_ahead
@pytest.mark.expects_console(RESTARTED, "status of 4(01|03|21|23)", "blocked by CORS policy", "dialog: beforeunload")
def test_nobody_who_listens_where_the_server_did_gets_at_the_library(visitor, studio):
    """An attacker listens on the port as soon as the server has ended, and serves the page that is still open."""
    studio.set_passcode("8052")
    studio.narrate("Something private.", "Private")
    page = visitor.open("/library")
    expect(page.locator(".row")).to_have_count(1)
    cookie = {one["name"]: one["value"] for one in page.context.cookies()}
    name, old_host = studio.host.split(":")[0], studio.host
    tab = visitor.another_tab(page, "/speak")
    tab.get_by_label("Text to speak").fill("Not for others.")
    # Whatever is requested until everything is loaded carries the session, which is worthless by then.
    for one in (page, tab):
        wait_for_all_modules(one, studio)
        settle(one)
        evaluate(one, ALL_LOADED)
    studio.send("POST", "/lock")
    for one in (page, tab):
        expect(one.get_by_role("heading", name="EchoText is locked")).to_be_visible()

    studio.stop()
    thief = Thief(studio.port)
    try:
        # The page verifies the server before it sends anything.
        page.get_by_label("Passcode", exact=True).fill("8052")
        page.keyboard.press("Enter")
        expect(page.get_by_text("EchoText does not answer.").first).to_be_visible()
        thief.wait_for("/api/proof")
        assert not any(one["cookie"] for one in thief.asked), "what the page asks by itself goes without its session"
        assert not any(b"8052" in one["body"] or b"Not for others" in one["body"] for one in thief.asked)
        # A user who reloads the page there gets the attacker's: a script that is cached forever, and one that
        # intercepts every request.
        tab.reload()
        expect(tab).to_have_title("Thief")
        wait_until(tab, "() => window.isKept === true")
    finally:
        thief.close()
    stolen = {one["cookie"] for one in thief.asked} - {""}

    studio.start()
    studio.renew_session()
    assert studio.host.split(":")[1] == old_host.split(":")[1]
    assert studio.host.split(":")[0] != name
    # The cookies sent to the attacker open nothing, under either name.
    for cookies in [*stolen, f"echotext={cookie['echotext']}"]:
        for host, status in ((studio.host, 401), (old_host, 421)):
            answer = requests.get(
                studio.local + "/api/library", headers={"Host": host, "Cookie": cookies}, timeout=LIMIT
            )
            assert answer.status_code == status
    visitor.come_back(page, "/library")
    page.get_by_label("Passcode", exact=True).fill("8052")
    page.keyboard.press("Enter")
    expect(page.locator(".row")).to_have_count(1)
    assert page.evaluate("window.isThief") is None
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    # The attacker's page stays open, and cannot read anything under the new name.
    read = "(address) => fetch(address, { credentials: 'include' }).then((answer) => answer.status, () => 'refused')"
    assert evaluate(tab, read, studio.base + "/api/library") == "refused"
    # A user of the old name learns of it, what the attacker left there is cleared, and nothing links to the new one.
    fresh = page.context.new_page()
    fresh.goto(f"http://{old_host}/library")
    expect(fresh.get_by_text("it has another one whenever it is started")).to_be_visible()
    assert studio.host not in fresh.content()
    fresh.goto(f"http://{old_host}/app.js")
    assert fresh.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert not any(one["domain"] == name for one in page.context.cookies())


@pytest.mark.expects_console("status of 4(01|21)")
def test_a_ticket_opens_at_the_pages_own_name_only(visitor, studio):
    address = studio.new_address()
    page = visitor.context().new_page()
    for name in ("localhost", "127.0.0.1"):
        page.goto(address.replace(studio.host, f"{name}:{studio.port}"))
        expect(page.get_by_text("it has another one whenever it is started")).to_be_visible()
    assert page.context.cookies() == []
    page.goto(address)
    expect(page.get_by_label("Text to speak")).to_be_visible()
    [cookie] = page.context.cookies()
    assert cookie["domain"] == studio.host.split(":")[0]


@pytest.mark.parametrize(
    "head",
    [
        "GET /api/state HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n",
        "GET /api/state HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n",
        "GET http://{host}/api/state HTTP/1.1\r\nHost: {host}\r\n",
        "GET http://evil.example/api/state HTTP/1.1\r\nHost: {host}\r\n",
        "GET /api/state HTTP/1.1\r\n",
    ],
)
def test_a_request_that_names_several_hosts_or_none_is_not_answered(studio, head):
    assert studio.session
    with socket.create_connection(("127.0.0.1", studio.port), timeout=LIMIT) as connection:
        cookie = f"Cookie: {studio.cookie}\r\nConnection: close\r\n\r\n"
        connection.sendall((head.format(host=studio.host) + cookie).encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.split(b" ")[1] in (b"400", b"421")
    assert b"vault" not in answer


@pytest.mark.expects_console("status of 401")
def test_logging_out_everywhere_ends_every_browsers_session(visitor, studio):
    assert studio.ask("GET", "/state").ok
    page = visitor.open("/settings/security")
    other = visitor.open("/library")
    expect(other.get_by_text("Nothing here yet")).to_be_visible()
    # It requests nothing by itself except to continue its events.
    settle(other)
    page.get_by_role("button", name="Log out").click()
    for one in (page, other):
        expect(one.get_by_text("This browser has not been let in yet.")).to_be_visible()
    assert page.context.cookies() == []
    assert studio.ask("GET", "/state").status_code == 401
    visitor.come_back(page)
    expect(page.get_by_label("Text to speak")).to_be_visible()


def test_a_server_that_was_killed_is_not_taken_for_one_that_runs(tmp_path):
    studio = Studio(tmp_path)
    studio.start()
    dead = studio.process
    try:
        dead.kill()
        # Nobody has waited for it: its process id is still taken.
        stat = pathlib.Path(f"/proc/{dead.pid}/stat")
        end = time.monotonic() + LIMIT
        while stat.read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < end, "the server that was killed still runs"
            time.sleep(0.01)
        before = studio.host
        studio.port = 0
        studio.start()
        assert studio.host != before
        assert requests.get(studio.local, headers={"Host": studio.host}, timeout=LIMIT).ok
    finally:
        dead.wait()
        dead.stdout.close()
        studio.close()


HAS_NAMESPACES = subprocess.run(["unshare", "--user", "--map-root-user", "true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not HAS_NAMESPACES, reason="needs user namespaces")
def test_a_passcode_set_elsewhere_closes_the_page_though_the_system_has_no_watch_left(tmp_path):
    studio = UnwatchedStudio(tmp_path)
    try:
        studio.start()
        assert studio.get("/library")["items"] == []
        read, write = os.pipe()
        setting = subprocess.Popen(
            [PROGRAM, "vault", "passcode", "set", "--passcode-fd", str(read), "--code-fd", "0"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=studio.environment, pass_fds=(read,),
        )
        os.close(read)
        os.write(write, b"8052\n")
        os.close(write)
        reported = ""
        while (code := re.search(r"^echotext:\s+([A-Z0-9]+(?:-[A-Z0-9]+){3,})$", reported, re.MULTILINE)) is None:
            line = next_line(setting, setting.stderr, LIMIT)
            assert line, reported
            reported += line
        setting.stdin.write(code.group(1) + "\n")
        setting.stdin.close()
        assert setting.wait(LIMIT) == 0, setting.stderr.read()
        assert studio.ask("GET", "/library").status_code == 423
    finally:
        studio.close()


@pytest.mark.expects_console("status of 4(09|22)")
def test_threat_11_no_text_of_a_person_becomes_more_than_text(visitor, studio):
    for payload in PAYLOADS:
        item = studio.narrate(f"{payload} {payload}")
        renamed = studio.ask("PATCH", f"/library/{item}", {"name": payload})
        assert renamed.status_code in (200, 422)
        studio.ask(
            "POST", "/profiles", {"name": payload, "voice": "espeak/en-US", "speaker": 0, "speed": 1, "pitch": 1}
        )
    ids = [item["id"] for item in studio.get("/library")["items"]]
    studio.send("POST", "/playback/entries", {"items": ids})
    studio.send("PUT", "/playback/bookmark", {"item": ids[0], "position": 0})
    studio.ask("PUT", "/dictionary", {"text": "<script>alert(1)</script> = <img src=x onerror=alert(1)>"})

    page = visitor.open("/library")
    for path in ("/library", "/history", "/settings/speech", "/speak"):
        page.goto(studio.base + path)
        settle(page)
        expect_only_text(page)
    press_chip(page, "profile")
    expect_only_text(page)
    page.goto(studio.base + "/library?search")
    page.get_by_role("searchbox").fill("alert")
    expect(page.locator(".row mark").first).to_be_visible()
    expect_only_text(page)
    page.locator("echo-player-bar").get_by_role("button", name="Queue").click()
    expect(page.locator(".queue-row")).to_have_count(len(PAYLOADS))
    expect_only_text(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for entry, shown in (("View text", ".text-sheet"), ("More info", ".info-sheet"), ("Rename", ".name-input")):
        page.locator(".row").first.click(button="right")
        expect_only_text(page)
        page.get_by_role("menuitem", name=entry).click()
        expect(page.locator(shown)).to_be_visible()
        expect_only_text(page)
        page.keyboard.press("Escape")
        expect(page.locator(shown)).to_have_count(0)
    page.locator(".row").first.focus()
    page.keyboard.press("Delete")
    expect(page.locator(".toast")).to_be_visible()
    expect_only_text(page)


class UsualStudio(Studio):
    """A server that is given no port."""

    @property
    def where(self) -> list[str]:
        return []


class UnwatchedStudio(Studio):
    """A server that cannot watch files."""

    @property
    def command(self) -> list[str]:
        words = "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$@\""
        return ["unshare", "--user", "--map-root-user", "sh", "-c", words, "sh", PROGRAM]


def expect_only_text(page) -> None:
    """Elements that the page does not make itself; the visitor notices dialogs and policy violations."""
    strangers = page.evaluate(
        "[...document.querySelectorAll('body script, body iframe, img, body style, base, body meta, body link, math, mglyph, x, "
        "object, embed, [onerror], [onload], [onfocus], a[href^=javascript]')].map((one) => one.outerHTML)"
    )
    assert strangers == []


@pytest.mark.skipif(os.geteuid() != 0, reason="another process's memory is the administrator's to read")
def test_no_text_is_left_in_the_servers_memory_after_a_lock(studio, tmp_path):
    word = "Quillonimbus"
    text = " ".join(f"{word} bought loaf number {n}." for n in range(20))
    studio.set_passcode("quiet river stones 41")
    item = studio.narrate(text, f"{word} spoken")
    document = tmp_path / f"{word}.md"
    document.write_text(f"# {word}\n\n{text * 20}")
    read = studio.import_document(document)
    paths = ["/library", f"/library?query={word}", f"/library/{item}/text", "/history", f"/documents/{read}/text?from=0&to=500"]
    for path in paths:
        assert word in studio.ask("GET", path).text
    assert copies_of(word, studio.process.pid) > 0
    studio.send("POST", "/lock")
    # The answer arrives before everything is closed.
    end = time.monotonic() + LIMIT
    while (copies_of(word, studio.process.pid) > 0 or children_of(studio.process.pid)) and time.monotonic() < end:
        time.sleep(0.2)
    assert copies_of(word, studio.process.pid) == 0
    assert children_of(studio.process.pid) == []


def test_no_text_is_in_a_servers_log_however_much_it_tells(tmp_path):
    word = "Quillonimbus"
    studio = TalkativeStudio(tmp_path)
    try:
        studio.start()
        studio.narrate(f"{word} bought a loaf.", word)
        document = tmp_path / f"{word}.txt"
        document.write_text(f"{word} ate it.")
        studio.import_document(document)
        for method, path, body in [
            ("GET", f"/library?query={word}", None),
            ("GET", f"/{word}", None),
            ("GET", f"/documents/{word}", None),
            ("POST", "/narrations", {"text": {word: 1}}),
            ("POST", "/narrations", {"text": word, "voice": word}),
            ("PUT", "/dictionary", {"text": f"{word} = /{word}/\n{word}"}),
            ("PUT", f"/settings/{word}", {"value": word}),
        ]:
            assert studio.ask(method, path, body) is not None
        bad = studio.session.post(
            f"{studio.local}/api/narrations",
            data=f'{{"text": "{word}',
            headers={"Content-Type": "application/json"},
            timeout=LIMIT,
        )
        assert bad.status_code == 422
    finally:
        studio.close()
    log = (studio.folder / "errors").read_text()
    assert " trace " in log
    assert word.lower() not in log.lower()


class TalkativeStudio(Studio):
    """A server that logs as much as it can."""

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "ECHOTEXT_LOG": "trace"}


def children_of(process: int) -> list[str]:
    """The ids of the children of a process that still run or have not been waited for."""
    return subprocess.run(["pgrep", "-P", str(process)], check=False, capture_output=True, text=True).stdout.split()


def copies_of(word: str, process: int) -> int:
    """How often a word is in the memory of a process, in any case and encoding."""
    spellings = [form.encode(code) for form in (word, word.lower()) for code in ("utf-8", "utf-16-le", "utf-32-le")]
    found = 0
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in pathlib.Path(f"/proc/{process}/maps").read_text().splitlines():
            place, rights, *_ = line.split()
            if "r" not in rights or "[v" in line:
                continue
            start, end = (int(one, 16) for one in place.split("-"))
            try:
                memory.seek(start)
                content = memory.read(end - start)
            except OSError:
                continue  # gone since it was listed, or reserved and never used
            found += sum(content.count(spelling) for spelling in spellings)
    return found

"""Threats 3, 4, 9 and 11, in a real browser and on the real machine."""

import pathlib
import socket

import pytest
from playwright.sync_api import expect

from places import settle
from studio import OtherPage, Studio
from texts import PAYLOADS


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
            # Chromium's own processes are started before there is a token, the server before there is a page.
            assert not any(secret in content for secret in secrets), process / name
    assert looked > 2


def test_threat_4_an_address_works_once(visitor, studio):
    visitor.expected.append("status of 401")
    address = studio.new_address()
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
        # Nor can it have its own page ask for it, or read an answer.
        visitor.expected.extend(["blocked by CORS policy", "net::ERR_FAILED", "status of 403"])
        answer = page.evaluate(
            "(address) => fetch(address, { credentials: 'include' }).then(() => 'read', () => 'refused')",
            studio.base + "/api/library",
        )
        assert answer == "refused"
    finally:
        other.close()


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
    page.locator(".chip-profile").click()
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


def expect_only_text(page) -> None:
    """No element that the page does not make itself; dialogs and policy violations are noticed by the visitor."""
    strangers = page.evaluate(
        "[...document.querySelectorAll('body script, body iframe, img, body style, base, body meta, body link, math, mglyph, x, "
        "object, embed, [onerror], [onload], [onfocus], a[href^=javascript]')].map((one) => one.outerHTML)"
    )
    assert strangers == []

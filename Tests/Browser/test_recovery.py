"""NFR13: a backup and the recovery code restore a library lost with its machine, with a passcode and without."""

import json
import pathlib
import shlex
import shutil
import subprocess

import pytest
from playwright.sync_api import Page, expect

from conftest import NARROW
from parts import sealed_files
from places import press_chip
from program import PROGRAM, ROOT
from studio import Studio

# The code that was typed back wrong.
pytestmark = pytest.mark.expects_console("status of 422")

LOOKS = {"wide": {}, "narrow": {"size": NARROW}}


def make_code(page: Page) -> str:
    """Completes the open sheet; returns the code."""
    sheet = page.get_by_role("dialog", name="Recovery code")
    expect(sheet.get_by_text("The code opens the library on any machine")).to_be_visible()
    sheet.get_by_role("button", name="Continue").click()
    expect(sheet.locator(".recovery-code")).to_be_visible()
    code = "-".join(sheet.locator(".recovery-code span").all_inner_texts())
    sheet.get_by_role("button", name="I wrote it down").click()
    sheet.get_by_label("Recovery code").fill("not the code")
    page.keyboard.press("Enter")
    expect(sheet.locator(".sheet-problem .notice")).to_be_visible()
    sheet.get_by_label("Recovery code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_text("The recovery code is valid from now on.")).to_be_visible()
    return code


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory):
    """Another machine, on which EchoText was never started."""
    studio = Studio(tmp_path_factory.mktemp("other"))
    try:
        yield studio
    finally:
        studio.close()


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nfr13_the_helps_instructions_bring_a_library_without_a_passcode_to_another_machine(
    other, visitor, studio, tmp_path: pathlib.Path, look
):
    studio.narrate("The tide comes in and goes out again.", "Before the loss")
    page = visitor.open("/settings/security", **look)
    expect(page.get_by_text(str(studio.folder / "library"))).to_be_visible()
    page.get_by_role("button", name="Back up…").click()
    sheet = page.get_by_role("dialog", name="Back up the library")
    expect(sheet.get_by_text("There is no recovery code yet.")).to_be_visible()
    sheet.get_by_role("button", name="Make a recovery code…").click()
    code = make_code(page)
    expect(sheet.get_by_text("There is no recovery code yet.")).to_have_count(0)
    with page.expect_download() as started:
        sheet.get_by_role("button", name="Download backup").click()
    assert started.value.suggested_filename == "EchoText-backup.tar"
    started.value.save_as(tmp_path / "EchoText-backup.tar")

    page.goto(studio.base + "/settings/support")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_text("How do I move to another machine").click()
    commands = page.get_by_role("dialog", name="Help").locator(".restore-steps pre").all_inner_texts()
    # A library already exists, and is not harmed.
    other.start()
    other.narrate("Something else is here.", "Of the other machine")
    other.stop()
    for command in commands:
        there = command.replace(str(studio.folder), str(other.folder))
        assert there != command
        subprocess.run(["bash", "-c", there], cwd=tmp_path, check=True)
    aside = other.run("library", "list", elsewhere={"ECHOTEXT_LIBRARY": str(other.folder / "library-before")})
    assert "Of the other machine" in aside.stdout, aside.stderr
    other.start()
    other.renew_session()
    there = visitor.context(**look).new_page()
    there.goto(other.new_address())
    expect(there.get_by_text("This machine cannot open the library yet")).to_be_visible()
    there.get_by_label("Recovery code").fill(code)
    there.get_by_role("button", name="Open the library").click()
    there.get_by_role("link", name="Library").first.click()
    expect(there.locator(".row", has_text="Before the loss")).to_be_visible()


def test_nfr13_the_commands_of_the_readme_put_a_backup_back(other, studio, tmp_path: pathlib.Path):
    studio.narrate("The tide comes in and goes out again.", "Before the loss")
    code = studio.send("POST", "/recovery-code/propose")["code"]
    studio.send("PUT", "/recovery-code", {"code": code})
    order = studio.send("POST", "/backup")["id"]
    backup = studio.session.get(f"{studio.local}/api/exports/{order}", timeout=studio.limit)
    (tmp_path / "EchoText-backup.tar").write_bytes(backup.content)

    default = {"ECHOTEXT_LIBRARY": "", "ECHOTEXT_DEVICE": ""}
    assert other.run("speak", "Something else.", "--save", "--name", "Older", elsewhere=default).returncode == 0
    [block] = [one for one in (ROOT / "README.md").read_text().split("```") if "tar --extract" in one]
    commands = "\n".join(line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ "))
    typed = f"{shlex.quote(PROGRAM)} vault recover --code-fd 3 --new-passcode-fd 4 3<<<{code} 4<<<''"
    script = commands.replace("./echotext vault recover", typed).replace("./echotext", shlex.quote(PROGRAM))
    done = subprocess.run(
        ["bash", "-ec", script], cwd=tmp_path, env=other.environment | default, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"is in {other.folder}/.local/share/echotext/library" in done.stdout
    assert "Before the loss" in other.run("library", "list", elsewhere=default).stdout
    before = {**default, "ECHOTEXT_LIBRARY": str(other.folder / ".local/share/echotext/library-before")}
    assert "Older" in other.run("library", "list", elsewhere=before).stdout


def test_nfr13_a_lost_secret_without_a_recovery_code_promises_nothing_and_comes_back_by_itself(visitor, studio):
    studio.narrate("The tide comes in.", "Kept")
    studio.stop()
    (studio.folder / "device").rename(studio.folder / "secret")
    studio.start()
    pages = []
    for language, words in (("en-GB", "No recovery code was ever made"), ("et-EE", "Taastekoodi ei ole kunagi loodud")):
        for look in LOOKS.values():
            page = visitor.open(language=language, **look)
            expect(page.get_by_text(words)).to_be_visible()
            expect(page.get_by_text(str(studio.folder / "device"))).to_be_visible()
            expect(page.get_by_role("textbox")).to_have_count(0)
            pages.append(page)
    studio.renew_session()
    typed = studio.ask("POST", "/recover", {"code": "0000-0000-0000-0000-0000-0000-0000"})
    assert (typed.status_code, typed.json()["code"]) == (423, "vault.no-recovery-code")
    shutil.rmtree(studio.folder / "device", ignore_errors=True)
    (studio.folder / "secret").rename(studio.folder / "device")
    for page in pages:
        expect(page.get_by_role("link").first).to_be_visible()


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nfr13_the_page_reminds_once_after_the_tenth_recording(visitor, studio, look):
    page = visitor.open("/library", **look)
    for number in range(9):
        studio.narrate("The tide comes in.", f"Number {number}")
    expect(page.locator(".row")).to_have_count(9)
    reported = page.get_by_text("and no recovery code")
    expect(reported).to_have_count(0)
    studio.narrate("The tide comes in.", "The tenth")
    expect(reported).to_be_visible()
    page.get_by_role("link", name="Speak", exact=True).first.click()
    press_chip(page, "profile")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Make one…").click()
    page.get_by_role("dialog", name="Recovery code").get_by_role("button", name="Continue").click()
    # The look of its sheet comes with it, though the settings were not seen.
    expect(page.locator(".recovery-code")).to_have_css("display", "grid")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Make one…").click()
    make_code(page)
    expect(reported).to_have_count(0)
    assert studio.get("/state")["vault"]["hasRecoveryCode"]
    assert [one["value"] for one in studio.get("/settings") if one["name"] == "vault.recovery-reminder"] == ["off"]


def test_nfr13_the_reminder_comes_once_and_can_be_turned_off_before(visitor, studio):
    page = visitor.open("/settings/security")
    switch = page.locator("[data-setting='vault.recovery-reminder']").get_by_role("switch")
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()
    for number in range(10):
        studio.narrate("The tide comes in.", f"Number {number}")
    assert studio.get("/recovery-reminder") == {"isDue": False}
    studio.send("PUT", "/settings/vault.recovery-reminder", {"value": "on"})
    reminder = page.get_by_text("and no recovery code")
    page.reload()
    expect(reminder).to_be_visible()
    expect(page.locator("[role=status] [role=status]")).to_have_count(0)
    expect(switch).not_to_be_checked()
    assert studio.get("/recovery-reminder") == {"isDue": False}
    page.reload()
    expect(page.get_by_role("button", name="Sleep timer")).to_be_visible()
    expect(reminder).to_have_count(0)


def reminds(studio) -> str:
    [one] = [one["value"] for one in studio.get("/settings") if one["name"] == "vault.recovery-reminder"]
    return one


HIDDEN = """Object.defineProperty(document, "visibilityState", { configurable: true, get: () => window.isSeen ? "visible" : "hidden" })"""


@pytest.mark.expects_console("ERR_FAILED")
def test_nfr13_the_reminder_is_not_used_up_by_a_lost_answer_or_a_tab_that_nobody_sees(visitor, studio):
    for number in range(10):
        studio.narrate("The tide comes in.", f"Number {number}")
    context = visitor.context()
    context.add_cookies([studio.new_cookie()])
    context.add_init_script(HIDDEN)
    page = context.new_page()
    # The server has answered, and nobody got the answer.
    page.route("**/api/recovery-reminder", lambda route: (studio.get("/recovery-reminder"), route.abort()))
    with page.expect_event("requestfailed", lambda one: one.url.endswith("/recovery-reminder")):
        page.goto(studio.base + "/library")
    page.unroute("**/api/recovery-reminder")
    assert reminds(studio) == "on"
    page.reload()
    reminder = page.get_by_text("and no recovery code")
    expect(reminder).to_be_attached()
    assert reminds(studio) == "on"
    with page.expect_response("**/api/settings/vault.recovery-reminder"):
        page.evaluate("window.isSeen = true; document.dispatchEvent(new Event('visibilitychange'))")
    assert reminds(studio) == "off"
    expect(reminder).to_be_visible()


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nfr13_the_page_says_that_the_library_is_older_until_that_was_seen(visitor, studio, tmp_path, look):
    studio.narrate("The tide comes in.", "Before")
    studio.stop()
    shutil.copytree(studio.folder / "library", tmp_path / "copy")
    studio.start()
    studio.renew_session()
    studio.narrate("The tide goes out.", "After")
    studio.stop()
    shutil.rmtree(studio.folder / "library")
    shutil.copytree(tmp_path / "copy", studio.folder / "library")
    studio.start()
    studio.renew_session()
    page = visitor.open("/library", **look)
    expect(page.locator(".row")).to_have_count(1)
    reported = page.get_by_text("The library is older than the one this machine used last.")
    expect(reported).to_be_visible()
    expect(page.get_by_text("look at what is missing")).to_be_visible()
    page.reload()
    expect(reported).to_be_visible()
    other = visitor.open("/voices", **look)
    expect(other.get_by_text("The library is older")).to_be_visible()
    studio.send("PUT", "/settings/page.language", {"value": "et"})
    expect(page.get_by_text("Kogu on vanem kui see, mida siin arvutis viimati kasutati.")).to_be_visible()
    studio.send("PUT", "/settings/page.language", {"value": "en"})
    expect(reported).to_be_visible()
    page.locator(".reminder", has=reported).get_by_role("button", name="Dismiss").click()
    expect(reported).to_have_count(0)
    expect(other.get_by_text("The library is older")).to_have_count(0)
    page.reload()
    expect(page.locator(".row")).to_have_count(1)
    # The places of the notices are there.
    expect(page.locator(".frame-top .reminder")).to_have_count(2)
    expect(reported).to_have_count(0)
    assert studio.get("/state")["isOlder"] is False


def test_nfr13_what_is_offered_has_estonian_words(visitor, studio):
    page = visitor.open("/settings/security", language="et-EE")
    page.get_by_role("button", name="Varunda…").click()
    sheet = page.get_by_role("dialog", name="Varunda kogu")
    expect(sheet.get_by_text("Taastekoodi veel pole.")).to_be_visible()
    expect(sheet.get_by_role("listitem")).to_have_count(4)


# Files are left over only an hour after the last change, so the server's answers about one are written here.
LEFT_OVER = {"kind": "leftover", "code": "leftovers", "message": "", "count": 1}
REMOVED = {"kind": "repair", "code": "filesRemoved", "message": "", "count": 1}


def answer(page, finding: dict, can_be_repaired: bool) -> list[dict]:
    """Answers the next checks with one finding; returns what they ask for."""
    asked = []
    report = {"isSound": True, "canBeRepaired": can_be_repaired, "contents": 1, "findings": [finding]}
    lines = "".join(json.dumps(line) + "\n" for line in ({"percent": 50}, {"report": report}))

    def fulfil(route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(content_type="application/x-ndjson", body=lines)

    page.unroute("**/api/vault/check")
    page.route("**/api/vault/check", fulfil)
    return asked


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nfr13_the_page_says_what_is_damaged_and_repairs_what_can_be(visitor, studio, look):
    before = sealed_files(studio)
    studio.narrate("The tide comes in and goes out again.", "Kept")
    [kept] = sealed_files(studio) - before
    page = visitor.open("/settings/security", **look)
    page.get_by_role("button", name="Check…").click()
    sheet = page.get_by_role("dialog", name="Check the library")
    start, repair = (sheet.get_by_role("button", name=name) for name in ("Start checking", "Repair"))
    findings = sheet.locator(".vault-check-findings")
    start.click()
    expect(sheet.locator(".notice")).to_contain_text("Nothing is damaged.")
    expect(sheet.get_by_text("read every byte.")).to_be_visible()
    expect(repair).to_have_count(0)

    asked = answer(page, LEFT_OVER, can_be_repaired=True)
    sheet.get_by_role("switch", name="Read every byte").click()
    start.click()
    expect(findings).to_have_text("1 file is left over, which nothing needs.")
    expect(sheet.get_by_text("read every byte.")).to_have_count(0)
    assert asked == [{"readData": True, "repair": False}]
    asked = answer(page, REMOVED, can_be_repaired=False)
    repair.click()
    expect(findings).to_have_text("1 leftover file was removed.")
    expect(repair).to_have_count(0)
    expect(start).to_be_focused()
    assert asked == [{"readData": True, "repair": True}]
    page.unroute("**/api/vault/check")

    kept.unlink()
    start.click()
    expect(findings).to_have_text("The sound of “Kept” is missing.")
    expect(sheet.get_by_text("comes back only from a backup")).to_be_visible()
    expect(sheet.get_by_role("status").filter(has_text="1 problem was found.").first).to_be_attached()
    expect(repair).to_have_count(0)


def test_nfr13_a_check_ends_when_its_sheet_is_closed(visitor, studio):
    page = visitor.open("/settings/security")
    held = []
    page.route("**/api/vault/check", lambda route: held.append(route))
    page.get_by_role("button", name="Check…").click()
    sheet = page.get_by_role("dialog", name="Check the library")
    sheet.get_by_role("button", name="Start checking").click()
    expect(sheet.get_by_role("status").filter(has_text="The library is being checked.")).to_be_attached()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/vault/check")):
        page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.unroute("**/api/vault/check")
    page.get_by_role("button", name="Check…").click()
    sheet.get_by_role("button", name="Start checking").click()
    expect(sheet.locator(".notice")).to_contain_text("Nothing is damaged.")


def test_nfr13_a_check_has_estonian_words(visitor, studio):
    before = sealed_files(studio)
    studio.narrate("The tide comes in and goes out again.", "Kadunud")
    [file] = sealed_files(studio) - before
    file.unlink()
    page = visitor.open("/settings/security", language="et-EE")
    page.get_by_role("button", name="Kontrolli…").click()
    sheet = page.get_by_role("dialog", name="Kogu kontroll")
    sheet.get_by_role("button", name="Alusta kontrolli").click()
    expect(sheet.locator(".notice")).to_contain_text("Leiti 1 viga.")
    expect(sheet.locator(".vault-check-findings")).to_have_text("Salvestise „Kadunud“ heli on puudu.")

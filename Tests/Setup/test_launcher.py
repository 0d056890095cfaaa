"""The launcher installs the natural voice among the user's voices, and offers an entry in the menu of programs, once; the
desktop's entry starts the program."""

import configparser
import os
import pathlib
import pty
import shlex
import shutil
import subprocess
import tempfile
import unittest

from checkout import LIMIT, ROOT, VOICE, CheckoutTests


class LauncherTests(CheckoutTests):
    def setUp(self):
        super().setUp()
        self.publish()
        self.assertEqual(self.set_up().returncode, 0)
        self.build()
        self.adding = f"voices add {self.deps}/starter-voice/{VOICE}.onnx"
        self.voices = self.home / ".local/share/echotext/voices"

    def test_the_first_run_installs_the_voice_and_says_so_in_a_line(self):
        said, asked = self.launch("speak", "Hello.")
        self.assertEqual(said, f"echotext: installing the natural voice {VOICE}\n")
        self.assertEqual(asked, [self.adding, "speak Hello."])
        self.assertEqual(self.launch("speak", "Hello."), ("", ["speak Hello."]))

    def test_being_offline_does_not_prevent_it(self):
        self.assertEqual(self.launch("speak", ECHOTEXT_OFFLINE="1")[1], [self.adding, "speak"])

    def test_a_voice_that_was_removed_does_not_come_back(self):
        self.launch("speak")
        shutil.rmtree(self.voices)
        self.assertEqual(self.launch("speak"), ("", ["speak"]))

    def test_not_even_after_another_version_of_it_was_fetched(self):
        self.launch("speak")
        shutil.rmtree(self.voices)
        self.publish(model=b"a newer model")
        self.assertEqual(self.set_up().returncode, 0)
        self.build_is_newer()
        self.assertEqual(self.launch("speak")[1], ["speak"])

    def test_each_folder_of_voices_gets_it(self):
        self.launch("speak")
        self.assertEqual(self.launch("speak", ECHOTEXT_VOICES=str(self.folder / "other"))[1], [self.adding, "speak"])
        self.assertEqual(self.launch("speak", ECHOTEXT_VOICES=str(self.folder / "other"))[1], ["speak"])

    def test_a_folder_that_has_it_is_left_alone(self):
        (self.voices / f"vits-piper-{VOICE}").mkdir(parents=True)
        self.assertEqual(self.launch("speak"), ("", ["speak"]))

    def test_nobody_gets_it_who_wants_none(self):
        self.assertEqual(self.launch("speak", ECHOTEXT_STARTER_VOICE="none"), ("", ["speak"]))
        self.assertEqual(self.launch("speak")[1], [self.adding, "speak"])

    def test_when_it_fails_the_program_runs_all_the_same_and_the_next_run_tries_again(self):
        (self.home / "fails").touch()
        said, asked = self.launch("speak")
        self.assertEqual(asked, [self.adding, "speak"])
        self.assertIn("the disk is full", said)
        self.assertIn("ECHOTEXT_STARTER_VOICE=none", said)
        (self.home / "fails").unlink()
        self.assertEqual(self.launch("speak")[1], [self.adding, "speak"])


class MenuEntryTests(CheckoutTests):
    """The offer of `./echotext serve` to a person at a desktop."""

    def setUp(self):
        super().setUp()
        self.assertEqual(self.set_up(ECHOTEXT_STARTER_VOICE="none").returncode, 0)
        self.build()
        icons = self.root / "Sources/WebApp/Resources/www/icons"
        icons.mkdir(parents=True)
        shutil.copy(ROOT / "Sources/WebApp/Resources/www/icons/logo.svg", icons)
        self.build_is_newer()
        self.data = self.home / ".local/share"
        self.file = self.data / "applications/echotext.desktop"

    def answer(self, answer, command="serve", **more):
        """Runs `echotext` in a terminal in which `answer` is typed; returns what it says there."""
        ours, its = pty.openpty()
        with open(ours, "r+b", buffering=0) as ours:
            desktop = {"DISPLAY": ":99", "XDG_DATA_DIRS": str(self.folder / "system"), "ECHOTEXT_STARTER_VOICE": "none"}
            ours.write(answer)
            subprocess.run(
                [self.root / "echotext", *command.split()], env=self.environment(**desktop | more), stdin=its,
                stdout=subprocess.DEVNULL, stderr=its, check=True, timeout=LIMIT,
            )
            # The terminal has something to read in any case.
            os.write(its, b".")
            os.close(its)
            said = b""
            try:
                while part := ours.read(4_096):
                    said += part
            except OSError:  # how a terminal ends that nobody has open any more
                pass
        return said.decode()

    def test_it_starts_the_checkout_and_is_told(self):
        said = self.answer(b"\n")
        self.assertIn("put EchoText into the menu of programs?", said)
        self.assertIn(f"remove {self.file}", said)
        entry = configparser.ConfigParser(interpolation=None)
        entry.read_string(self.file.read_text(encoding="utf-8"))
        command = shlex.split(entry["Desktop Entry"]["Exec"])
        (self.home / "asked").unlink()
        subprocess.run(command, env=self.environment(ECHOTEXT_STARTER_VOICE="none"), check=True, timeout=LIMIT)
        self.assertEqual((self.home / "asked").read_text(encoding="utf-8"), "serve --browser\n")
        self.assertTrue((self.data / "icons/hicolor/scalable/apps/echotext.svg").exists())

    def test_it_is_asked_for_once(self):
        self.assertIn("[Y/n]", self.answer(b"n\n"))
        self.assertFalse(self.file.exists())
        self.assertNotIn("[Y/n]", self.answer(b"y\n"))
        self.assertFalse(self.file.exists())

    def test_nobody_is_asked_who_has_one_or_has_no_desktop_or_wants_something_else(self):
        self.assertNotIn("[Y/n]", self.answer(b"y\n", DISPLAY=""))
        for command in ("speak", "serve --help", "serve -h"):
            self.assertNotIn("[Y/n]", self.answer(b"y\n", command=command))
        self.assertEqual(self.launch("serve", DISPLAY=":99", ECHOTEXT_STARTER_VOICE="none"), ("", ["serve"]))
        (self.folder / "system/applications").mkdir(parents=True)
        (self.folder / "system/applications/echotext.desktop").touch()
        self.assertNotIn("[Y/n]", self.answer(b"y\n"))
        self.assertFalse(self.file.exists())


class DesktopEntryTests(unittest.TestCase):
    """The files that `make install` puts among the applications of a desktop, by the lines of the Makefile."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-desktop-")
        self.addCleanup(folder.cleanup)
        self.prefix = pathlib.Path(folder.name)
        self.run_lines("install")
        entry = configparser.ConfigParser(interpolation=None)
        entry.optionxform = str
        self.file = self.prefix / "share/applications/echotext.desktop"
        entry.read_string(self.file.read_text(encoding="utf-8"))
        self.entry = entry["Desktop Entry"]

    def run_lines(self, target):
        """Runs those lines of the target that concern the desktop."""
        recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split(f"\n{target}:")[1].split("\n\n")[0]
        lines = [line.strip() for line in recipe.splitlines() if "share/applications" in line or "share/icons" in line]
        script = "\n".join(lines).replace("$(DESTDIR)", "").replace("$(PREFIX)", str(self.prefix))
        subprocess.run(["bash", "-euc", script], cwd=ROOT, check=True, timeout=LIMIT)

    @property
    def icon(self):
        return self.prefix / f"share/icons/hicolor/scalable/apps/{self.entry['Icon']}.svg"

    def test_it_starts_the_installed_program_which_opens_the_browser(self):
        program = self.prefix / "bin/echotext"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\necho said\necho \"$*\" >{self.prefix}/asked\n", encoding="utf-8")
        program.chmod(0o755)
        started = subprocess.run(shlex.split(self.entry["Exec"]), capture_output=True, text=True, check=True, timeout=LIMIT)
        self.assertEqual((self.prefix / "asked").read_text(encoding="utf-8"), "serve --browser\n")
        self.assertEqual(started.stdout, "", "the address that lets a browser in goes into no log")

    def test_it_is_an_application_with_a_name_and_an_icon(self):
        self.assertEqual((self.entry["Type"], self.entry["Name"], self.entry["Terminal"]), ("Application", "EchoText", "false"))
        self.assertNotIn("@", self.file.read_text(encoding="utf-8"))
        self.assertIn("<svg", self.icon.read_text(encoding="utf-8"))

    def test_it_is_taken_away_again(self):
        icon = self.icon
        self.run_lines("uninstall")
        self.assertFalse(self.file.exists() or icon.exists())

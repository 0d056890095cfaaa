"""The launcher installs the natural voice among the user's voices, once."""

import shutil

from checkout import VOICE, CheckoutTests


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

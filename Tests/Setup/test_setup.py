"""Set-up downloads the natural voice, and leaves nothing half-finished however it ends."""

import contextlib
import fcntl
import os
import signal
import subprocess

from checkout import LIMIT, VOICE, CheckoutTests


class SetUpTests(CheckoutTests):
    def test_it_fetches_the_voice_once_and_says_whose_it_is(self):
        self.publish()
        first = self.set_up()
        self.assertEqual(first.returncode, 0, first.stderr)
        for words in ("58 MB", "ECHOTEXT_STARTER_VOICE=none", "Its card", "for research only"):
            self.assertIn(words, first.stderr)
        files = {path.name for path in (self.deps / "starter-voice").iterdir()}
        self.assertEqual(files, {f"{VOICE}.onnx", f"{VOICE}.onnx.json", "MODEL_CARD", "requirement.txt"})
        self.assertEqual(self.left(), [])
        self.assertEqual(self.set_up().stderr, "")

    def test_a_model_that_the_catalogue_does_not_know_is_not_kept(self):
        self.publish(promised="0" * 32)
        ended = self.set_up()
        self.assertEqual(ended.returncode, 69)
        self.assertIn("nothing of it is kept", ended.stderr)
        self.assertFalse((self.deps / "starter-voice").exists())
        self.assertEqual(self.left(), [])

    def test_an_archive_that_was_damaged_on_its_way_is_not_kept(self):
        self.publish()
        self.damage()
        ended = self.set_up()
        self.assertEqual(ended.returncode, 69)
        self.assertIn("do not match the hashes", ended.stderr.lower())
        self.assertFalse((self.deps / "starter-voice").exists())
        self.assertEqual(self.left(), [])
        self.publish()
        self.assertEqual(self.set_up().returncode, 0)

    def test_a_newer_voice_that_is_damaged_leaves_the_one_that_is_there(self):
        self.publish()
        self.assertEqual(self.set_up().returncode, 0)
        self.publish(model=b"a newer model")
        self.damage()
        self.assertEqual(self.set_up().returncode, 69)
        self.assertEqual((self.deps / f"starter-voice/{VOICE}.onnx").read_bytes(), b"a model")
        self.assertEqual(self.left(), [])

    def test_a_damaged_voice_troubles_nobody_who_wants_none(self):
        self.publish()
        self.damage()
        ended = self.set_up(ECHOTEXT_STARTER_VOICE="none")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertFalse((self.deps / "starter-voice").exists())

    def test_nobody_gets_a_voice_who_wants_none(self):
        ended = self.set_up(ECHOTEXT_STARTER_VOICE="none")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertFalse((self.deps / "starter-voice").exists())

    def test_it_only_says_what_is_missing_where_nothing_may_be_installed(self):
        ended = self.set_up(ECHOTEXT_NO_INSTALL="1")
        self.assertEqual(ended.returncode, 69)
        self.assertIn(VOICE, ended.stderr)
        self.assertEqual(self.left(), [])

    def test_nothing_stays_after_a_failure(self):
        self.assertEqual(self.set_up().returncode, 69)
        self.assertEqual(self.left(), [])

    def test_nothing_stays_after_Ctrl_C(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(how.name):
                self.assertNotEqual(self.stop_while_it_fetches(how), 0)
                self.assertEqual(self.left(), [])

    def test_what_a_killed_one_left_goes_with_the_next(self):
        self.stop_while_it_fetches(signal.SIGKILL)
        self.assertNotEqual(self.left(), [])
        self.publish()
        self.assertEqual(self.set_up().returncode, 0)
        self.assertEqual(self.left(), [])

    def test_it_waits_for_another_and_says_for_whom(self):
        self.publish()
        with self.another() as lock:
            command = [self.root / "Scripts/setup", "run"]
            environment = self.environment(ECHOTEXT_STARTER_VOICE="none")
            with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as waiting:
                said = waiting.stderr.readline()
                fcntl.flock(lock, fcntl.LOCK_UN)
                self.assertEqual(waiting.wait(LIMIT), 0)
        self.assertIn("another set-up, process 4071, is at work", said)
        self.assertIn("30 minutes at most", said)
        self.assertEqual((self.deps / "lock").read_text(), f"{waiting.pid}\n")

    def test_it_does_not_wait_for_ever_and_says_what_to_do(self):
        script = self.root / "Scripts/setup"
        text = script.read_text()
        self.assertIn("longest_wait=1800 ", text)
        script.write_text(text.replace("longest_wait=1800 ", "longest_wait=1 "))
        (self.deps / "unpacking.other").mkdir()
        with self.another():
            ended = self.set_up()
        self.assertEqual(ended.returncode, 69)
        self.assertIn("“kill 4071”, and try again", ended.stderr)
        self.assertEqual(self.left(), ["unpacking.other"], "it is not its own to sweep")
        self.assertEqual((self.deps / "lock").read_text(), "4071\n")

    def test_what_outlives_it_keeps_no_other_waiting(self):
        with self.fetching() as process:
            process.kill()
            process.wait(LIMIT)
            os.killpg(process.pid, 0)  # what it started is there
            self.publish()
            ended = self.set_up()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertNotIn("another set-up", ended.stderr)

    @contextlib.contextmanager
    def another(self):
        """A lock such as another set-up has, process 4071."""
        with (self.deps / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("4071\n")
            lock.flush()
            yield lock

    def test_the_detector_of_voices_comes_alone_out_of_its_wheel(self):
        self.publish_detector()
        ended = self.set_up(ECHOTEXT_STARTER_VOICE="none")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        files = {path.name: path.read_bytes() for path in (self.deps / "silero-vad").iterdir()}
        self.assertEqual(set(files), {"silero_vad.onnx", "requirement.txt"})
        self.assertEqual(files["silero_vad.onnx"], b"a model")
        self.assertEqual(self.left(), [])
        self.assertEqual(self.set_up(ECHOTEXT_STARTER_VOICE="none").stderr, "")

    def test_a_detector_that_is_not_the_one_that_was_pinned_stays_away(self):
        wheel = self.publish_detector()
        wheel.write_bytes(wheel.read_bytes()[:-1] + b"!")
        before = (self.deps / "silero-vad/requirement.txt").read_bytes()
        self.assertEqual(self.set_up(ECHOTEXT_STARTER_VOICE="none").returncode, 69)
        self.assertEqual((self.deps / "silero-vad/requirement.txt").read_bytes(), before)
        self.assertEqual(self.left(), [])

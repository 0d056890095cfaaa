"""Scripts/fuzz-doors knows a program that broke from one that refused."""

import importlib.machinery
import importlib.util
import pathlib
import random
import signal
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True

SCRIPT = pathlib.Path(__file__).parents[2] / "Scripts/fuzz-doors"


def loaded():
    loader = importlib.machinery.SourceFileLoader("fuzz_doors", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz_doors", loader))
    with mock.patch.dict("os.environ"), mock.patch.object(sys, "path", list(sys.path)):
        loader.exec_module(module)
    return module


fuzz_doors = loaded()

# A program that does what its first argument says.
PROGRAM = """#!/bin/bash
case $1 in
    refuses) echo "error: no such recording" >&2; exit 66 ;;
    traps) kill -ILL $$ ;;
    says) echo "Swift/Array.swift:1: Fatal error: Index out of range" >&2 ;;
    stops) trap 'exit 130' INT; while :; do sleep 0.05; done ;;
esac
"""


class FuzzDoorsTests(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        program = folder / "program"
        program.write_text(PROGRAM)
        program.chmod(0o700)
        patched = mock.patch.object(fuzz_doors, "PROGRAM", str(program))
        patched.start()
        self.addCleanup(patched.stop)
        (folder / "home").mkdir()
        self.hostile = fuzz_doors.Hostile(folder / "home", random.Random(1))

    def found(self, *arguments):
        code, _, errors, asked = self.hostile.run(arguments)
        return fuzz_doors.fault(code, errors, asked)

    def test_a_refusal_is_no_finding(self):
        self.assertIsNone(self.found("refuses"))

    def test_an_interrupted_command_that_ends_is_no_finding(self):
        # As in the background of a shell.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN))
        with mock.patch.object(fuzz_doors, "PATIENCE", 0.3):
            code, _, errors, asked = self.hostile.run(["stops"])
        self.assertEqual(asked, "when asked")
        self.assertIsNone(fuzz_doors.fault(code, errors, asked))

    def test_a_signal_a_trap_and_a_command_that_stays_are_findings(self):
        self.assertIn(str(-signal.SIGILL), self.found("traps"))
        self.assertIn("Fatal error", self.found("says"))
        self.assertIn("interrupted", fuzz_doors.fault(-signal.SIGKILL, b"", "by force"))

    def test_every_command_is_found_with_its_arguments(self):
        argument = {"kind": "positional", "valueName": "id"}
        inner = [{"commandName": "list"}, {"commandName": "help"}, {"commandName": "show", "arguments": [argument]}]
        tree = {"commandName": "echotext", "subcommands": [{"commandName": "library", "subcommands": inner}]}
        self.assertEqual(list(fuzz_doors.leaves(tree)), [(("library", "list"), []), (("library", "show"), [argument])])

    def test_every_identifier_of_an_answer_is_found(self):
        self.assertEqual(fuzz_doors.identifiers({"items": [{"id": "a", "parts": [{"id": "b"}]}], "id": 3}), ["a", "b"])


if __name__ == "__main__":
    unittest.main()

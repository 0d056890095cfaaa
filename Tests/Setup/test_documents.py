"""Scripts/check-documents finds the violations of its rules in documents, and nothing else."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "Scripts/check-documents"


class DocumentTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-documents-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("Documentation/Other.md", "# Other\n\n## With `code`, and a comma\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, text, name="README.md"):
        """The script's output for a document with this text."""
        self.write(name, text)
        run = subprocess.run([sys.executable, str(SCRIPT), str(self.root)], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1 if run.stderr else 0)
        return run.stderr.splitlines()

    def test_a_line_of_120_characters_is_well_and_one_more_is_too_long(self):
        self.assertEqual(self.check("x" * 120 + "\n"), [])
        self.assertEqual(self.check("# Title\n\n" + "x" * 121), ["README.md:3: 121 characters; a line has at most 120"])

    def test_a_paragraph_of_90_words_is_well_and_one_more_is_too_long(self):
        lines = ("word " * 15 + "\n") * 6
        self.assertEqual(self.check(lines), [])
        self.assertEqual(self.check(f"# Title\n\n{lines}word"), ["README.md:3: 91 words; a paragraph has at most 90"])

    def test_headings_items_and_tables_part_paragraphs(self):
        lines = ("word " * 15 + "\n") * 4
        self.assertEqual(self.check(f"## Title\n{lines}- {lines}1. {lines}| cell |\n{lines}"), [])

    def test_tables_and_code_may_be_wide(self):
        self.assertEqual(self.check(f"| {'word ' * 100}|\n\n   ```\n{'word ' * 100}\n   ```\n"), [])

    def test_what_follows_code_is_held_to_the_rules(self):
        self.assertEqual(len(self.check(f"```\ncode\n```\n{'x' * 121}\n")), 1)

    def test_the_architecture_has_at_most_150_lines(self):
        name = "Documentation/Architecture.md"
        self.assertEqual(self.check("line\n\n" * 75, name), [])
        fault = f"{name}:151: 151 lines; at most 150"
        self.assertEqual(self.check("line\n\n" * 75 + "line\n", name), [fault])
        self.assertEqual(self.check("line\n\n" * 100, "Documentation/Other.md"), [fault])

    def test_links_lead_to_files_and_headings(self):
        other = "Documentation/Other.md"
        for target in (other, f"{other}#with-code-and-a-comma", "#title", "Documentation"):
            self.assertEqual(self.check(f"# Title\n\n[link]({target})\n"), [])
        for target in ("Documentation/Gone.md", "Other.md"):
            self.assertEqual(self.check(f"[link]({target})"), [f"README.md:1: the link {target} leads to no file"])
        for target in ("#title", f"{other}#gone"):
            fault = f"README.md:1: the link {target} leads to no heading"
            self.assertEqual(self.check(f"| [link]({target}) |"), [fault])

    def test_links_to_elsewhere_and_in_code_are_let_be(self):
        self.assertEqual(self.check("[link](https://example.com/a) `[b](c)`\n\n```\n[d](e)\n```\n"), [])

    def test_the_glossary_names_types_that_are_declared(self):
        self.write("Sources/Speech/Voice.swift", "struct Voice {\n    enum Engine {}\n}\npackage actor Queue {}\n")
        head = "| term | what it is | type |\n| --- | --- | --- |\n"
        table = f"{head}| voice | `any` | `Voice`, `Voice.Engine` (`Speech`) |\n"
        name = "Documentation/Glossary.md"
        self.assertEqual(self.check(table, name), [])
        self.assertEqual(
            self.check(f"{table}| desk | a queue | `Queue`, `Desk` |\n", name),
            [f"{name}:4: no source declares the type Desk"],
        )

    def test_every_swift_package_has_a_row_with_its_version(self):
        pin = {"identity": "sea", "location": "https://example.com/sea.git", "state": {"version": "1.2.3"}}
        self.write("Package.resolved", json.dumps({"pins": [pin]}))
        name = "Documentation/Dependencies.md"
        self.assertEqual(self.check("| [sea](https://example.com/sea) | 1.2.3 | MIT |\n", name), [])
        for row in ("| [sea](https://example.com/sea) | 1.2.4 | MIT |\n", "| sea | 1.2.3 | MIT |\n"):
            self.assertEqual(self.check(row, name), [f"{name}:1: no row has the package sea 1.2.3"])

    def test_words_that_plainer_ones_stand_for_are_named(self):
        for words, plain in (
            ("It begins anew.", "“anew”: again"),
            ("The work goes on.", "“goes on”: continue, run or happen"),
            ("It lies in a folder.", "“lies”: is"),
            ("The page is told of it.", "“told”: report, say, show or know"),
            ("It tells when.", "“tells”: report, say, show or know"),
            ("So that it holds.", "“So that”: a sentence whose subject comes first"),
            ("They go on.", "“go on”: continue, run or happen"),
            ("It gave no sign of life.", "“sign of life”: heartbeat, activity or response"),
            ("The voice is set aside.", "“set aside”: disabled or given up"),
            ("It waits for ever.", "“for ever”: forever, or without a limit"),
            ("The rest is thrown away.", "“thrown away”: discard"),
            ("The kernel shuts it in.", "“shuts it in”: confine"),
            ("Shown in the place of the text.", "“in the place of”: instead of"),
            ("See requirement FR7.", "“requirement FR7”: words, or a link that leads there"),
        ):
            self.assertEqual(self.check(f"# Title\n\n{words}\n"), [f"README.md:3: {plain}"])
        for words in ("It tells one speaker from another.", "Two people are told apart.", "`tell` and `anew`", "Say so that it holds."):
            self.assertEqual(self.check(f"{words}\n"), [])

    def test_comments_strings_and_the_english_of_the_page_use_plain_words(self):
        source = "Sources/Speech/Voice.swift"
        catalogue = "Sources/WebApp/Resources/www/core/locales/en.js"
        self.write(source, '/// Begins again.\nlet words = "It continues."\nread(tell: place, startAnew: true)\n')
        self.write(catalogue, 'export default {\n  "check.anew": "Spoken again",\n};\n')
        self.assertEqual(self.check("Well.\n"), [])
        self.write(source, '/// Begins anew.\nlet words = "It goes on."\n')
        self.write(catalogue, 'export default {\n  "check.anew": "Spoken anew",\n};\n')
        self.assertEqual(
            self.check("Well.\n"),
            [
                f"{source}:1: “anew”: again",
                f"{source}:2: “goes on”: continue, run or happen",
                f"{catalogue}:2: “anew”: again",
            ],
        )

    def test_comments_begin_with_their_subject(self):
        source = "Sources/Speech/Voice.swift"
        script = "Sources/WebApp/Resources/www/pages/speak.js"
        self.write(source, "/// The voices by id.\n// A voice that is gone stays. What it was is known.\n")
        self.write(script, "/** The text. */\n")
        self.assertEqual(self.check("Well.\n"), [])
        self.write(source, "    /// By id.\n// What is gone stays.\n")
        self.write(script, "/** What is written. */\n/**\n * Who was told.\n */\n")
        plain = "a comment that begins with its subject"
        self.assertEqual(
            self.check("Well.\n"),
            [
                f"{source}:1: “/// By”: {plain}",
                f"{source}:2: “// What”: {plain}",
                f"{script}:1: “/** What”: {plain}",
                f"{script}:3: “told”: report, say, show or know",
                f"{script}:3: “* Who”: {plain}",
            ],
        )

    def test_former_names_and_estonian_words_are_named(self):
        source = "Sources/Speech/Voice.swift"
        catalogue = "Sources/WebApp/Resources/www/core/locales/et.js"
        self.write(source, "let recognition = ClipRecognition(by: session)\n")
        self.write(catalogue, 'export default {\n  "transcript.tools": "Üleskirjutus",\n};\n')
        self.assertEqual(self.check("Well.\n"), [])
        self.write(source, "let hearing = ClipHearing(by: session)\n/// Mends it.\n")
        self.write(catalogue, 'export default {\n  "transcript.tools": "Transkriptsioon",\n};\n')
        self.assertEqual(
            self.check("Well.\n"),
            [
                f"{source}:1: “ClipHearing”: the name that took its place",
                f"{source}:2: “Mends”: repair, correct or fix",
                f"{catalogue}:2: “Transkriptsioon”: üleskirjutus, üles kirjutama",
            ],
        )

    def test_tests_scripts_c_sources_styles_and_the_description_of_the_api_use_plain_words(self):
        files = {
            "Tests/SpeechTests/VoiceTests.swift": '@Test("It {}")\n',
            "Tests/Browser/test_voices.py": "# It {}\n",
            "Tests/WebAppScripts/voices.test.js": 'test("It {}", () => {{}});\n',
            "Benchmarks/speech.py": "# It {}\n",
            "Scripts/setup": "# It {}\n",
            "Sources/C/CVoice/CVoice.c": "// It {}\n",
            "Sources/C/CVoice/include/CVoice.h": "// It {}\n",
            "Sources/WebApp/Resources/www/styles/voices.css": "/* It {} */\n",
            "Sources/WebApp/Resources/www/index.html": "<!-- It {} -->\n",
            "Sources/WebApp/Resources/openapi.json": '{{ "summary": "It {}" }}\n',
        }
        for name, text in files.items():
            self.write(name, text.format("continues."))
        self.assertEqual(self.check("Well.\n"), [])
        for name, text in files.items():
            self.write(name, text.format("goes on."))
        self.assertEqual(self.check("Well.\n"), [f"{name}:1: “goes on”: continue, run or happen" for name in sorted(files)])

    def test_comments_of_scripts_begin_with_their_subject(self):
        name = "Tests/Browser/test_voices.py"
        self.write(name, '"""The voices."""\n# A voice. What it was is known.\n')
        self.assertEqual(self.check("# What is new\n\nWell.\n"), [])
        self.write(name, '"""What speaks."""\n    # Of a voice.\n')
        plain = "a comment that begins with its subject"
        self.assertEqual(
            self.check("Well.\n"), [f"{name}:1: “\"\"\"What”: {plain}", f"{name}:2: “# Of”: {plain}"]
        )

    def test_quoted_sentences_stay_as_they_are(self):
        name = "Tests/SpeechTests/VoiceTests.swift"
        self.write(name, 'let text = "The doctor told him to stay."\n')
        self.assertEqual(self.check("Well.\n"), [])
        self.write(name, 'let text = "The doctor told her to stay."\n')
        self.assertEqual(self.check("Well.\n"), [f"{name}:1: “told”: report, say, show or know"])

    def test_comments_have_american_spelling(self):
        source = "Sources/Speech/Voice.swift"
        self.write(source, 'let words = "A recogniser hears."  // One recognizer\nlet state = State.uninitialised\n')
        self.assertEqual(self.check("Well.\n"), [])
        self.write(source, "/// A recogniser\nlet one = 1  // by its neighbours\n")
        self.assertEqual(
            self.check("Well.\n"),
            [f"{source}:1: “/// A recogniser”: American spelling", f"{source}:2: “// by its neighbours”: American spelling"],
        )


class StyleTests(unittest.TestCase):
    def test_what_could_end_the_program_is_refused_in_swift(self):
        with tempfile.TemporaryDirectory(prefix="echotext-style-") as folder:
            source = pathlib.Path(folder, "Forced.swift")
            source.write_text("func forced(_ value: Any) -> Int {\n    try! read()\n    return value as! Int\n}\n")
            command = ["swift", "format", "lint", "--strict", "--configuration", str(ROOT / ".swift-format"), str(source)]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(re.findall(r":(\d): error: \[(\w+)\]", re.sub(r":(\d+):\d+:", r":\1:", run.stderr)), [
            ("2", "NeverUseForceTry"), ("3", "NeverForceUnwrap"),
        ])


class RequirementTests(unittest.TestCase):
    """The table of requirements in Testing.md names only existing tests."""

    ROW = re.compile(r"^\| (?P<name>.+?) \| (?P<tests>.+) \|$", re.MULTILINE)
    FILE = re.compile(r"`([\w/.-]+)`(?: \((`[^)]*`[^)]*)\))?")
    # The names of tests, not what else a file says.
    NAMES = {
        ".py": re.compile(r"^ *def (test_\w+)", re.MULTILINE),
        ".swift": re.compile(r"^ *(?:@\w+(?:\(.*\))? )*func (`[^`]+`|\w+)|@(?:Test|Suite)\(\s*(\"[^\"]*\")", re.MULTILINE),
        ".js": re.compile(r"\b(?:test|describe)\(\s*([`\"'].*)"),
    }

    def setUp(self):
        text = (ROOT / "Documentation/Testing.md").read_text(encoding="utf-8")
        self.rows = self.ROW.findall(text.split("## Requirements")[1].split("\n## ")[0])[2:]

    def test_each_requirement_has_a_row(self):
        named = ", ".join(name for name, _ in self.rows)
        found = {kind: self.numbers(named, kind) for kind in ("FR", "UC", "NFR", "VM", "SP")}
        # NFR10 and NFR15 concern another system, and NFR1 is the platform itself.
        wanted = {"FR": 30, "UC": 34, "NFR": 18, "VM": 11, "SP": 8}
        missing = {kind: set(range(1, last + 1)) - found[kind] for kind, last in wanted.items()}
        self.assertEqual(missing, {"FR": set(), "UC": set(), "NFR": {1, 10, 15}, "VM": set(), "SP": set()})

    @staticmethod
    def numbers(text, kind):
        """The numbers of one kind; “UC7, UC8”, “UC20–22” and “SP2–6, SP8” name several."""
        found = set()
        for first, last in re.findall(rf"\b{kind}(\d+)(?:–(?:{kind})?(\d+))?", text):
            found |= set(range(int(first), int(last or first) + 1))
        for more in re.findall(rf"\b{kind}\d+–\d+, (\d+)–(\d+)", text):
            found |= set(range(int(more[0]), int(more[1]) + 1))
        return found

    def test_each_file_is_there_and_has_a_test_of_each_id(self):
        self.assertGreater(len(self.rows), 40)
        for name, tests in self.rows:
            folder = ""
            for file, ids in self.FILE.findall(tests):
                if not re.search(r"Tests|test", file):
                    continue  # a type or a file of another kind
                folder = file.rsplit("/", 1)[0] if "/" in file else folder
                with self.subTest(name=name, file=file):
                    path = self.path(file, folder)
                    for one in re.findall(r"`(\w+)`", ids):
                        self.assertRegex("\n".join(self.names_in(path)), self.named(one))

    def names_in(self, path):
        """The names of the tests in a file."""
        found = self.NAMES[path.suffix].finditer(path.read_text(encoding="utf-8"))
        return [name for one in found for name in one.groups() if name]

    @staticmethod
    def named(one):
        """What the name of a test with an id has."""
        return rf"(?i:(?<![a-z\d]){one})(?!\d)"

    def test_an_id_counts_in_the_name_of_a_test_only(self):
        with tempfile.TemporaryDirectory() as folder:
            for suffix, text, names in (
                (".py", '"""FR1: said."""\n# uc2\ndef seed_uc3(): ...\ndef test_fr4_is_kept(): ...\n', ["test_fr4_is_kept"]),
                (".swift", '/// FR1\n@Test("NFR13: a code")\nfunc `FR25 is kept`() {}\n', ['"NFR13: a code"', "`FR25 is kept`"]),
                (".test.js", '// fr1\ntest("the bar of FR21", () => {});\n', ['"the bar of FR21", () => {});']),
            ):
                file = pathlib.Path(folder, f"a{suffix}")
                file.write_text(text, encoding="utf-8")
                self.assertEqual(self.names_in(file), names)
        self.assertRegex("test_uc17_uc18_kept", self.named("uc18"))
        for other in ("test_uc180_kept", "test_nfr8", "test_104_2"):
            self.assertNotRegex(other, rf"{self.named('uc18')}|{self.named('fr8')}|{self.named('04_2')}")

    def path(self, file, folder):
        """The file of a test, by its name in the table; a name without a folder is in the folder of the previous
        one."""
        tests = ROOT / "Tests"
        name = file.rsplit("/", 1)[-1]
        if name.endswith(".test.js"):
            candidates = [tests / "WebAppScripts" / name]
        elif "/" in file:
            candidates = [tests / file, tests / f"{file}.swift"]
            candidates += tests.glob(f"*/{file}.swift")
        else:
            candidates = [tests / file, tests / folder / name, *tests.glob(f"{folder.split('/')[0]}/**/{name}.swift")]
        found = [one for one in candidates if one.exists()]
        self.assertTrue(found, f"there is no {file}")
        return found[0]


if __name__ == "__main__":
    unittest.main()

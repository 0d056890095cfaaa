"""What Scripts/check-documents finds in documents that break its rules, and that it finds nothing else."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "Scripts/check-documents"


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
        """What the script prints about a document with this text."""
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


if __name__ == "__main__":
    unittest.main()

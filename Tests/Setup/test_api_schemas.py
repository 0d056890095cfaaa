"""Scripts/api-schemas keeps the API's schemas and the page's types as the Swift declarations are."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "Scripts/api-schemas"
DESCRIPTION = "Sources/WebApp/Resources/openapi.json"
TYPES = "Sources/WebApp/Resources/www/server/api.d.ts"
ANSWER = "Sources/API/TranscriptionServiceResponse.swift"
FIELD = "    package let text: String\n"
RENEW = "The schemas are not those of the declarations: Scripts/api-schemas writes them again."


class SchemaTests(unittest.TestCase):
    """A copy of the API's declarations, in which a test changes those of `ServiceTrial`, a schema with one field."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-schemas-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("Sources/API", "Sources/EchoText"):
            shutil.copytree(ROOT / name, self.root / name)
        for name in (DESCRIPTION, TYPES):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)

    def change(self, name, old, new):
        text = (self.root / name).read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1)
        (self.root / name).write_text(text.replace(old, new), encoding="utf-8")

    def declare(self, members):
        """Declares these members after the only field of `ServiceTrial`."""
        self.change(ANSWER, FIELD, FIELD + members)

    def run_script(self, *arguments):
        """The script's exit code and the lines that it prints."""
        command = [sys.executable, str(SCRIPT), *arguments, str(self.root)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        return run.returncode, run.stderr.splitlines()

    def write(self):
        """Writes the files again; returns the schema and the type of `ServiceTrial`."""
        self.assertEqual(self.run_script(), (0, []))
        self.assertEqual(self.run_script("--check"), (0, []))
        schema = json.loads((self.root / DESCRIPTION).read_text(encoding="utf-8"))["components"]["schemas"]["ServiceTrial"]
        types = (self.root / TYPES).read_text(encoding="utf-8")
        return schema, types.split("export interface ServiceTrial {\n")[1].split("}\n")[0].splitlines()

    def fault(self, members):
        """The script's output about these members, after the file's name and the line of the first of them."""
        self.declare(members)
        text = (self.root / ANSWER).read_text(encoding="utf-8")
        line = text[: text.index(FIELD)].count("\n") + 2
        code, lines = self.run_script("--check")
        self.assertEqual((code, len(lines)), (1, 1), lines)
        self.assertTrue(lines[0].startswith(f"{ANSWER}:{line}: "), lines[0])
        return lines[0].split(": ", 1)[1]

    def test_what_is_committed_is_as_the_declarations_are(self):
        self.assertEqual(self.run_script("--check"), (0, []))

    def test_a_new_field_is_reported_and_then_written(self):
        self.declare("    package let pace: Int\n")
        before = (self.root / DESCRIPTION).read_bytes()
        code, lines = self.run_script("--check")
        self.assertEqual((code, lines[-1]), (1, RENEW))
        self.assertIn("+  pace: number;", lines)
        self.assertTrue(any(line.startswith("+") and '"pace": { "type": "integer" }' in line for line in lines))
        self.assertEqual((self.root / DESCRIPTION).read_bytes(), before)
        schema, types = self.write()
        self.assertEqual(schema["required"], ["text", "pace"])
        self.assertIn("  pace: number;", types)

    def test_a_change_by_hand_is_reported_in_either_file(self):
        for name in (DESCRIPTION, TYPES):
            text = (self.root / name).read_text(encoding="utf-8")
            self.assertIn("isReused", text)
            (self.root / name).write_text(text.replace("isReused", "isKnown", 1), encoding="utf-8")
            self.assertEqual(self.run_script("--check")[0], 1, name)
            self.assertEqual(self.run_script(), (0, []))
            self.assertEqual((self.root / name).read_text(encoding="utf-8"), text)

    def test_only_a_nullable_field_is_null_and_only_an_optional_one_is_left_out(self):
        self.declare(
            "    package let left: String?\n    @Nullable package var none: String?\n"
            "    @Nullable package var kind: OutboundRecord.Purpose?\n    @Nullable package var sending: SendingResponse?\n"
            "    package private(set) var late: Nullable<Date>?\n"
        )
        schema, types = self.write()
        self.assertEqual(schema["required"], ["text", "none", "kind", "sending", "late"])
        fields = schema["properties"]
        self.assertEqual(fields["left"], {"type": "string"})
        self.assertEqual(fields["none"], {"type": ["string", "null"]})
        words = ["catalogue", "voice", "recogniser", "transcription"]
        self.assertEqual(fields["kind"], {"type": ["string", "null"], "enum": [*words, None]})
        self.assertEqual(fields["sending"], {"anyOf": [{"$ref": "#/components/schemas/Sending"}, {"type": "null"}]})
        self.assertEqual(fields["late"], {"type": ["string", "null"], "format": "date-time"})
        self.assertIn("  left?: string;", types)
        self.assertIn("  none: string | null;", types)
        self.assertIn("  sending: Sending | null;", types)

    def test_lists_dictionaries_ids_and_nested_types_are_written_out(self):
        self.declare(
            "    package struct Part: Encodable, Sendable {\n        package let ends: Range<Int>\n        package var count = 1\n    }\n"
            "    package let parts: [Part]\n    package let counts: [String: [Double]]\n    package let item: AudioItem.ID\n"
            "    package let entry: HistoryEntry.ID\n    package let voice: Voice.ID\n"
        )
        schema, types = self.write()
        ends = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
        part = {"type": "object", "properties": {"ends": ends, "count": {"type": "integer"}}, "required": ["ends", "count"]}
        fields = schema["properties"]
        self.assertEqual(fields["parts"], {"type": "array", "items": part})
        numbers = {"type": "array", "items": {"type": "number"}}
        self.assertEqual(fields["counts"], {"type": "object", "additionalProperties": numbers})
        self.assertEqual([fields[name]["type"] for name in ("item", "entry", "voice")], ["string", "integer", "string"])
        self.assertIn("  parts: { ends: [number, number]; count: number; }[];", types)
        self.assertIn("  counts: Record<string, number[]>;", types)

    def test_the_first_paragraph_of_a_comment_is_the_description(self):
        self.declare("    /// How fast, as\n    /// ``Prosody/speed`` says.\n    ///\n    /// Not this.\n    package let pace: Int\n")
        schema, types = self.write()
        self.assertEqual(schema["properties"]["pace"]["description"], "How fast, as `speed` says.")
        self.assertIn("  /** How fast, as `speed` says. */", types)

    def test_coding_keys_name_the_fields(self):
        self.declare(
            "    package let pace: Int\n    package let hidden = 1\n"
            '    private enum CodingKeys: String, CodingKey {\n        case text\n        case pace = "rate"\n    }\n'
        )
        self.assertEqual(list(self.write()[0]["properties"]), ["text", "rate"])

    def test_what_only_commands_answer_is_left_out(self):
        self.declare("    /// In a command's answer: how fast.\n    package let pace: Int?\n")
        self.assertEqual(self.run_script("--check"), (0, []))
        self.change(ANSWER, "pace: Int?", "pace: Int")
        self.assertIn("pace: only an optional field can be left to commands", self.run_script("--check")[1][0])

    def test_limits_words_and_examples_stay_as_they_are_written(self):
        self.declare("    package let pace: Int\n    package let ending: String\n")
        self.write()
        self.change(DESCRIPTION, '"pace": { "type": "integer" },', '"pace": { "type": "integer", "minimum": 1 },')
        self.change(DESCRIPTION, '"ending": { "type": "string" }', '"ending": { "type": "string", "enum": ["a", "b"] }')
        before = (self.root / DESCRIPTION).read_text(encoding="utf-8")
        schema, types = self.write()
        self.assertEqual(schema["properties"]["pace"], {"type": "integer", "minimum": 1})
        self.assertTrue(schema["examples"])
        self.assertIn('  ending: "a" | "b";', types)
        self.assertEqual((self.root / DESCRIPTION).read_text(encoding="utf-8"), before)

    def test_forms_that_are_not_known_are_faults_with_their_place(self):
        for members, fault in (
            ("    package let (a, b): (Int, Int)\n", "package let (a, b): (Int, Int): this form is not known"),
            ("    package lazy var pace: Int = 1\n", "package lazy var pace: Int = 1: this form is not known"),
            ("    package let make: () -> Int\n", "() -> Int: this form is not known"),
            ("    package let pair: (Int, Int)\n", "(Int, Int): this form is not known"),
            ("    package let all: [Int?]\n", "Int?: this form is not known"),
            ("    package var pace = Pace.fast\n", "pace: its type must be written"),
            ("    package let pace: Pace\n", "Pace: neither Sources/API nor Sources/EchoText declares it"),
            ("    @Nullable package var pace: Int\n", "pace: Nullable without an optional type"),
        ):
            with self.subTest(members):
                text = (self.root / ANSWER).read_text(encoding="utf-8")
                self.assertEqual(self.fault(members), fault)
                (self.root / ANSWER).write_text(text, encoding="utf-8")

    def test_types_that_have_no_schema_are_faults(self):
        nested = "    package struct Part{} {{\n        package let one: Int\n    }}\n"
        enumeration = "    package enum Part: {} {{\n        case one{}\n    }}\n"
        for members, fault in (
            (nested.format(": Sendable") + "    package let part: Part\n", "Part is not declared as Encodable"),
            (nested.format(": Encodable"), "ServiceTrialResponse.Part is in no schema; name it in Scripts/api-schemas"),
            (enumeration.format("Int, Encodable", "") + "    package let part: Part\n", "Part: only an enumeration of strings has a schema"),
            (enumeration.format("String, Encodable", "(Int)") + "    package let part: Part\n", "case one(Int): this form is not known"),
        ):
            with self.subTest(fault):
                text = (self.root / ANSWER).read_text(encoding="utf-8")
                self.declare(members)
                code, lines = self.run_script("--check")
                self.assertEqual((code, len(lines)), (1, 1), lines)
                self.assertTrue(lines[0].endswith(fault), lines[0])
                (self.root / ANSWER).write_text(text, encoding="utf-8")

    def test_an_encoding_of_ones_own_is_a_fault(self):
        path = self.root / "Sources/API/Own.swift"
        path.write_text("extension ServiceTrialResponse {\n    package func encode(to encoder: any Encoder) throws {\n    }\n}\n")
        self.assertIn("ServiceTrialResponse has an encoding of its own", self.run_script("--check")[1][0])

    def test_an_answer_or_a_schema_that_is_gone_is_a_fault(self):
        self.change(ANSWER, "struct ServiceTrialResponse:", "struct TrialResponse:")
        self.assertIn("no type ServiceTrialResponse", self.run_script("--check")[1][0])
        self.change(ANSWER, "struct TrialResponse:", "struct ServiceTrialResponse:")
        self.change(DESCRIPTION, '      "ServiceTrial": {\n', '      "Trial": {\n')
        fault = f"{DESCRIPTION}: no schema ServiceTrial; add one that has its examples"
        self.assertEqual(self.run_script("--check"), (1, [fault]))

    def test_a_new_answer_without_a_schema_is_a_fault(self):
        path = self.root / "Sources/API/NewResponse.swift"
        path.write_text("package struct NewResponse: Encodable {\n    package let one: Int\n}\n")
        fault = "Sources/API/NewResponse.swift:1: NewResponse is in no schema; name it in Scripts/api-schemas"
        self.assertEqual(self.run_script("--check"), (1, [fault]))


if __name__ == "__main__":
    unittest.main()

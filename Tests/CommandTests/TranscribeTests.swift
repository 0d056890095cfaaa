import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext transcribe", .endsInTime)
struct TranscribeTests {
    private struct Written: Decodable {
        let item: String
        let transcript: String
        let language: String
        let text: String
        let file: String?
    }

    /// The output of `--format json`.
    private struct Document: Decodable {
        struct Segment: Decodable {
            struct Word: Decodable {
                let word: String
                let start: Double
                let end: Double
            }

            let kind: String
            let start: Double
            let text: String
            let words: [Word]
        }

        let recognizer: String?
        let segments: [Segment]
    }

    @Test("says so when nothing but silence was heard", arguments: [[], ["--no-library"], ["-o", "silence.txt"]])
    func silence(_ options: [String]) async throws {
        try await TranscriptionHome.with { home in
            let sound = WAVHeader.file(of: [Int16](repeating: 0, count: 3 * Tones.rate), sampleRate: Tones.rate)
            try home.home.folder.write(sound, to: "silence.wav")
            let arguments = ["transcribe", "silence.wav", "--recognizer", TranscriptionHome.recognizer]
            let outcome = try await home.program(arguments + options).run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("no speech was heard"))
        }
    }

    @Test("AT4: hears a sound file, which is in the library then, and says when every word was said")
    func file() async throws {
        try await TranscriptionHome.with { home in
            let written = try await home.json(
                Written.self,
                "transcribe",
                "talk.wav",
                "--service",
                "nemo-ctc-fixture-en",
                "--language",
                "en",
                "-o",
                "talk.json"
            )
            #expect(written.text == TranscriptionHome.said.joined(separator: "\n"))
            #expect(written.language == "en" && written.file == "talk.json")
            #expect(try await home.home.names() == ["talk"])
            let document = try JSONDecoder().decode(Document.self, from: home.home.folder.data(of: "talk.json"))
            #expect(document.recognizer == TranscriptionHome.recognizer)
            let speech = document.segments.filter { $0.kind == "speech" }
            #expect(speech.map(\.text) == TranscriptionHome.said)
            let words = speech.flatMap(\.words)
            #expect(words.map(\.word) == ["good", "morning", "little", "bird"])
            for (word, start) in zip(words, [0.1, 0.6, 4.6, 5.6]) { #expect(abs(word.start - start) < 0.1, "\(word)") }
            // A file that is in the library already is reported, not imported again.
            let again = try await home.json(
                Written.self,
                "transcribe",
                written.item,
                "--recognizer",
                TranscriptionHome.recognizer
            )
            #expect(again.item == written.item && again.transcript != written.transcript)
            #expect(try await home.home.names() == ["talk"])
        }
    }

    @Test("writes every format, by the file's name or by --format")
    func formats() async throws {
        try await TranscriptionHome.withTranscript { home in
            let expected = [
                "txt": "good morning\n\nlittle bird", "md": "# talk", "srt": "00:00:0", "vtt": "WEBVTT",
                "csv": "start,end,speaker,text", "json": "\"rangeUnit\"",
            ]
            for (format, content) in expected {
                try await home.succeed(
                    "transcribe",
                    "talk",
                    "--service",
                    TranscriptionHome.recognizer,
                    "-o",
                    "named.\(format)"
                )
                let named = String(decoding: try home.home.folder.data(of: "named.\(format)"), as: UTF8.self)
                #expect(named.contains(content), "\(format): \(named)")
                #expect(named.contains("bird"))
                let printed = try await home.succeed("transcripts", "export", "talk", "-o", "plain", "--format", format)
                #expect(printed.isEmpty)
                let exported = String(decoding: try home.home.folder.data(of: "plain"), as: UTF8.self)
                #expect(exported.contains(content) && exported.contains("bird"), "\(format)")
            }
            let hear = [
                "transcribe", "talk", "--service", TranscriptionHome.recognizer, "-o", "talk", "--format", "txt",
            ]
            let outcome = try await home.program(hear).run()
            #expect(outcome.status == 0, "a recording may be called as its transcript: \(outcome.errors)")
            try await home.succeed("transcripts", "export", "talk", "-o", "talk.docx")
            // Parts of a Word document are files of a ZIP archive.
            #expect(try home.home.folder.data(of: "talk.docx").prefix(4) == Data([0x50, 0x4B, 3, 4]))
        }
    }

    @Test("prints what was said, with each word's time where that is wanted, and keeps nothing with --no-library")
    func printed() async throws {
        try await TranscriptionHome.with { home in
            let plain = ["transcribe", "talk.wav", "--no-library", "--service", TranscriptionHome.recognizer]
            let said = try await home.program(plain).run()
            #expect(said.text == "good morning\n\nlittle bird\n", "\(said.errors)")
            let words = try await home.program(plain + ["--words"]).run()
            let lines = words.text.split(whereSeparator: \.isNewline)
            #expect(lines.first == "start,end,speaker,word,confidence,estimated", "\(words.text)")
            #expect(lines.count == 5 && lines.last?.contains("bird") == true)
            let times = try await home.program(plain + ["--times"]).run()
            #expect(times.text.contains("0:04"), "\(times.text)")
            let json = try await home.program(plain + ["--json"]).run()
            #expect(json.text.contains("good morning\\nlittle bird"), "\(json.text)")
            #expect(try await home.home.names().isEmpty)
            let files = home.home.folder.namesBelow
            #expect(files.allSatisfy { !$0.hasPrefix("tmp/") }, "\(files)")
        }
    }

    @Test("writes to standard output with -o -, in the format that --format says, and makes no file of that name")
    func standardOutput() async throws {
        try await TranscriptionHome.with { home in
            let hear = ["transcribe", "talk.wav", "--no-library", "--service", TranscriptionHome.recognizer, "-o", "-"]
            let plain = try await home.program(hear).run()
            #expect(plain.status == 0 && plain.text.hasPrefix("good morning\n\nlittle bird"), "\(plain.errors)")
            let words = try await home.program(hear + ["--words"]).run()
            #expect(words.text.hasPrefix("start,end,speaker,word"), "\(words.text)")
            let captions = try await home.program(hear + ["--format", "vtt"]).run()
            #expect(captions.text.hasPrefix("WEBVTT") && captions.text.contains("bird"), "\(captions.text)")
            try await home.transcribe()
            let export = ["transcripts", "export", "talk", "-o", "-"]
            #expect(try await home.program(export).run().text.hasPrefix("good morning\n\nlittle bird"))
            let document = try await home.program(export + ["--format", "docx"]).run()
            // Parts of a Word document are files of a ZIP archive.
            #expect(document.output.prefix(4) == Data([0x50, 0x4B, 3, 4]), "\(document.errors)")
            let refused = try await home.program(export + ["--json"]).run()
            #expect(refused.status == 64 && refused.code == "command.contradiction", "\(refused.text)")
            #expect(!home.home.folder.namesBelow.contains("-"))
        }
    }

    @Test("AT8: hears a part again, and leaves the rest of the version as it was")
    func range() async throws {
        try await TranscriptionHome.withTranscript { home in
            let part = try await home.json(
                Written.self,
                "transcribe",
                "talk",
                "--service",
                TranscriptionHome.recognizer,
                "--from",
                "0:03",
                "--to",
                "7"
            )
            #expect(part.text == TranscriptionHome.said.joined(separator: "\n"))
            let list = try await home.succeed("transcripts", "list", "talk")
            #expect(list.split(separator: "\n").count == 3, "a heading and two versions: \(list)")
        }
    }

    @Test(
        "AT10: says what is wrong with what it was given, by status and code",
        arguments: [
            (["talk.wav", "--service", "nobody"], 66, "recognition.not-installed"),
            (["nowhere.wav"], 66, "library.item-not-found"),
            (["letter.wav", "--service", TranscriptionHome.recognizer], 65, "sound-file.unknown-kind"),
            (["letter.wav", "--no-library", "--service", TranscriptionHome.recognizer], 65, "sound-file.unknown-kind"),
            (["nowhere.wav", "--no-library", "--service", TranscriptionHome.recognizer], 66, "text.not-found"),
            (["talk.wav", "--track", "2", "--service", TranscriptionHome.recognizer], 64, "sound-file.no-such-track"),
            (
                ["talk.wav", "--track", "2", "--no-library", "--service", TranscriptionHome.recognizer], 64,
                "sound-file.no-such-track"
            ),
            (["talk.wav", "--track", "0"], 64, nil),
            (["talk.wav", "-o", "talk.xyz"], 64, "transcript.unknown-format"),
            (["talk.wav", "--format", "docx"], 64, "command.contradiction"),
            (["talk.wav", "-o", "./talk.wav", "--format", "txt"], 64, "command.contradiction"),
            (["talk.wav", "-o", "-"], 64, "command.contradiction"),
            (["talk.wav", "--format", "pdf"], 64, nil), (["talk.wav", "--from", "9", "--to", "3"], 64, nil),
            (["talk.wav", "--no-library", "--from", "1"], 64, nil), ([], 64, nil),
            (
                ["talk.wav", "--service", TranscriptionHome.recognizer, "--language", "et"], 64,
                "recognition.unsupported-language"
            ),
        ] as [([String], Int32, String?)]
    )
    func refusals(arguments: [String], status: Int32, code: String?) async throws {
        try await TranscriptionHome.with { home in
            try home.home.folder.write("This is a letter.", to: "letter.wav")
            let outcome = try await home.program(["transcribe"] + arguments + ["--json"]).run()
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.code == code, "\(outcome.text)")
            #expect(!outcome.errors.isEmpty, "it is said to a person too")
            let aboutFiles: [String?] = ["sound-file.unknown-kind", "text.not-found", "sound-file.no-such-track"]
            let isAboutFile = aboutFiles.contains(code)
            #expect(!isAboutFile || outcome.errors.contains("error: \(arguments[0]): "), "\(outcome.errors)")
            #expect(try await home.home.names().isEmpty, "nothing was imported")
        }
    }

    @Test("takes a sound track of a file only: what is in the library has one")
    func trackOfRecording() async throws {
        try await TranscriptionHome.with { home in
            try await home.succeed("recordings", "import", "talk.wav")
            let arguments = ["transcribe", "talk", "--track", "1", "--service", TranscriptionHome.recognizer, "--json"]
            let outcome = try await home.program(arguments).run()
            #expect((outcome.status, outcome.code) == (64, "command.contradiction"), "\(outcome.text)")
        }
    }

    @Test("refuses a narration, whose text is known")
    func narration() async throws {
        try await TranscriptionHome.with { home in
            try await home.succeed("speak", "It is night.", "--save", "--name", "Night")
            let outcome = try await home.run("transcribe", "Night", "--json")
            #expect(outcome.status == 64 && outcome.code == "transcript.of-narration", "\(outcome.text)")
        }
    }
}

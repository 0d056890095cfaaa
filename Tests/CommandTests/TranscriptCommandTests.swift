import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext transcripts", .endsInTime)
struct TranscriptCommandTests {
    private struct Version: Decodable {
        let id: String
        let number: Int
        let recognizer: String?
        let words: Int
        let isDraft: Bool
        let isCurrent: Bool
    }

    private struct Compared: Decodable {
        struct Side: Decodable {
            let text: String
            let start: Double
            let end: Double
        }

        struct Passage: Decodable {
            let kind: String
            let first: Side?
            let second: Side?
        }

        let missing: Int
        let added: Int
        let passages: [Passage]
    }

    /// Two versions of one recording: the fixture's, and that of a local service, which recognizes another word.
    private func withTwoVersions(_ body: (TranscriptionHome) async throws -> Void) async throws {
        let server = try TranscriptionServer()
        try await TranscriptionHome.withTranscript { home in
            let heard = "text=good%2520warning"
            try await home.addService(server, TranscriptionServer.scenario("\(heard),key=sk-secret"))
            try await home.succeed("transcribe", "talk", "--service", "office", "--json")
            try await body(home)
        }
    }

    private func versions(_ home: TranscriptionHome) async throws -> [Version] {
        try await home.json([Version].self, "transcripts", "list", "talk")
    }

    @Test("AT8: of two recognizers are kept as versions, compared word by word, and one of them is the current one")
    func compared() async throws {
        try await withTwoVersions { home in
            let all = try await versions(home)
            #expect(all.map(\.number) == [2, 1])
            #expect(all.map(\.recognizer) == ["remote/office", TranscriptionHome.recognizer])
            #expect(all.map(\.isCurrent) == [true, false] && all.map(\.words) == [4, 4])
            #expect(all.map(\.isDraft) == [false, false])
            let compared = try await home.json(Compared.self, "transcripts", "compare", "talk:1", "talk:2")
            #expect((compared.missing, compared.added) == (3, 3))
            let difference = try #require(compared.passages.first { $0.kind != "equal" })
            let (first, second) = (try #require(difference.first), try #require(difference.second))
            // The service returns the same text for both ranges of speech.
            #expect((first.text, second.text) == ("morning little bird", "warning good warning"))
            #expect(abs(first.start - 0.6) < 0.2 && first.end > first.start)
            #expect(compared.passages.first?.first?.text == "good", "equal words are there too")
            let printed = try await home.succeed("transcripts", "compare", "talk:1", "talk:2")
            #expect(printed.contains("- 0:00") && printed.contains("warning"), "\(printed)")

            #expect(try await home.succeed("transcripts", "show", "talk").contains("warning"))
            try await home.succeed("transcripts", "current", "talk:1")
            #expect(try await home.succeed("transcripts", "show", "talk") == "good morning\n\nlittle bird\n")
            #expect(try await home.succeed("transcripts", "show", "talk:2").contains("warning"))
            #expect(try await home.succeed("transcripts", "show", "talk", "--json").contains("\"rangeUnit\""))

            try await home.succeed("transcripts", "delete", "talk:1", "--yes")
            #expect(try await versions(home).map(\.isCurrent) == [true], "the other one is current then")
            #expect(try await home.succeed("transcripts", "show", "talk").contains("warning"))
        }
    }

    @Test("that were edited in another program become a new version, with the times of the words that stayed")
    func edited() async throws {
        struct Written: Decodable {
            struct Segment: Decodable, Equatable {
                let start: Double
                let end: Double
                let text: String
                let speaker: String?
                let remark: String?
            }

            let segments: [Segment]
        }
        try await TranscriptionHome.withTranscript { home in
            try await home.succeed("transcripts", "export", "talk", "-o", "talk.srt")
            let captions = String(decoding: try home.home.folder.data(of: "talk.srt"), as: UTF8.self)
            try home.home.folder.write(captions.replacing("little", with: "small"), to: "talk.srt")
            let version = try await home.json(Version.self, "transcripts", "edit", "talk", "talk.srt")
            #expect(version.number == 2 && version.isCurrent && version.recognizer == nil)
            #expect(try await home.succeed("transcripts", "show", "talk") == "good morning\n\nsmall bird\n")
            #expect(try await home.succeed("transcripts", "show", "talk:1").contains("little bird"))

            try await home.succeed("transcripts", "export", "talk:1", "-o", "talk.json")
            let shown = try home.home.folder.data(of: "talk.json")
            let before = try JSONDecoder().decode(Written.self, from: shown).segments
            try home.home.folder.write(
                String(decoding: shown, as: UTF8.self).replacing("\"speaker\":null", with: "\"speaker\":\"Anna\""),
                to: "talk.json"
            )
            let again = try await home.run("transcripts", "edit", "talk:1", "talk.json")
            #expect(again.status == 0 && !again.errors.contains("note: "), "\(again.errors)")
            let named = try await home.json(Written.self, "transcripts", "show", "talk").segments
            #expect(named.filter { !$0.text.isEmpty }.allSatisfy { $0.speaker == "Anna" && $0.remark != "edited" })
            #expect(named.map(\.start) == before.map(\.start) && named.map(\.text) == before.map(\.text))

            try home.home.folder.write("Good morning, little bird.", to: "talk.txt")
            let refused = try await home.run("transcripts", "edit", "talk", "talk.txt", "--json")
            #expect(refused.status == 65 && refused.code == "transcript.unreadable-file", "\(refused.text)")
            #expect(try await home.run("transcripts", "edit", "talk:9", "talk.srt").status == 66)
            #expect(try await versions(home).count == 3)
        }
    }

    @Test("are exported with a notice of what was not understood, which SubRip has no place for")
    func notUnderstood() async throws {
        struct Exported: Decodable {
            struct Notice: Decodable {
                let code: String
            }

            let notices: [Notice]
        }
        try await TranscriptionHome.withTranscript { home in
            let gap = #"{"kind":"notUnderstood","start":1,"end":2,"text":""}"#
            try home.home.folder.write(
                #"{"segments":[{"start":0,"end":1,"text":"good morning"},\#(gap)]}"#,
                to: "talk.json"
            )
            try await home.succeed("transcripts", "edit", "talk", "talk.json")
            let words = "not understood: 1 passage, 0:01 in all"
            let captions = try await home.run("transcripts", "export", "talk", "-o", "talk.srt")
            #expect(captions.status == 0 && captions.errors.contains(words), "\(captions.errors)")
            let answer = try await home.json(Exported.self, "transcripts", "export", "talk", "-o", "talk.vtt")
            #expect(answer.notices.map(\.code) == ["transcript.not-understood"])
            let file = String(decoding: try home.home.folder.data(of: "talk.vtt"), as: UTF8.self)
            #expect(file.contains("NOTE not understood at 0:01, 0:01\n"), "\(file)")
            let exported = try await home.run("library", "export", "talk", "-o", "words.srt")
            #expect(exported.status == 0 && exported.errors.contains(words), "\(exported.errors)")
        }
    }

    @Test("are made of subtitles from elsewhere where a recording has none")
    func subtitles() async throws {
        try await TranscriptionHome.with { home in
            try await home.succeed("recordings", "import", "talk.wav")
            try home.home.folder.write(
                """
                WEBVTT\n\nNOTE Ask Anna.\n\n00:00.000 --> 00:01.500\n<v Anna>Good morning.\n\n00:04.000 --> 00:09.000
                Little bird.\n
                """,
                to: "talk.vtt"
            )
            let made = try await home.run("transcripts", "edit", "talk", "talk.vtt")
            #expect(made.status == 0 && made.errors.contains("not taken from the file: 1 comment"), "\(made.errors)")
            #expect(try await home.succeed("transcripts", "show", "talk") == "Anna: Good morning.\n\nLittle bird.\n")
            #expect(try await versions(home).map(\.number) == [1])
        }
    }

    @Test("are made of JSON with its marks where a recording has none, and a note counts what it cannot have")
    func marked() async throws {
        struct Mark: Decodable {
            let seconds: Double
            let label: String?
        }
        try await TranscriptionHome.with { home in
            try await home.succeed("recordings", "import", "talk.wav")
            try await home.succeed("recordings", "marks", "talk", "--add", "1.0003", "--label", "Bird")
            let marks = #"[{"seconds":2,"label":"Wind"},{"seconds":1,"label":"Bird"},{"seconds":900,"label":null}]"#
            let file = #"{"segments":[{"start":0,"end":1,"text":"Good morning."}],"marks":\#(marks)}"#
            try home.home.folder.write(file, to: "talk.json")
            let outcome = try await home.run("transcripts", "edit", "talk", "talk.json")
            #expect(outcome.status == 0 && outcome.errors.contains("1 mark"), "\(outcome.errors)")
            let kept = try await home.json([Mark].self, "recordings", "marks", "talk")
            #expect(kept.map(\.label) == ["Bird", "Wind"], "the file has the time of the first in milliseconds")
            #expect(kept.map { $0.seconds.rounded() } == [1, 2])
            try await home.succeed("recordings", "marks", "talk", "--remove", "2")
            try await home.succeed("transcripts", "edit", "talk", "talk.json")
            let left = try await home.json([Mark].self, "recordings", "marks", "talk")
            #expect(left.map(\.label) == ["Bird"], "a later version brings back nothing")
        }
    }

    @Test("of a file that does not say how its letters are written come with a note, as a name may be wrong")
    func guessedLetters() async throws {
        try await TranscriptionHome.with { home in
            try await home.succeed("recordings", "import", "talk.wav")
            let captions = "1\r\n00:00:00,000 --> 00:00:01,500\r\nTere hommikust, Õnne Mäe ja Jüri Öö.\r\n"
            let letters = try #require(captions.data(using: .isoLatin1))
            try home.home.folder.write(letters, to: "talk.srt")
            let outcome = try await home.run("transcripts", "edit", "talk", "talk.srt")
            #expect(outcome.status == 0 && outcome.errors.contains("note: "), "\(outcome.errors)")
        }
    }

    @Test("have the marks of the recording, which are added, named and removed")
    func marks() async throws {
        struct Mark: Decodable, Equatable {
            let number: Int
            let seconds: Double
            let label: String?
        }
        try await TranscriptionHome.withTranscript { home in
            try await home.succeed("recordings", "marks", "talk", "--add", "0:01", "--label", "Greeting")
            try await home.succeed("recordings", "marks", "talk", "--add", "3")
            try await home.succeed("recordings", "marks", "talk", "--name", "2", "--label", "Bird")
            let named = try await home.json([Mark].self, "recordings", "marks", "talk")
            #expect(named.map(\.seconds) == [1, 3] && named.map(\.label) == ["Greeting", "Bird"])
            #expect(try await home.succeed("transcripts", "show", "talk").contains("[mark at 0:03: Bird]"))
            try await home.succeed("library", "export", "talk", "-o", "out.wav", "--text", "--captions", "vtt")
            for (ending, words) in [("txt", "[mark at 0:03: Bird]"), ("vtt", "NOTE")] {
                try await home.succeed("transcripts", "export", "talk", "-o", "alone.\(ending)")
                let exported = try home.home.folder.text(of: "out.\(ending)")
                let alone = try home.home.folder.text(of: "alone.\(ending)")
                #expect(exported == alone, "what was said is written in one way")
                #expect(exported.contains(words), "\(exported)")
            }
            let again = try await home.succeed("transcribe", "talk")
            #expect(again.contains("[mark at 0:03: Bird]"), "\(again)")
            try await home.succeed("recordings", "marks", "talk", "--remove", "1")
            #expect(try await home.json([Mark].self, "recordings", "marks", "talk").map(\.label) == ["Bird"])
            for number in ["9", "0", "\(Int.min)", "\(Int.max)"] {
                #expect(try await home.run("recordings", "marks", "talk", "--remove=\(number)").status == 64)
                #expect(try await home.run("recordings", "marks", "talk", "--name=\(number)").status == 64)
            }
            #expect(try await home.run("recordings", "marks", "talk", "--add", "1", "--remove", "1").status == 64)
        }
    }

    @Test("of several recordings are exported as they are one by one, alone or beside the sound")
    func several() async throws {
        try await TranscriptionHome.withTranscript { home in
            let folder = home.home.folder
            try await home.succeed("speak", "Some words.", "--save", "--name", "Spoken")
            for ending in ["md", "csv", "txt", "vtt"] {
                let writing = ["--times", "--words"]
                let export = ["library", "export", "talk", "Spoken", "-o", "all", "--format", ending] + writing
                let outcome = try await home.program(export).run()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let single = ["transcripts", "export", "talk", "-o", "alone.\(ending)"] + writing
                #expect(try await home.program(single).run().status == 0)
                let alone = try folder.text(of: "alone.\(ending)")
                let names = folder.namesBelow.filter { $0.hasSuffix(".\(ending)") }
                let files = names.filter { $0.hasPrefix("all/") }
                #expect(files.count == 2, "\(names)")
                let texts = try files.map { try folder.text(of: $0) }
                #expect(texts.contains(alone), "\(texts)")
                #expect(texts.contains { $0.contains("Some") }, "the sentences of what was read aloud")
            }
            try await home.succeed("library", "export", "talk", "-o", "talk.docx", "--times")
            // Parts of a Word document are files of a ZIP archive.
            #expect(try folder.data(of: "talk.docx").prefix(4) == Data([0x50, 0x4B, 3, 4]))
            let beside = ["library", "export", "talk", "-o", "out.wav", "--transcript", "csv", "--transcript", "md"]
            #expect(try await home.program(beside + ["--words", "--times"]).run().status == 0)
            #expect(try folder.text(of: "out.md") == folder.text(of: "alone.md"))
            #expect(try folder.text(of: "out.csv") == folder.text(of: "alone.csv"))
            for wrong in [
                ["--join", "--format", "md"], ["--format", "md", "--text"], ["--join", "--transcript", "md"],
                ["--as-it-came", "--times"], ["--transcript", "srt"], ["--format", "md", "--title", "A title"],
                ["--times"], ["--words", "--format", "flac"], ["--words", "--captions", "srt"],
            ] {
                let export = ["library", "export", "talk", "Spoken", "-o", "wrong"] + wrong
                #expect(try await home.program(export).run().status == 64, "\(wrong)")
            }
            #expect(!folder.names.contains("wrong"))
        }
    }

    @Test("AT12: their words are found with the second at which they are said")
    func found() async throws {
        struct Hit: Decodable {
            struct Place: Decodable {
                let excerpt: String
                let seconds: Double
            }

            let place: Place?
        }
        try await TranscriptionHome.withTranscript { home in
            let hits = try await home.json([Hit].self, "library", "search", "little")
            #expect(hits.count == 1 && hits.first?.place?.excerpt.contains("little bird") == true)
            #expect(abs((hits.first?.place?.seconds ?? 0) - 4.6) < 0.3, "\(hits)")
            #expect(try await home.json([Hit].self, "library", "search", "elephant").isEmpty)
        }
    }

    @Test(
        "that do not exist, or cannot be written, are refused by status and code",
        arguments: [
            (["show", "nothing"], 66, "library.item-not-found"), (["show", "talk:9"], 66, "transcript.not-found"),
            (["compare", "talk:1", "talk:9"], 66, "transcript.not-found"),
            (["current", "talk:9"], 66, "transcript.not-found"), (["delete", "talk:1"], 1, "command.not-confirmed"),
            (["export", "talk", "-o", "talk.xyz"], 64, "transcript.unknown-format"),
            (["export", "talk", "-o", "nowhere/talk.srt"], 73, nil), (["export", "talk"], 64, nil),
            (["list"], 64, nil),
        ] as [([String], Int32, String?)]
    )
    func refusals(arguments: [String], status: Int32, code: String?) async throws {
        try await TranscriptionHome.withTranscript { home in
            let outcome = try await home.program(["transcripts"] + arguments + ["--json"]).run()
            #expect(outcome.status == status, "\(outcome.errors)")
            if let code { #expect(outcome.code == code, "\(outcome.text)") }
            #expect(try await versions(home).count == 1)
        }
    }

    @Test("of recordings are listed, and recordings are shown, renamed and deleted with theirs")
    func recordings() async throws {
        struct Listing: Decodable {
            struct Item: Decodable {
                let name: String
                let origin: String
            }

            let items: [Item]
            let total: Int
        }
        try await TranscriptionHome.withTranscript { home in
            let list = try await home.json(Listing.self, "recordings", "list")
            #expect(list.total == 1 && list.items.first?.name == "talk" && list.items.first?.origin == "imported")
            #expect(try await home.succeed("recordings", "show", "talk").contains("imported"))
            #expect(try await home.json([Version].self, "recordings", "transcripts", "talk").count == 1)
            try await home.succeed("recordings", "rename", "talk", "Walk")
            #expect(try await home.succeed("transcripts", "show", "Walk").contains("bird"))
            #expect(try await home.run("recordings", "delete", "Walk").status != 0, "nobody can be asked")
            try await home.succeed("recordings", "delete", "Walk", "--yes")
            #expect(try await home.run("transcripts", "show", "Walk").status == 66)
            #expect(try await home.run("recordings", "show", "Walk", "--json").code == "library.item-not-found")
            #expect(try await home.succeed("vault", "check").contains("nothing is damaged"))
        }
    }
}

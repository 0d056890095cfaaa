import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Subtitles that are spoken at their own times", .endsInTime)
struct CaptionTimesTests {
    private static let talk = """
        1
        00:00:01,500 --> 00:00:03,000
        A boat comes in,

        2
        00:00:04,000 --> 00:00:06,000
        and nobody is there.

        """

    /// Captions of which the second has far too little time for its words.
    private static let hasty = """
        1
        00:00:00,500 --> 00:00:01,500
        Yes.

        2
        00:00:02,000 --> 00:00:02,300
        Every evening its keeper climbs the narrow stairs, and looks at the sea for an hour or two.

        3
        00:00:02,300 --> 00:00:03,000
        No.

        4
        00:00:30,000 --> 00:00:31,000
        Good night.

        """

    private struct Table: Decodable {
        struct Sentence: Decodable {
            let text: String
            let start: Double
            let end: Double
        }

        let sentences: [Sentence]
        let duration: Double
    }

    private struct Summary: Decodable {
        struct Times: Decodable {
            let captions: Int
            let late: Int
            let seconds: Double
        }

        let sentences: Int
        let times: Times?
    }

    private struct Respoken: Decodable {
        let times: Summary.Times?
    }

    private let home: LibraryHome

    init() throws {
        home = try LibraryHome()
    }

    private func table(_ name: String) throws -> Table {
        try JSONDecoder().decode(Table.self, from: home.folder.data(of: name))
    }

    @Test func `begin when their captions do, from a file and from the library`() async throws {
        try home.folder.write(Self.talk, to: "talk.srt")
        try await home.succeed("import", "talk.srt")
        let ways = [["-f", "talk.srt", "--no-library"], ["--document", "talk"], ["--document", "talk", "--save"]]
        for way in ways {
            let outputs = ["-o", "out.wav", "--timings", "out.json"]
            let outcome = try await home.program(["speak"] + way + ["--keep-times"] + outputs).run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(!outcome.errors.contains("later than"))
            let table = try table("out.json")
            #expect(table.sentences.map(\.text) == ["A boat comes in,", "and nobody is there."])
            #expect(table.sentences.map(\.start) == [1.5, 4])
            let clip = try await SoundFileReader().read(home.folder("out.wav"), limit: 10_000_000)
            #expect(abs(clip.seconds - table.duration) < 0.001)
            let silent = clip.samples.prefix(Int(1.45 * Double(clip.sampleRate)))
            #expect(silent.allSatisfy { $0 == 0 }, "nothing is heard before the first caption")
        }
        try await home.succeed("library", "export", "talk", "-o", "kept.wav", "--captions", "srt")
        #expect(try home.folder.text(of: "kept.srt").contains("00:00:04,000 -->"))
    }

    @Test func `are said faster where time is short, and what is late is reported in seconds`() async throws {
        try home.folder.write(Self.hasty, to: "hasty.srt")
        let options = ["--keep-times", "--no-library", "-o", "out.wav", "--timings"]
        let arguments = ["speak", "-f", "hasty.srt"] + options + ["out.json"]
        let outcome = try await home.program(arguments).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("note: 1 of 4 captions begins "))
        let kept = try table("out.json").sentences
        #expect(kept[0].start == 0.5 && kept[1].start == 2 && kept[3].start == 30)
        #expect(kept[2].start >= kept[1].end)
        let summary = try await home.program(arguments + ["--json"]).run()
        let reported = try JSONDecoder().decode(Summary.self, from: summary.output)
        #expect(reported.sentences == 4)
        #expect(reported.times?.captions == 4 && reported.times?.late == 1)
        #expect(abs((reported.times?.seconds ?? 0) - (kept[2].start - 2.3)) < 0.3)
        // The same words at the voice's own pace take longer.
        try home.folder.write(Self.hasty.replacing("00:00:02,300 -->", with: "00:00:20,000 -->"), to: "calm.srt")
        let calm = try await home.program(["speak", "-f", "calm.srt"] + options + ["calm.json"]).run()
        #expect(calm.status == 0, "\(calm.errors)")
        let natural = try table("calm.json").sentences
        #expect(natural[1].end - natural[1].start > 1.15 * (kept[1].end - kept[1].start))
    }

    @Test func `are made by the batch, too`() async throws {
        try home.folder.write(Self.hasty, to: "hasty.srt")
        try await home.succeed("import", "hasty.srt")
        let outcome = try await home.run("batch", "hasty", "--keep-times")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("note: 1 of 4 captions begins "))
        try await home.succeed("library", "export", "hasty", "-o", "out.wav", "--captions", "vtt")
        #expect(try home.folder.text(of: "out.vtt").contains("00:00:30.000 -->"))
    }

    @Test func `stay when one of them is spoken again, as far as there is room`() async throws {
        try home.folder.write(Self.talk, to: "talk.srt")
        try await home.succeed("speak", "-f", "talk.srt", "--keep-times", "--save", "--name", "Talk")
        try await home.succeed("settings", "set", "speech.dictionary", "boat = large and heavy boat")
        let respeak = ["library", "respeak", "Talk", "--sentence", "1"]
        let kept = try await home.program(respeak).run()
        #expect(kept.status == 0 && !kept.errors.contains("later than"), "\(kept.errors)")
        try await home.succeed("library", "export", "Talk", "-o", "kept.wav", "--captions", "srt")
        let captions = try home.folder.text(of: "kept.srt")
        #expect(captions.contains("00:00:01,500 -->") && captions.contains("00:00:04,000 -->"), "\(captions)")
        let long = Array(repeating: "large and heavy", count: 8).joined(separator: " and ")
        try await home.succeed("settings", "set", "speech.dictionary", "boat = \(long) boat")
        let late = try await home.program(respeak).run()
        #expect(late.status == 0 && late.errors.contains("note: 1 of 2 captions begins "), "\(late.errors)")
        let reported = try await home.program(respeak + ["--json"]).run()
        let answer = try JSONDecoder().decode(Respoken.self, from: reported.output)
        #expect(answer.times?.captions == 2 && answer.times?.late == 1)
    }

    @Test func `are refused for texts that have no times`() async throws {
        try home.folder.write("Just a text.", to: "text.txt")
        try await home.succeed("import", "text.txt")
        for arguments in [["-f", "text.txt"], ["--document", "text"]] {
            let outcome = try await home.program(["speak"] + arguments + ["--keep-times", "-o", "out.wav", "--json"])
                .run()
            #expect(outcome.status == 65 && outcome.text.contains("document.no-times"))
        }
        #expect(try await home.run("batch", "text", "--keep-times").status == 65)
        #expect(try await home.run("speak", "Hi.", "--keep-times", "-o", "out.wav").status == 64)
        #expect(!home.folder.names.contains("out.wav"))
    }
}

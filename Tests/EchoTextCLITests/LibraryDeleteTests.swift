import ArgumentParser
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("echotext library delete", .endsInTime)
struct LibraryDeleteTests {
    private let library = MemoryVault().library

    private func recording(_ name: ItemName) async throws -> AudioItem {
        let session = try await library.recordings.begin(RecordingOrder(name: name, sampleRate: 8_000, source: .file))
        let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 1, count: 16_000))
        try await library.recordings.append(chunk, to: session.id)
        return try await library.recordings.finish(session.id)
    }

    @Test("deletes unasked what is named wholly, and a second time nothing that only begins so")
    func repeated() async throws {
        let (first, tenth) = (try await recording("Part 1"), try await recording("Part 10"))
        let command = try LibraryDelete.parse(["part 1", "--yes"])
        try await command.run(in: library)
        #expect(try await library.audio.item(first.id) == nil)
        await #expect(throws: CommandError.self) { try await command.run(in: library) }
        #expect(try await library.audio.item(tenth.id) != nil)
        try await LibraryDelete.parse([String(tenth.id.rawValue.prefix(4)), "--yes"]).run(in: library)
        #expect(try await library.audio.item(tenth.id) == nil)
    }

    @Test("as commands for speeches do")
    func speech() async throws {
        for title in ["Wed", "Wedding"] {
            try await library.speeches.save(Speech(title: title, text: "Dear all.", language: "en", created: Date()))
        }
        let command = try SpeechesDelete.parse(["Wed", "--yes"])
        try await command.run(in: library)
        await #expect(throws: CommandError.self) { try await command.run(in: library) }
        #expect(try await library.speeches.speeches().map(\.title) == ["Wedding"])
    }

    @Test("as commands for transcripts do, whose recording is named")
    func transcript() async throws {
        let item = try await recording("Part 10")
        let edit = try TranscriptEdit([TranscriptEdit.Segment(time: 0..<1, text: "One.")])
        try await library.transcripts.add(Transcript(edit, of: item, at: Date()))
        for reference in ["Part 1", "Part 1:1"] {
            await #expect(throws: CommandError.self) {
                try await TranscriptDelete.parse([reference, "--yes"]).run(in: library)
            }
        }
        #expect(try await library.transcripts.versions(of: item.id).count == 1)
        try await TranscriptDelete.parse(["Part 10:1", "--yes"]).run(in: library)
        #expect(try await library.transcripts.versions(of: item.id).isEmpty)
    }

    @Test("as commands do that replace something for good")
    func replaced() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("Another text.", to: "text.txt")
        let wedding = try Speech(title: "Wedding", text: "Dear all.", language: "en", created: Date())
        try await library.speeches.save(wedding)
        await #expect(throws: CommandError.self) {
            try await SpeechesEdit.parse(["Wed", "-f", file]).run(in: library)
        }
        #expect(try await library.speeches.speeches().map(\.text) == ["Dear all."])
        for words in ["wedding", String(wedding.id.rawValue.prefix(4))] {
            try await SpeechesEdit.parse([words, "-f", file]).run(in: library)
        }
        #expect(try await library.speeches.speeches().map(\.text) == ["Another text."])

        let item = try await recording("Part 10")
        let mark = RecordingMark(at: 1, label: "Bird", sampleRate: item.sampleRate)
        try await library.audio.setMarks([mark], of: item.id)
        for change in [["--remove", "1"], ["--name", "1"]] {
            await #expect(throws: CommandError.self) {
                try await RecordingMarks.parse(["Part 1"] + change).run(in: library)
            }
        }
        #expect(try await library.audio.marks(of: item.id) == [mark])
        try await RecordingMarks.parse(["Part 10", "--remove", "1"]).run(in: library)
        #expect(try await library.audio.marks(of: item.id).isEmpty)
    }

    @Test("deletes the recordings that cannot be read, and no others")
    func unreadable() async throws {
        let library = MemoryVault().library
        var ids: [AudioItem.ID] = []
        for name: ItemName in ["A", "B", "C"] {
            let order = try RecordingOrder(name: name, sampleRate: 8_000, source: .microphone)
            let session = try await library.recordings.begin(order).id
            let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 1, count: 8_000))
            try await library.recordings.append(chunk, to: session)
            ids.append(try await library.recordings.finish(session).id)
        }
        let recordings = try #require(library.audio as? MemoryLibrary)
        await recordings.makeUnreadable(ids[1])
        try await LibraryDelete.parse(["--unreadable", "--yes"]).run(in: library)
        #expect(try await library.audio.unreadableItems().isEmpty)
        #expect(Set(try await library.audio.items(matching: AudioQuery()).items.map(\.id)) == [ids[0], ids[2]])
    }
}

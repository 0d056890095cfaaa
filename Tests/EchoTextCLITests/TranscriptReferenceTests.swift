import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("A transcript that a command names")
struct TranscriptReferenceTests {
    private let library = MemoryVault().library

    private func recording(_ name: String) async throws -> AudioItem {
        let order = try RecordingOrder(name: ItemName(name), sampleRate: 16_000, source: .file)
        let session = try await library.recordings.begin(order)
        let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 1, count: 32_000))
        try await library.recordings.append(chunk, to: session.id)
        return try await library.recordings.finish(session.id)
    }

    private func add(_ text: String, to item: AudioItem) async throws -> Transcript {
        let edit = try TranscriptEdit([TranscriptEdit.Segment(time: 0..<2, text: text)])
        let transcript = try Transcript(edit, of: item, at: Date(timeIntervalSince1970: 1_790_000_000))
        try await library.transcripts.add(transcript)
        return transcript
    }

    @Test("is the current one of a recording, one by number, or any by its id")
    func named() async throws {
        let item = try await recording("Talk")
        let first = try await add("One.", to: item)
        let second = try await add("Two.", to: item)
        for (reference, id) in [
            ("Talk", second.id), (item.id.rawValue, second.id), ("talk:1", first.id), ("Talk:2", second.id),
            (first.id.rawValue, first.id),
        ] {
            #expect(try await library.transcript(called: reference).version.id == id, "\(reference)")
        }
        try await library.transcripts.makeCurrent(first.id)
        #expect(try await library.transcript(called: "Talk").version.number == 1)
    }

    @Test("is not found under another number or name, and a recording's colon is no number")
    func unknown() async throws {
        let item = try await recording("Talk: one")
        await #expect(throws: TranscriptError.notFound) { try await library.transcript(called: "Talk: one") }
        _ = try await add("One.", to: item)
        #expect(try await library.transcript(called: "Talk: one").version.number == 1)
        await #expect(throws: TranscriptError.notFound) { try await library.transcript(called: "Talk: one:7") }
        await #expect(throws: LibraryError.itemNotFound) { try await library.transcript(called: "Nobody:1") }
    }
}

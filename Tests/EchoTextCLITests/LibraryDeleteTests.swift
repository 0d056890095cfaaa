import ArgumentParser
import EchoText
import EchoTextTesting
import Testing

@testable import EchoTextCLI

@Suite("echotext library delete", .endsInTime)
struct LibraryDeleteTests {
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

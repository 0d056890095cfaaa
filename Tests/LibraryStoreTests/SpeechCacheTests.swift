import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Stored speech")
struct SpeechCacheTests {
    private func request(_ text: String) -> SpeechRequest {
        SpeechRequest(Utterance(text, voice: SampleRecording.voice.id), version: "1")
    }

    /// 2,000 bytes of sound.
    private static let fragment = SpeechFragment(
        clip: AudioClip(samples: [Float](repeating: 0.5, count: 1_000), sampleRate: 16_000),
        marks: []
    )

    @Test("drops what was not asked for the longest, with its files, when there is too much")
    func bound() async throws {
        let room = try LibraryRoom()
        let cache = room.speech(limit: 4_000)
        for text in ["one", "two"] { try await cache.keep([(request(text), Self.fragment)]) }
        #expect(try await cache.speech(for: request("one")) != nil)
        try await cache.keep([(request("three"), Self.fragment)])
        #expect(try await cache.size() == 4_000)
        #expect(try await cache.speech(for: request("two")) == nil, "“one” was asked for since")
        #expect(try await cache.speech(for: request("one")) != nil)
        #expect(try await cache.speech(for: request("three")) != nil)
        let references = try await room.database.referencedContents()
        #expect(try room.contentIDs == Set(references.map(\.id.text)))
    }

    @Test("is dropped when its rows say that it has more than a disk can have")
    func endless() async throws {
        let room = try LibraryRoom()
        let cache = room.speech(limit: 4_000)
        for text in ["one", "two"] { try await cache.keep([(request(text), Self.fragment)]) }
        try await room.database.write { try $0.execute(sql: "UPDATE speech SET size = \(Int.max)") }
        try await cache.keep([(request("three"), Self.fragment)])
        #expect(try await cache.size() == 2_000)
        #expect(try await cache.speech(for: request("three")) != nil)
    }

    @Test("keeps nothing when nothing is to be kept")
    func none() async throws {
        let room = try LibraryRoom()
        let cache = room.speech(limit: 0)
        try await cache.keep([(request("one"), Self.fragment)])
        #expect(try await cache.size() == 0)
        #expect(try room.contentIDs.isEmpty)
    }

    @Test("is as not kept when its file is gone or damaged")
    func damage() async throws {
        let room = try LibraryRoom()
        let cache = room.speech(limit: 1_000_000)
        for isMissing in [true, false] {
            try await cache.keep([(request("one"), Self.fragment)])
            let reference = try #require(try await room.database.referencedContents().first)
            let path = room.contentPath(of: reference.id)
            if isMissing {
                try FileManager.default.removeItem(atPath: path)
            } else {
                try Data(repeating: 1, count: reference.sealedSize).write(to: URL(filePath: path))
            }
            #expect(try await cache.speech(for: request("one")) == nil)
            #expect(try await cache.size() == 0)
        }
    }

    @Test("is as not kept when its row says more than its file has", arguments: ["samples", "start"])
    func wrongLength(column: String) async throws {
        let room = try LibraryRoom()
        let cache = room.speech(limit: 1_000_000)
        for count in [1, 1_001, Int.max] {
            try await cache.keep([(request("one"), Self.fragment)])
            let sql = "UPDATE phrase SET \(column) = \(column == "samples" ? 1_000 : 0) + ?"
            try await room.database.write {
                try $0.execute(sql: count == .max ? "UPDATE phrase SET \(column) = ?" : sql, arguments: [count])
            }
            #expect(try await cache.speech(for: request("one")) == nil)
            #expect(try await cache.size() == 0)
        }
    }
}

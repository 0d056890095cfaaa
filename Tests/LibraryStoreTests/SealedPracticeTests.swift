import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("Practice in a library's files", .endsInTime)
struct SealedPracticeTests {
    @Test("shows neither its words nor what was said")
    func sealed() async throws {
        let room = try LibraryRoom()
        let store = StoredPractice(database: room.database, contents: room.contents)
        let practice = SamplePractice.practice(0)
        let text = "Seventeen lighthouses wait for the wedding."
        let take = SamplePractice.take(1, of: practice.id)
        let sound = Data((0..<50_000).map { (index: Int) in UInt8(truncatingIfNeeded: index * 7 + index / 256) })
        try await store.add(practice, text: text)
        try await store.add(take, sound: sound)
        try await store.keep(SamplePractice.score, of: take.id, keepsSound: true)
        #expect(try await store.text(of: practice.id) == text)
        var size = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: room.folder.path) {
            guard let file = FileManager.default.contents(atPath: "\(room.folder.path)/\(path)") else { continue }
            size += file.count
            for trace in [Data(text.utf8), Data(take.text.utf8), sound[1_000..<1_032], Data("loudness".utf8)] {
                #expect(file.range(of: trace) == nil, "\(path)")
            }
        }
        #expect(size > sound.count, "its files were not read")
    }
}

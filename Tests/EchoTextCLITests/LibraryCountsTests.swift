import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("Counts of a library")
struct LibraryCountsTests {
    @Test("name what was not finished and has sound")
    func unfinished() async throws {
        let library = MemoryVault().library
        for count in [0, 8_000] {
            let order = try RecordingOrder(name: "Walk", sampleRate: 8_000, source: .microphone)
            let session = try await library.recordings.begin(order)
            guard count > 0 else { continue }
            let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 1, count: count))
            try await library.recordings.append(chunk, to: session.id)
        }
        let sample = SampleRecording(name: "Tale", text: "Once upon a time.")
        _ = try await library.jobs.begin(sample.order, text: "Once upon a time.")
        var counts = LibraryCounts()
        try await counts.countUnfinished(of: library)
        #expect(
            counts.words == "0 recordings, 0 documents, 1 unfinished recording and 1 unfinished narration"
        )
    }

    @Test("name speeches, practice with its takes, and pronunciations, where there are some")
    func words() async throws {
        let library = MemoryVault().library
        var counts = LibraryCounts(recordings: 1, documents: 2)
        try await counts.countOthers(of: library)
        #expect(counts.words == "1 recording and 2 documents")

        let now = Date(timeIntervalSince1970: 1_790_000_000)
        for text in ["Dear friends.", "Dear guests."] {
            try await library.speeches.save(Speech(text: text, language: "en-GB", created: now))
        }
        var practice = SamplePractice.practice(1)
        practice.summary = practice.tally.summary(of: (1...3).map { SamplePractice.take($0, of: practice.id) })
        try await library.practice.add(practice, text: nil)
        try await library.practice.add(SamplePractice.practice(2), text: nil)
        try await library.settings.store("GIF = jif", for: SettingsCatalogue.dictionary.name)
        try await counts.countOthers(of: library)
        #expect(
            counts.words
                == "1 recording, 2 documents, 2 speeches, 2 practice sessions, 3 takes and 1 pronunciation"
        )
    }
}

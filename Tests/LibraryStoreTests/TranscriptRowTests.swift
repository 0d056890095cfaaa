import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Transcripts in the library", .endsInTime)
struct TranscriptRowTests {
    @Test("are damaged where nobody can reckon with their times")
    func unreckonable() async throws {
        let room = try LibraryRoom()
        let item = try await Self.talk(in: room.recordings)
        let transcript = Transcript(
            item: item.id,
            created: Date(timeIntervalSince1970: 1),
            source: TranscriptSource(),
            language: "und",
            segments: []
        )
        try await room.database.write { try $0.execute(sql: "UPDATE item SET transcriptsMade = \(Int.max)") }
        await #expect(throws: VaultError.databaseDamaged) { _ = try await room.transcripts.add(transcript) }
        try await room.database.write { try $0.execute(sql: "UPDATE item SET transcriptsMade = 0") }
        try await room.transcripts.add(transcript)
        #expect(try await room.transcripts.transcript(transcript.id) == transcript)
        let word = RecognizedWord(source: 0..<1, start: -1e300, end: 1)
        for segment in [
            TranscriptSegment(time: 0..<1e300, text: "x"), TranscriptSegment(time: 0..<1, text: "x", words: [word]),
            TranscriptSegment(time: 0..<1, text: "x", words: [RecognizedWord(source: 0..<2, start: 0, end: 1)]),
            TranscriptSegment(time: 0..<1, text: "x", words: [RecognizedWord(source: -1..<1, start: 0, end: 1)]),
        ] {
            let segments = try JSONEncoder().encode([segment])
            try await room.database.write {
                try $0.execute(sql: "UPDATE transcript SET segments = ?", arguments: [segments])
            }
            await #expect(throws: VaultError.databaseDamaged) {
                _ = try await room.transcripts.transcript(transcript.id)
            }
        }
    }

    @Test(
        "take a transcription for damaged whose times nobody can reckon with",
        arguments: [
            "progress = 1e300", "recognizer = \(Int.max)", "failures = \(Int.max)",
            #"state = CAST('{"retrying":{"at":1e300}}' AS BLOB)"#,
            #"instructions = CAST(replace(CAST(instructions AS TEXT), '"x"', '') AS BLOB)"#,
        ]
    )
    func unreckonableJob(change: String) async throws {
        let room = try LibraryRoom()
        let item = try await Self.talk(in: room.recordings)
        let order = TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "x")])
        let jobs = room.transcriptions
        let job = try await jobs.begin(order, for: item.id)
        #expect(try await jobs.jobs().count == 1)
        try await room.database.write { try $0.execute(sql: "UPDATE transcriptionJob SET \(change)") }
        let next = try await jobs.begin(order, for: item.id)
        let listed = try await jobs.jobs()
        let damage = TranscriptError.jobDamaged.failure
        #expect(listed.map(\.id) == [job.id, next.id] && listed[1] == next, "it hides no other")
        #expect(listed[0].state == .failed(damage) && listed[0].failure == damage && listed[0].item == item.id)
        await jobs.release(job.id)
        await #expect(throws: VaultError.databaseDamaged) { _ = try await jobs.resume(job.id) }
        try await jobs.discard(job.id)
        #expect(try await jobs.jobs() == [next])
    }

    @Test("hide no other version where one is damaged, and let others be made", arguments: ["source", "segments"])
    func damagedVersion(column: String) async throws {
        let room = try LibraryRoom()
        let item = try await Self.talk(in: room.recordings)
        let transcripts = room.transcripts
        let (first, second) = (Self.transcript(of: item), Self.transcript(of: item))
        for transcript in [first, second] { try await transcripts.add(transcript) }
        try await room.database.write {
            try $0.execute(sql: "UPDATE transcript SET \(column) = x'00' WHERE number = 2")
        }
        let listed = try await transcripts.versions(of: item.id)
        #expect(listed.map(\.id) == [second.id, first.id] && listed.map(\.isCurrent) == [true, false])
        #expect(listed[0].source == (column == "source" ? .unreadable : second.source))
        await #expect(throws: VaultError.databaseDamaged) { _ = try await transcripts.transcript(second.id) }

        var order = TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "x")])
        let jobs = room.transcriptions
        for current in [nil, second.id] {
            order.current = current
            let job = try await jobs.begin(order, for: item.id)
            let finished = try await jobs.finish(job.id, as: Self.transcript(of: item))
            #expect(finished.isCurrent == (current != nil), "it may be a person's text that is damaged")
        }
        let newest = try await transcripts.versions(of: item.id).map(\.id)
        #expect(newest.count == 4)

        for id in [newest[1], newest[0]] { #expect(try await transcripts.delete(id) == item.id) }
        #expect(try await transcripts.versions(of: item.id).map(\.isCurrent) == [false, true])
        #expect(try await transcripts.delete(first.id) == item.id)
        #expect(try await transcripts.versions(of: item.id).map(\.isCurrent) == [false])
        #expect(try await room.library.item(item.id)?.isTranscribed == false)
        #expect(try await room.database.chooseTranscripts() == 0)
        #expect(try await room.database.check() == [.unclearTranscripts(count: 1)])
        try await transcripts.delete(second.id)
        #expect(try await transcripts.versions(of: item.id).isEmpty)
        #expect(try await room.database.check().isEmpty)
    }

    @Test("refuse a second current version, and what stands under no recording")
    func constraints() async throws {
        let room = try LibraryRoom()
        let item = try await Self.talk(in: room.recordings)
        for _ in 0..<2 {
            let transcript = Transcript(
                item: item.id,
                created: Date(timeIntervalSince1970: 1),
                source: TranscriptSource(),
                language: "und",
                segments: []
            )
            try await room.transcripts.add(transcript)
        }
        for change in ["isCurrent = 1", "number = 0", "item = 99", "isCurrent = 2", "language = NULL"] {
            await #expect(throws: VaultError.system(errno: EINVAL), "\(change)") {
                try await room.database.write { try $0.execute(sql: "UPDATE transcript SET \(change)") }
            }
        }
        #expect(try await room.transcripts.versions(of: item.id).map(\.isCurrent) == [true, false])
    }

    private static func transcript(of item: AudioItem) -> Transcript {
        Transcript(
            item: item.id,
            created: Date(timeIntervalSince1970: 1),
            source: TranscriptSource(),
            language: "und",
            segments: []
        )
    }

    /// Makes a recording of a few samples.
    private static func talk(in recordings: StoredRecordings) async throws -> AudioItem {
        let session = try await recordings.begin(
            try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
        )
        try await recordings.append(RecordingChunk(number: 0, samples: [1, 2, 3]), to: session.id)
        return try await recordings.finish(session.id)
    }
}

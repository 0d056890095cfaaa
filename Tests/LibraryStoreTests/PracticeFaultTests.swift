import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Practice under faults", .endsInTime)
struct PracticeFaultTests {
    @Test("keeps every session, take and score that was acknowledged when its process is killed at any moment")
    func kill() async throws {
        let room = try LibraryRoom()
        try room.database.close()
        var random = SystemRandomNumberGenerator()
        var said: [[Substring]] = []
        for _ in 1...(FaultTests.isWhole ? 200 : 20) {
            let process = try StoreProcess(room.folder, "practise", "0")
            // After this many acknowledgements, in the middle of the next operation.
            let lines = await process.lines(Int.random(in: 1...12, using: &random))
            process.kill()
            said += (lines + (await process.rest())).map { $0.split(separator: " ") }
        }
        #expect(said.count > 20, "nothing was tested")
        try await verify(room, said)
    }

    @Test("takes a take and a score for damaged with whose numbers nobody can reckon")
    func unreckonable() async throws {
        let room = try LibraryRoom()
        let store = StoredPractice(database: room.database, contents: room.contents)
        let practice = SamplePractice.practice(0)
        try await store.add(practice, text: nil)
        try await room.database.write { try $0.execute(sql: "UPDATE practiceSession SET updated = 1e300") }
        #expect(try await store.practice(practice.id).updated == Date(timeIntervalSince1970: 1e11), "the last")
        let take = SamplePractice.take(1, of: practice.id)
        try await store.add(take, sound: Data([1, 2, 3]))
        try await store.keep(SamplePractice.score, of: take.id, keepsSound: true)
        #expect(try await store.score(of: take.id) == SamplePractice.score)
        for times in [-1e300..<0, 0..<1e300] {
            for score in [
                sample(of: [.init(kind: .said, source: 0..<3, heard: nil, take: times, model: nil)]),
                sample(of: [.init(kind: .said, source: 0..<3, heard: nil, take: nil, model: times)]),
                sample(of: [], extra: [.init(heard: "well", after: 0, time: times)]),
            ] {
                try await store.keep(score, of: take.id, keepsSound: true)
                await #expect(throws: VaultError.databaseDamaged) { _ = try await store.score(of: take.id) }
            }
        }
        try await store.keep(SamplePractice.score, of: take.id, keepsSound: true)
        try await change(room, "score = CAST(replace(CAST(score AS TEXT), '\"score\":0.5', '\"score\":1e300') AS BLOB)")
        await #expect(throws: VaultError.databaseDamaged) { _ = try await store.score(of: take.id) }
        try await store.keep(SamplePractice.score, of: take.id, keepsSound: true)
        try await change(room, "text = X'61'")
        await #expect(throws: VaultError.databaseDamaged) { _ = try await store.score(of: take.id) }
        for numbers in ["created = 1e300", "created = 1, seconds = 1e300", "seconds = 1, pace = 1e300"] {
            _ = try await store.take(take.id)
            try await change(room, numbers)
            await #expect(throws: VaultError.databaseDamaged) { _ = try await store.take(take.id) }
            await #expect(throws: VaultError.databaseDamaged) { _ = try await store.takes(of: practice.id) }
            try await change(room, "created = 1, seconds = 1, pace = 60")
        }
    }

    @Test("takes a hard segment for damaged that waits for no day that there is", arguments: ["-1", "5", "\(Int.max)"])
    func impossibleStage(stage: String) async throws {
        let room = try LibraryRoom()
        let store = StoredPractice(database: room.database, contents: room.contents)
        let segment = HardSegment(text: "Sea shells.", language: "en", score: 0.25, at: Date(timeIntervalSince1970: 1))
        try await store.keep(segment)
        #expect(try await store.hardSegments() == [segment])
        let json = String(decoding: try JSONEncoder().encode(segment), as: UTF8.self)
        #expect(json.contains("\"stage\":0"))
        let changed = Data(json.replacing("\"stage\":0", with: "\"stage\":\(stage)").utf8)
        try await room.database.write {
            try $0.execute(sql: "UPDATE hardSegment SET segment = ?", arguments: [changed])
        }
        await #expect(throws: VaultError.databaseDamaged) { _ = try await store.hardSegments() }
    }

    @Test("reads a speech whose language is no tag as one of no known language")
    func unnamedLanguage() async throws {
        let room = try LibraryRoom()
        let speeches = StoredSpeeches(database: room.database)
        let time = Date(timeIntervalSince1970: 1)
        let speech = try Speech(text: "Dear all.", language: "en", created: time)
        try await speeches.save(speech)
        try await room.database.write { try $0.execute(sql: "UPDATE practiceSpeech SET language = 'english'") }
        let read = try #require(try await speeches.speeches().first)
        #expect(read.id == speech.id && read.text == "Dear all." && read.language == "und")
        let changed = try read.changed(title: nil, text: read.text, language: "en-GB", at: time + 1)
        #expect(try await speeches.save(changed, insteadOf: read))
        #expect(try await speeches.speech(speech.id) == changed)
        try await room.database.write { try $0.execute(sql: "UPDATE practiceSpeech SET language = 'en_gb'") }
        #expect(try await speeches.speech(speech.id)?.language == "en-GB")
    }

    private func sample(of words: [TakeScore.Word], extra: [TakeScore.Extra] = []) -> TakeScore {
        let sample = SamplePractice.score
        return TakeScore(
            score: 0.5,
            reason: nil,
            words: words,
            extra: extra,
            pace: sample.pace,
            pauses: sample.pauses,
            picture: sample.picture
        )
    }

    private func change(_ room: LibraryRoom, _ numbers: String) async throws {
        try await room.database.write { try $0.execute(sql: "UPDATE practiceTake SET \(numbers)") }
    }

    private func verify(_ room: LibraryRoom, _ said: [[Substring]]) async throws {
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        #expect(try await database.check().isEmpty)
        let store = StoredPractice(database: database, contents: room.contents)
        var practice: PracticeRecord?
        for line in said where line.count == 2 {
            switch line[0] {
            case "session": practice = try await store.practice(PracticeRecord.ID(rawValue: String(line[1])))
            case "take":
                let take = try await store.take(PracticeTake.ID(rawValue: String(line[1])))
                #expect(take.practice == practice?.id)
                if take.hasSound { #expect(try await store.sound(of: take.id).length == 1_644) }
            case "score":
                #expect(try await store.score(of: PracticeTake.ID(rawValue: String(line[1]))) == SamplePractice.score)
            case "heard":
                let number = try #require(Int(line[1]))
                #expect(try #require(practice).tally.segments.contains(number), "what was practised is kept")
            default: Issue.record("\(line)")
            }
        }
        let rows = Set(try await database.referencedContents().map(\.id))
        #expect(Set(rows.map(\.text)).isSubset(of: try room.contentIDs), "a row without its file")
        let swept = try await room.contents.sweep(keeping: rows, parts: [], olderThan: .distantFuture)
        #expect(swept.missing.isEmpty)
        #expect(try room.contentIDs == Set(rows.map(\.text)))
        for practice in try await store.practices() { try await store.delete(practice.id) }
        #expect(try room.contentIDs.isEmpty, "nothing of a deleted session is left")
        try database.close()
    }
}

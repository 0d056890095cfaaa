import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Stores of an earlier version's library")
struct EarlierLibraryTests {
    @Test("continue with a narration that an earlier version began, though its length is unknown")
    func olderJob() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        let sample = SampleRecording.all[0]
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<12])
        let old = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator)
        try await old.write { database in
            try database.execute(
                sql: "INSERT INTO job (id, created, state, instructions, text) VALUES ('older', 5, 'open', ?, ?)",
                arguments: [try JSONEncoder().encode(sample.order), Data(sample.text.utf8)]
            )
        }
        try old.close()
        let database = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey())
        #expect(try await database.check().isEmpty)
        let jobs = StoredJobs(database: database, contents: FullContents())
        let job = try #require(try await jobs.jobs().first)
        #expect(job.id.rawValue == "older" && job.length == nil && job.order == sample.order)
        #expect(try await jobs.text(ofJob: job.id) == sample.text)
        #expect(try await StoredDraft(database: database).drafts().isEmpty, "the newest table is there")
        try database.close()
    }

    @Test("open where an earlier version left rows whose owners are gone, and can be repaired")
    func olderDamage() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<21])
        try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator).close()
        let rows = try LibraryRoom.rows(of: folder)
        try await rows.write { try $0.execute(sql: "INSERT INTO itemMark (item, sample) VALUES (99, 1)") }
        try rows.close()
        let database = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey())
        #expect(try await database.check() == [.danglingReferences(count: 1)])
        #expect(try await database.removeDanglingRows() == 1)
        #expect(try await database.check().isEmpty)
        try database.close()
    }

    @Test("have the text that was being written in an earlier version")
    func olderDraft() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<20])
        let old = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator)
        try await old.write { database in
            let text = Data("Not done yet.".utf8)
            try database.execute(sql: "INSERT INTO draft (key, text) VALUES (1, ?)", arguments: [text])
        }
        try old.close()
        let database = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey())
        let drafts = StoredDraft(database: database)
        #expect(try await drafts.drafts() == [Draft(page: "", text: "Not done yet.")])
        try database.close()
    }

    @Test("have takes that an earlier version recorded, though it is unknown at what rate their segment was heard")
    func olderTake() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<17])
        let old = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator)
        let practice = SamplePractice.practice(1)
        let take = SamplePractice.take(2, of: practice.id)
        try await StoredPractice(database: old, contents: FullContents()).add(practice, text: "One. Two.")
        try await old.write { database in
            try database.execute(
                sql: """
                    INSERT INTO practiceTake (id, session, created, segment, repetition, text, seconds)
                    SELECT ?, key, ?, ?, ?, ?, ? FROM practiceSession
                    """,
                arguments: [
                    take.id.rawValue, take.created.timeIntervalSince1970, take.segment, take.repetition,
                    Data(take.text.utf8), take.seconds,
                ]
            )
        }
        try old.close()
        let database = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey())
        #expect(try await database.check().isEmpty)
        let kept = try await StoredPractice(database: database, contents: FullContents()).takes(of: practice.id)
        #expect(kept.map(\.id) == [take.id] && kept.map(\.rate) == [nil] && kept.map(\.text) == [take.text])
        #expect(kept.map(\.isKept) == [false], "the settings decide when it is scored")
        try database.close()
    }

    @Test(
        "keep how often a person is asked before sound is sent, under its new words",
        arguments: [("ask", "each-time"), ("session", "once-per-session"), ("always", "never-ask")]
    )
    func formerConsent(stored: String, now: String) async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<15])
        let old = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator)
        try await old.write { database in
            try database.execute(
                sql: "INSERT INTO setting (name, value) VALUES ('transcription.consent', ?), ('vault.note', 'always')",
                arguments: [stored]
            )
        }
        try old.close()
        let database = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey())
        let values = try await database.read {
            try String.fetchAll(
                $0,
                sql: "SELECT value FROM setting WHERE name IN ('transcription.consent', 'vault.note') ORDER BY name"
            )
        }
        #expect(values == [now, "always"])
        try database.close()
    }
}

import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("The origin of a recording")
struct AudioOriginTests {
    private static func recording(_ name: ItemName, _ origin: AudioOrigin, _ number: Int) -> SealedRecording {
        let item = AudioItem(
            name: name,
            created: Date(timeIntervalSince1970: 1_780_000_000 + Double(number)),
            duration: 12,
            size: 44,
            sampleRate: 48_000,
            language: "und",
            words: 0,
            origin: origin
        )
        let content = ContentReference(
            id: ContentID(),
            sealedSize: 1,
            headerHash: Data(count: 32),
            length: 44
        )
        return SealedRecording(item: item, text: "", timings: [], content: content)
    }

    @Test("is kept, listed and filtered by, with what only a narration has")
    func keptListedFiltered() async throws {
        let room = try LibraryRoom()
        let narrated = try await SampleRecording.all[3].make(in: room.jobs)
        let others = [Self.recording("Talk", .recorded(), 1), Self.recording("Song", .imported(), 2)]
        try await room.library.add(others)
        for item in [narrated] + others.map(\.item) { #expect(try await room.library.item(item.id) == item) }
        func names(_ change: (inout AudioQuery) -> Void) async throws -> Set<String> {
            var query = AudioQuery()
            change(&query)
            return Set(try await room.library.items(matching: query).items.map(\.name.text))
        }
        #expect(try await names { $0.origins = [.recorded] } == ["Talk"])
        #expect(try await names { $0.origins = [.narrated, .imported] } == ["apple Pie", "Song"])
        #expect(try await names { $0.hasDocument = false } == ["Talk", "Song"])
        // A recording without a voice has no speed that could be in a range.
        #expect(try await names { $0.speed = 0...9 } == ["apple Pie"])
        #expect(try await room.library.origins() == AudioOrigin.Kind.allCases)
        #expect(try await room.library.voices().map(\.name) == ["Anna"])
    }

    @Test(
        "belongs to what stands beside it",
        arguments: [("recorded", "'x'"), ("narrated", "NULL"), ("stolen", "NULL")]
    )
    func constraint(_ origin: String, voice: String) async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        await #expect(throws: (any Error).self) {
            try await room.database.write {
                try $0.execute(
                    sql: "UPDATE item SET origin = ?, voice = \(voice) WHERE id = ?",
                    arguments: [origin, item.id.rawValue]
                )
            }
        }
        #expect(try await room.library.item(item.id) == item)
    }

    @Test("is a narration for all that a library had before it knew others")
    func narrationForAll() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<8])
        let old = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator)
        try await old.write { database in
            for number in 1...3 { try Self.insertOld(number, into: database) }
            try database.execute(sql: "DELETE FROM item WHERE key = 3")
        }
        try old.close()

        let database = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey())
        #expect(try await database.check().isEmpty)
        let items = try await database.read {
            try Row.fetchAll($0, sql: "SELECT * FROM item ORDER BY key").map(AudioItem.init(row:))
        }
        #expect(items.map(\.name.text) == ["Old 1", "Old 2"] && items.map(\.isFavorite) == [true, false])
        #expect(
            items.map(\.narration)
                == [1, 2].map { number in
                    NarrationOrigin(
                        voice: Voice.ID(rawValue: "espeak/et"),
                        voiceName: "Estonian",
                        speaker: number,
                        engine: .espeakNG,
                        speed: 1.25,
                        pitch: 0.75,
                        document: DocumentLink(id: "book", part: "Chapter \(number)")
                    )
                }
        )
        try await database.write { database in
            try database.execute(sql: "DELETE FROM item WHERE key = 2")
            #expect(
                try Int.fetchAll(database, sql: "SELECT item FROM itemText") == [1],
                "a text goes with its recording"
            )
            try Self.insertNew(into: database)
            #expect(try Int.fetchOne(database, sql: "SELECT max(key) FROM item") == 4, "no key is used twice")
        }
        try database.close()
    }

    private static func insertOld(_ number: Int, into database: Database) throws {
        let content = String(repeating: "\(number)", count: 32)
        try database.execute(sql: "INSERT INTO content VALUES (?, 1, zeroblob(32), 1)", arguments: [content])
        try database.execute(
            sql: """
                INSERT INTO item (
                    key, id, name, sortName, created, duration, size, sampleRate, voice, voiceName, speaker, engine, language,
                    speed, pitch, words, isFavorite, document, documentPart, content
                ) VALUES (
                    ?, ?, ?, 'old', ?, 3, 44, 16000, 'espeak/et', 'Estonian', ?, 'espeak-ng', 'et', 1.25, 0.75, 7, ?,
                    'book', ?, ?
                )
                """,
            arguments: [
                number, "id-\(number)", "Old \(number)", 1_780_000_000 + number, number, number == 1,
                "Chapter \(number)",
                content,
            ]
        )
        try database.execute(sql: "INSERT INTO itemText VALUES (?, x'', x'')", arguments: [number])
    }

    private static func insertNew(into database: Database) throws {
        let content = String(repeating: "9", count: 32)
        try database.execute(sql: "INSERT INTO content VALUES (?, 1, zeroblob(32), 1)", arguments: [content])
        try database.execute(
            sql: """
                INSERT INTO item (
                    id, name, sortName, created, duration, size, sampleRate, language, words, isFavorite, origin, content
                ) VALUES ('new', 'New', 'new', 1, 1, 1, 1, 'und', 0, 0, 'recorded', ?)
                """,
            arguments: [content]
        )
    }
}

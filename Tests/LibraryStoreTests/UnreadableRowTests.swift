import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Rows that cannot be read", .endsInTime)
struct UnreadableRowTests {
    @Test("keep no other service from being used, and are replaced and deleted by their names")
    func services() async throws {
        let room = try LibraryRoom()
        let services = StoredServices(database: room.database)
        let address = try ServiceAddress("https://speech.example.org/v1")
        let all = try ["attic", "cellar", "office"].map {
            try TranscriptionService(name: try ServiceName($0), address: address, model: "m")
        }
        for service in all { try await services.save(service) }
        try await room.database.write {
            try $0.execute(sql: "UPDATE service SET address = 'nowhere' WHERE name <> 'cellar'")
        }
        #expect(try await services.services() == [all[1]])
        #expect(try await services.unreadable() == 2)
        try await services.save(all[0])
        #expect(try await services.services() == [all[0], all[1]])
        try await services.delete(all[2].name)
        #expect(try await services.unreadable() == 0)
        #expect(try await services.services() == [all[0], all[1]])
    }

    @Test("keep no other speech and no other practice session from being listed")
    func practice() async throws {
        let room = try LibraryRoom()
        let speeches = StoredSpeeches(database: room.database)
        let time = Date(timeIntervalSince1970: 1_790_000_000)
        let toast = try Speech(title: "Toast", text: "Dear guests!", language: "en", created: time)
        let poem = try Speech(title: "Poem", text: "Mu isamaa.", language: "et", created: time)
        for speech in [toast, poem] { try await speeches.save(speech) }
        let store = StoredPractice(database: room.database, contents: room.contents)
        let practices = (1...2).map { SamplePractice.practice($0) }
        for practice in practices { try await store.add(practice, text: nil) }
        try await room.database.write { [damaged = practices[0].id] database in
            try database.execute(sql: "UPDATE practiceSpeech SET text = x'20' WHERE title = 'Toast'")
            try database.execute(
                sql: "UPDATE practiceSession SET state = x'00' WHERE id = ?",
                arguments: [damaged.rawValue]
            )
        }
        #expect(try await speeches.speeches() == [poem])
        #expect(try await speeches.unreadable() == 1)
        #expect(try await store.practices().map(\.id) == [practices[1].id])
        #expect(try await store.unreadable() == 1)
        try await store.delete(practices[0].id)
        try await speeches.delete(toast.id)
        #expect(try await store.unreadable() == 0)
        #expect(try await speeches.unreadable() == 0)
    }

    @Test("end no program where two names are read as the same one")
    func sameNames() async throws {
        let room = try LibraryRoom()
        let settings = StoredSettings(database: room.database)
        let voices = StoredVoices(database: room.database)
        for id in ["one", "other"] { _ = try await voices.update(Voice.ID(rawValue: id)) { $0.isFavorite = true } }
        try await room.database.write { database in
            // Neither is UTF-8; a replacement stands for what is not.
            for (id, bytes) in [("one", "61fe"), ("other", "61ff")] {
                try database.execute(
                    sql: """
                        UPDATE voice SET id = CAST(x'\(bytes)' AS TEXT) WHERE id = '\(id)';
                        INSERT INTO setting (name, value) VALUES (CAST(x'\(bytes)' AS TEXT), 'on')
                        """
                )
            }
        }
        #expect(try await voices.records().count == 1)
        #expect(try await settings.stored().filter { $0.value == "on" }.count == 1)
    }
}

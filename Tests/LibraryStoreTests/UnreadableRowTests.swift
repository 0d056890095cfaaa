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

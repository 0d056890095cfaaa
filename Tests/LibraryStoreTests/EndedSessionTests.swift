import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Recording sessions that have ended")
struct EndedSessionTests {
    /// A session with a chunk.
    private func record(in recordings: StoredRecordings) async throws -> AudioItem.ID {
        let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
        let id = try await recordings.begin(order).id
        try await recordings.append(try RecordingChunk(number: 0, samples: [1, 2, 3]), to: id)
        return id
    }

    private func absences(of ids: [AudioItem.ID], in database: LibraryDatabase) async throws -> [RecordingError] {
        try await database.read { database in
            try ids.map { try EndedSessions.absence(of: $0, in: database) }
        }
    }

    @Test("are remembered for a year, and the latest 10,000 of them")
    func bounds() async throws {
        let room = try LibraryRoom()
        let ids = (0..<4).map { _ in AudioItem.ID() }
        let first = Date(timeIntervalSince1970: 1_700_000_000)
        let last = first + EndedSessions.longest + 1
        try await room.database.write { database in
            try EndedSessions.add(ids[0], at: first, in: database)
            try EndedSessions.add(ids[1], at: first + 1, in: database)
            try EndedSessions.add(ids[2], at: last, in: database)
        }
        let afterYear = try await absences(of: ids, in: room.database)
        #expect(afterYear == [.sessionNotFound, .sessionDiscarded, .sessionDiscarded, .sessionNotFound])
        try await room.database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE others (number) AS (
                        SELECT 1 UNION ALL SELECT number + 1 FROM others WHERE number < ?
                    )
                    INSERT INTO endedSession (id, ended) SELECT 'other ' || number, ? FROM others
                    """,
                arguments: [EndedSessions.most - 2, last.timeIntervalSince1970]
            )
            try EndedSessions.add(ids[3], at: last, in: database)
        }
        let afterMost = try await absences(of: ids, in: room.database)
        #expect(afterMost == [.sessionNotFound, .sessionNotFound, .sessionDiscarded, .sessionDiscarded])
    }

    @Test("are remembered also as recordings that an earlier version has finished, once they are deleted")
    func finishedEarlier() async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let id = try await record(in: recordings)
        _ = try await recordings.finish(id)
        let narrated = try await SampleRecording.all[0].make(in: room.jobs)
        try await room.database.write { try $0.execute(sql: "DELETE FROM endedSession") }
        #expect(try await absences(of: [id], in: room.database) == [.sessionNotFound])
        try await room.library.delete([id, narrated.id])
        let afterwards = try await absences(of: [id, narrated.id], in: room.database)
        #expect(afterwards == [.sessionDiscarded, .sessionNotFound], "a narration was no session")
    }

    @Test("are unknown to an older copy of the library, where sound that comes later is wanted")
    func olderCopy() async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let before = try await record(in: recordings)
        try await recordings.discard(before)
        let folder = LibraryFolder(path: room.temporary("copy"))
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try await room.database.backup(to: folder.database)
        let after = try await record(in: recordings)
        try await recordings.discard(after)
        let copy = try LibraryDatabase(in: folder, key: room.key)
        #expect(try await absences(of: [before, after], in: copy) == [.sessionDiscarded, .sessionNotFound])
        #expect(try await absences(of: [before, after], in: room.database) == [.sessionDiscarded, .sessionDiscarded])
        try copy.close()
    }
}

import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("A check of the vault", .endsInTime)
struct VaultCheckTests {
    /// A vault with a recording that has two transcripts, and an unfinished recording of two files and a chunk in a row.
    private struct Room {
        let keys = KeyRoom()
        let vault: LibraryVault
        let item: AudioItem.ID
        let session: AudioItem.ID

        init() async throws {
            let places = VaultPaths(
                library: keys.library,
                device: keys.device,
                runtime: keys.path,
                machineID: keys.machineID
            )
            vault = LibraryVault(places)
            (item, session) = try await vault.use { library in
                let order = try RecordingOrder(
                    name: "Talk",
                    sampleRate: SampleChunk.sampleRate,
                    source: .microphone
                )
                let kept = try await library.recordings.begin(order)
                try await library.recordings.append(RecordingChunk(number: 0, samples: [1, 2, 3]), to: kept.id)
                let item = try await library.recordings.finish(kept.id)
                for number in 1...2 {
                    let segment = TranscriptSegment(time: 0..<0.0003, text: "Version \(number)")
                    let transcript = Transcript(
                        item: item.id,
                        created: Date(timeIntervalSince1970: 1),
                        source: TranscriptSource(),
                        language: "en",
                        segments: [segment]
                    )
                    try await library.transcripts.add(transcript)
                }
                let left = try await library.recordings.begin(order)
                for number in 0...30 {
                    let chunk = try RecordingChunk(number: number, samples: SampleChunk.samples(number))
                    try await library.recordings.append(chunk, to: left.id)
                }
                await library.recordings.release(left.id)
                return (item.id, left.id)
            }
        }

        func check(repairs: Bool = false) async throws -> VaultReport {
            try await vault.check(readsData: true, repairs: repairs)
        }

        /// Changes rows without the program, and without foreign key checks.
        func change(_ sql: String...) async throws {
            let queue = try await rows()
            for sql in sql { try await queue.write { try $0.execute(sql: sql) } }
            try queue.close()
        }

        /// The database without the program, and without foreign key checks.
        func rows() async throws -> DatabaseQueue {
            let (keys, _) = try await vault.availableKeys()
            defer { keys.wipe() }
            let key = DatabaseKey(bytes: keys.databaseKey)
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { database in
                try LibraryDatabase.prepare(database, key)
                try database.execute(sql: "PRAGMA foreign_keys = OFF")
            }
            return try DatabaseQueue(path: vault.places.folder.database, configuration: configuration)
        }

        /// The files of the unfinished recording.
        func segments() async throws -> [String] {
            let session = session
            let references = try await vault.useOpen { open in
                try await open.database.read { try RecordedPiece.all(of: session, in: $0) }.compactMap(\.reference)
            }
            return references.map { "\(vault.places.contents)/\($0.id.bucket)/\($0.id.text)" }
        }

        /// The file of the recording.
        func sound() async throws -> String {
            let owners = try await vault.useOpen { try await $0.database.contentOwners() }
            let id = try #require(owners.first { $0.item == item }).reference.id
            return "\(vault.places.contents)/\(id.bucket)/\(id.text)"
        }
    }

    @Test("finds nothing in a sound one")
    func sound() async throws {
        let room = try await Room()
        for repairs in [false, true] {
            let report = try await room.check(repairs: repairs)
            #expect(report.isSound && report.gaps.isEmpty && report.unused == 0 && report.repairs.isEmpty)
            #expect((report.items, report.sessions, report.contents) == (1, 1, 3))
        }
    }

    @Test(
        "names the unfinished recording whose row is damaged, and looks at everything else",
        arguments: ["samples = \(Int.max)", "instructions = x'00'"]
    )
    func damagedSession(change: String) async throws {
        let room = try await Room()
        try await room.change("UPDATE recordingSession SET \(change)")
        for repairs in [false, true] {
            let report = try await room.check(repairs: repairs)
            #expect(!report.isSound && report.problems.isEmpty && report.gaps.isEmpty)
            #expect(report.damaged.map(\.session) == [room.session])
            #expect(report.damaged.first?.name == (change.hasPrefix("samples") ? "Talk" : "?"))
            #expect((report.items, report.sessions, report.contents) == (1, 1, 3))
        }
    }

    @Test("does not remove an unfinished recording in which no sound has a place any more, but whose sound is there")
    func damagedPlaces() async throws {
        let room = try await Room()
        let (files, far) = (try await room.segments(), Int.max)
        try await room.change(
            "UPDATE recordedSegment SET samples = \(far)",
            "UPDATE recordedChunk SET start = \(far)"
        )
        let report = try await room.check(repairs: true)
        #expect(report.repairs.isEmpty && report.gaps.map(\.session) == [room.session])
        #expect((report.items, report.sessions, report.contents) == (1, 1, 3))
        #expect(!files.isEmpty && files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    }

    @Test("AT9: names the unfinished recording whose file is damaged, and leaves what is left of it for the recording")
    func damagedSegment() async throws {
        let room = try await Room()
        let path = try await room.segments()[0]
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[300_000] ^= 1
        try bytes.write(to: URL(filePath: path))
        for repairs in [false, true, false] {
            let report = try await room.check(repairs: repairs)
            #expect(report.damaged.map(\.session) == [room.session] && report.damaged.first?.name == "Talk")
            #expect(report.damaged.first?.code == "vault.content-damaged" && report.repairs.isEmpty)
        }
        let session = room.session
        let item = try await room.vault.use { try await $0.recordings.finish(session) }
        #expect(item.source?.lost.count == 1)
        #expect(try await room.check().isSound)
    }

    @Test("AT9: takes a file that is gone out of an unfinished recording, and says how much is lost")
    func missingSegment() async throws {
        let room = try await Room()
        unlink(try await room.segments()[0])
        let found = try await room.check()
        #expect(found.damaged.map(\.code) == ["vault.content-missing"] && !found.isSound)
        let repaired = try await room.check(repairs: true)
        #expect(repaired.damaged.isEmpty && repaired.repairs == [.partsRemoved: 1])
        #expect(
            repaired.gaps == [VaultReport.Gap(session: room.session, name: "Talk", seconds: 30, duration: 62)]
        )
        #expect(!repaired.isSound && !repaired.isRepaired, "the sound stays lost")
        let session = room.session
        let item = try await room.vault.use { try await $0.recordings.finish(session) }
        #expect(item.source?.lost == [0..<15 * SampleChunk.length])
        #expect(try await room.check().isSound)
    }

    @Test("AT9: finds and repairs the same for a person at a screen, and says how far it is")
    func interactive() async throws {
        let room = try await Room()
        unlink(try await room.segments()[0])
        let vault = InteractiveVault(room.vault)
        let (parts, telling) = AsyncStream.makeStream(of: Int.self)
        let found = try await vault.check(readsData: true, repairs: false) { done, of in telling.yield(done * 10 + of) }
        telling.finish()
        var reported: [Int] = []
        for await part in parts { reported.append(part) }
        #expect(reported == [3, 13, 23])
        #expect(try await room.check() == found)
        #expect(found.lines.map(\.code) == ["partMissing"] && found.canBeRepaired)
        let repaired = try await vault.check(readsData: false, repairs: true) { _, _ in }
        #expect(repaired.lines.map(\.code) == ["soundLost", "partsRemoved"] && !repaired.canBeRepaired)
    }

    @Test("AT9: says nothing of what is deleted while it runs", arguments: [false, true])
    func deletedMeanwhile(_ repairs: Bool) async throws {
        let room = try await Room()
        let files = try await room.segments()
        let rows = try await room.rows()
        let found = try await room.vault.check(readsData: true, repairs: repairs) { done, _ in
            guard done == 0 else { return }
            do {
                try rows.write { database in
                    for table in ["recordedSegment", "recordedChunk", "recordingSession"] {
                        try database.execute(sql: "DELETE FROM \(table)")
                    }
                    try database.execute(
                        sql: "DELETE FROM content WHERE id NOT IN (SELECT content FROM item WHERE content IS NOT NULL)"
                    )
                }
            } catch {
                Issue.record(error)
            }
            for file in files { unlink(file) }
        }
        try rows.close()
        #expect(files.count == 2 && found.contents == 3)
        #expect(found.isSound && found.lines.isEmpty, "\(found)")
    }

    @Test("AT9: makes the damaged index of searches again, whatever of it cannot be read")
    func damagedSearch() async throws {
        let room = try await Room()
        try await room.change("UPDATE search_data SET block = x'00' WHERE id > 10")
        let found = try await room.check()
        #expect(found.problems.contains(.damagedSearch) && found.canBeRepaired)
        let repaired = try await room.check(repairs: true)
        #expect(repaired.problems.isEmpty && repaired.repairs == [.searchRebuilt: 1])
        let ids = try await room.vault.use { library in
            var query = AudioQuery()
            query.words = "version"
            return try await library.audio.items(matching: query).items.map(\.id)
        }
        #expect(ids == [room.item])
        #expect(try await room.check().isSound)
    }

    @Test("AT9: removes an unfinished recording of which nothing is left")
    func emptySession() async throws {
        let room = try await Room()
        for path in try await room.segments() { unlink(path) }
        try await room.change("DELETE FROM recordedChunk")
        #expect(try await room.check().damaged.count == 2)
        let repaired = try await room.check(repairs: true)
        #expect(repaired.repairs == [.partsRemoved: 2, .sessionsRemoved: 1] && repaired.isRepaired)
        #expect(repaired.sessions == 0)
        let session = room.session
        await #expect(throws: RecordingError.sessionNotFound, "nobody has discarded it, so later sound is wanted") {
            _ = try await room.vault.use { try await $0.recordings.session(session) }
        }
        #expect(try await room.check().isSound)
    }

    @Test("AT9: removes rows of files that nothing points at, sets the files aside, and says so")
    func leftovers() async throws {
        let room = try await Room()
        let kept = try await room.segments()
        try await room.change("DELETE FROM recordedSegment WHERE start > 0")
        let found = try await room.check()
        #expect(found.unassigned == 1 && found.unused == 0 && found.gaps.map(\.seconds) == [30])
        let repaired = try await room.check(repairs: true)
        #expect(repaired.repairs == [.rowsRemoved: 1, .filesSetAside: 1])
        #expect(repaired.unassigned == 0 && repaired.removed == 0)
        #expect(kept.map { FileManager.default.fileExists(atPath: $0) } == [true, false])
        let aside = "\(room.vault.places.contents)/aside/\((kept[1] as NSString).lastPathComponent)"
        #expect(FileManager.default.fileExists(atPath: aside))
    }

    @Test(
        "continues where a link or a file stands in place of “blobs/aside”, and moves nothing",
        arguments: [false, true]
    )
    func oddAside(isLink: Bool) async throws {
        let room = try await Room()
        let kept = try await room.segments()
        let aside = "\(room.vault.places.contents)/aside"
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: aside, withDestinationPath: room.keys.path)
        } else {
            try Data("notes".utf8).write(to: URL(filePath: aside))
        }
        #expect(try await room.check().isSound)
        try await room.change("DELETE FROM recordedSegment WHERE start > 0")
        for repairs in [false, true, false] {
            let report = try await room.check(repairs: repairs)
            #expect(!report.isAsideUsable && report.unassigned == 1 && report.repairs.isEmpty)
            #expect(!report.canBeRepaired)
            #expect(report.damaged.isEmpty && report.gaps.map(\.seconds) == [30])
        }
        #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        unlink(kept[0])
        #expect(try await room.check().damaged.map(\.code) == ["vault.content-missing"])
        #expect(try await room.vault.backup(to: "\(room.keys.path)/copy") == 1)
        let (item, sound) = (room.item, try await room.sound())
        try await room.vault.use { try await $0.audio.delete([item]) }
        #expect(!FileManager.default.fileExists(atPath: sound))
        unlink(aside)
        let repaired = try await room.check(repairs: true)
        #expect(repaired.isAsideUsable && repaired.repairs[.filesSetAside] == 1)
    }

    @Test("forgets no sound that may be in “blobs/aside” as long as a link stands there")
    func unreadAside() async throws {
        let room = try await Room()
        let segment = try await room.segments()[0]
        let (aside, moved) = ("\(room.vault.places.contents)/aside", "\(room.keys.path)/moved")
        try FileManager.default.createDirectory(atPath: moved, withIntermediateDirectories: false)
        let name = (segment as NSString).lastPathComponent
        try FileManager.default.moveItem(atPath: segment, toPath: "\(moved)/\(name)")
        try FileManager.default.createSymbolicLink(atPath: aside, withDestinationPath: moved)
        let report = try await room.check(repairs: true)
        #expect(report.damaged.map(\.code) == ["vault.content-missing"])
        #expect(report.repairs.isEmpty && report.sessions == 1 && !report.isRepaired && !report.canBeRepaired)
        unlink(aside)
        try FileManager.default.moveItem(atPath: moved, toPath: aside)
        #expect(try await room.check(repairs: true).repairs == [.filesPutBack: 1])
        #expect(try await room.check().isSound)
    }

    @Test("is not ended by a link in place of the folder of a file that nothing points at")
    func linkOfLeftover() async throws {
        let room = try await Room()
        let kept = try await room.segments()
        try await room.change("DELETE FROM recordedSegment WHERE start > 0")
        let place = (kept[1] as NSString).deletingLastPathComponent
        let moved = "\(room.keys.path)/moved"
        try FileManager.default.moveItem(atPath: place, toPath: moved)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: moved)
        let repaired = try await room.check(repairs: true)
        #expect(repaired.repairs == [.rowsRemoved: 1])
        #expect(FileManager.default.fileExists(atPath: kept[1]))
    }

    @Test(
        "names what has a link in its place, or in that of its folder, and looks at the rest",
        arguments: [false, true]
    )
    func links(isFolder: Bool) async throws {
        let room = try await Room()
        let (sound, segments) = (try await room.sound(), try await room.segments())
        let place = isFolder ? (sound as NSString).deletingLastPathComponent : sound
        let moved = "\(room.keys.path)/moved"
        try FileManager.default.moveItem(atPath: place, toPath: moved)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: moved)
        unlink(segments[1])
        // The next to open it comes after a crash, and cleans up.
        try Data().write(to: URL(filePath: "\(room.vault.places.folder.locks)/open"))
        let report = try await room.check()
        let named = report.damaged.filter { $0.item == room.item }
        #expect(named.map(\.code) == ["vault.unsafe-folder"] && report.contents == 3)
        let line = try #require(report.lines.first { $0.code == "recordingDamaged" })
        #expect(line.message == "the sound of “Talk” cannot be read (vault.unsafe-folder)")
        #expect(report.damaged.contains { $0.session == room.session })
        unlink(place)
        try FileManager.default.moveItem(atPath: moved, toPath: place)
        #expect(try await room.check().damaged.allSatisfy { $0.item == nil })
    }

    @Test("AT9: chooses the newest transcript where none is current")
    func transcripts() async throws {
        let room = try await Room()
        try await room.change("UPDATE transcript SET isCurrent = 0")
        #expect(try await room.check().database == ["1 recording without a current transcript"])
        let repaired = try await room.check(repairs: true)
        #expect(repaired.repairs == [.transcriptsChosen: 1] && repaired.isRepaired)
        let item = room.item
        let (versions, text) = try await room.vault.use { library in
            (try await library.transcripts.versions(of: item), try await library.audio.text(of: item))
        }
        #expect(versions.map(\.isCurrent) == [true, false] && text == "Version 2")
    }

    @Test("AT9: removes rows whose recording is gone")
    func danglingRows() async throws {
        let room = try await Room()
        try await room.change(
            "INSERT INTO itemMark (item, sample) VALUES (99, 1)",
            """
            INSERT INTO transcriptionJob (id, item, created, instructions, state, recognizer, failures, progress)
            VALUES ('x', 99, 1, x'', x'', 0, 0, 0)
            """
        )
        #expect(try await room.check().database == ["2 broken links between rows"])
        let repaired = try await room.check(repairs: true)
        #expect(repaired.repairs == [.rowsRemoved: 2] && repaired.isRepaired)
        #expect(try await room.check().isSound)
    }

    @Test("gives the files of unfinished recordings new keys with the others, and copies them")
    func newKeys() async throws {
        let room = try await Room()
        let before = Set(try await room.segments())
        #expect(try await room.vault.rekey(passcode: nil).isEmpty)
        #expect(try await before.isDisjoint(with: room.segments()))
        #expect(try await room.check().isSound)
        let copy = "\(room.keys.path)/copy"
        try await room.vault.backup(to: copy)
        let copied = try FileManager.default.subpathsOfDirectory(atPath: "\(copy)/blobs").filter { $0.count > 3 }
        #expect(copied.count == 3)
        let session = room.session
        let item = try await room.vault.use { try await $0.recordings.finish(session) }
        #expect(item.source?.lost == [] && item.sampleCount == 31 * SampleChunk.length)
    }
}

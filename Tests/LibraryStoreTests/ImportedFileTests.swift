import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Imported files", .endsInTime)
struct ImportedFileTests {
    private static let isWhole = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"

    private static func add(
        _ file: ImportedFile,
        to recordings: some RecordingSessions,
        called name: String? = "talk.m4a"
    ) async throws -> AudioItem {
        let rate = SampleChunk.sampleRate
        let order = try RecordingOrder(name: "Talk", sampleRate: rate, source: .file, sourceName: name)
        let id = try await recordings.begin(order).id
        try await recordings.append(RecordingChunk(number: 0, samples: SampleChunk.samples(1)), to: id)
        return try await recordings.finish(id, keepsPart: false, from: file)
    }

    private static func file(isKept: Bool = true) -> ImportedFile {
        ImportedFile(bytes: HeldBytes(SampleChunk.file), isKept: isKept)
    }

    @Test(
        "are whole beside their recordings, or neither is there, when the process is killed at the n-th call",
        arguments: ["pwrite64", "write", "fsync", "fdatasync", "unlink", "openat"]
    )
    func killedAtCall(call: String) async throws {
        var place = 1
        while true {
            let room = try LibraryRoom()
            try room.database.close()
            let process = try StoreProcess(room.folder, "keep", "2", traced: "\(call):signal=KILL:when=\(place)")
            let lines = await process.rest()
            try await verify(room, has: lines.filter { $0.hasPrefix("kept") }.map { String($0.dropFirst(5)) })
            if lines.last == "closed" { break }
            place += Self.isWhole ? 1 : 19
        }
    }

    private func verify(_ room: LibraryRoom, has acknowledged: [String]) async throws {
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        #expect(try await database.check().isEmpty)
        let library = StoredLibrary(database: database, contents: room.contents)
        let items = try await library.items(matching: AudioQuery()).items
        #expect(Set(acknowledged).isSubset(of: items.map(\.id.rawValue)), "what was acknowledged is gone")
        for item in items {
            let file = try await library.file(of: item.id)
            let isWhole = try await file.read(0..<file.length) == SampleChunk.file
            #expect(isWhole && item.source?.fileSize == file.length)
        }
        let rows = Set(try await database.referencedContents().map(\.id))
        let swept = try await room.contents.sweep(keeping: rows, parts: [], olderThan: .distantFuture)
        #expect(swept.missing.isEmpty)
        let recordings = StoredRecordings(database: database, contents: room.contents)
        for session in try await recordings.sessions() { try await recordings.discard(session.id) }
        try await library.delete(Set(items.map(\.id)))
        #expect(try room.contentIDs.isEmpty, "nothing is left of deleted recordings")
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM itemFile") } == 0)
        try database.close()
    }

    @Test("leave nothing behind when there is no room for them, and the session stays")
    func noRoom() async throws {
        let room = try LibraryRoom()
        let recordings = StoredRecordings(database: room.database, contents: RoomForOne(contents: room.contents))
        await #expect(throws: VaultError.readOnly(.diskFull)) {
            _ = try await Self.add(Self.file(), to: recordings)
        }
        #expect(try room.contentIDs.isEmpty)
        let session = try #require(try await recordings.sessions().first)
        #expect(session.nextChunk == 1)
        let item = try await recordings.finish(session.id, keepsPart: false, from: Self.file(isKept: false))
        #expect(!item.hasFile, "only recognized, it needs no room")
        #expect(try await room.recordings.recordings(from: HeldBytes(SampleChunk.file)) == [item])
    }

    @Test("are imported again where the recording that they have become cannot be read")
    func unreadableRecording() async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let damaged = try await Self.add(Self.file(), to: recordings)
        try await room.database.write { try $0.execute(sql: "UPDATE item SET created = 1e300") }
        #expect(try await recordings.recordings(from: HeldBytes(SampleChunk.file)).isEmpty)
        let again = try await Self.add(Self.file(), to: recordings)
        #expect(again.id != damaged.id)
        #expect(try await recordings.recordings(from: HeldBytes(SampleChunk.file)) == [again])
    }

    @Test(
        "say what they are to a person who opens them without the program",
        arguments: [
            ("talk.m4a", "file.m4a"), ("Talk.MP3", "file.mp3"), ("talk", "file"), (".m4a", "file"), (nil, "file"),
            ("a.b/../x", "file"), ("talk.õun", "file"), ("talk.averylongone", "file"), ("talk.", "file"),
        ] as [(String?, String)]
    )
    func sealedName(_ name: String?, _ expected: String) async throws {
        let room = try LibraryRoom()
        defer { withExtendedLifetime(room) {} }
        let contents = NamingContents()
        let sound = ContentReference(id: ContentID(), sealedSize: 1, headerHash: Data(count: 32), length: 1)
        _ = try await ImportedFileRecord(
            Self.file(),
            called: name,
            beside: sound,
            in: contents,
            notedIn: room.database
        )
        #expect(await contents.names == [expected])
    }

    @Test("are noted before they are made, as recordings and documents are, so that none is left without a row")
    func noted() async throws {
        let room = try LibraryRoom()
        try await room.database.write { database in
            let sql = """
                CREATE TABLE unexpected (id TEXT);
                CREATE TRIGGER contentAdded AFTER INSERT ON content
                WHEN NOT EXISTS (SELECT * FROM removedContent WHERE id = new.id) BEGIN
                    INSERT INTO unexpected (id) VALUES (new.id);
                END;
                """
            try database.execute(sql: sql)
        }
        func check(_ what: String) async throws {
            let count = try await room.database.read { database in
                let sql = """
                    SELECT count(*) FROM unexpected WHERE id IN (
                        SELECT content FROM item UNION SELECT content FROM itemFile
                        UNION SELECT content FROM documentContent
                    )
                    """
                return try Int.fetchOne(database, sql: sql)
            }
            #expect(count == 0, "\(what)")
        }
        _ = try await Self.add(Self.file(), to: room.recordings)
        try await check("a recording and its file")
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        try await check("a narration")
        let sentence = try #require(try await room.library.timings(of: item.id).first)
        _ = try await room.library.replace(sentence, with: SpokenSentence(sound: [1, 2, 3], words: []), in: item.id)
        try await check("a sentence that is spoken again")
        _ = try await room.documents.add(SampleDocument.all[0].new)
        try await check("a document")
        let kept = try await room.database.referencedContents().map(\.id)
        #expect(try await room.database.removedContents().isDisjoint(with: kept))
    }

    @Test("are not stored twice where they are what is played, and stay as they came when that is changed")
    func sameAsSound() async throws {
        let room = try LibraryRoom()
        let wave = WAVHeader.file(of: SampleChunk.samples(1), sampleRate: SampleChunk.sampleRate)
        var other = wave
        other[other.count - 1] ^= 1
        let item = try await Self.add(ImportedFile(bytes: HeldBytes(wave), isKept: true), to: room.recordings)
        #expect(item.source?.fileSize == wave.count)
        #expect(try room.contentIDs.count == 1)
        let apart = try await Self.add(ImportedFile(bytes: HeldBytes(other), isKept: true), to: room.recordings)
        #expect(try room.contentIDs.count == 3, "as long, and not the same")
        let unkept = try await Self.add(ImportedFile(bytes: HeldBytes(wave), isKept: false), to: room.recordings)
        #expect(!unkept.hasFile)
        for (id, bytes) in [(item.id, wave), (apart.id, other)] {
            let file = try await room.library.file(of: id)
            let isWhole = try await file.read(0..<file.length) == bytes
            #expect(isWhole)
        }
        await #expect(throws: LibraryError.fileNotKept) { _ = try await room.library.file(of: unkept.id) }

        let segment = TranscriptSegment(time: 0..<1, text: "Good morning.")
        let transcript = Transcript(
            item: item.id,
            created: Date(timeIntervalSince1970: 1),
            source: TranscriptSource(),
            language: "en",
            segments: [segment]
        )
        try await room.transcripts.add(transcript)
        let sentence = try #require(try await room.library.timings(of: item.id).first)
        let spoken = SampleSentences().spoken(sentence, count: 100)
        let changed = try await room.library.replace(sentence, with: spoken, in: item.id)
        #expect(changed.size != wave.count)
        let file = try await room.library.file(of: item.id)
        let isWhole = try await file.read(0..<file.length) == wave
        #expect(isWhole)
        try await room.library.deleteFiles(of: [item.id])
        await #expect(throws: LibraryError.fileNotKept) { _ = try await room.library.file(of: item.id) }
        #expect(try room.contentIDs.count == 4, "the sounds of three, and the other file")
        #expect(try await room.database.check().isEmpty)
        try await room.library.delete([item.id, apart.id, unkept.id])
        #expect(try room.contentIDs.isEmpty)
    }

    @Test("are stored once for all recordings that were imported from them, and as long as one of those has them")
    func shared() async throws {
        let room = try LibraryRoom()
        var items: [AudioItem] = []
        for _ in 1...4 { items.append(try await Self.add(Self.file(), to: room.recordings)) }
        #expect(try room.contentIDs.count == 5, "four sounds, and one file")
        try await verify(items, in: room)
        try await room.library.deleteFiles(of: [items[0].id, items[2].id])
        #expect(try room.contentIDs.count == 5)
        for index in [0, 2] {
            await #expect(throws: LibraryError.fileNotKept) { _ = try await room.library.file(of: items[index].id) }
        }
        try await verify([items[1], items[3]], in: room)
        try await room.library.delete([items[0].id, items[1].id])
        #expect(try room.contentIDs.count == 3, "two sounds, and the file of one of them")
        try await verify([items[3]], in: room)
        try await room.library.deleteFiles(of: [items[3].id])
        #expect(try room.contentIDs.count == 2)
        let last = try await Self.add(Self.file(), to: room.recordings)
        try await verify([last], in: room)
        #expect(try await room.database.check().isEmpty)
        try await room.library.delete([items[2].id, items[3].id, last.id])
        #expect(try room.contentIDs.isEmpty)
    }

    @Test("are stored once when another import of the same file ends while they are read")
    func sharedAtOnce() async throws {
        let room = try LibraryRoom()
        let (recordings, slow) = (room.recordings, SlowBytes())
        let importing = Task { try await Self.add(ImportedFile(bytes: slow, isKept: true), to: recordings) }
        await slow.isRead.wait()
        let first = try await Self.add(Self.file(), to: room.recordings)
        slow.mayGoOn.set()
        let second = try await importing.value
        #expect(try room.contentIDs.count == 3, "two sounds, and one file")
        #expect(try await room.database.referencedContents().count == 3)
        try await verify([first, second], in: room)
        try await room.library.delete([first.id])
        try await verify([second], in: room)
        #expect(try await room.database.check().isEmpty)
    }

    @Test(
        "are stored once more where what there is of them is damaged or missing, and are whole again for all recordings",
        arguments: [true, false]
    )
    func sharedDamage(isThere: Bool) async throws {
        let room = try LibraryRoom()
        var items: [AudioItem] = []
        for _ in 1...2 { items.append(try await Self.add(Self.file(), to: room.recordings)) }
        let owner = try await room.database.contentOwners().first { $0.isImported }
        let kept = try #require(owner?.reference)
        #expect(owner?.name == "Talk, Talk", "all are named that have lost something")
        let path = room.contentPath(of: kept.id)
        if isThere {
            try Data(count: kept.sealedSize).write(to: URL(filePath: path))
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        items.append(try await Self.add(Self.file(), to: room.recordings))
        try await verify(items, in: room)
        #expect(try room.contentIDs.count == 4, "three sounds, and one file")
        #expect(try await room.database.referencedContents().count == 4)
        #expect(try await room.database.check().isEmpty)
        try await room.library.delete([items[2].id])
        try await verify([items[0], items[1]], in: room)
    }

    @Test("take no room where there is none: they are kept where the library has them whole, and else only recognized")
    func sharedWithoutRoom() async throws {
        let room = try LibraryRoom()
        let file = ImportedFile(bytes: HeldBytes(SampleChunk.file), isKept: true, takesRoom: false)
        let first = try await Self.add(Self.file(), to: room.recordings)
        let shared = try await Self.add(file, to: room.recordings)
        #expect(try room.contentIDs.count == 3, "two sounds, and one file")
        try await verify([first, shared], in: room)
        let owner = try await room.database.contentOwners().first { $0.isImported }
        let kept = try #require(owner?.reference)
        try Data(count: kept.sealedSize).write(to: URL(filePath: room.contentPath(of: kept.id)))
        let known = try await Self.add(file, to: room.recordings)
        #expect(!known.hasFile)
        #expect(try room.contentIDs.count == 4, "three sounds, and what is left of the file")
        #expect(try await room.recordings.recordings(from: HeldBytes(SampleChunk.file)).count == 3)
        #expect(try await room.database.check().isEmpty)
    }

    @Test("stay with the recordings that share them when a repair removes what is left of the one that had them")
    func sharedRepair() async throws {
        let room = try LibraryRoom()
        var items: [AudioItem] = []
        for _ in 1...3 { items.append(try await Self.add(Self.file(), to: room.recordings)) }
        let gone = items[..<2].map { "'\($0.id.rawValue)'" }.joined(separator: ", ")
        let rows = try LibraryRoom.rows(of: room.folder)
        try await rows.write { try $0.execute(sql: "DELETE FROM item WHERE id IN (\(gone))") }
        try rows.close()
        #expect(try await room.database.removeDanglingRows() > 0)
        try await room.contents.delete(try await room.database.removeUnusedContents())
        try await verify([items[2]], in: room)
        #expect(try await room.database.check().isEmpty)
        #expect(try room.contentIDs.count == 2, "its sound, and its file")
    }

    private func verify(_ items: [AudioItem], in room: LibraryRoom) async throws {
        for item in items {
            let file = try await room.library.file(of: item.id)
            let isWhole = try await file.read(0..<file.length) == SampleChunk.file
            #expect(isWhole && item.hasFile)
        }
    }

    @Test("are in a library that an earlier version made, whose recordings have none")
    func olderLibrary() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<19])
        let old = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator)
        let identity = try AgeIdentity(scalar: LibraryRoom.sampleKey())
        let contents = try ContentStore(path: "\(folder.path)/blobs", identities: [identity])
        let sound = try await contents.seal(Data(count: 144), name: "recording.wav")
        let item = AudioItem(
            name: "Old tape",
            created: Date(timeIntervalSince1970: 1_780_000_000),
            duration: 50.0 / 8_000,
            size: 144,
            sampleRate: 8_000,
            language: "und",
            words: 0,
            origin: .imported(SoundOrigin(name: "tape.flac"))
        )
        try await old.write { database in
            // A row's file is noted no more once it is there; that version had no such notes.
            try database.execute(sql: "CREATE TEMPORARY TABLE removedContent (id TEXT)")
            _ = try item.insert(text: "", timings: TimingTableCodec.encode([], of: []), content: sound, into: database)
        }
        try old.close()

        let database = try LibraryDatabase(in: folder, key: LibraryRoom.sampleKey())
        #expect(try await database.check().isEmpty)
        let library = StoredLibrary(database: database, contents: contents)
        #expect(try await library.item(item.id) == item && !item.hasFile)
        await #expect(throws: LibraryError.fileNotKept) { _ = try await library.file(of: item.id) }
        let recordings = StoredRecordings(database: database, contents: contents)
        let added = try await Self.add(Self.file(), to: recordings)
        #expect(try await library.file(of: added.id).length == SampleChunk.file.count)
        try await library.delete([item.id, added.id])
        #expect(try await database.referencedContents().isEmpty)
        try database.close()
    }

    @Test("are counted apart in what the library takes of the disk")
    func size() async throws {
        let room = try LibraryRoom()
        let measure = StoredMeasure(database: room.database)
        let empty = try await measure.size()
        #expect(LibrarySize.Kind.allCases.filter { empty[$0] > 0 } == [.database])
        let item = try await Self.add(Self.file(), to: room.recordings)
        let narration = try await SampleRecording.all[0].make(in: room.jobs)
        let (recordings, rate) = (room.recordings, SampleChunk.sampleRate)
        let long = [Int16](repeating: 1, count: 40 * rate)
        let order = try RecordingOrder(name: "Left", sampleRate: rate, source: .microphone)
        let session = try await recordings.begin(order)
        try await recordings.append(RecordingChunk(number: 0, samples: long), to: session.id)
        let size = try await measure.size()
        #expect(size[.importedFiles] >= SampleChunk.file.count && size[.recordings] >= item.size)
        #expect(size[.narrations] >= narration.size && size[.unfinished] >= 2 * long.count)
        #expect(size[.documents] + size[.takes] + size[.speechCache] == 0)
        #expect(size.total == LibrarySize.Kind.allCases.reduce(0) { $0 + size[$1] })
        let sealed = try await room.database.referencedContents().reduce(0) { $0 + $1.sealedSize }
        #expect(size.total - size[.database] == sealed, "nothing is left out, or counted twice")
    }

    @Test("are counted though rows say that files have more than a disk can have")
    func endlessSize() async throws {
        let room = try LibraryRoom()
        let measure = StoredMeasure(database: room.database)
        let (jobs, sample, recordings, rate) = (
            room.jobs, SampleRecording.all[0], room.recordings, SampleChunk.sampleRate
        )
        let job = try await jobs.begin(sample.order, text: sample.text)
        for _ in 1...2 { try await jobs.keep(sample.segment, for: job.id) }
        let session = try await recordings.begin(
            try RecordingOrder(name: "Left", sampleRate: rate, source: .microphone)
        )
        let long = [Int16](repeating: 1, count: 40 * rate)
        try await recordings.append(RecordingChunk(number: 0, samples: long), to: session.id)
        try await room.database.write { try $0.execute(sql: "UPDATE content SET size = \(Int.max)") }
        let size = try await measure.size()
        #expect(size[.unfinished] > 1 << 48 && size.total > size[.unfinished])
    }

    @Test("get new keys with the library, are copied with it, checked with it, and named when they are damaged")
    func care() async throws {
        let keys = KeyRoom()
        defer { withExtendedLifetime(keys) {} }
        let vault = LibraryVault(
            VaultPaths(
                library: keys.library,
                device: keys.device,
                runtime: keys.path,
                machineID: keys.machineID
            )
        )
        let item = try await vault.use { try await Self.add(Self.file(), to: $0.recordings) }
        #expect(try await vault.rekey(passcode: nil).isEmpty)
        let isWhole = try await vault.use { library in
            let file = try await library.audio.file(of: item.id)
            return try await file.read(0..<file.length) == SampleChunk.file
        }
        #expect(isWhole)
        let copy = "\(keys.path)/copy"
        try await vault.backup(to: copy)
        let copied = try FileManager.default.subpathsOfDirectory(atPath: "\(copy)/blobs").filter { $0.contains("/") }
        #expect(copied.count == 2, "the sound and the file")
        let sound = try await vault.check(readsData: true, repairs: true)
        #expect(sound.isSound && (sound.items, sound.contents, sound.unused) == (1, 2, 0))

        let reference = try await vault.useOpen { open in
            try await open.database.contentOwners().first { $0.isImported }?.reference
        }
        let id = try #require(reference?.id)
        let path = "\(vault.places.contents)/\(id.bucket)/\(id.text)"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[150_000] ^= 1
        try bytes.write(to: URL(filePath: path))
        for repairs in [false, true, false] {
            let damaged = try await vault.check(readsData: true, repairs: repairs).damaged
            #expect(damaged.map(\.isImported) == [true] && damaged.first?.name == "Talk")
            #expect(damaged.first?.code == "vault.content-damaged" && damaged.first?.item == nil)
        }
        try await vault.use { library in
            let sound = try await library.audio.sound(of: item.id)
            #expect(try await sound.read(0..<sound.length).count == item.size, "its sound is whole")
        }
    }
}

/// Has room for the sound of a recording, and none for the file that it comes from.
private struct RoomForOne: SealedContents {
    let contents: any SealedContents

    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        if case .imported = name { throw VaultError.readOnly(.diskFull) }
        return try await contents.write(name: name, length: length, as: id, from: next)
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound {
        try await contents.sound(of: reference)
    }

    func delete(_ references: [ContentReference]) async throws { try await contents.delete(references) }
}

/// Keeps nothing but the names inside of what is written.
private actor NamingContents: SealedContents {
    private(set) var names: [String] = []

    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        names.append(name.text)
        while try await next() != nil {}
        return ContentReference(id: id, sealedSize: length, headerHash: Data(count: 32), length: length)
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound { throw VaultError.contentMissing }

    func delete(_ references: [ContentReference]) async throws {}
}

/// The bytes of the sample file, which are read only when a test lets them be.
private struct SlowBytes: StoredBytes {
    let isRead = Latch()
    let mayGoOn = Latch()

    var length: Int { SampleChunk.file.count }

    func read(_ range: Range<Int>) async throws -> Data {
        isRead.set()
        await mayGoOn.wait()
        return Data(SampleChunk.file[range])
    }
}

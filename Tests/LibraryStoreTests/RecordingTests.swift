import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

@Suite("Unfinished recordings", .endsInTime)
struct RecordingTests {
    /// Whole counts take minutes.
    private static let isWhole = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"

    @Test("AT3: have every chunk that was acknowledged when the recording process is killed, and continue after it")
    func killed() async throws {
        let room = try LibraryRoom()
        try room.database.close()
        var random = SeededNumbers(seed: 18)
        var acknowledged = 0
        for _ in 1...(Self.isWhole ? 300 : 15) {
            let process = try StoreProcess(room.folder, "record", "0")
            let begun = await process.lines(Int.random(in: 1...9, using: &random))
            process.kill()
            let lines = begun + (await process.rest())
            #expect(lines == lines.indices.map { "kept \(acknowledged + $0)" })
            acknowledged = try await verify(room, has: acknowledged + lines.count)
        }
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        let recordings = StoredRecordings(database: database, contents: room.contents)
        let item = try await recordings.finish(try #require(try await recordings.sessions().first).id)
        #expect(item.source?.lost == [] && item.sampleCount == acknowledged * SampleChunk.length)
        let sound = try await StoredLibrary(database: database, contents: room.contents).sound(of: item.id)
        let isWhole = try await sound.read(44..<sound.length) == Self.bytes(of: 0..<acknowledged)
        #expect(isWhole)
        #expect(try room.contentIDs.count == 1, "nothing else is left")
        try database.close()
    }

    /// Verifies that the session of a dead process is interrupted, the database intact, and everything acknowledged
    /// stored.
    ///
    /// - Returns: The number of chunks, possibly including one that was stored but not acknowledged.
    private func verify(_ room: LibraryRoom, has acknowledged: Int) async throws -> Int {
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        #expect(try await database.check().isEmpty)
        let recordings = StoredRecordings(database: database, contents: room.contents)
        let sessions = try await recordings.sessions()
        guard acknowledged > 0 || !sessions.isEmpty else { return 0 }
        let session = try #require(sessions.first)
        #expect(sessions.count == 1 && session.state == .interrupted)
        #expect((acknowledged...acknowledged + 1).contains(session.nextChunk))
        #expect(session.samples == session.nextChunk * SampleChunk.length)
        #expect(try await database.gaps().gaps.isEmpty)
        for number in max(0, session.nextChunk - 20)..<session.nextChunk {
            let start = number * SampleChunk.length
            let heard = try await recordings.samples(of: session.id, from: start, limit: SampleChunk.length)
            let isWhole = heard == SampleChunk.samples(number)
            #expect(isWhole, "chunk \(number) of \(session.nextChunk)")
        }
        // Contents without a row are leftovers of the dead process.
        let rows = Set(try await database.referencedContents().map(\.id))
        let swept = try await room.contents.sweep(keeping: rows, parts: [], olderThan: .distantFuture)
        #expect(swept.missing.isEmpty)
        try database.close()
        return session.nextChunk
    }

    @Test(
        "AT9: are whole, or recordings, when the process is killed at the n-th call that writes",
        arguments: ["pwrite64", "write", "fsync", "fdatasync", "unlink", "openat"]
    )
    func killedAtCall(call: String) async throws {
        var place = 1
        while true {
            let room = try LibraryRoom()
            try room.database.close()
            let process = try StoreProcess(room.folder, "record", "17", traced: "\(call):signal=KILL:when=\(place)")
            let lines = await process.rest()
            let kept = lines.filter { $0.hasPrefix("kept") }.count
            try await verify(room, has: kept, of: 17, isFinished: lines.contains { $0.hasPrefix("finished") })
            if lines.last == "closed" { break }
            place += Self.isWhole ? 1 : 23
        }
    }

    /// The recording is there if it was acknowledged, and else it or the session; all of either, and not both.
    private func verify(_ room: LibraryRoom, has kept: Int, of count: Int, isFinished: Bool) async throws {
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        let library = StoredLibrary(database: database, contents: room.contents)
        let item = try await library.items(matching: AudioQuery()).items.first
        #expect(item != nil || !isFinished, "an acknowledged recording is gone")
        if let item {
            let sound = try await library.sound(of: item.id)
            let isWhole = try await sound.read(44..<sound.length) == Self.bytes(of: 0..<count)
            #expect(isWhole)
            let recordings = StoredRecordings(database: database, contents: room.contents)
            #expect(try await recordings.sessions().isEmpty)
        }
        try database.close()
        if item == nil { _ = try await verify(room, has: kept) }
    }

    @Test(
        "AT3: acknowledge nothing that the disk has refused",
        arguments: ["EIO", "ENOSPC"].flatMap { problem in ["pwrite64", "fsync", "fdatasync"].map { ($0, problem) } }
    )
    func failingCall(call: String, problem: String) async throws {
        for place in stride(from: 1, through: 60, by: Self.isWhole ? 1 : 19) {
            let room = try LibraryRoom()
            try room.database.close()
            // From then on all of them fail.
            let injection = "\(call):error=\(problem):when=\(place)+"
            let process = try StoreProcess(room.folder, "record", "40", traced: injection)
            let lines = await process.rest()
            let kept = lines.filter { $0.hasPrefix("kept") }.count
            try await verify(room, has: kept, of: 40, isFinished: lines.contains { $0.hasPrefix("finished") })
            #expect(lines.allSatisfy { !$0.hasPrefix("error") || $0.hasPrefix("error vault.") })
        }
    }

    @Test(
        "AT3: have every chunk that was acknowledged before the disk was full, and are read on the full disk",
        .enabled(if: StoreProcess.canMount, "needs “unshare -rm” and mounts of its own")
    )
    func fullDisk() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let lines = await (try StoreProcess(fillingDiskAt: folder, megabytes: 16)).rest()
        let kept = lines.filter { $0.hasPrefix("kept") }.count
        #expect(kept > 20, "nothing was tested")
        #expect(lines.contains("error vault.read-only"))
        #expect(lines.contains("heard \(kept) interrupted") || lines.contains("heard \(kept + 1) interrupted"))
        #expect(lines.last == "closed")
    }

    @Test("are of the process that records them as long as it lives")
    func held() async throws {
        let room = try LibraryRoom()
        let process = try StoreProcess(room.folder, "record", "0")
        _ = await process.lines(1)
        let recordings = room.recordings
        let session = try #require(try await recordings.sessions().first)
        #expect(session.state == .recording)
        await #expect(throws: RecordingError.sessionBusy) { _ = try await recordings.resume(session.id) }
        await #expect(throws: RecordingError.sessionBusy) { _ = try await recordings.finish(session.id) }
        process.kill()
        _ = await process.rest()
        #expect(try await recordings.session(session.id).state == .interrupted)
        #expect(try await recordings.resume(session.id).state == .recording)
    }

    @Test("know a chunk again after a restart, however much has been recorded since, and no chunk that is not there")
    func farChunk() async throws {
        let room = try LibraryRoom()
        let before = room.recordings
        let id = try await Self.record(90, in: before)
        await before.release(id)
        let recordings = room.recordings
        let session = try await recordings.resume(id)
        let far = try session.samples - Self.chunk(0).tail(of: session)
        #expect(far >= 30 * SampleChunk.length, "nothing was tested")
        for number in [0, 3, 40, 89] {
            #expect(try await recordings.append(try Self.chunk(number), to: id) == session)
        }
        let half = SampleChunk.length / 2
        let across = far / SampleChunk.length
        let samples = SampleChunk.samples(across - 1).suffix(half) + SampleChunk.samples(across).prefix(half)
        let chunk = try RecordingChunk(number: 5, samples: Array(samples))
        #expect(try await recordings.append(chunk, to: id).samples == session.samples, "in whichever stretch it is")
        let other = try RecordingChunk(number: 3, samples: SampleChunk.samples(1_000))
        await #expect(throws: RecordingError.chunkTaken) { try await recordings.append(other, to: id) }

        let sealed = try await room.database.read { database in
            try String.fetchOne(database, sql: "SELECT content FROM recordedSegment WHERE start = 0")
        }
        let content = try #require(sealed.flatMap { ContentID($0) })
        try FileManager.default.removeItem(atPath: room.contentPath(of: content))
        let unknown = try Self.chunk(1)
        for lost in [other, unknown] {
            await #expect(throws: RecordingError.chunkTaken, "what cannot be compared is not discarded") {
                try await recordings.append(lost, to: id)
            }
        }
    }

    @Test("are looked through once for many chunks in a row")
    func manyFarChunks() async throws {
        let room = try LibraryRoom()
        let before = room.recordings
        let id = try await Self.record(90, in: before)
        // A pause: from the end, nobody can know where the chunks before it begin.
        let short = Array(SampleChunk.samples(90).prefix(300))
        try await before.append(RecordingChunk(number: 90, samples: short), to: id)
        await before.release(id)
        let contents = CountingContents(contents: room.contents)
        let recordings = StoredRecordings(database: room.database, contents: contents)
        let session = try await recordings.resume(id)
        #expect(try await recordings.append(try Self.chunk(0), to: id) == session)
        let once = contents.opened.withLock { $0 }
        #expect(once > 5, "nothing was tested")
        for number in 1...5 { #expect(try await recordings.append(try Self.chunk(number), to: id) == session) }
        let more = contents.opened.withLock { $0 } - once
        #expect(more == 5, "one reading each")
        for number in 0...5 { try await recordings.append(try Self.chunk(number), to: id) }
        let all = contents.opened.withLock { $0 } - once
        #expect(all == 5, "and none when they come again")
    }

    @Test("know silence and a few samples again only where they belong, since they stand anywhere by chance")
    func silentChunks() async throws {
        let room = try LibraryRoom()
        let before = room.recordings
        let order = try RecordingOrder(name: "Talk", sampleRate: SampleChunk.sampleRate, source: .microphone)
        let id = try await before.begin(order).id
        let silence = [Int16](repeating: 0, count: SampleChunk.length)
        // The first fifteen are moved to a file.
        for number in 0..<20 {
            let samples = [3, 17].contains(number) ? silence : SampleChunk.samples(number)
            try await before.append(RecordingChunk(number: number, samples: samples), to: id)
        }
        await before.release(id)
        let recordings = room.recordings
        let session = try await recordings.resume(id)
        for number in [3, 17] {
            let again = try await recordings.append(RecordingChunk(number: number, samples: silence), to: id)
            #expect(again == session, "\(number)")
        }
        for number in [2, 4, 10, 16, 18, 19] {
            let other = try RecordingChunk(number: number, samples: silence)
            await #expect(throws: RecordingError.chunkTaken, "\(number)") { try await recordings.append(other, to: id) }
        }
        for number in [5, 19] {
            let few = try RecordingChunk(number: number, samples: Array(SampleChunk.samples(8)[70..<90]))
            await #expect(throws: RecordingError.chunkTaken, "\(number)") { try await recordings.append(few, to: id) }
        }
        try await recordings.append(RecordingChunk(number: 20, samples: silence), to: id)
        #expect(try await recordings.finish(id).sampleCount == 21 * SampleChunk.length)
    }

    @Test("know silence again before a shorter chunk, where rows say where it begins")
    func silenceBeforePause() async throws {
        let room = try LibraryRoom()
        let before = room.recordings
        let order = try RecordingOrder(name: "Talk", sampleRate: SampleChunk.sampleRate, source: .microphone)
        let id = try await before.begin(order).id
        let silence = [Int16](repeating: 0, count: 2_000)
        let short = Array(SampleChunk.samples(2).prefix(300))
        let chunks = [SampleChunk.samples(0), silence, short, SampleChunk.samples(3)]
        for (number, samples) in chunks.enumerated() {
            try await before.append(RecordingChunk(number: number, samples: samples), to: id)
        }
        await before.release(id)
        let recordings = room.recordings
        let session = try await recordings.resume(id)
        #expect(try await recordings.append(RecordingChunk(number: 1, samples: silence), to: id) == session)
        let other = try RecordingChunk(number: 2, samples: Array(silence.prefix(300)))
        await #expect(throws: RecordingError.chunkTaken) { try await recordings.append(other, to: id) }
    }

    @Test("AT13: take no more memory the longer they are")
    func memory() async throws {
        var peaks: [Int] = []
        // 4 and 38 MB of sound; four hours have 1.4 GB.
        for seconds in [40, Self.isWhole ? 14_400 : 400] {
            let room = try LibraryRoom()
            try room.database.close()
            let lines = await (try StoreProcess(room.folder, "long", "\(seconds)")).rest()
            let peak = try #require(lines.first?.split(separator: " ").dropFirst().compactMap { Int($0) })
            #expect(peak.last == seconds * 48_000 && lines.last == "closed")
            peaks.append(peak[1])
        }
        #expect(peaks[1] - peaks[0] < 16_384, "\(peaks) KiB")
    }

    // MARK: - Damage

    @Test(
        "hide no other when their row is damaged, and can be discarded",
        arguments: [
            "instructions = x'00'", "samples = \(Int.max)", "nextChunk = \(Int.max)",
            #"instructions = CAST(replace(CAST(instructions AS TEXT), '8000', '1') AS BLOB)"#,
        ]
    )
    func damagedRow(change: String) async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let id = try await Self.record(17, in: recordings)
        let next = try await Self.record(1, in: recordings)
        await recordings.release(id)
        try await room.database.write {
            let sql = "UPDATE recordingSession SET \(change) WHERE id = ?"
            try $0.execute(sql: sql, arguments: [id.rawValue])
        }
        let sessions = try await recordings.sessions()
        #expect(sessions.map(\.id) == [id, next] && sessions.map(\.isUnreadable) == [true, false])
        let name: ItemName = change == "instructions = x'00'" ? "?" : "Talk"
        #expect(sessions[0].order.name == name)
        #expect(sessions[0].state == .interrupted && sessions[0].samples == 0)
        await #expect(throws: VaultError.databaseDamaged) { _ = try await recordings.resume(id) }
        try await recordings.discard(id)
        #expect(try await recordings.sessions().map(\.id) == [next])
        #expect(try room.contentIDs.isEmpty, "nothing of it is left")
        _ = try await recordings.finish(next)
    }

    @Test("continue and are whole when only their marks are damaged, which is said by a mark")
    func damagedMarks() async throws {
        let room = try LibraryRoom()
        let before = room.recordings
        let id = try await Self.record(2, in: before)
        try await before.update(id) { $0.marks = [RecordingMark(sample: 9_000, label: "Gate")] }
        await before.release(id)
        try await room.database.write { try $0.execute(sql: "UPDATE recordingSession SET marks = x'00'") }
        let recordings = room.recordings
        let session = try #require(try await recordings.sessions().first)
        let said = RecordingMark(sample: 0, label: "The marks were damaged and are lost.")
        #expect(!session.isUnreadable && session.samples == 2 * SampleChunk.length && session.marks == [said])
        _ = try await recordings.resume(id)
        try await recordings.append(try Self.chunk(2), to: id)
        let later = RecordingMark(sample: 20_000, label: "Later")
        let updated = try await recordings.update(id) { $0.marks.append(later) }
        #expect(updated.marks == [said, later])
        #expect(try await recordings.finish(id).sampleCount == 3 * SampleChunk.length)
    }

    @Test("are discarded though the rows of their sound are damaged", arguments: ["recordedChunk", "recordedSegment"])
    func damagedPieces(table: String) async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let id = try await Self.record(17, in: recordings)
        try await room.database.write { try $0.execute(sql: "UPDATE \(table) SET start = \(Int.max) - key") }
        try await recordings.discard(id)
        #expect(try await recordings.sessions().isEmpty)
        #expect(try room.contentIDs.isEmpty, "nothing of it is left")
    }

    @Test(
        "have all their sound when they become recordings, though their row has fewer samples, or more than there can be",
        arguments: [0, 10_000, 1 << 47]
    )
    func damagedCount(samples: Int) async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let id = try await Self.record(31, in: recordings)
        try await room.database.write {
            try $0.execute(sql: "UPDATE recordingSession SET samples = ?", arguments: [samples])
        }
        let item = try await recordings.finish(id)
        #expect(item.sampleCount == 31 * SampleChunk.length && item.source?.lost.isEmpty == true)
        let sound = try await room.library.sound(of: id)
        let isWhole = try await sound.read(44..<sound.length) == Self.bytes(of: 0..<31)
        #expect(isWhole)
    }

    @Test(
        "lose a piece with a damaged row when they become recordings, say so, and keep every other one",
        arguments: ["recordedChunk SET start", "recordedSegment SET samples"]
    )
    func damagedPiece(column: String) async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let id = try await Self.record(31, in: recordings)
        try await room.database.write {
            let table = column.prefix { $0 != " " }
            try $0.execute(sql: "UPDATE \(column) = \(Int.max) WHERE key = (SELECT min(key) FROM \(table))")
        }
        let length = SampleChunk.length
        let lost = column.hasPrefix("recordedChunk") ? 30 * length..<31 * length : 0..<15 * length
        let heard = try await recordings.samples(of: id, from: lost.lowerBound, limit: 9)
        #expect(heard == [Int16](repeating: 0, count: 9))
        let item = try await recordings.finish(id)
        #expect(item.source?.lost == [lost] && item.sampleCount == 31 * length)
        var expected = Self.bytes(of: 0..<31)
        expected.replaceSubrange(2 * lost.lowerBound..<2 * lost.upperBound, with: Data(count: 2 * lost.count))
        let sound = try await room.library.sound(of: id)
        let isExpected = try await sound.read(44..<sound.length) == expected
        #expect(isExpected)
    }

    @Test("do not get longer by a piece whose row places it far behind the end")
    func farPiece() async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let id = try await Self.record(31, in: recordings)
        let (end, lost) = (31 * SampleChunk.length, 30 * SampleChunk.length..<31 * SampleChunk.length)
        try await room.database.write { try $0.execute(sql: "UPDATE recordedChunk SET start = 1000000000") }
        let item = try await recordings.finish(id)
        #expect(item.sampleCount == end && item.source?.lost == [lost])
    }

    private enum Damage: CaseIterable {
        case flippedBit, flippedHeader, cut, missing, missingRow
    }

    @Test("AT9: lose what is damaged and no more when they become recordings, and say so", arguments: Damage.allCases)
    private func damaged(_ damage: Damage) async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        // Two files of 30 s and a chunk in a row.
        let (id, count) = (try await Self.record(31, in: recordings), 31)
        let segments = try await room.database.read { try RecordedPiece.all(of: id, in: $0) }
        let first = try #require(segments.first?.reference)
        let path = room.contentPath(of: first.id)
        var bytes = try Data(contentsOf: URL(filePath: path))
        switch damage {
        case .flippedBit: bytes[300_000] ^= 1
        case .flippedHeader: bytes[100] ^= 1
        case .cut: bytes.removeLast(70_000)
        case .missing, .missingRow: break
        }
        try bytes.write(to: URL(filePath: path))
        if damage == .missing { unlink(path) }
        if damage == .missingRow {
            try await room.database.write { try $0.execute(sql: "DELETE FROM recordedChunk") }
        }
        let item = try await recordings.finish(id)
        let lost = try #require(item.source?.lost.first)
        #expect(item.source?.lost.count == 1 && item.sampleCount == count * SampleChunk.length)
        let whole = 0..<15 * SampleChunk.length
        switch damage {
        case .flippedBit: #expect(lost.contains(149_000) && lost.count <= 5 << 14 && whole.contains(lost.upperBound))
        case .flippedHeader, .missing, .cut: #expect(lost == whole)
        case .missingRow: #expect(lost == 30 * SampleChunk.length..<31 * SampleChunk.length)
        }
        var expected = Self.bytes(of: 0..<count)
        expected.replaceSubrange(2 * lost.lowerBound..<2 * lost.upperBound, with: Data(count: 2 * lost.count))
        let sound = try await room.library.sound(of: id)
        let isExpected = try await sound.read(44..<sound.length) == expected
        #expect(isExpected)
        #expect(try await room.library.item(id) == item, "it says so for good")
        #expect(try await recordings.sessions().isEmpty)
    }

    @Test("get the digest of their sound when they become recordings")
    func digest() async throws {
        let room = try LibraryRoom()
        let id = try await Self.record(31, in: room.recordings)
        let (item, digest) = try await room.recordings.finishWithDigest(id)
        let read = try await SoundDigest.sha256(of: try await room.library.sound(of: item.id))
        #expect(item.id == id && item.sampleCount == 31 * SampleChunk.length)
        #expect(digest == read)
    }

    @Test("get the digest of what is stored, also after an interruption and with sound that is damaged or missing")
    func digestOfGaps() async throws {
        let room = try LibraryRoom()
        let before = room.recordings
        // A file of 30 s and five chunks in rows.
        let id = try await Self.record(20, in: before)
        let pieces = try await room.database.read { try RecordedPiece.all(of: id, in: $0) }
        let path = room.contentPath(of: try #require(pieces.first?.reference).id)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[300_000] ^= 1
        try bytes.write(to: URL(filePath: path))
        try await room.database.write { database in
            try database.execute(
                sql: "DELETE FROM recordedChunk WHERE start = ?",
                arguments: [17 * SampleChunk.length]
            )
        }
        await before.release(id)
        let recordings = room.recordings
        _ = try await recordings.resume(id)
        for number in 20..<23 { try await recordings.append(try Self.chunk(number), to: id) }
        let (item, digest) = try await recordings.finishWithDigest(id)
        let read = try await SoundDigest.sha256(of: try await room.library.sound(of: id))
        #expect(item.source?.lost.count == 2 && item.sampleCount == 23 * SampleChunk.length)
        #expect(digest == read)
    }

    @Test("keep sound that cannot be read now, until it can be")
    func unreadable() async throws {
        let room = try LibraryRoom()
        let id = try await Self.record(31, in: room.recordings)
        await room.recordings.release(id)
        let failing = StoredRecordings(
            database: room.database,
            contents: UnreadableContents(contents: room.contents)
        )
        await #expect(throws: VaultError.system(errno: EIO)) { _ = try await failing.finish(id) }
        await failing.release(id)
        #expect(try await room.library.item(id) == nil)
        let item = try await room.recordings.finish(id)
        #expect(item.source?.lost == [])
        let other = try await Self.record(31, in: room.recordings)
        await room.recordings.release(other)
        // The files hold 15 s each; the rest is in rows.
        let part = try await failing.finish(other, keepsPart: true)
        #expect(part.source?.lost == [0..<30 * SampleChunk.length], "where a person wants what can be read")
        let sound = try await room.library.sound(of: id)
        let isWhole = try await sound.read(44..<sound.length) == Self.bytes(of: 0..<31)
        #expect(isWhole)
    }

    @Test("are heard while they become recordings, or are said to be gone, and never damaged")
    func hearingWhileFinishing() async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        for _ in 0..<10 {
            let id = try await Self.record(17, in: recordings)
            let listener = Task {
                while true { _ = try await recordings.samples(of: id, from: 0, limit: 100) }
            }
            _ = try await recordings.finish(id)
            await #expect(throws: RecordingError.sessionNotFound) { try await listener.value }
        }
    }

    @Test("AT9: stay as they are when there is no room for the recording, and chunks stay where they are")
    func failedContents() async throws {
        let room = try LibraryRoom()
        let broken = StoredRecordings(database: room.database, contents: FullContents())
        let id = try await Self.record(20, in: broken)
        await #expect(throws: VaultError.readOnly(.diskFull)) { _ = try await broken.finish(id) }
        let session = try await broken.session(id)
        await broken.release(id)
        #expect(session.nextChunk == 20)
        #expect(try room.contentIDs.isEmpty)
        let recordings = room.recordings
        try await recordings.append(try Self.chunk(20), to: id)
        #expect(try room.contentIDs.count == 1, "they are moved when there is room")
        #expect(try await recordings.finish(id).source?.lost == [])
    }

    @Test("refuse what cannot be")
    func refusals() async throws {
        let room = try LibraryRoom()
        let recordings = room.recordings
        let id = try await Self.record(1, in: recordings)
        for odd in ["", "..", "../\(id)", "recordings", "\(id)x"] {
            await #expect(throws: RecordingError.sessionNotFound) {
                _ = try await recordings.resume(AudioItem.ID(rawValue: odd))
            }
        }
        for change in ["state = 'gone'", "samples = -1", "nextChunk = -1", "marks = NULL"] {
            await #expect(throws: VaultError.system(errno: EINVAL), "\(change)") {
                try await room.database.write { try $0.execute(sql: "UPDATE recordingSession SET \(change)") }
            }
        }
        try await room.database.write {
            // As long as a WAV file can be, but for a chunk.
            let most = WAVHeader.maximumPlainData / 2 - SampleChunk.length
            try $0.execute(sql: "UPDATE recordingSession SET samples = ?", arguments: [most])
        }
        try await recordings.append(try Self.chunk(1), to: id)
        await #expect(throws: LibraryError.recordingTooLong) { try await recordings.append(try Self.chunk(2), to: id) }
    }

    private static func chunk(_ number: Int) throws -> RecordingChunk {
        try RecordingChunk(number: number, samples: SampleChunk.samples(number))
    }

    /// Makes a session with `count` chunks.
    private static func record(_ count: Int, in recordings: StoredRecordings) async throws -> AudioItem.ID {
        let order = try RecordingOrder(name: "Talk", sampleRate: SampleChunk.sampleRate, source: .microphone)
        let id = try await recordings.begin(order).id
        for number in 0..<count { try await recordings.append(try chunk(number), to: id) }
        return id
    }

    private static func bytes(of chunks: Range<Int>) -> Data {
        chunks.reduce(into: Data()) { bytes, number in
            SampleChunk.samples(number).withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
    }
}

/// Encrypted files that count how often one is opened.
private final class CountingContents: SealedContents {
    let opened = Mutex(0)
    private let contents: ContentStore

    init(contents: ContentStore) {
        self.contents = contents
    }

    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        try await contents.write(name: name, length: length, as: id, from: next)
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound {
        opened.withLock { $0 += 1 }
        return try await contents.sound(of: reference)
    }

    func delete(_ references: [ContentReference]) async throws { try await contents.delete(references) }
}

package import EchoText
import Foundation
import Testing

/// Checks every promise ``RecordingSessions`` makes.
///
/// - Parameters:
///   - sessions: The sessions to check, initially empty.
///   - library: The library that receives the recordings.
///   - reopened: The same sessions in another process, while this one is running.
/// - Throws: Unexpected errors of the sessions.
package func verifyContract(
    of sessions: some RecordingSessions,
    fillingUp library: some AudioLibrary,
    reopened: some RecordingSessions
) async throws {
    #expect(try await sessions.sessions().isEmpty)
    let before = try await library.items(matching: AudioQuery()).total
    let order = try RecordingOrder(name: "Talk", language: "et", sampleRate: 8_000, source: .microphone)
    let session = try await sessions.begin(order)
    #expect(session.order == order && session.state == .recording && session.samples == 0 && session.nextChunk == 0)
    #expect(try await sessions.sessions() == [session])
    #expect(try await reopened.session(session.id) == session, "another process sees that it is being recorded")
    await #expect(throws: RecordingError.nothingRecorded) { _ = try await sessions.finish(session.id) }
    #expect(try await sessions.session(session.id) == session, "and it stays")

    try await verifyChunks(of: session.id, in: sessions, reopened: reopened)
    try await verifyUpdates(of: session.id, in: sessions)
    try await verifyHolders(of: session.id, in: sessions, reopened: reopened)
    try await verifyFinish(of: session.id, in: sessions, library: library)
    #expect(try await library.items(matching: AudioQuery()).total == before + 1)
    try await verifyImport(into: sessions, library: library)
    try await verifyFiles(in: sessions, library: library, reopened: reopened)
    try await verifyDiscard(in: sessions, reopened: reopened)
    try await verifyOverlap(in: sessions, library: library)
}

/// The samples of chunk `number` of the contract's session, all different.
private func samples(_ number: Int, count: Int = 2_000) -> [Int16] {
    (0..<count).map { Int16(truncatingIfNeeded: ($0 &+ 1) &* (number &* 31 &+ 7)) }
}

private func chunk(_ number: Int) throws -> RecordingChunk {
    try RecordingChunk(number: number, samples: samples(number))
}

private func verifyChunks(
    of id: AudioItem.ID,
    in sessions: some RecordingSessions,
    reopened: some RecordingSessions
) async throws {
    // Thirty seconds and more, so that stores that move sound elsewhere do.
    let count = 130
    for number in 0..<count {
        let session = try await sessions.append(try chunk(number), to: id)
        #expect(session.nextChunk == number + 1 && session.samples == 2_000 * (number + 1))
        if number.isMultiple(of: 40) {
            #expect(try await reopened.session(id) == session)
            let again = try await sessions.append(try chunk(number), to: id)
            #expect(again == session, "a chunk that is there is not taken twice")
        }
    }
    for number in [0, count - 1] {
        let other = try RecordingChunk(number: number, samples: samples(number + 1_000))
        await #expect(throws: RecordingError.chunkTaken, "whose sound is lost has to know it") {
            try await sessions.append(other, to: id)
        }
    }
    await #expect(throws: RecordingError.chunkMissing(next: count)) {
        try await sessions.append(try chunk(count + 1), to: id)
    }
    let whole = (0..<count).flatMap { samples($0) }
    #expect(try await reopened.sound(of: id) == whole, "what is kept can be heard before it is a recording")
    let middle = try await reopened.samples(of: id, from: 4_321, limit: 10)
    let isMiddle = !middle.isEmpty && middle == Array(whole[4_321...].prefix(middle.count))
    #expect(isMiddle, "from anywhere")
    #expect(try await reopened.samples(of: id, from: whole.count, limit: 10).isEmpty)
    #expect(try await reopened.samples(of: id, from: whole.count + 5, limit: 10).isEmpty)
}

private func verifyUpdates(of id: AudioItem.ID, in sessions: some RecordingSessions) async throws {
    let before = try await sessions.session(id)
    let updated = try await sessions.update(id) { session in
        session.state = .paused
        session.order.name = "Lecture"
        session.order.language = "de"
        session.marks = [RecordingMark(sample: 9_000, label: "Later"), RecordingMark(sample: 5)]
        session.samples = 1
        session.nextChunk = 1
    }
    #expect(updated.state == .paused && updated.order.name == "Lecture" && updated.order.language == "de")
    #expect(updated.marks == [RecordingMark(sample: 5), RecordingMark(sample: 9_000, label: "Later")], "by time")
    #expect((updated.samples, updated.nextChunk) == (before.samples, before.nextChunk), "chunks alone change these")
    #expect(try await sessions.session(id) == updated)
}

private func verifyHolders(
    of id: AudioItem.ID,
    in sessions: some RecordingSessions,
    reopened: some RecordingSessions
) async throws {
    let next = try await sessions.session(id).nextChunk
    await #expect(throws: RecordingError.sessionBusy) { _ = try await reopened.resume(id) }
    await #expect(throws: RecordingError.sessionBusy) { try await reopened.append(try chunk(next), to: id) }
    await #expect(throws: RecordingError.sessionBusy) { try await reopened.update(id) { $0.state = .recording } }
    await #expect(throws: RecordingError.sessionBusy) { _ = try await reopened.finish(id) }
    await #expect(throws: RecordingError.sessionBusy) { try await reopened.discard(id) }
    await sessions.release(id)
    #expect(try await reopened.session(id).state == .paused, "one that says it is paused is")
    #expect(try await reopened.resume(id).state == .recording)
    for number in [0, next - 1] {
        let again = try await reopened.append(try chunk(number), to: id)
        #expect(again.nextChunk == next, "a chunk is known again by another process")
        let other = try RecordingChunk(number: number, samples: samples(number + 1_000))
        await #expect(throws: RecordingError.chunkTaken, "and whose sound is lost has to know it there too") {
            try await reopened.append(other, to: id)
        }
    }
    await #expect(throws: RecordingError.sessionBusy) { _ = try await sessions.resume(id) }
    try await reopened.append(try chunk(next), to: id)
    await reopened.release(id)
    #expect(try await sessions.session(id).state == .interrupted, "nobody records it")
    #expect(try await sessions.sessions().map(\.state) == [.interrupted])
    try await sessions.update(id) { $0.order.name = "Left talk" }
    #expect(try await reopened.resume(id).order.name == "Left talk", "changing it does not hold it")
    await reopened.release(id)
    #expect(try await sessions.resume(id).nextChunk == next + 1)
    #expect(try await sessions.resume(id).state == .recording, "also when it is held here already")
}

private func verifyFinish(
    of id: AudioItem.ID,
    in sessions: some RecordingSessions,
    library: some AudioLibrary
) async throws {
    let session = try await sessions.session(id)
    let whole = try await sessions.sound(of: id)
    #expect(whole.count == session.samples)
    let item = try await sessions.finish(id)
    #expect(item == AudioItem(finished: session, size: 44 + 2 * whole.count))
    #expect(item.origin == .recorded(SoundOrigin()) && item.words == 0 && !item.isTranscribed)
    #expect(try await sessions.sessions().isEmpty, "it is not there twice")
    #expect(try await library.item(id) == item)
    #expect(try await library.text(of: id).isEmpty)
    #expect(try await library.timings(of: id).isEmpty)
    #expect(try await library.marks(of: id) == session.marks)
    let sound = try await library.sound(of: id)
    #expect(try await sound.read(0..<sound.length) == WAVHeader.file(of: whole, sampleRate: 8_000))
    for missing in [id, AudioItem.ID()] { try await verifyMissing(missing, in: sessions) }

    let end = whole.count
    try await library.setMarks([RecordingMark(sample: end + 9), RecordingMark(sample: 3, label: "Here")], of: id)
    #expect(
        try await library.marks(of: id) == [RecordingMark(sample: 3, label: "Here"), RecordingMark(sample: end)],
        "by time, and none beyond the end"
    )
    var query = AudioQuery()
    query.origins = [.recorded]
    query.isTranscribed = false
    #expect(try await library.items(matching: query).items == [item])
    query.isTranscribed = true
    #expect(try await library.items(matching: query).items.isEmpty)
    try await library.delete([id])
    await #expect(throws: LibraryError.itemNotFound) { try await library.marks(of: id) }
    await #expect(throws: LibraryError.itemNotFound) { try await library.setMarks([], of: id) }
    try await verifyMissing(id, as: .sessionDiscarded, in: sessions)
    _ = try await sessions.begin(session.order)
    for left in try await sessions.sessions() {
        try await sessions.append(RecordingChunk(number: 0, samples: [1]), to: left.id)
        _ = try await sessions.finish(left.id)
    }
}

private func verifyMissing(
    _ id: AudioItem.ID,
    as error: RecordingError = .sessionNotFound,
    in sessions: some RecordingSessions
) async throws {
    await #expect(throws: error) { _ = try await sessions.session(id) }
    await #expect(throws: error) { _ = try await sessions.resume(id) }
    await #expect(throws: error) { try await sessions.append(try chunk(0), to: id) }
    await #expect(throws: error) { try await sessions.update(id) { $0.state = .paused } }
    await #expect(throws: error) { _ = try await sessions.finish(id) }
    await #expect(throws: error) { try await sessions.discard(id) }
    await #expect(throws: error) { try await sessions.samples(of: id, from: 0, limit: 1) }
    await sessions.release(id)
}

private func verifyImport(into sessions: some RecordingSessions, library: some AudioLibrary) async throws {
    let order = try RecordingOrder(
        name: "Old tape",
        sampleRate: 16_000,
        source: .file,
        sourceName: "tape.flac",
        made: Date(timeIntervalSince1970: 1_000_000)
    )
    let id = try await sessions.begin(order).id
    // A small piece between two long ones.
    let pieces = [40 * 16_000, 100, 31 * 16_000].enumerated().map { samples($0 + 1, count: $1) }
    for (number, piece) in pieces.enumerated() {
        try await sessions.append(RecordingChunk(number: number, samples: piece), to: id)
    }
    let whole = Array(pieces.joined())
    let isWhole = try await sessions.sound(of: id) == whole
    #expect(isWhole)
    let item = try await sessions.finish(id)
    #expect(item.origin == .imported(SoundOrigin(name: "tape.flac", made: order.made)))
    #expect(item.duration == Double(whole.count) / 16_000 && item.language == "und")
    let sound = try await library.sound(of: id)
    #expect(try await sound.read(44..<sound.length) == whole.withUnsafeBytes { Data($0) })
}

/// Files from which recordings were imported: kept, only recognized, unreadable, and deleted with their recordings.
private func verifyFiles(
    in sessions: some RecordingSessions,
    library: some AudioLibrary,
    reopened: some RecordingSessions
) async throws {
    let bytes = Data((0..<1_100_000).map { UInt8(truncatingIfNeeded: $0 + $0 / 251) })
    var others = bytes
    others[1_099_999] ^= 1
    let name = "talk – õ.M4A"
    func add(_ file: ImportedFile?) async throws -> AudioItem {
        let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .file, sourceName: name)
        let id = try await sessions.begin(order).id
        try await sessions.append(RecordingChunk(number: 0, samples: samples(1)), to: id)
        return try await sessions.finish(id, keepsPart: false, from: file)
    }
    #expect(try await sessions.recordings(from: HeldBytes(bytes)).isEmpty)
    let kept = try await add(ImportedFile(bytes: HeldBytes(bytes), isKept: true))
    #expect(kept.source?.fileSize == bytes.count && kept.hasFile && kept.size == 44 + 2 * 2_000)
    #expect(try await library.item(kept.id) == kept)
    let file = try await library.file(of: kept.id)
    let isWhole = try await file.read(0..<file.length) == bytes
    #expect(isWhole, "as it came")
    let sound = try await library.sound(of: kept.id)
    #expect(sound.length == kept.size, "the sound beside it is what is played")
    #expect(try await reopened.recordings(from: HeldBytes(bytes)) == [kept])
    #expect(try await sessions.recordings(from: HeldBytes(others)).isEmpty, "as long, and another file")

    let known = try await add(ImportedFile(bytes: HeldBytes(others), isKept: false, track: 2))
    #expect(known.source?.fileSize == nil && !known.hasFile)
    #expect(known.source?.track == 2 && kept.source?.track == nil, "which track was asked for is known")
    #expect(try await sessions.recordings(from: HeldBytes(others)) == [known])
    let plain = try await add(nil)
    for id in [known.id, plain.id] {
        await #expect(throws: LibraryError.fileNotKept) { _ = try await library.file(of: id) }
    }
    let again = try await add(ImportedFile(bytes: HeldBytes(bytes), isKept: true))
    #expect(Set(try await sessions.recordings(from: HeldBytes(bytes)).map(\.id)) == [kept.id, again.id])

    await #expect(throws: LibraryError.itemNotFound) {
        try await library.deleteFiles(of: [again.id, AudioItem.ID(rawValue: "nowhere")])
    }
    #expect(try await library.file(of: again.id).length == bytes.count, "all of them, or none")
    try await library.deleteFiles(of: [kept.id, plain.id])
    let bare = try #require(try await library.item(kept.id))
    #expect(!bare.hasFile && bare.source?.name == name && bare.size == kept.size)
    await #expect(throws: LibraryError.fileNotKept) { _ = try await library.file(of: kept.id) }
    #expect(try await library.sound(of: kept.id).length == kept.size, "its sound stays")
    #expect(Set(try await sessions.recordings(from: HeldBytes(bytes)).map(\.id)) == [kept.id, again.id])

    try await library.delete([kept.id, known.id, plain.id])
    #expect(try await sessions.recordings(from: HeldBytes(bytes)) == [again])
    #expect(try await sessions.recordings(from: HeldBytes(others)).isEmpty, "nothing remembers what was deleted")
    await #expect(throws: LibraryError.itemNotFound) { _ = try await library.file(of: kept.id) }
    let other = try await library.file(of: again.id)
    let isStillWhole = try await other.read(0..<other.length) == bytes
    #expect(isStillWhole, "the file of another recording stays")
    try await library.delete([again.id])
    try await verifyUnreadableFile(in: sessions, library: library)
    try await verifyUniqueFile(in: sessions, library: library)
    try await verifyFileWithoutRoom(in: sessions, library: library)
}

/// A unique file has one recording for each choice of track, however many of its imports end at once.
///
/// The sessions of the others stay.
private func verifyUniqueFile(in sessions: some RecordingSessions, library: some AudioLibrary) async throws {
    let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
    @Sendable func add(isKept: Bool, track: Int? = nil, isUnique: Bool = true) async throws -> AudioItem? {
        let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .file)
        let id = try await sessions.begin(order).id
        try await sessions.append(RecordingChunk(number: 0, samples: samples(1)), to: id)
        let file = ImportedFile(bytes: HeldBytes(bytes), isKept: isKept, track: track, isUnique: isUnique)
        do {
            return try await sessions.finish(id, keepsPart: false, from: file)
        } catch LibraryError.recordingThere(let name) {
            #expect(name == "Talk")
            #expect(try await sessions.session(id).samples == samples(1).count)
            try await sessions.discard(id)
            return nil
        }
    }
    async let first = add(isKept: true)
    async let second = add(isKept: false)
    async let third = add(isKept: true)
    let one = try await [first, second, third].compactMap(\.self)
    #expect(one.count == 1)
    #expect(try await sessions.recordings(from: HeldBytes(bytes)) == one)
    let other = try #require(try await add(isKept: true, track: 1), "another track")
    let again = try #require(try await add(isKept: true, isUnique: false))
    try await library.delete(Set((one + [other, again]).map(\.id)))
    let afterwards = try #require(try await add(isKept: true), "its recordings are deleted")
    try await library.delete([afterwards.id])
}

/// A file that may take no room is kept only where another recording has it.
private func verifyFileWithoutRoom(in sessions: some RecordingSessions, library: some AudioLibrary) async throws {
    let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
    var items: [AudioItem] = []
    for takesRoom in [false, true, false] {
        let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .file)
        let id = try await sessions.begin(order).id
        try await sessions.append(RecordingChunk(number: 0, samples: samples(1)), to: id)
        let file = ImportedFile(bytes: HeldBytes(bytes), isKept: true, takesRoom: takesRoom, track: 2)
        items.append(try await sessions.finish(id, keepsPart: false, from: file))
    }
    #expect(items.map(\.hasFile) == [false, true, true])
    #expect(items.allSatisfy { $0.source?.track == 2 })
    #expect(Set(try await sessions.recordings(from: HeldBytes(bytes)).map(\.id)) == Set(items.map(\.id)))
    await #expect(throws: LibraryError.fileNotKept) { _ = try await library.file(of: items[0].id) }
    #expect(try await library.file(of: items[2].id).length == bytes.count)
    try await library.delete(Set(items.map(\.id)))
}

/// A file that cannot be read to its end makes no recording, and the session stays.
private func verifyUnreadableFile(in sessions: some RecordingSessions, library: some AudioLibrary) async throws {
    let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .file)
    let id = try await sessions.begin(order).id
    try await sessions.append(RecordingChunk(number: 0, samples: samples(1)), to: id)
    await #expect(throws: VaultError.system(errno: EIO)) {
        _ = try await sessions.finish(id, keepsPart: false, from: ImportedFile(bytes: UnreadableBytes(), isKept: true))
    }
    #expect(try await library.item(id) == nil)
    #expect(try await sessions.sessions().map(\.id) == [id])
    try await sessions.discard(id)
}

/// Bytes of which nothing can be read.
private struct UnreadableBytes: StoredBytes {
    let length = 100_000

    func read(_ range: Range<Int>) async throws -> Data { throw VaultError.system(errno: EIO) }
}

private func verifyDiscard(in sessions: some RecordingSessions, reopened: some RecordingSessions) async throws {
    let order = try RecordingOrder(name: "Unwanted", sampleRate: 8_000, source: .microphone)
    let id = try await sessions.begin(order).id
    try await sessions.append(RecordingChunk(number: 0, samples: samples(1, count: 8_000 * 31)), to: id)
    try await sessions.append(RecordingChunk(number: 1, samples: samples(2)), to: id)
    await sessions.release(id)
    try await reopened.discard(id)
    #expect(try await sessions.sessions().isEmpty)
    try await verifyMissing(id, as: .sessionDiscarded, in: sessions)
    try await verifyMissing(id, as: .sessionDiscarded, in: reopened)
}

/// Chunks of several sessions at once, and each chunk sent twice.
private func verifyOverlap(in sessions: some RecordingSessions, library: some AudioLibrary) async throws {
    let order = try RecordingOrder(name: "One of several", sampleRate: 8_000, source: .microphone)
    try await withThrowingTaskGroup { group in
        for _ in 0..<3 {
            group.addTask {
                let id = try await sessions.begin(order).id
                for number in 0..<20 {
                    async let first = sessions.append(try chunk(number), to: id)
                    async let second = sessions.append(try chunk(number), to: id)
                    let counts = try await [first.nextChunk, second.nextChunk]
                    #expect(counts == [number + 1, number + 1])
                }
                let item = try await sessions.finish(id)
                #expect(item.sampleCount == 20 * 2_000)
            }
        }
        try await group.waitForAll()
    }
    #expect(try await sessions.sessions().isEmpty)
}

extension RecordingSessions {
    /// The whole stored sound of a session.
    fileprivate func sound(of id: AudioItem.ID) async throws -> [Int16] {
        var whole: [Int16] = []
        while case let next = try await samples(of: id, from: whole.count, limit: 100_000), !next.isEmpty {
            whole += next
        }
        return whole
    }
}

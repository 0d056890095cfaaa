import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("A session that captured sound is written into", .endsInTime)
struct SessionWriterTests {
    private static let full = VaultError.readOnly(.diskFull)

    private let library = MemoryLibrary()
    private let sessions: MemorySessions
    private let clock = ManualClock()
    private let reported = Reported()
    private let writer: SessionWriter

    private final class Reported: Sendable {
        private let errors = Mutex<[VaultError]>([])

        var all: [VaultError] { errors.withLock(\.self) }

        func add(_ error: any Error) {
            errors.withLock { $0 += [error as? VaultError].compactMap(\.self) }
        }
    }

    init() {
        sessions = MemorySessions(library)
        writer = SessionWriter(into: sessions, clock: clock) { [reported] in reported.add($0) }
    }

    private func begin() async throws -> RecordingSession {
        let session = try await sessions.begin(RecordingOrder(name: "Walk", sampleRate: 8_000, source: .microphone))
        await writer.hold(session)
        return session
    }

    /// Half a second.
    private func piece(_ number: Int16) -> [Int16] { Array(repeating: number, count: 4_000) }

    @Test("holds what cannot be stored, says so once, and stores it in order when it can")
    func held() async throws {
        let session = try await begin()
        try await writer.append(piece(1))
        await sessions.failAppending(with: [Self.full, Self.full])
        for number in 2...4 { try await writer.append(piece(Int16(number))) }
        #expect(reported.all == [Self.full])
        let kept = try await sessions.samples(of: session.id, from: 0, limit: 20_000)
        #expect(kept == (1...4).flatMap { piece(Int16($0)) })
        await sessions.failAppending(with: [Self.full])
        try await writer.append(piece(5))
        #expect(reported.all == [Self.full, Self.full], "another row of failures")
    }

    @Test("keeps marks with the recording, and no more than it takes")
    func marks() async throws {
        let session = try await begin()
        try await writer.append(piece(1))
        await writer.mark(RecordingMark(sample: 3_000, label: "Second"))
        await writer.mark(RecordingMark(sample: 1_000, label: "First"))
        #expect(try await sessions.session(session.id).marks.map(\.label) == ["First", "Second"])
        let most = (0..<RecordingMark.most - 1).map { RecordingMark(sample: $0 % 4_000) }
        try await sessions.update(session.id) { $0.marks = most }
        for label in ["Last", "Too many"] { await writer.mark(RecordingMark(sample: 4_000, label: label)) }
        let item = try await writer.finish()
        let kept = try await library.marks(of: item.id)
        #expect(kept.count == RecordingMark.most && kept.last?.label == "Last")
    }

    @Test("stores marks once that are made at the same time")
    func marksAtOnce() async throws {
        let session = try await begin()
        try await writer.append(piece(1))
        await withTaskGroup(of: Void.self) { [writer] group in
            for sample in 0..<20 { group.addTask { await writer.mark(RecordingMark(sample: sample)) } }
        }
        #expect(try await sessions.session(session.id).marks.map(\.sample) == Array(0..<20))
    }

    @Test("becomes a recording after the marks that another call is storing")
    func marksAtTheEnd() async throws {
        let held = HeldSessions(sessions)
        let writer = SessionWriter(into: held, clock: clock) { _ in }
        await writer.hold(try await held.begin(RecordingOrder(name: "Walk", sampleRate: 8_000, source: .microphone)))
        try await writer.append(piece(1))
        let marking = Task { await writer.mark(RecordingMark(sample: 1_000, label: "Late")) }
        await held.hasBegun.wait()
        let finishing = Task { try await writer.finish() }
        for _ in 0..<100 { await Task.yield() }
        held.mayGoOn.set()
        let item = try await finishing.value
        await marking.value
        #expect(try await library.marks(of: item.id).map(\.label) == ["Late"])
    }

    @Test("tries some times more at the end")
    func end() async throws {
        _ = try await begin()
        try await writer.append(piece(1))
        await sessions.failAppending(with: [Self.full, Self.full, Self.full])
        try await writer.append(piece(2))
        let finishing = Task { try await writer.finish() }
        #expect(await clock.endShortestSleep() == .seconds(2))
        #expect(await clock.endShortestSleep() == .seconds(2))
        #expect(try await finishing.value.sampleCount == 8_000)
    }

    @Test("says what is left and what is lost when it stays so")
    func lost() async throws {
        let session = try await begin()
        try await writer.append(piece(1))
        await sessions.failAppending(with: Array(repeating: Self.full, count: 9))
        try await writer.append(piece(2))
        let finishing = Task { try await writer.finish() }
        for _ in 0..<3 { await clock.endShortestSleep() }
        await #expect(throws: Self.full) { try await finishing.value }
        let left = await writer.leave()
        #expect(left.session == session.id && left.lost == 0.5)
        #expect(try await sessions.session(session.id).samples == 4_000)
    }

    @Test("waits no longer at the end when it is cancelled")
    func cancelled() async throws {
        _ = try await begin()
        await sessions.failAppending(with: Array(repeating: Self.full, count: 9))
        try await writer.append(piece(1))
        let finishing = Task { try await writer.finish() }
        try await waitUntil("the writer waits") { clock.sleeperCount > 0 }
        finishing.cancel()
        await #expect(throws: CancellationError.self) { try await finishing.value }
        let left = await writer.leave()
        #expect(left.session == nil && left.lost == 0.5)
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test("ends at once at what cannot pass, and when as much waits as may")
    func bounds() async throws {
        _ = try await begin()
        await sessions.failAppending(with: [VaultError.locked])
        await #expect(throws: VaultError.locked) { try await writer.append(piece(1)) }
        await sessions.failAppending(with: [LibraryError.recordingTooLong])
        await #expect(throws: LibraryError.recordingTooLong) { try await writer.append(piece(1)) }
        await sessions.failAppending(with: Array(repeating: Self.full, count: 2))
        let most = Array(repeating: Int16(1), count: SessionWriter.longestWaiting * 8_000)
        await #expect(throws: Self.full) { try await writer.append(most) }
    }

    @Test("leaves nothing where nothing was heard")
    func empty() async throws {
        _ = try await begin()
        await #expect(throws: RecordingError.nothingRecorded) { try await writer.finish() }
        #expect(try await sessions.sessions().isEmpty)
    }
}

/// Sessions that are updated only when a test lets them be.
private struct HeldSessions: RecordingSessions {
    let hasBegun = Latch()
    let mayGoOn = Latch()
    private let memory: MemorySessions

    init(_ sessions: MemorySessions) { memory = sessions }

    func begin(_ order: RecordingOrder) async throws -> RecordingSession { try await memory.begin(order) }
    func resume(_ id: AudioItem.ID) async throws -> RecordingSession { try await memory.resume(id) }
    func sessions() async throws -> [RecordingSession] { try await memory.sessions() }
    func session(_ id: AudioItem.ID) async throws -> RecordingSession { try await memory.session(id) }
    func append(_ chunk: RecordingChunk, to id: AudioItem.ID) async throws -> RecordingSession {
        try await memory.append(chunk, to: id)
    }
    func update(
        _ id: AudioItem.ID,
        _ change: @Sendable (inout RecordingSession) -> Void
    ) async throws -> RecordingSession {
        hasBegun.set()
        await mayGoOn.wait()
        return try await memory.update(id, change)
    }
    func release(_ id: AudioItem.ID) async { await memory.release(id) }
    func finish(_ id: AudioItem.ID, keepsPart: Bool, from file: ImportedFile?) async throws -> AudioItem {
        try await memory.finish(id, keepsPart: keepsPart, from: file)
    }
    func recordings(from file: any StoredBytes) async throws -> [AudioItem] {
        try await memory.recordings(from: file)
    }
    func discard(_ id: AudioItem.ID) async throws { try await memory.discard(id) }
    func samples(of id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16] {
        try await memory.samples(of: id, from: start, limit: limit)
    }
}

package import EchoText
import Foundation

/// Recording sessions in memory, as one process sees them.
package struct MemorySessions: RecordingSessions {
    private let contents: Contents
    /// Distinguishes the processes.
    private let process = UUID()

    /// - Parameter library: Gets the recordings.
    package init(_ library: MemoryLibrary) {
        contents = Contents(library)
    }

    private init(_ contents: Contents) {
        self.contents = contents
    }

    /// Returns the same sessions as another process sees them.
    package func reopened() -> MemorySessions { MemorySessions(contents) }

    /// Makes the next chunks fail with these errors, in order.
    package func failAppending(with errors: [any Error]) async { await contents.failAppending(with: errors) }

    /// Makes whoever finishes a session set `begun` and wait for `gate`, also in a task that is cancelled.
    package func holdFinishing(_ begun: Latch, until gate: Latch) async {
        await contents.holdFinishing(begun, until: gate)
    }

    package func begin(_ order: RecordingOrder) async throws -> RecordingSession {
        await contents.begin(order, process)
    }

    package func resume(_ id: AudioItem.ID) async throws -> RecordingSession {
        try await contents.change(id, process) { $0.state = .recording }
    }

    package func sessions() async throws -> [RecordingSession] { await contents.all() }

    package func session(_ id: AudioItem.ID) async throws -> RecordingSession { try await contents.session(id) }

    @discardableResult
    package func append(_ chunk: RecordingChunk, to id: AudioItem.ID) async throws -> RecordingSession {
        try await contents.append(chunk, to: id, process)
    }

    @discardableResult
    package func update(
        _ id: AudioItem.ID,
        _ change: @Sendable (inout RecordingSession) -> Void
    ) async throws -> RecordingSession {
        let wasHeld = await contents.isHeld(id, by: process)
        var changed = try await contents.session(id)
        change(&changed)
        let session = changed
        let updated = try await contents.change(id, process) { $0.take(session) }
        if !wasHeld { await contents.release(id, process) }
        return updated
    }

    package func release(_ id: AudioItem.ID) async { await contents.release(id, process) }

    /// All of it can be read.
    package func finish(_ id: AudioItem.ID, keepsPart: Bool, from file: ImportedFile?) async throws -> AudioItem {
        try await contents.finish(id, process, from: file)
    }

    /// The digest is the length of the sound, as for ``TranscriptionTools/scripted(_:detector:diarizer:paces:sending:)``.
    package func finishWithDigest(_ id: AudioItem.ID) async throws -> (item: AudioItem, digest: String?) {
        let item = try await finish(id)
        return (item, "\(WAVHeader.plainLength + 2 * item.sampleCount)")
    }

    package func recordings(from file: any StoredBytes) async throws -> [AudioItem] {
        let bytes = try await file.read(0..<file.length)
        return await contents.recordings(from: bytes)
    }

    package func discard(_ id: AudioItem.ID) async throws { try await contents.discard(id, process) }

    package func samples(of id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16] {
        try await contents.samples(of: id, from: start, limit: limit)
    }

    /// The stored data, for all processes.
    private actor Contents {
        private struct Work {
            var session: RecordingSession
            var samples: [Int16] = []
            var holder: UUID?
            /// The chunks that were added, by number.
            var added: [Int: [Int16]] = [:]
        }

        private let library: MemoryLibrary
        private var work: [AudioItem.ID: Work] = [:]
        private var order: [AudioItem.ID] = []
        /// The sessions that became recordings or were discarded.
        private var ended: Set<AudioItem.ID> = []
        private var failures: [any Error] = []
        private var finishing: (begun: Latch, gate: Latch)?

        init(_ library: MemoryLibrary) {
            self.library = library
        }

        func begin(_ instructions: RecordingOrder, _ process: UUID) -> RecordingSession {
            let session = RecordingSession(created: Date(), order: instructions)
            work[session.id] = Work(session: session, holder: process)
            order.append(session.id)
            return session
        }

        func all() -> [RecordingSession] { order.compactMap { work[$0].map(Self.shown) } }

        func session(_ id: AudioItem.ID) async throws -> RecordingSession {
            guard let found = work[id] else { throw await absence(of: id) }
            return Self.shown(found)
        }

        /// Why there is no session with an id.
        private func absence(of id: AudioItem.ID) async -> RecordingError {
            guard ended.contains(id), await !library.has(id) else { return .sessionNotFound }
            return .sessionDiscarded
        }

        private static func shown(_ work: Work) -> RecordingSession {
            var session = work.session
            if session.state == .recording, work.holder == nil { session.state = .interrupted }
            return session
        }

        func isHeld(_ id: AudioItem.ID, by process: UUID) -> Bool { work[id]?.holder == process }

        private func hold(_ id: AudioItem.ID, _ process: UUID) async throws -> Work {
            guard var found = work[id] else { throw await absence(of: id) }
            guard (found.holder ?? process) == process else { throw RecordingError.sessionBusy }
            found.holder = process
            return found
        }

        func change(
            _ id: AudioItem.ID,
            _ process: UUID,
            _ change: @Sendable (inout RecordingSession) -> Void
        ) async throws -> RecordingSession {
            var found = try await hold(id, process)
            change(&found.session)
            work[id] = found
            return found.session
        }

        func failAppending(with errors: [any Error]) { failures += errors }

        func holdFinishing(_ begun: Latch, until gate: Latch) { finishing = (begun, gate) }

        func append(
            _ chunk: RecordingChunk,
            to id: AudioItem.ID,
            _ process: UUID
        ) async throws -> RecordingSession {
            if !failures.isEmpty { throw failures.removeFirst() }
            var found = try await hold(id, process)
            guard chunk.number <= found.session.nextChunk else {
                throw RecordingError.chunkMissing(next: found.session.nextChunk)
            }
            if chunk.number == found.session.nextChunk {
                found.samples += chunk.samples
                found.session.samples += chunk.samples.count
                found.session.nextChunk += 1
                found.added[chunk.number] = chunk.samples
            } else if found.added[chunk.number] != chunk.samples {
                throw RecordingError.chunkTaken
            }
            work[id] = found
            return found.session
        }

        func release(_ id: AudioItem.ID, _ process: UUID) {
            guard isHeld(id, by: process) else { return }
            work[id]?.holder = nil
        }

        func finish(_ id: AudioItem.ID, _ process: UUID, from file: ImportedFile?) async throws -> AudioItem {
            guard try await hold(id, process).session.samples > 0 else { throw RecordingError.nothingRecorded }
            if let (begun, gate) = finishing {
                begun.set()
                // A task of its own does not learn that the caller's is cancelled.
                await Task { await gate.wait() }.value
            }
            var file = file
            var imported: (bytes: Data, isKept: Bool)?
            if let given = file {
                let bytes = try await given.bytes.read(0..<given.bytes.length)
                let isThere = await library.items(importedFrom: bytes).contains(where: \.hasFile)
                let kept = given.takesRoom || isThere ? given : given.unkept
                file = kept
                imported = (bytes, kept.isKept)
            }
            let found = try await hold(id, process)
            work[id] = nil
            let sound = WAVHeader.file(of: found.samples, sampleRate: found.session.order.sampleRate)
            let item = AudioItem(finished: found.session, size: sound.count, from: file)
            let marks = found.session.marks.ordered(within: found.session.samples)
            let recording = MemoryLibrary.Recording(
                item: item,
                text: "",
                timings: [],
                sound: sound,
                marks: marks,
                file: imported
            )
            do {
                try await library.add(recording, isUnique: file?.isUnique ?? false)
            } catch {
                work[id] = found
                throw error
            }
            ended.insert(id)
            return item
        }

        func recordings(from bytes: Data) async -> [AudioItem] { await library.items(importedFrom: bytes) }

        func discard(_ id: AudioItem.ID, _ process: UUID) async throws {
            _ = try await hold(id, process)
            ended.insert(id)
            work[id] = nil
        }

        func samples(of id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16] {
            guard let found = work[id] else { throw await absence(of: id) }
            return Array(found.samples.dropFirst(start).prefix(limit))
        }
    }
}

package import Foundation
import Synchronization

/// Somewhere bytes go piece by piece: a file, memory, or an answer that is sent meanwhile; the rules are those of ``AudioSink``.
package protocol ByteSink: Sendable {
    func append(_ bytes: Data) async throws
    func finish() async throws
    func discard() async
}

extension ByteSink {
    package func append(_ text: String) async throws { try await append(Data(text.utf8)) }

    /// Runs `work`, which appends to the sink, and finishes it.
    ///
    /// - Throws: What `work` and finishing throw; the sink is discarded then.
    package func completed(by work: () async throws -> Void) async throws {
        do {
            try await work()
            try await finish()
        } catch {
            await discard()
            throw error
        }
    }

    /// Appends all of `bytes`, and finishes.
    ///
    /// - Throws: What reading and writing throw; the sink is discarded then.
    package func take(_ bytes: any StoredBytes) async throws {
        try await completed { try await bytes.forEachPiece { try await append($0) } }
    }
}

/// Bytes that are collected in memory, and read from there.
package final class MemoryBytes: ByteSink, StoredSound {
    private let bytes = Mutex(Data())

    package init() {}

    package var length: Int { bytes.withLock(\.count) }

    package func append(_ piece: Data) async throws { bytes.withLock { $0.append(piece) } }

    package func finish() async throws {}

    package func discard() async { bytes.withLock { $0 = Data() } }

    package func read(_ range: Range<Int>) async throws -> Data { bytes.withLock { Data($0[range]) } }
}

extension StoredSound {
    /// Reads all of it, piece by piece.
    package func forEachPiece(_ body: (Data) async throws -> Void) async throws {
        let piece = 262_144  // bytes
        var position = 0
        while position < length {
            try Task.checkCancellation()
            let end = min(length, position + piece)
            try await body(try await read(position..<end))
            position = end
        }
    }
}
